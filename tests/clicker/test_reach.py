"""What openings may uncover: nothing that a burst sends comes after the win, whatever the mines are."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.board import Board, Cell, FirstClick, State, neighbours
from bot.clicker.style import NF, Opening, Proven, burst, styled
from bot.game.simulation import Game
from bot.solver import decide
from bot.solver.decision import Action, Move, Reason
from oracle import solve
from strategies import positions


def opening(cell: Cell, *more: Cell) -> Opening:
    return Opening(Move(cell, Action.OPEN, 0.0, Reason.COUNTING), frozenset({cell, *more}))


def opened_by(cell: Cell) -> Move:
    return opening(cell).move


def proven_by_force(board: Board) -> Proven:
    solutions = solve(board)
    return Proven(board, frozenset(solutions.always(0)), frozenset(solutions.always(1)))


class Field:
    """A game whose mines are known, of which some cells are open."""

    def __init__(self, board: Board, mines: set[Cell], opened: set[Cell]) -> None:
        self.board, self.mines, self.opened = board, mines, set(opened)

    @property
    def won(self) -> bool:
        return len(self.opened) + len(self.mines) == self.board.states.size

    def open(self, cell: Cell) -> None:
        if cell in self.opened:
            return
        self.opened.add(cell)
        around = neighbours(*self.board.shape, cell)
        if self.mines.isdisjoint(around):
            for other in around:
                self.open(other)


@settings(max_examples=120, deadline=None)
@given(
    positions(),
    st.randoms(use_true_random=False),
    st.sampled_from([0.0, 0.0, 0.3]),
    st.booleans(),
)
def test_no_click_comes_after_the_win(board: Board, chance: random.Random, hidden: float, few: bool) -> None:
    """Of every solution, in every order within a leg, with cells that cannot be read, open or not."""
    seen = board.replace({cell: State.UNREADABLE for cell in board if chance.random() < hidden})
    proven = proven_by_force(seen)
    safe = sorted(proven.safe - {cell for cell in board if board[cell] <= 8})
    chosen = chance.sample(safe, chance.randint(1, len(safe))) if few and safe else safe
    mines = frozenset(cell for cell in proven.mines if chance.random() < 0.7)
    marks = (Move(Cell(0, 0), Action.FLAG, 1.0, Reason.COUNTING),) * chance.randint(0, 1)
    legs = burst(marks, [opening(cell) for cell in chosen], Proven(seen, frozenset(chosen), mines))
    assert not chosen or any(move.action is Action.OPEN for leg in legs for move in leg)
    solutions = solve(board)
    for row in solutions.placements.tolist():
        laid = {cell for cell, bit in zip(solutions.cells, row, strict=True) if bit}
        field = Field(board, laid, {cell for cell in board if board[cell] <= 8})
        won_before = field.won
        for leg in legs:
            for move in chance.sample(leg, len(leg)):
                assert won_before or not field.won, f"{move} comes after the win"
                if move.action is Action.OPEN:
                    field.open(move.cell)


def test_a_number_keeps_a_cell_closed() -> None:
    """The 1 has one mine in two cells; where no opening comes to them, no burst beside them wins."""
    board, both = Board.from_rows(["..1....."], None), (Cell(0, 6), Cell(0, 7))
    walled = Proven(board, frozenset(both), frozenset({Cell(0, 5)}))
    assert burst((), [opening(cell) for cell in both], walled) == (tuple(map(opened_by, both)),)
    opened = Proven(board, frozenset(both), frozenset())
    assert burst((), [opening(cell) for cell in both], opened) == ((opened_by(both[0]),),)


def test_what_nothing_else_opens_comes_last() -> None:
    board = Board.from_rows(["1....", "1*..."], 1).replace({Cell(1, 1): State.COVERED})
    cells = [Cell(0, 1), Cell(0, 4), Cell(1, 4)]
    legs = burst(
        (), [opening(cell) for cell in cells], Proven(board, frozenset(cells), frozenset({Cell(1, 1)}))
    )
    assert legs == ((opened_by(cells[1]), opened_by(cells[2])), (opened_by(cells[0]),))


def test_most_bursts_of_expert_games_go_whole() -> None:
    """What is sent at once is what is proven, but for some in the end of a game."""
    sent = proved = 0
    for seed in range(10_000_000, 10_000_004):
        game = Game(16, 30, 99, seed, FirstClick.SAFE)
        game.open(Cell(7, 14))
        while not game.over:
            decision = decide(game.board)
            moves = [move for leg in styled(decision, game.board, NF) for move in leg]
            sent, proved = sent + len(moves), proved + len(decision.moves)
            for move in moves:
                assert not game.over
                game.open(move.cell)
    assert sent > 0.95 * proved
