"""Patterns: every one holds, they are found again from nothing, and on a board they prove what they say."""

from __future__ import annotations

import pytest

import oracle
from bot.board import Board, Cell
from bot.errors import PatternError
from bot.solver import Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.exact import prove_parts
from bot.solver.explain.proofs import nearest
from bot.solver.published.novitsky.library import (
    EXAMPLES,
    Learner,
    name_of,
    settled_in,
    shipped,
    strategy_with,
)
from bot.solver.published.novitsky.pattern import HEADER, Pattern, Settled, prove, read, written
from bot.solver.published.novitsky.synthesis import Extent, synthesised
from strategies import random_board
from window_proofs import unplayable

PATTERNS = shipped().patterns


def board(text: str) -> Board:
    return Board.from_rows(text.split("/"))


def test_no_shipped_pattern_is_ever_wrong() -> None:
    assert len(PATTERNS) > 500
    assert [(str(pattern), said) for pattern in PATTERNS if (said := pattern.fault())] == []


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("..o/12#", "a cell that it marks as safe can be a mine"),
        ("..*/11#", "a cell that it marks as a mine can be safe"),
        ("o/2", "no placement of mines fits"),
    ],
)
def test_a_pattern_that_does_not_hold_is_found_out(rows: str, words: str) -> None:
    assert words in Pattern.drawn(rows.split("/"), 2).fault()


def test_the_shipped_patterns_come_out_of_nothing() -> None:
    told: list[tuple[int, int]] = []
    most = (8, 8, 2)
    found = synthesised(Extent(most=most), lambda done, whole: told.append((done, whole)))
    shipped_too = [pattern for pattern in PATTERNS if len(pattern.needs) < 3 or max(pattern.needs) == 2]
    expected = [pattern for pattern in shipped_too if len(pattern.needs) <= 3]
    assert {pattern.key for pattern in found} >= {pattern.key for pattern in expected}
    assert found == synthesised(Extent(most=most), lambda _done, _whole: None)
    assert told[-1] == (len(told) - 1, len(told) - 1)


def test_the_order_is_that_of_the_simplest_proof() -> None:
    for pattern in PATTERNS:
        said, settled = pattern.said, pattern.settled
        below = prove(said, pattern.order - 1) if pattern.order > 1 else Settled()
        assert below is not None
        assert not (settled.safe & ~below.safe == 0 and settled.mines & ~below.mines == 0), pattern
    assert Pattern.drawn(["..o", "11#"], 0).ordered().order == 2


def test_no_pattern_covers_another() -> None:
    for at, pattern in enumerate(PATTERNS):
        assert not any(other.covers(pattern) for other in PATTERNS[:at] + PATTERNS[at + 1 :]), pattern


@pytest.mark.parametrize(
    ("name", "rows"), [(name, rows) for name, examples in EXAMPLES.items() for rows in examples]
)
def test_a_named_field_is_settled_by_its_pattern(name: str, rows: str) -> None:
    field, safe, mines = settled_in(rows)
    system = System.of(field)
    assert not apply_counting_rules(system, Known()).settled
    known = shipped().settle(unplayable(system), Known())
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


def system_of(text: str) -> tuple[System, Known]:
    system = System.of(Board.from_rows(text.split("/")))
    return system, apply_counting_rules(system, Known())


def test_the_first_pattern_is_learned_from_the_first_position() -> None:
    told: list[Pattern] = []
    learner = Learner([], told.append)
    decision = decide(
        Board.from_rows([".....", "W11WW"]),
        strategy=strategy_with(learner),
    )
    assert decision.reason is Reason.GUESS  # nothing is proven: each end may hold the mine
    assert learner.learned == []
    board = Board.from_rows(["...", "11W"])
    decision = decide(board, strategy=strategy_with(learner))
    assert decision.reason is Reason.PATTERN
    assert [move.cell for move in decision.moves] == [(0, 2)]
    assert told == learner.learned
    assert [(str(pattern), pattern.order) for pattern in told] == [("..o/11#", 2)]


def test_what_the_shipped_library_lacks_is_learned_once() -> None:
    system, known = system_of(LARGE)
    assert not shipped().settle(system, known).settled & ~known.settled
    first = Learner(shipped().patterns)
    after = first.settle(system, known)
    assert set(system.cells(after.safe)) <= oracle.solve(system.board).always(0)
    assert after.safe
    assert first.learned
    again = Learner([*shipped().patterns, *first.learned])
    turned = System.of(Board(system.board.states.T[::-1]))
    assert (
        again.settle(turned, apply_counting_rules(turned, Known())).safe.bit_count() == after.safe.bit_count()
    )
    assert again.learned == []
    assert first.learned[0].fault() == ""
    assert len(shipped().patterns) == len(set(map(str, shipped().patterns)))  # nothing was added to it


def test_it_learns_all_that_numbers_prove_and_nothing_wrong() -> None:
    learner, proven = Learner([]), 0
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
    assert 4 < len(learner.learned) <= proven
    assert [str(pattern) for pattern in learner.learned if pattern.fault()] == []
    assert all(pattern.order > 1 for pattern in learner.learned)
