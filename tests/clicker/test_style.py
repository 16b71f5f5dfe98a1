"""Styles of play: what is flagged, chorded and clicked in a round, and that nothing else ever opens."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.board import Board, Cell, FirstClick, State, neighbours
from bot.clicker.clicks import Click, as_clicked, effective, in_order_from, lost, targets, tour
from bot.clicker.style import (
    Flags,
    Legs,
    Opening,
    Proven,
    burst,
    candidates,
    flags_for,
    planned,
    styled,
)
from bot.desktop.protocols import Button
from bot.errors import BotError
from bot.game.simulation import Game
from bot.geometry import Frame, Grid, Point
from bot.solver import decide
from bot.solver.decision import Action, Decision, Move, Reason
from bot.targets.catalogue import UNKNOWN, find_target
from oracle import solve
from strategies import positions

NF, ALL, CHORD = Flags.NONE, Flags.ALL, Flags.CHORD
COUNTING = Reason.COUNTING
Sent = set[tuple[str, int, int]]


def opening(*cells: Cell) -> tuple[Opening, ...]:
    moves = (Move(cell, Action.OPEN, 0.0, Reason.COUNTING) for cell in cells)
    return tuple(Opening(move, frozenset({move.cell})) for move in moves)


def sent(legs: Legs) -> Sent:
    return {(move.action.value, *move.cell) for leg in legs for move in leg}


def on(rows: list[str], mines: int, style: Flags) -> Sent:
    board = Board.from_rows(rows, mines)
    return sent(styled(decide(board), board, style))


# What a round sends

STEM = ["000", "121", "...", "???"]  # the two outer cells below the numbers are mines


GRID, FRAME = Grid(0, 0, 16, 16, 9, 9), Frame(np.zeros((1, 1, 3), np.uint8), Point(30, 40))


@given(positions(), st.integers(-50, 250), st.integers(-50, 250))
@settings(max_examples=100, deadline=None)
def test_moves_are_told_in_the_order_in_which_they_are_clicked(board: Board, x: int, y: int) -> None:
    try:
        decision = decide(board)
    except BotError:
        return
    told = in_order_from(Point(x, y), decision, board, FRAME, GRID)
    assert sorted(told.moves, key=str) == sorted(decision.moves, key=str)
    clicks = tour(styled(decision, board, NF), FRAME, GRID, Point(x, y))
    assert [click.move for click in clicks] == list(told.moves[: len(clicks)])


def test_flags_and_what_is_not_clicked_leave_the_order_of_the_opened_cells() -> None:
    moves = tuple(Move(Cell(0, col), Action.OPEN, 0.0, Reason.COUNTING) for col in range(3))
    flag = Move(Cell(1, 1), Action.FLAG, 1.0, Reason.COUNTING)
    clicks = [Click(Point(0, 0), Button.LEFT, move) for move in (flag, moves[2], moves[0])]
    told = as_clicked(Decision(moves, Reason.COUNTING), clicks)
    assert told.moves == (moves[2], moves[0], moves[1])


def test_left_clicks_alone_open_all_that_is_safe() -> None:
    assert on(STEM, 2, NF) == {("open", 2, 1), ("open", 3, 0), ("open", 3, 1), ("open", 3, 2)}


def test_all_flags_each_proven_mine_in_the_same_tour() -> None:
    board = Board.from_rows(STEM, 3)
    legs = styled(decide(board), board, ALL)
    assert len(legs) == 1
    assert sent(legs) == {("open", 2, 1), ("flag", 2, 0), ("flag", 2, 2)}


def test_no_flag_comes_last_where_what_is_opened_may_win() -> None:
    board = Board.from_rows(STEM, 2)
    first, last = styled(decide(board), board, ALL)
    assert {("flag", 2, 0), ("flag", 2, 2)} <= sent((first,))
    assert [move.action for move in last] == [Action.OPEN]


def test_flags_go_before_a_guess() -> None:
    board = Board.from_rows([".2....."], 3)
    decision = decide(board)
    assert decision.reason is Reason.GUESS
    assert decision.mines
    *flags, guess = styled(decision, board, ALL)
    assert guess == decision.moves
    assert {move.cell for leg in flags for move in leg} == decision.mines
    assert styled(decision, board, CHORD) == (decision.moves,)


def test_a_question_mark_on_a_mine_gets_a_right_click() -> None:
    board = Board.from_rows(STEM, 3).replace({Cell(2, 0): State.QUESTION})
    assert ("flag", 2, 0) in sent(styled(decide(board), board, ALL))


@pytest.mark.parametrize("style", Flags)
def test_a_flag_of_the_user_is_an_opinion(style: Flags) -> None:
    """A wrong one is taken off before the cell is opened, a right one is kept."""
    board = Board.from_rows(STEM, 3).replace({Cell(2, 1): State.FLAG, Cell(2, 2): State.FLAG})
    moves = sent(styled(decide(board), board, style))
    assert ("flag", 2, 1) in moves
    assert ("flag", 2, 2) not in moves
    assert not any(action == "chord" for action, *_ in moves)


def test_first_click_is_one_click_in_every_style() -> None:
    board = Board.covered(9, 9, 10)
    decision = decide(board)
    assert {styled(decision, board, style) for style in Flags} == {(decision.moves,)}


# Chords


def test_a_chord_is_played_where_its_mines_are_flagged_on_the_screen() -> None:
    flagged = Board.from_rows(["F..", "11.", "..."], 2)
    safe = frozenset({Cell(0, 1), Cell(2, 0), Cell(2, 1)})
    covered, mines = flagged.replace({Cell(0, 0): State.COVERED}), frozenset({Cell(0, 0)})
    for board, unflagged in ((flagged, frozenset()), (covered, mines)):
        (chord,) = (one for one in candidates(Proven(board, safe, mines)) if one.cell == (1, 0))
        assert (chord.opens, chord.unflagged) == (safe, unflagged)
    assert all(one.move.action is Action.OPEN for one in planned(Proven(covered, safe, mines), COUNTING)[0])


@pytest.mark.parametrize(
    ("rows", "safe", "mines"),
    [
        (["...", ".F.", "1-1"], [(0, 0)], [(2, 1)]),  # a cell that cannot be read is no mine to flag
        (["F..", "11.", "..."], [(0, 1), (2, 0)], [(0, 0)]),  # the cell below the number is not known
        (["F..", "1..", "..."], [(0, 1), (1, 1), (2, 0), (2, 1)], []),  # nothing proves the flag
    ],
)
def test_no_chord_where_a_cell_is_not_sure(
    rows: list[str], safe: list[tuple[int, int]], mines: list[tuple[int, int]]
) -> None:
    cells = (frozenset(Cell(*cell) for cell in one) for one in (safe, mines))
    chords = candidates(Proven(Board.from_rows(rows, None), *cells))
    assert Cell(1, 0) not in [one.cell for one in chords]


def test_a_flag_and_a_chord_take_the_place_of_more_clicks() -> None:
    board = Board.from_rows([".....", ".....", "..1..", ".....", "....."], None)
    mine = Cell(1, 1)
    safe = frozenset(board.neighbours(Cell(2, 2))) - {mine}
    assert planned(Proven(board, safe, frozenset({mine})), COUNTING) == ([], {mine})
    flagged = Proven(board.replace({mine: State.FLAG}), safe, frozenset({mine}))
    (chord,), _ = planned(flagged, COUNTING)
    assert (chord.move.action, chord.move.cell) == (Action.CHORD, Cell(2, 2))


def test_a_chord_that_costs_more_than_it_saves_is_not_played() -> None:
    board = Board.from_rows(["..1", "222", "..."], None)
    mines = frozenset({Cell(0, 0), Cell(2, 0), Cell(2, 2)})
    safe = Cell(0, 1), Cell(2, 1)
    assert planned(Proven(board, frozenset(safe), mines), COUNTING) == ([*opening(*safe)], set())


# Openings


def test_a_proven_zero_is_opened_and_what_it_opens_is_not_clicked() -> None:
    wide = Board.from_rows(["1....", "*....", "1...."], 1)
    safe = frozenset(wide.cells(State.COVERED))
    proven = Proven(wide, safe, frozenset())
    assert proven.zeros == {Cell(row, col) for row in range(3) for col in range(1, 5)} - proven.borders
    (first,), _ = planned(proven, COUNTING)
    assert first.move.cell in proven.zeros


# Every click of whole games


@settings(max_examples=60)
@given(
    seed=st.integers(10_000_000, 20_000_000),
    style=st.sampled_from(Flags),
    size=st.sampled_from([(9, 9, 10), (9, 9, 16), (16, 16, 40), (16, 30, 99), (5, 20, 20)]),
    marks=st.lists(st.tuples(st.integers(0, 10_000), st.booleans()), max_size=6),
)
def test_whatever_opens_is_proven_or_the_guess(
    seed: int, style: Flags, size: tuple[int, int, int], marks: list[tuple[int, bool]]
) -> None:
    """In whole games, with marks of a user's in them: by every click, and none comes after the end."""
    game = Game(*size, seed, FirstClick.SAFE)
    game.open(Cell(size[0] // 2, size[1] // 2))
    for place, question in marks:
        covered = game.board.cells(State.COVERED)
        if covered and not game.over:
            cell = covered[place % len(covered)]
            for _ in range(1 + question):
                game.flag(cell, question_marks=True)
    for _ in range(2000):
        if game.over:
            break
        board = game.board
        decision = decide(board)
        allowed = {move.cell for move in decision.moves}
        moves = [move for leg in styled(decision, board, style) for move in leg]
        assert moves
        for move in moves:
            assert not game.over, f"{move} comes after the end"
            before = game.board
            act(game, move)
            changed = {cell for cell in board if game.board[cell] != before[cell]}
            if move.action is Action.FLAG:
                assert changed == {move.cell}
                assert move.cell in decision.mines or before[move.cell] == State.FLAG
            elif not game.over:
                assert allowed.issuperset(targets(move, before))
                assert changed <= reached(game.board, targets(move, before))
        if decision.reason is not Reason.GUESS:
            assert not game.lost
    assert game.over


def act(game: Game, move: Move) -> None:
    if move.action is Action.FLAG:
        game.flag(move.cell, question_marks=True)
    elif move.action is Action.CHORD:
        game.chord(move.cell)
    else:
        game.open(move.cell)


def reached(board: Board, cells: tuple[Cell, ...]) -> set[Cell]:
    """Return the cells and all that zeros among them open."""
    found, waiting = set(cells), list(cells)
    while waiting:
        if board[cell := waiting.pop()] == 0:
            new = set(board.neighbours(cell)) - found
            found |= new
            waiting += new
    return found


# What is asked for


def test_where_chords_are_not_known_all_mines_are_flagged() -> None:
    told = list[str]()
    assert flags_for(UNKNOWN, CHORD, told.append) == ALL
    assert told == [
        "minebot does not know how to chord in this Minesweeper: all mines are flagged, as with --flags all"
    ]
    for target in (UNKNOWN, find_target("winemine")):
        assert flags_for(target, ALL, told.append) == ALL
    assert flags_for(find_target("winemine"), CHORD, told.append) == CHORD
    assert len(told) == 1


# What clicks did


def click(move: Move) -> Click:
    button = {Action.OPEN: Button.LEFT, Action.FLAG: Button.RIGHT, Action.CHORD: Button.MIDDLE}[move.action]
    return Click(Point(0, 0), button, move)


def test_a_click_on_what_an_opening_has_opened_is_not_effective() -> None:
    before = Board.from_rows(["....", "....", "...."], 1)
    after = Board.from_rows(["001.", "001.", "001."], 1)
    zero, same, other = (click(one.move) for one in opening(Cell(0, 0), Cell(2, 0), Cell(1, 2)))
    assert effective([zero, same, other], before, after) == 1
    assert effective([other, zero, same], before, after) == 2
    assert effective([zero], before, before) == 0


def test_a_chord_is_lost_as_long_as_a_cell_around_it_is_closed() -> None:
    before = Board.from_rows(["F..", ".1.", "..."], 1)
    chord = click(Move(Cell(1, 1), Action.CHORD, 0.0, Reason.COUNTING))
    assert set(targets(chord.move, before)) == set(before.cells(State.COVERED))
    half = before.replace({Cell(0, 1): 1})
    assert lost([chord], before, half) == [chord]
    assert lost([chord], before, before.replace(dict.fromkeys(before.cells(State.COVERED), 1))) == []
    assert effective([chord], before, half) == 1


# What openings may uncover: nothing that a burst sends comes after the win, whatever the mines are


def opening_of(cell: Cell, *more: Cell) -> Opening:
    return Opening(Move(cell, Action.OPEN, 0.0, Reason.COUNTING), frozenset({cell, *more}))


def opened_by(cell: Cell) -> Move:
    return opening_of(cell).move


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
    legs = burst(marks, [opening_of(cell) for cell in chosen], Proven(seen, frozenset(chosen), mines))
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
    assert burst((), [opening_of(cell) for cell in both], walled) == (tuple(map(opened_by, both)),)
    opened = Proven(board, frozenset(both), frozenset())
    assert burst((), [opening_of(cell) for cell in both], opened) == ((opened_by(both[0]),),)


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
