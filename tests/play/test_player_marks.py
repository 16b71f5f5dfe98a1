"""Games that a user has begun: the flags and question marks on them are opinions, and many are wrong."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from bot.board import Board, Cell, State
from bot.desktop.protocols import Button
from bot.play.look import doubt_about
from bot.play.results import Round
from bot.verdict import Ledger
from simulated import SimulatedScreen, reading_of
from watched_player import WatchedPlayer, screen

MIDDLE = Cell(4, 4)
SEED = 10_001_302  # one of the games is lost


class Marking(SimulatedScreen):
    """A game with question marks: a right click on a flag makes one of it."""

    def _do(self, cell: Cell, button: Button) -> None:
        if button is Button.RIGHT:
            self.game.flag(cell, question_marks=True)
            self._show()
        else:
            super()._do(cell, button)


def begun(
    kind: type[SimulatedScreen], skin: str, seed: int, opened: Iterable[Cell] = (MIDDLE,)
) -> SimulatedScreen:
    """Return a game with ``opened`` cells and a mark on a good third of the others, right or wrong."""
    there, chance = screen(skin, kind=kind, seed=seed), random.Random(seed)
    for cell in opened:
        there.game.open(cell)
    for cell in there.game.board.cells(State.COVERED):
        for _ in range(chance.choice((0, 0, 0, 1, 2))):
            there.game.flag(cell, question_marks=True)
    there.shown = there.game.board
    return there


def false_proofs(rounds: list[Round], mines: frozenset[Cell]) -> list[Cell]:
    """Return what was proven safe, to be opened or to have its flag taken off, and is a mine."""
    proven = (move for turn in rounds for move in turn.decision.moves if move.risk == 0)
    return [move.cell for move in proven if move.cell in mines]


@pytest.mark.parametrize("skin", ["winemine", "winmine"])
@pytest.mark.parametrize("kind", [SimulatedScreen, Marking])
def test_games_under_way_with_wrong_marks(kind: type[SimulatedScreen], skin: str) -> None:
    won = 0
    for seed in range(SEED, SEED + 4):
        there = begun(kind, skin, seed)
        marked = there.game.board
        table = WatchedPlayer(there)
        (result,) = table.play()
        assert table.rounds[0].look.reading.board == marked
        assert false_proofs(table.rounds, there.game.mines or frozenset()) == []
        assert result.won or table.rounds[-1].decision.risk > 0
        assert (result.misreads, result.retries) == (0, 0)
        assert table.ends[0].reading.board == there.game.board
        won += result.won is True
    assert won == 3


def test_more_flags_than_mines() -> None:
    """The counter is below zero then, and the total is known all the same."""
    there = begun(Marking, "winemine", SEED)
    for cell in there.game.board.cells(State.COVERED, State.QUESTION):
        while there.game.board[cell] != State.FLAG:
            there.game.flag(cell, question_marks=True)
    there.shown = there.game.board
    assert there.game.board.count(State.FLAG) > 10
    table = WatchedPlayer(there)
    (result,) = table.play()
    assert table.rounds[0].look.reading.board.mines == there.level.mines
    assert false_proofs(table.rounds, there.game.mines or frozenset()) == []
    assert result.won or table.rounds[-1].decision.risk > 0


def test_a_zero_beside_a_cell_that_nobody_has_marked_is_a_doubt() -> None:
    """It is half painted, or misread; one from which the user's mark was taken off is neither."""
    opened, closed = Board.from_rows(["F000", "0000"], 1), Board.from_rows([".000", "0000"], 1)
    before = Board.from_rows(["....", "...."], 1)
    reading = reading_of(closed)
    assert doubt_about(reading, Ledger(opened, frozenset({Cell(0, 0)}))) is None
    assert doubt_about(reading, Ledger(closed, frozenset({Cell(0, 0)}))) is None
    for ledger in (None, Ledger(before, frozenset({Cell(0, 3)}))):
        assert "has a covered cell beside it" in str(doubt_about(reading, ledger))
