"""How a game stands: what cells, things beside them and the ledger of a game say together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.verdict import Circumstances, GameState, Ledger, Verdict, verdict_on

BEFORE = Board.from_rows(["01....", "01....", "01...."], 6)
GUESS = Cell(0, 2)
RISKED = Ledger(BEFORE, frozenset({Cell(0, 0), GUESS}), frozenset({GUESS}), 0.3)
PROVEN = replace(RISKED, risk=0.0)


def on(*rows: str, mines: int | None = 6, ledger: Ledger | None = RISKED, **seen: object) -> Verdict:
    return verdict_on(Board.from_rows(rows, mines), Circumstances(**seen), ledger)  # type: ignore[arg-type]


def test_mines_that_look_like_flags_are_a_loss_if_the_clicked_cell_shows_one() -> None:
    shown = ("01F...", "01....", "01FFFF")
    assert on(*shown).won is False
    assert on(*shown, mines=None).won is False
    everything = ("01F100", "023310", "01FF10")
    assert on(*everything, mines=None).won is False


def test_the_flags_of_a_game_lost_with_its_second_click_are_its_mines() -> None:
    before = Board.covered(9, 9, None).replace({Cell(0, 0): 3})
    ledger = Ledger(before, frozenset({Cell(0, 0), GUESS}), frozenset({GUESS}), 0.5)
    shown = [
        "3FF.....F", "FF.F..F..", "...FF.F..", "F........", ".........",
        ".F.....F.", "........F", ".........", "...FF....",
    ]  # fmt: skip
    assert on(*shown, mines=None, ledger=ledger).won is False


def test_flags_of_a_board_that_was_dealt_anew_are_no_mines_of_the_last_game() -> None:
    before = Board.covered(9, 9, None).replace({Cell(0, 0): 3})
    ledger = Ledger(before, frozenset({Cell(0, 0), GUESS}), frozenset({GUESS}), 0.5)
    fresh = ["..-...F..", ".........", "....F....", *["........."] * 5, "..F......"]
    assert on(*fresh, mines=None, ledger=ledger).state is not GameState.LOST


@pytest.mark.parametrize("mines", [2, None])
def test_a_clicked_cell_that_cannot_be_read_has_lost_if_all_other_cells_are_open(mines: int | None) -> None:
    """All closed cells must be mines then, and it is one of them."""
    before = Board.from_rows(["02..", "02.2"], mines)
    risked = Ledger(before, frozenset({Cell(0, 0), GUESS}), frozenset({GUESS}), 0.3)
    assert on("02-2", "02.2", mines=mines, ledger=risked).won is False
    assert on("02-2", "02.2", mines=mines, ledger=replace(risked, risk=0.0)).won is not False


def test_red_mines_on_a_won_board_have_not_exploded() -> None:
    won = on("012X3X", "01X35X", "0112XX", ledger=replace(RISKED, opening=frozenset({Cell(0, 4)})))
    assert won.won is True
    assert on("01X1XX", "01X222", "01X1XX").won is False  # the clicked cell is one of them


def test_a_click_that_was_proven_safe_has_not_lost() -> None:
    assert on("01X...", "01....", "01****", ledger=RISKED).won is False
    impossible = on("01X...", "01....", "01****", ledger=PROVEN)
    assert impossible.won is None
    assert impossible.doubt is not None
    assert "proven safe" in impossible.doubt


def test_a_mine_where_nobody_clicked_is_in_doubt_while_the_click_was_answered() -> None:
    seen = on("011...", "01...*", "01....")
    assert not seen.over
    assert seen.doubt is not None


def test_flags_of_the_user_prove_no_win_without_a_counter() -> None:
    flagged = on("0000", "2332", "FFFF", "FFFF", mines=None, ledger=None)
    assert (flagged.state, flagged.over) == (GameState.UNKNOWN, False)
    assert on("1FF", "111", "000", mines=None, ledger=None).state is GameState.RUNNING


def test_a_picture_of_an_open_board_with_mines_tells_no_end_but_a_face_or_the_clicks_do() -> None:
    rows = ("01X100", "023310", "01XX10")
    assert on(*rows, mines=None, ledger=None).state is GameState.UNKNOWN
    assert on(*rows, mines=None, ledger=None, face=GameState.WON).state is GameState.WON
    assert on(*rows, mines=None, ledger=None, face=GameState.LOST).state is GameState.LOST
    other = Ledger(BEFORE, frozenset({Cell(0, 0), Cell(0, 4)}), frozenset({Cell(0, 4)}), 0.3)
    assert on(*rows, mines=None, ledger=other).state is GameState.WON
    assert on(*rows, mines=None, ledger=RISKED).state is GameState.LOST


def test_a_clicked_cell_that_could_never_be_read_may_not_have_opened() -> None:
    for shown, won in (("2", True), ("-", None)):
        rows = ("01.100", f"0{shown}3310", "01..10")
        before = Board.from_rows(("01.10.", *rows[1:]), 3)
        clicked = frozenset({Cell(0, 0), Cell(1, 1), Cell(0, 5)})
        ledger = Ledger(before, clicked, frozenset({Cell(0, 5)}), 0.0)
        assert on(*rows, mines=3, ledger=ledger).won is won


def test_mines_that_cannot_be_read_are_all_mines_if_the_numbers_need_them() -> None:
    rows = ("01-100", "023310", "01--10")
    won = Ledger(
        Board.from_rows(("01-10.", *rows[1:])), frozenset({Cell(0, 5)}), frozenset({Cell(0, 5)}), 0.0
    )
    assert on(*rows, mines=None, ledger=won).won is True
    open_too = replace(won, board=won.board.replace({Cell(2, 1): State.UNREADABLE}))
    assert on("01-100", "023310", "0---10", mines=None, ledger=open_too).won is None  # one may be open


def test_words_over_numbers_that_were_seen_before_hide_no_win() -> None:
    before = Board.from_rows(["01.100", "012321", "00...."], 3)
    last = frozenset({Cell(2, 2), Cell(2, 5)})
    ledger = Ledger(before, last | {Cell(0, 0)}, last, 0.0)
    assert on("01F100", "01-.-1", "001FF1", mines=3, ledger=ledger).won is True
    assert on("......", "......", "......", mines=3, ledger=ledger).state is GameState.NEW


def test_a_total_that_contradicts_the_numbers_ends_no_game() -> None:
    rows = ("0001F", "1101.", ".1011", "F2100", "..100", "..100")  # a 6 that is no counter stands beside it
    assert on(*rows, mines=8, ledger=None).state is GameState.RUNNING


def test_proven_clicks_win_no_game_whose_total_contradicts_the_numbers() -> None:
    """The counter was misread, and as many cells were closed as it said."""
    rows = ("0001F", "1101.", ".1011", "F2100", "..100")
    before, last = Board.from_rows(("000.F", *rows[1:]), 6), frozenset({Cell(0, 3)})
    ledger = Ledger(before, frozenset({Cell(0, 0)}) | last, last, 0.0)
    assert on(*rows, mines=6, ledger=ledger).state is GameState.RUNNING


def test_mines_in_unknown_art_leave_open_whether_the_game_goes_on() -> None:
    rows = ("01-...", "123...", "-3-...", "-4-...", "-32...")
    assert on(*rows, mines=None, ledger=None).state is GameState.UNKNOWN
    assert on(*(row.replace("-", "F") for row in rows), mines=None, ledger=None).state is GameState.RUNNING


def test_a_safe_cell_that_cannot_be_read_may_be_left_to_open_where_all_others_are_open() -> None:
    """A flag of the user, for example: an opening passes by it."""
    before = Board.from_rows(["01.1", "-222", "01.1", "0111"])
    last = Ledger(before, frozenset({Cell(0, 0), Cell(3, 3)}), frozenset({Cell(3, 3)}), 0.5)
    assert not verdict_on(before, Circumstances(all_open=True), last).over
    opened = replace(last, clicked=frozenset({*(last.clicked or ()), Cell(1, 0)}))
    assert verdict_on(before, Circumstances(all_open=True), opened).won is True


def test_a_game_whose_last_guess_cannot_be_read_may_have_ended() -> None:
    assert on("01-...", "01....", "01....").state is GameState.UNKNOWN
    assert on("01-...", "01....", "01....", ledger=PROVEN).state is GameState.RUNNING


@pytest.mark.parametrize(
    "rows",
    [
        ("001-..", "0012..", "000111"),  # the cell that cannot be read must be a mine
        ("011111", "02.21.", "------", "1.2221"),  # words lie over the last cells that may be left to open
    ],
)
def test_a_picture_with_an_unread_cell_that_may_have_ended_the_game_does_not_show_that_it_goes_on(
    rows: tuple[str, ...],
) -> None:
    seen = on(*rows, mines=None, ledger=None)
    assert (seen.state, seen.over) == (GameState.UNKNOWN, False)
    assert on(*rows, mines=None, ledger=None, face=GameState.RUNNING).state is GameState.RUNNING
    assert on(*(row.replace("-", ".") for row in rows), mines=None, ledger=None).state is GameState.RUNNING


def test_what_decides_is_said_in_words() -> None:
    lost = on("01*...", "01....", "01****")
    assert lost.why[0] == "mines are shown"
    assert lost.concluded == ""
    silent = on("01-...", "01....", "01....", silent=True)
    assert silent.won is False
    assert "no effect" in silent.concluded


def test_a_guess_after_which_a_box_and_a_fresh_board_came_up_has_lost_most_of_a_board() -> None:
    covered = Board.covered(9, 9, None).replace({Cell(0, 0): 1, Cell(8, 0): 1})
    guess = Cell(0, 2)
    ledger = Ledger(covered, frozenset({Cell(0, 0), Cell(8, 0), guess}), frozenset({guess}), 0.2)
    unseen = covered.replace(dict.fromkeys(covered.cells(State.COVERED), State.UNREADABLE))
    seen = Circumstances(boxed=True, replaced=True)
    assert verdict_on(unseen, seen, ledger).state is GameState.LOST
    by_hand = verdict_on(unseen, Circumstances(replaced=True), replace(ledger, risk=0.05))
    assert not by_hand.state.over
    assert not verdict_on(unseen, seen, replace(ledger, risk=0.0)).state.over


def looks_of(board: Board, mines: frozenset[Cell], *, won: bool | None) -> Iterator[Board]:
    """Yield how programs may show this position: at its end, each shows the mines in its own way."""
    yield board
    if won is None:
        return
    whole = board.replace(
        {
            cell: sum(near in mines for near in board.neighbours(cell))
            for cell in board
            if cell not in mines and won is False
        }
    )
    for looks in (State.FLAG, State.MINE, State.EXPLODED):
        yield board.replace(dict.fromkeys(mines, looks))
        yield whole.replace(dict.fromkeys(mines, looks))
    if won:
        yield board.replace(dict.fromkeys(mines, State.COVERED))


@pytest.mark.parametrize("seed", range(40))
def test_games_are_judged_right_at_every_step_however_their_program_shows_the_end(seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = Game(9, 9, 10, seed, FirstClick.SAFE if seed % 2 else FirstClick.ANY)
    clicked = set[Cell]()
    while not game.over:
        before = game.board
        covered = before.cells(State.COVERED)
        safe = [cell for cell in covered if cell not in (game.mines or ())]
        choice = safe if rng.random() < 0.97 else covered
        cell = choice[int(rng.integers(len(choice)))]
        game.open(cell)
        clicked.add(cell)
        ledger = Ledger(before, frozenset(clicked), frozenset({cell}), 0.5)
        truth = game.won if game.over else None
        assert game.mines is not None
        for look in looks_of(game.board, game.mines, won=truth):
            for mines in (10, None):
                verdict = verdict_on(Board(look.states, mines), ledger=ledger)
                assert verdict.won is truth, (str(look), verdict)
                assert verdict.doubt is None
        if truth is not False:
            proven = verdict_on(game.board, ledger=replace(ledger, risk=0.0))
            assert proven.won is truth


def test_a_mine_where_a_click_may_have_strayed_leaves_the_end_open_unless_a_face_tells_it() -> None:
    before = Board.from_rows(["01.10.", "023310", "01..10"], 3)
    last = Cell(0, 5)
    proven = Ledger(before, frozenset({Cell(0, 0), last}), frozenset({last}), 0.0)
    strayed = replace(proven, strayed=frozenset({Cell(0, 2)}))
    flagged = ("01F100", "023310", "01FF10")
    assert on(*flagged, mines=3, ledger=proven).won is True
    for mines in (3, None):
        unknown = on(*flagged, mines=mines, ledger=strayed)
        assert (unknown.state, unknown.over) == (GameState.UNKNOWN, True)
        for face in (GameState.WON, GameState.LOST):
            assert on(*flagged, mines=mines, ledger=strayed, face=face).state is face
    assert on(*flagged, mines=3, ledger=replace(proven, strayed=frozenset({Cell(1, 1)}))).won is True
    assert on("01X100", "023310", "01**10", mines=3, ledger=strayed).won is False
    for rows in (("01*100", "023310", "01**10"), ("01*10-", "023310", "01**10")):  # a won game may show them
        assert on(*rows, mines=None, ledger=strayed).state is GameState.UNKNOWN
    assert on("01F10-", "023310", "01FF10", mines=3, ledger=strayed).state is GameState.UNKNOWN
    assert on("01F...", "0.3310", "01FF10", mines=None, ledger=strayed).won is False


def test_a_clicked_number_in_unknown_art_is_no_mine_if_the_game_has_flagged_as_many_as_there_are() -> None:
    before = Board.from_rows(["01.10.", "02332.", "01..2."], 4)
    last = Cell(1, 5)
    ledger = Ledger(before, frozenset({Cell(0, 0), last}), frozenset({last}), 0.5)
    flagged = ("01F10-", "02332-", "01FF2F")
    assert on(*flagged, mines=4, ledger=ledger).won is True
    assert on(*flagged, mines=5, ledger=replace(ledger, board=Board(before.states, 5))).won is not True
