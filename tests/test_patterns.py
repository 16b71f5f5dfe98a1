"""Schemes: every one holds, they are found again from nothing, and on a board they prove what they say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

import oracle
from bot.board import Board, Cell
from bot.errors import PatternError
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Reason, decide
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, count
from bot.solver.patterns.checking import fault
from bot.solver.patterns.drawing import drawn, said_by, settled_by
from bot.solver.patterns.library import HEADER, Library, read, shipped, written
from bot.solver.patterns.naming import EXAMPLES, settled_in
from bot.solver.patterns.rules import Settled, order_of, prove
from bot.solver.patterns.scheme import MANY, Scheme
from bot.solver.patterns.synthesis import Extent, synthesised
from window_proofs import proven_in_windows

SCHEMES = shipped().schemes


def board(text: str) -> Board:
    return Board.from_rows(text.split("/"))


def test_no_shipped_scheme_is_ever_wrong() -> None:
    assert len(SCHEMES) > 500
    assert [(str(scheme), said) for scheme in SCHEMES if (said := fault(scheme))] == []


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("..o/12#", "a mine can be in a cell that it calls safe"),
        ("..*/11#", "a cell can be safe that it calls a mine"),
        ("o/2", "no placement of mines fits"),
    ],
)
def test_a_scheme_that_does_not_hold_is_found_out(rows: str, words: str) -> None:
    assert words in fault(Scheme.drawn(rows.split("/"), 2))


def test_the_shipped_schemes_come_out_of_nothing() -> None:
    told: list[tuple[int, int]] = []
    most = (8, 8, 2)
    found = synthesised(Extent(most=most), lambda done, whole: told.append((done, whole)))
    shipped_too = [scheme for scheme in SCHEMES if len(scheme.needs) < 3 or max(scheme.needs) == 2]
    expected = [scheme for scheme in shipped_too if len(scheme.needs) <= 3]
    assert {scheme.key for scheme in found} >= {scheme.key for scheme in expected}
    assert found == synthesised(Extent(most=most), lambda _done, _whole: None)
    assert told[-1] == (len(told) - 1, len(told) - 1)


def test_a_smaller_window_holds_fewer_schemes() -> None:
    sizes = [len(synthesised(Extent(window, most=(8, 8)), lambda *_: None)) for window in (3, 4, 6)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert all(
        len(row) <= 3 and len(scheme.rows) <= 3
        for scheme in synthesised(Extent(3, most=(8, 8)), lambda *_: None)
        for row in scheme.rows
    )


def test_the_order_is_that_of_the_simplest_proof() -> None:
    for scheme in SCHEMES:
        said, settled = said_by(scheme.rows), settled_by(scheme.rows)
        below = prove(said, scheme.order - 1) if scheme.order > 1 else Settled()
        assert below is not None
        assert not (settled.safe & ~below.safe == 0 and settled.mines & ~below.mines == 0), scheme
    assert order_of(said_by(("..o", "11#")), Settled(4, 0)) == 2


def test_one_number_says_what_counting_does() -> None:
    single = [scheme for scheme in SCHEMES if len(scheme.needs) == 1]
    assert {scheme.order for scheme in single} == {1}
    assert {(scheme.needs[0], scheme.rooms[1], len(scheme.safe)) for scheme in single} == {
        (0, MANY, 1),
        *((number, number, 0) for number in range(1, 9)),
    }


def test_no_scheme_covers_another() -> None:
    for at, scheme in enumerate(SCHEMES):
        assert not any(other.covers(scheme) for other in SCHEMES[:at] + SCHEMES[at + 1 :]), scheme


def smaller(scheme: Scheme, rng: random.Random) -> tuple[list[tuple[frozenset[Cell], int]], Settled] | None:
    """Return constraints that a scheme fits, with cells at random, and the cells that it settles of them."""
    cells: list[list[Cell]] = [[] for _ in scheme.needs]
    safe = mines = used = 0
    for chosen, room in sorted(scheme.rooms.items()):
        most = min(room, min(scheme.needs[i] for i in bits(chosen)) + 2)
        for _ in range(most if chosen in scheme.mines else rng.randint(0, most)):
            for i in bits(chosen):
                cells[i].append(Cell(0, used))
            safe |= (chosen in scheme.safe) << used
            mines |= (chosen in scheme.mines) << used
            used += 1
    if used > 14 or not all(cells):
        return None
    return [(frozenset(c), n) for c, n in zip(cells, scheme.needs, strict=True)], Settled(safe, mines)


def test_a_scheme_holds_wherever_there_are_no_more_cells() -> None:
    rng = random.Random(5)
    tried = 0
    for scheme in SCHEMES[::2]:
        field = smaller(scheme, rng)
        if field is None:
            continue
        said, (safe, mines) = field
        everywhere = frozenset().union(*(cells for cells, _ in said))
        placed = list(_placements(said, len(everywhere)))
        assert all(not one & safe and one & mines == mines for one in placed), scheme
        tried += bool(placed)
    assert tried > 50


def _placements(said: list[tuple[frozenset[Cell], int]], cells: int) -> Iterator[int]:
    masks = [(sum(1 << cell.col for cell in around), mines) for around, mines in said]
    for placed in range(1 << cells):
        if all((placed & mask).bit_count() == mines for mask, mines in masks):
            yield placed


def test_drawings_are_alike_after_any_symmetry() -> None:
    marks = {(0, 0): ".", (0, 1): ".", (0, 2): "o", (1, 0): "1", (1, 1): "1"}
    turned = {(-col, row): mark for (row, col), mark in marks.items()}
    assert drawn(marks) == drawn(turned)
    assert Scheme.drawn(drawn(marks), 2).key == Scheme.drawn(["o..", "#11"], 2).key


@pytest.mark.parametrize(
    ("name", "rows"), [(name, rows) for name, examples in EXAMPLES.items() for rows in examples]
)
def test_a_named_field_is_settled_by_its_scheme(name: str, rows: str) -> None:
    system, known = settled_in(rows)
    assert not count(system, Known()).settled
    solutions = oracle.solve(system.board)
    assert set(system.cells(known.safe)) == solutions.always(0)
    assert set(system.cells(known.mines)) == solutions.always(1)
    decision = decide(system.board, strategy=STRATEGIES["novitsky"])
    if decision.reason is Reason.PATTERN:
        names = {move.proof.pattern for move in decision.moves if move.proof}
        assert name in names


@pytest.mark.parametrize(
    ("text", "cell", "name", "numbers"),
    [
        (".../11W", (0, 2), "1-1", 2),
        (".../121", (0, 1), "1-2-1", 3),
        ("..../1221", (0, 0), "1-2-2-1", 3),
        (".1/.1/.W", (2, 0), "1-1", 2),
        ("WW.W/W2.2/...W", (2, 0), "", 2),
    ],
)
def test_a_proof_names_the_scheme(text: str, cell: tuple[int, int], name: str, numbers: int) -> None:
    decision = decide(board(text), strategy=STRATEGIES["novitsky"])
    proofs = {move.cell: move.proof for move in decision.moves}
    proof = proofs[Cell(*cell)]
    assert proof is not None
    assert (proof.pattern, len(proof.constraints)) == (name, numbers)


def test_a_known_mine_makes_a_number_smaller() -> None:
    decision = decide(board(".../12*"), strategy=STRATEGIES["novitsky"])  # the 2 is a 1 beside the shown mine
    assert decision.reason is Reason.PATTERN
    assert [(move.cell, move.proof.pattern) for move in decision.moves if move.proof] == [((0, 2), "1-1")]


def expert(games: int) -> Iterator[tuple[Game, System, Known]]:
    """Yield positions of expert games in which counting is stuck; the game goes on by the strategy."""
    for seed in range(10_001_000, 10_001_000 + games):
        game = Game(16, 30, 99, seed)
        game.open(Cell(0, 0))
        while not game.over:
            system = System.of(game.board)
            known = count(system, Known())
            if not known.safe:
                yield game, system, known
            for move in decide(game.board, strategy=STRATEGIES["novitsky"]).moves:
                game.open(move.cell)


def test_on_expert_boards_nothing_wrong_and_almost_all_that_a_window_proves() -> None:
    decidable = settled = 0
    for game, system, known in expert(12):
        after = shipped().exhausted(system, known)
        assert game.mines is not None
        assert not set(system.cells(after.safe)) & game.mines
        assert set(system.cells(after.mines)) <= game.mines
        proven = proven_in_windows(system, known, 6)
        decidable += proven.bit_count()
        settled += (proven & after.safe).bit_count()
    assert decidable > 50
    assert settled >= 0.95 * decidable


def test_every_settled_cell_follows_from_the_constraints_that_are_named() -> None:
    checked = 0
    for _, system, known in expert(4):
        after = shipped().settle(system, known)
        for cell in bits(after.settled & ~known.settled):
            said = system.constraints(after.because[cell])
            pairs = [(constraint.cells, constraint.mines) for constraint in said]
            if len(frozenset().union(*(cells for cells, _ in pairs))) <= 14:
                assert oracle.implied(pairs, system.cell(cell), mine=bool(after.mines >> cell & 1))
                checked += 1
    assert checked > 20


def test_a_library_is_read_as_it_was_written() -> None:
    assert read(written(SCHEMES)) == list(SCHEMES)
    assert read(HEADER) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "its first line is not 'minebot schemes 1'"),
        ("[]", "this is no library of schemes"),
        (f"{HEADER}\n2 ..o/11", "line 2: .*no drawing"),
        (f"{HEADER}\n2 ..o/11#\nx ..o/11#", "line 3: .*order"),
        (f"{HEADER}\n2 ..Q/11#", "line 2: '..Q/11#' is no drawing"),
        (f"{HEADER}\n2 ..o/###", "is no drawing"),
        (f"{HEADER}\n2 .../11#", "settles no cell"),
        (f"{HEADER}\n2 .o./11#", "tells cells apart that no number does"),
        (f"{HEADER}\n2 ..#o/11##", "no number counts"),
    ],
)
def test_a_damaged_library_is_told_by_its_line(text: str, words: str) -> None:
    with pytest.raises(PatternError, match=words):
        read(text)


def test_schemes_of_one_library_do_not_depend_on_their_order() -> None:
    turned = Library(replace(scheme) for scheme in reversed(SCHEMES))
    for _, system, known in expert(2):
        one, other = shipped().exhausted(system, known), turned.exhausted(system, known)
        assert (one.safe, one.mines) == (other.safe, other.mines)
