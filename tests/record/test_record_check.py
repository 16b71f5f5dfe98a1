"""A record replayed as a test of eyes and mind: golden ones hold, and whatever is made wrong is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed_look

from bot.board import Cell
from bot.geometry import Point
from bot.record.check import CheckCounts, ProblemKind, RecordProblem, check_game
from bot.record.lines import Record, RecordedRound, SentInput, load_record
from bot.solver.decision import Action, Decision, Move, Reason
from bot.vision import load_skins
from conftest import Run
from recorded import without_pictures

RECORDS = Path(__file__).parent.parent.parent / "fixtures" / "records"
SKINS = load_skins()
GOLDEN = {  # rounds, pictures, cells, proven moves
    "builtin-flags": (11, 13, 1053, 28),
    "winemine-beginner": (14, 16, 1296, 53),
    "winemine-chords": (38, 40, 4800, 194),
    "winemine-killed": (14, 15, 3840, 69),
}


def checked(record: Record) -> tuple[list[RecordProblem], CheckCounts]:
    counts = CheckCounts()
    findings = [one for game in record.games for one in check_game(record, game, SKINS, counts)]
    return findings, counts


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_records_are_read_and_decided_as_they_were(name: str) -> None:
    record = load_record(RECORDS / name)
    findings, counts = checked(record)
    assert not findings
    assert (counts.rounds, counts.pictures, counts.cells, counts.proofs) == GOLDEN[name]
    assert counts.unread == 0
    assert bool(record.missing) is (name == "winemine-killed")


@pytest.fixture
def record() -> Record:
    return load_record(RECORDS / "winemine-chords")


def changed(record: Record, number: int, change: Callable[[RecordedRound], RecordedRound]) -> Record:
    """Return the record with that round of its first game (from 1) changed."""
    game = record.games[0]
    rounds = list(game.rounds)
    rounds[number - 1] = change(rounds[number - 1])
    return replace(record, games=(replace(game, rounds=tuple(rounds)), *record.games[1:]))


def kinds(record: Record) -> set[tuple[int, ProblemKind]]:
    findings, _ = checked(record)
    assert {finding.game for finding in findings} <= {1}
    return {(finding.round, finding.kind) for finding in findings}


def test_a_misread_cell_is_found(record: Record) -> None:
    turn = record.games[0].rounds[9]
    cell = turn.seen.board.cells(1)[0]

    def misread(turn: RecordedRound) -> RecordedRound:
        return replace(turn, seen=changed_look(turn.seen, cells=turn.seen.board.replace({cell: 2}).lines()))

    findings, _ = checked(changed(record, 10, misread))
    assert str(findings[0]) == (
        f"game 1, round 10: misread: row {cell.row + 1}, column {cell.col + 1} was read as '2' but shows '1'"
    )
    assert (10, ProblemKind.IMPOSSIBLE) in {(finding.round, finding.kind) for finding in findings}


def test_a_cell_misread_all_along_is_found_by_the_mines_at_the_end(record: Record) -> None:
    """Even where eyes that read the picture again make the same mistake."""
    game = record.games[0]
    turn = game.rounds[-1]
    cell = turn.seen.board.cells(2)[0]
    wrong = changed_look(turn.seen, cells=turn.seen.board.replace({cell: 1}).lines())
    findings, _ = checked(changed(record, turn.number, lambda turn: replace(turn, seen=wrong)))
    words = [finding.words for finding in findings if finding.kind is ProblemKind.IMPOSSIBLE]
    assert any(f"the 1 at row {cell.row + 1}, column {cell.col + 1} touches 2 mines" in one for one in words)


def test_a_lost_proof_is_found(record: Record) -> None:
    number = next(
        turn.number for turn in record.games[0].rounds if turn.number > 3 and turn.decision.risk == 0
    )
    turn = record.games[0].rounds[number - 1]
    covered = next(iter(turn.decision.risks), turn.decision.moves[0].cell)
    guess = Decision((Move(covered, Action.OPEN, 0.2, Reason.GUESS),), Reason.GUESS)
    found = kinds(changed(record, number, lambda turn: replace(turn, decision=guess)))
    assert (number, ProblemKind.LOST) in found


def test_a_false_proof_is_found(record: Record) -> None:
    game = record.games[0]
    turn = next(turn for turn in game.rounds if turn.decision.mines)
    mine = min(turn.decision.mines)
    move = Move(mine, Action.OPEN, 0.0, Reason.COUNTING)

    def wrong(turn: RecordedRound) -> RecordedRound:
        return replace(turn, decision=replace(turn.decision, moves=(*turn.decision.moves, move)))

    findings, _ = checked(changed(record, turn.number, wrong))
    assert [finding.kind for finding in findings] == [ProblemKind.FALSE, ProblemKind.FALSE]
    assert f"row {mine.row + 1}, column {mine.col + 1} was proven safe but is a mine" in findings[0].words
    assert "cannot be proven safe" in findings[1].words


def test_another_risk_is_found() -> None:
    record = load_record(RECORDS / "builtin-flags")
    turn = next(turn for turn in record.games[0].rounds if turn.decision.reason is Reason.GUESS)
    cell, risk = next(iter(turn.decision.risks.items()))
    risks = {**turn.decision.risks, cell: risk + 0.01}

    def wrong(turn: RecordedRound) -> RecordedRound:
        return replace(turn, decision=replace(turn.decision, risks=risks))

    assert kinds(changed(record, turn.number, wrong)) == {(turn.number, ProblemKind.RISK)}


@pytest.mark.parametrize("place", [Point(3, 3), None])
def test_a_stray_click_is_found(record: Record, place: Point | None) -> None:
    turn = record.games[0].rounds[5]
    planned = {click.move.cell for click in turn.clicks}
    cell = next(cell for cell in turn.seen.board if cell not in planned)
    x, y = turn.seen.grid.centre(cell)
    inside = Point(turn.seen.origin.x + int(x), turn.seen.origin.y + int(y))
    place = place or inside
    stray = SentInput(turn.decided, place.x, place.y, "left")
    found = kinds(changed(record, 6, lambda turn: replace(turn, sent=(*turn.sent, stray))))
    assert found == {(6, ProblemKind.STRAY)}


def test_a_missing_picture_is_one_finding_a_round(run: Run, tmp_path: Path) -> None:
    without_pictures(RECORDS / "winemine-beginner", tmp_path, 2)
    code, out, err = run("replay", tmp_path, "--check")
    assert (code, err) == (1, "")
    rounds = len(load_record(tmp_path).games[1].rounds)
    assert out.count("missing picture: ") == rounds + 1
    assert f"{rounds + 1} findings" in out.splitlines()[-1]


def test_the_command_checks_records(run: Run) -> None:
    code, out, err = run("replay", RECORDS / "winemine-beginner", RECORDS / "winemine-killed", "--check")
    assert (code, err) == (0, "")
    first, second, third = out.splitlines()
    assert first.endswith("2 games, 14 rounds, 53 proven moves, 1296 cells on 16 pictures: nothing is wrong")
    assert second.endswith("the run was cut off in game 2, after round 6")
    assert third.endswith("nothing is wrong")


def test_pictures_and_records_at_once(run: Run, tmp_path: Path) -> None:
    code, _, err = run("replay", tmp_path, RECORDS / "none.png")
    assert (code, err) == (
        2,
        "minebot: give either pictures or folders with records, not both at once\n",
    )
    code, _, err = run("replay", RECORDS / "none.png", "--check")
    assert (code, "need a folder that" in err) == (2, True)
    code, _, err = run("replay", tmp_path, "--check")
    assert (code, err.count("\n"), "there is no record in" in err) == (2, 1, True)
    code, _, err = run("replay", RECORDS / "winemine-beginner", "--overlay", tmp_path / "marks.png")
    assert (code, "a record has --report and --film" in err) == (2, True)
    page = tmp_path / "page.html"
    code, _, err = run("replay", RECORDS / "winemine-beginner", "--game", "99", "--report", page)
    assert (code, "99" in err, page.exists()) == (2, True, False)


def test_cells_that_were_hidden_are_not_held_against_it(record: Record) -> None:
    turn = record.games[0].rounds[9]
    cell = turn.seen.board.cells(1)[0]
    remembered = changed_look(turn.seen, remembered=frozenset({cell}))
    assert not kinds(changed(record, 10, lambda turn: replace(turn, seen=remembered)))
    assert isinstance(cell, Cell)


def test_a_game_that_was_watched_is_no_riddle(record: Record) -> None:
    """In a dry run the user clicks, and no click is in the record."""
    game = record.games[0]
    rounds = tuple(replace(turn, clicks=(), sent=()) for turn in game.rounds)
    unclicked = replace(record, games=(replace(game, rounds=rounds),))
    assert {finding.kind for finding in checked(unclicked)[0]} == {ProblemKind.IMPOSSIBLE}
    settings = {**record.about.settings, "dry_run": True}
    assert not checked(replace(unclicked, about=replace(record.about, settings=settings)))[0]


def test_a_record_whose_rounds_are_damaged_is_not_in_order(run: Run, tmp_path: Path) -> None:
    text = (RECORDS / "winemine-chords" / "record.jsonl").read_text(encoding="utf-8")
    (tmp_path / "record.jsonl").write_text(text.replace('"cells"', '"sells"'), encoding="utf-8")
    code, out, _ = run("replay", tmp_path, "--check")
    assert code == 1
    assert "some lines are damaged and were left out" in out
    assert "0 games, 0 rounds" in out
    assert "nothing else is wrong" in out
