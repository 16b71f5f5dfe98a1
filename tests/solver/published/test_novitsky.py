"""Patterns: every one holds, they are found again from nothing, and on a board they prove what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import oracle
from bot.board import Board, Cell
from bot.errors import PatternError
from bot.solver import Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.exact import prove_parts
from bot.solver.explain.proofs import EXAMPLES, name_of, nearest, settled_in
from bot.solver.published.novitsky import (
    HEADER,
    HIGHEST,
    Library,
    Pattern,
    prove,
    proven_in,
    read,
    shipped,
    strategy_with,
    system_of,
    written,
)
from bot.solver.published.synthesis import WINDOWS, SearchTask, synthesised
from strategies import random_board

PATTERNS = shipped().patterns


def board(text: str) -> Board:
    return Board.from_rows(text.split("/"))


def test_no_shipped_pattern_is_ever_wrong() -> None:
    assert len(PATTERNS) > 500
    for pattern in PATTERNS:
        pattern.check()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("..o/12#", "a cell that it marks as safe can be a mine"),
        ("..*/11#", "a cell that it marks as a mine can be safe"),
        ("o/2", "no placement of mines fits"),
    ],
)
def test_a_pattern_that_does_not_hold_is_found_out(rows: str, words: str) -> None:
    with pytest.raises(PatternError, match=f"the pattern .* is wrong: {words}"):
        Pattern.drawn(rows.split("/"), 2).check()


def test_the_shipped_patterns_come_out_of_nothing() -> None:
    most, steps = (8, 8, 2), list[int]()

    def track(work: list[SearchTask]) -> Iterator[SearchTask]:
        for step in work:
            steps.append(len(work))
            yield step

    found = synthesised(WINDOWS[-1], HIGHEST, most, track)
    shipped_too = [pattern for pattern in PATTERNS if len(pattern.needs) < 3 or max(pattern.needs) == 2]
    expected = [pattern for pattern in shipped_too if len(pattern.needs) <= 3]
    assert {pattern.key for pattern in found} >= {pattern.key for pattern in expected}
    assert found == synthesised(WINDOWS[-1], HIGHEST, most)
    assert steps == len(steps) * [len(steps)]


def test_the_order_is_that_of_the_simplest_proof() -> None:
    for pattern in PATTERNS:
        system, settled = system_of(pattern.rows), proven_in(pattern.rows)
        below = prove(system, pattern.order - 1) if pattern.order > 1 else Known()
        assert not below.clash
        assert not (settled.safe & ~below.safe == 0 and settled.mines & ~below.mines == 0), pattern
    assert Pattern.drawn(["..o", "11#"], 0).ordered().order == 2


def test_no_pattern_covers_another() -> None:
    alone = [Library([pattern]) for pattern in PATTERNS]
    for at, pattern in enumerate(PATTERNS):
        assert alone[at].covers(pattern.key)
        assert not any(other.covers(pattern.key) for other in alone[:at] + alone[at + 1 :]), pattern


@pytest.mark.parametrize(
    ("name", "rows"), [(name, rows) for name, examples in EXAMPLES.items() for rows in examples]
)
def test_a_named_field_is_settled_by_its_pattern(name: str, rows: str) -> None:
    field, safe, mines = settled_in(rows)
    system = System.of(field)
    assert not apply_counting_rules(system, Known()).settled
    unplayable = replace(system, openable=0, flagged=0)  # so that the library settles all that it can
    known = shipped().settle(unplayable, Known())
    assert system.cells(known.safe) == safe == sorted(oracle.solve(field).always(0))
    assert system.cells(known.mines) == mines == sorted(oracle.solve(field).always(1))
    assert name in {name_of(proof.constraints) for cell in safe for proof in nearest(field, [cell])} | {
        name_of(proof.constraints) for cell in mines for proof in nearest(field, [cell], mine=True)
    }


@pytest.mark.parametrize(
    ("text", "cell", "name", "numbers"),
    [
        (".../11W", (0, 2), "1-1", 2),
        (".../121", (0, 1), "1-2-1", 3),
        ("..../1221", (0, 0), "1-2-2-1", 3),
        (".1/.1/.W", (2, 0), "1-1", 2),
        ("WW.W/W2.2/...W", (2, 0), "", 2),
        (".../12*", (0, 2), "1-1", 2),  # the 2 is a 1 beside the shown mine
    ],
)
def test_a_proof_names_the_pattern(text: str, cell: tuple[int, int], name: str, numbers: int) -> None:
    (proof,) = nearest(board(text), [Cell(*cell)])
    assert (name_of(proof.constraints), len(proof)) == (name, numbers)


def test_a_library_is_read_as_it_was_written() -> None:
    assert read(written(PATTERNS)) == PATTERNS
    assert read(HEADER) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the first line must be 'minebot schemes 1'"),
        ("[]", "this is not a pattern library"),
        (f"{HEADER}\n2 ..o/11", "line 2: .*is not a valid drawing"),
        (f"{HEADER}\n2 ..o/11#\nx ..o/11#", "line 3: .*order"),
        (f"{HEADER}\n5 ..o/11#", "line 2: .*order"),
        (f"{HEADER}\n" + "9" * 5000 + " ..o/11#", "line 2: '9{100}' does not begin with the order"),
        (f"{HEADER}\n2 " + "o" * 50_000 + "/" + "1" * 50_000, "line 2: .* has 50000 numbers, more than 8"),
        (f"{HEADER}\n2 ..Q/11#", "line 2: '..Q/11#' is not a valid drawing"),
        (f"{HEADER}\n2 ..o/###", "is not a valid drawing"),
        (f"{HEADER}\n2 .../11#", "proves no cell safe or a mine"),
        (f"{HEADER}\n2 .o./11#", "marks cells that touch the same numbers differently"),
        (f"{HEADER}\n2 ..#o/11##", "touches no number"),
    ],
)
def test_a_damaged_library_is_told_by_its_line(text: str, words: str) -> None:
    with pytest.raises(PatternError, match=words):
        read(text)


# Four numbers, one of them larger than those that the shipped library was synthesised with.
LARGE = "W.W./1W2./1.4./W..."


def counted(text: str) -> tuple[System, Known]:
    system = System.of(Board.from_rows(text.split("/")))
    return system, apply_counting_rules(system, Known())


def test_the_first_pattern_is_learned_from_the_first_position() -> None:
    told: list[Pattern] = []
    learner = Library([], told.append)
    decision = decide(
        Board.from_rows([".....", "W11WW"]),
        strategy=strategy_with(learner),
    )
    assert decision.reason is Reason.GUESS  # nothing is proven: each end may hold the mine
    assert told == []
    board = Board.from_rows(["...", "11W"])
    decision = decide(board, strategy=strategy_with(learner))
    assert decision.reason is Reason.PATTERN
    assert [move.cell for move in decision.moves] == [(0, 2)]
    assert [(str(pattern), pattern.order) for pattern in told] == [("..o/11#", 2)]


def test_what_the_shipped_library_lacks_is_learned_once() -> None:
    system, known = counted(LARGE)
    assert not shipped().settle(system, known).settled & ~known.settled
    learned: list[Pattern] = []
    after = Library(shipped().patterns, learned.append).settle(system, known)
    assert set(system.cells(after.safe)) <= oracle.solve(system.board).always(0)
    assert after.safe
    (pattern,) = learned
    again = Library([*shipped().patterns, pattern], learned.append)
    turned = System.of(Board(system.board.states.T[::-1]))
    assert (
        again.settle(turned, apply_counting_rules(turned, Known())).safe.bit_count() == after.safe.bit_count()
    )
    assert learned == [pattern]
    pattern.check()
    assert len(shipped().patterns) == len(set(map(str, shipped().patterns)))  # nothing was added to it


def test_it_learns_all_that_numbers_prove_and_nothing_wrong() -> None:
    learned, proven = list[Pattern](), 0
    learner = Library([], learned.append)
    for seed in range(20_000, 21_500):
        board = random_board(seed)
        system = System.of(board)
        known = apply_counting_rules(system, Known())
        solutions = oracle.solve(Board(board.states))
        if known.clash or not len(solutions.placements):
            continue
        after = learner.settle(system, known)
        if not after.clash:
            total = oracle.solve(board) if len(oracle.solve(board).placements) else solutions
            assert set(system.cells(after.safe)) <= total.always(0), board
            assert set(system.cells(after.mines)) <= total.always(1), board
        wanted = prove_parts(system, known).safe & system.playable
        proven += bool(wanted & ~known.safe)
        assert not wanted or after.safe & system.playable, board
    assert proven > 15
    assert 4 < len(learned) <= proven
    for pattern in learned:
        pattern.check()
    assert all(pattern.order > 1 for pattern in learned)
