"""Playing art that no skin knows: what is proved, how a game ends, what is kept of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simulated
from bot.board import Board, Cell, FirstClick, State
from bot.cli.files import SkinKeeper
from bot.desktop.protocols import Button
from bot.geometry import Frame, Pixels, Point, Rect
from bot.play.look import Look, doubt_about, may_be_playable
from bot.play.results import Settings
from bot.play.watcher import BoardWatcher
from bot.solver import STRATEGIES
from bot.solver.decision import Reason
from bot.solver.strategies import decide_on
from bot.targets.catalogue import UNKNOWN, find_target
from bot.verdict import GameState, Ledger, verdict_on
from bot.vision import Skin, load_skin, save_skin
from bot.vision.learning.looks import looks_of
from bot.vision.learning.skin_learner import SkinLearner, partial
from bot.vision.reading import Reading
from simulated import Faults, SimulatedScreen
from watched_player import SKINS, WatchedPlayer, screen, watcher_of


def reading_of(*rows: str, mines: int | None = None) -> Reading:
    return simulated.reading_of(Board.from_rows(rows, mines))


def past_of(*rows: str, clicked: tuple[Cell, ...], mines: int | None = None) -> Ledger:
    return Ledger(Board.from_rows(rows, mines), frozenset(clicked))


def test_what_follows_from_an_unsure_number_is_a_guess() -> None:
    reading = reading_of("0000", "1211", "....", mines=2)
    frame = Frame(np.zeros((1, 1, 3), np.uint8))
    sure = Look(frame, reading, verdict_on(reading.board))
    unsure = replace(sure, unsure=frozenset(reading.board.cells(1, 2)))
    proved = decide_on(reading.board, sure.careful, FirstClick.ANY, STRATEGIES["best"])
    guessed = decide_on(reading.board, unsure.careful, FirstClick.ANY, STRATEGIES["best"])
    assert proved.risk == 0
    assert guessed.reason is Reason.GUESS
    assert len(guessed.moves) == 1
    assert guessed.risk > 0
    assert guessed.moves[0].cell in {move.cell for move in proved.moves}


def test_cells_that_could_not_be_read_before_are_no_news() -> None:
    seen = reading_of("0-1.", "0111", "0000", "0000")
    ledger = past_of("0-1.", "0111", "0000", "0000", clicked=(Cell(3, 0),))
    assert doubt_about(seen, None) is not None
    assert doubt_about(seen, ledger) is None
    assert may_be_playable(seen, None)
    assert not may_be_playable(reading_of("----", "0111", "----", "0000"), None)


def test_won_by_the_count_of_open_cells() -> None:
    ledger = past_of("01.1", "0111", "00..", clicked=(Cell(2, 2),), mines=1)
    board = reading_of("01-1", "0111", "0000", mines=1).board
    assert verdict_on(board, ledger=ledger).state is GameState.WON


@pytest.mark.parametrize(
    ("end", "clicked", "state"),
    [
        ("*", (Cell(2, 2),), GameState.WON),  # all is open, and no mine was clicked
        ("*", (Cell(2, 2), Cell(0, 2)), GameState.LOST),
        ("X", (Cell(2, 2),), GameState.WON),  # red, but nobody touched it
        ("X", (Cell(0, 2),), GameState.LOST),
    ],
)
def test_a_game_may_show_its_mines_at_a_win(end: str, clicked: tuple[Cell, ...], state: GameState) -> None:
    ledger = past_of("01.1", "0111", "00..", clicked=clicked, mines=1)
    ended = reading_of(f"01{end}1", "0111", "0000", mines=1).board
    assert verdict_on(ended, ledger=replace(ledger, opening=frozenset(clicked))).state is state
    covered = reading_of(f"01{end}1", "0111", "000.", mines=1).board
    assert verdict_on(covered, ledger=ledger).state is GameState.LOST  # a cell without a mine is covered


class WithMarksAtFirst(SimulatedScreen):
    """A game whose fresh boards, from the second on, have marks on three cells that look like no flag."""

    def _window_picture(self) -> Pixels:
        picture, board = super()._window_picture(), self.game.board
        fresh = board.count(State.COVERED) == board.states.size
        for cell in (Cell(1, 1), Cell(4, 6), Cell(7, 2)) if fresh and self.seed > 2 else ():
            x, y = self.point(cell).x - self.place.x, self.point(cell).y - self.place.y
            picture[y - 5 : y + 5, x - 5 : x + 5] = np.random.default_rng(x).integers(0, 256, (10, 10, 3))
        return picture


def test_a_new_game_has_begun_though_marks_on_its_board_cannot_be_read() -> None:
    table = at_first_sight(games=2, kind=WithMarksAtFirst)
    assert len(table.play()) == 2
    assert table.told == []


def at_first_sight(games: int = 1, skins: Iterable[Skin] = (), **options: Any) -> WatchedPlayer:
    """Return a player of a game that none of those skins knows."""
    there = screen("winmine", seed=2, **options)
    watcher = watcher_of(there, skins, mines=10)
    return WatchedPlayer(there, Settings(games=games), target="winmine", watcher=watcher)


@pytest.fixture
def played() -> tuple[BoardWatcher, SimulatedScreen]:
    """A screen whose art no skin knows, after two games on it."""
    table = at_first_sight(games=2)
    boards = []
    vars(table)["end"] = lambda _, look: boards.append((look.reading.board, table.screen.game.board))
    for _ in table.player.play():
        pass
    for read, true in boards:
        readable = read.states != State.UNREADABLE
        assert readable.mean() > 0.8
        assert np.array_equal(read.states[readable], true.states[readable])
    return table.watcher, table.screen


def test_unknown_art_is_played_learned_and_kept(
    played: tuple[BoardWatcher, SimulatedScreen], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watcher, there = played
    keeper = SkinKeeper(watcher.reader, UNKNOWN, tmp_path)
    keeper.keep()
    assert "learned the skin learned-1" in capsys.readouterr().err.replace("\n", " ")
    skin = load_skin(tmp_path / "learned-1")
    assert {0, 1, 2, State.COVERED} <= set(skin.shown)
    keeper.keep()
    assert capsys.readouterr().err == ""  # nothing new, nothing said
    another = watcher_of(there, [skin], mines=10)
    there.press("f2")
    assert another.find().reading.skin == "learned-1"


def test_a_skin_that_is_shipped_is_never_replaced(
    played: tuple[BoardWatcher, SimulatedScreen], tmp_path: Path
) -> None:
    watcher, _ = played
    SkinKeeper(watcher.reader, find_target("winmine"), tmp_path).keep()
    assert [folder.name for folder in tmp_path.iterdir()] == ["winmine-1"]


def exchanged(skin: Skin) -> Skin:
    """Return a skin that takes ones for twos and twos for ones."""
    other = {1: 2, 2: 1}
    states = np.array([other.get(state, state) for state in skin.states.tolist()], np.int8)
    return replace(skin, name="learned-1", counter=None, states=states)


def test_a_learned_skin_that_contradicts_a_board_is_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = exchanged(SKINS["winmine"])
    save_skin(wrong, tmp_path / "learned-1")
    table = at_first_sight(skins=[load_skin(tmp_path / "learned-1")])
    keeper = SkinKeeper(table.watcher.reader, UNKNOWN, tmp_path)
    vars(table)["end"] = lambda *_: keeper.keep()
    (result,) = table.player.play()
    assert result.won == table.screen.game.won
    left = [load_skin(folder) for folder in tmp_path.iterdir() if folder.name[0] != "."]
    assert (tmp_path / ".learned-1-dropped" / "skin.toml").exists()
    assert not any(np.array_equal(skin.templates, wrong.templates) for skin in left)
    assert "dropped the learned skin learned-1" in capsys.readouterr().err.replace("\n", " ")


def test_a_learned_skin_stays_while_a_box_hides_cells_if_less_is_read_without_it(
    played: tuple[BoardWatcher, SimulatedScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, _ = played
    look = watcher.look()
    board = look.reading.board
    partly = replace(look.reading, board=board.replace({Cell(0, 0): State.UNREADABLE}))
    nothing = replace(look.reading, board=Board(np.full_like(board.states, State.UNREADABLE), board.mines))
    monkeypatch.setattr(SkinLearner, "read", lambda *_: nothing)
    assert not watcher.reader.distrust_skin(replace(look, reading=partly), None)
    assert watcher.reader.distrust_skin(look, None)


def test_looks_are_quick_once_an_art_was_learned() -> None:
    first, *_, last = at_first_sight(games=3).play()
    assert last.seconds / last.rounds < first.seconds / first.rounds / 4


class LateScreen(SimulatedScreen):
    """A game that asks only at its next frame where the pointer is, after a button was pressed."""

    pressed_at: float | None = None

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:  # noqa: ARG002
        self.at, self.pressed_at = point, self.clock.now()

    def grab(self, rect: Rect | None = None) -> Frame:
        if self.pressed_at is not None and self.clock.now() >= self.pressed_at + 1 / 60:
            self.pressed_at = None
            super().click(self.at)
        return super().grab(rect)


def test_the_pointer_stays_until_a_program_that_asks_late_where_it_is_has_answered() -> None:
    table = at_first_sight(kind=LateScreen)
    (result,) = table.play()
    assert result.won is not None
    assert None not in [cell for cell, _ in table.screen.clicks]


def test_a_slow_game_is_given_its_time_from_its_second_answer_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no click that came too early says that a cell is not covered."""
    table, unanswered = at_first_sight(faults=Faults(delay=1.0)), list[object]()
    monkeypatch.setattr(table.watcher.reader, "unanswered", lambda *clicks: unanswered.append(clicks))
    (result,) = table.play()
    assert result.rounds > 2
    assert result.retries == 2  # of the first click
    assert unanswered == []


def test_a_skin_that_was_learned_wrongly_while_playing_misleads_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SkinLearner, "learned", lambda *_: exchanged(SKINS["winmine"]))
    at_first_sight(games=3).play()


@pytest.mark.parametrize("lacking", [None, 7])
def test_only_a_skin_that_lacks_states_grows(lacking: int | None) -> None:
    full = SKINS["kmines"]
    first = np.unique(full.states, return_index=True)[1]
    known = np.array([*first[full.states[first] != lacking], len(full.states) - 1])  # a second wrong flag
    skin = replace(full, templates=full.templates[known], states=full.states[known])
    assert partial(skin)  # so that what it cannot read may be learned
    learner = SkinLearner(skin)
    learner.knowledge = looks_of(full)
    assert (learner.learned("kmines") is not None) is (lacking is not None)


def test_a_board_that_looks_unlike_a_skin_that_lacks_states_is_found_again() -> None:
    there, full = screen("winmine"), SKINS["winmine"]
    known = np.isin(full.states, (0, 1, 2, State.COVERED))
    skin = replace(full, templates=full.templates[known], states=full.states[known])
    watcher = watcher_of(there, [skin])
    assert watcher.find().reading.skin == "winmine"
    there.skin = SKINS["builtin-dark"]
    assert watcher.find().reading.board.states.tolist() == there.game.board.states.tolist()
