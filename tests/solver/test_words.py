"""Hints in words: what they say, and that the numbers they name prove it."""

from __future__ import annotations

import re

import pytest

import oracle
from bot.board import Board, Cell, FirstClick
from bot.cli.positions import move_lines
from bot.errors import BotError
from bot.solver import STRATEGIES, Action, Decision, Reason, decide
from bot.solver.constraints import System
from bot.solver.decision import Alternative, Constraint, Judgement, Move
from bot.solver.explain.hints import Hint, explain, simplest
from bot.solver.explain.reasoning import why
from bot.words import risk_words, short_risk
from strategies import random_board


def board(text: str, mines: int | None = None) -> Board:
    return Board.from_rows(text.split(), mines)


def hint(text: str, mines: int | None = None, strategy: str = "exact") -> Hint:
    position = board(text, mines)
    return explain(position, decide(position, strategy=STRATEGIES[strategy]))


@pytest.mark.parametrize(
    ("text", "mines", "sentence", "numbers"),
    [
        (
            "11. 1..",
            None,
            "Row 1, column 3 is safe: the 1 at row 1, column 1 has only row 2, column 2 left for its mine; "
            "so the 1 at row 1, column 2 has its mine there.",
            [(0, 0), (0, 1)],
        ),
        (
            "X1.",
            None,
            "Row 1, column 3 is safe: the 1 at row 1, column 2 has its mine at row 1, column 1.",
            [(0, 1)],
        ),
        (
            "... 11.",
            None,
            "Row 1, column 3 is safe, by the pattern 1-1+: the mine of the 1 at row 2, column 1 touches the "
            "1 at row 2, column 2 too, which has no other.",
            [(1, 0), (1, 1)],
        ),
        (
            "... 121",
            None,
            "Row 1, column 2 is safe, by the pattern 1-2-1: with a mine there, the 1 at row 2, column 1 "
            "would have its mine, so row 1, column 1 would be safe; the 1 at row 2, column 3 would have its "
            "mine, so row 1, column 3 would be safe; then the 2 at row 2, column 2 would have only 1 place "
            "for its 2 mines.",
            [(1, 0), (1, 1), (1, 2)],
        ),
        (
            ".1..",
            1,
            "Row 1, column 4 is safe: with a mine there, the 1 mine would be found; then the 1 at row 1, "
            "column 2 would have no place for its mine.",
            [(0, 1)],
        ),
        (
            "W1. 12. ...",
            None,
            "Row 3, column 3 is safe: the mine of the 1 at row 1, column 2 and the mine of the 1 at row 2, "
            "column 1 touch the 2 at row 2, column 2 too, which then has all its mines.",
            [(0, 1), (1, 0), (1, 1)],
        ),
        (
            "F0 WW",
            None,
            "Row 1, column 1 is safe, its flag is wrong: the 0 at row 1, column 2 touches no mine.",
            [(0, 1)],
        ),
    ],
)
def test_a_proof_in_words(
    text: str, mines: int | None, sentence: str, numbers: list[tuple[int, int]]
) -> None:
    told = hint(text, mines)
    assert told.sentence == sentence
    assert list(told.numbers) == numbers
    assert told.proven
    assert told.pattern in told.sentence
    assert (told.reason is Reason.PATTERN) == bool(told.pattern)
    assert told.cell in told.safe
    assert told.total == (mines == 1 and "found" in sentence)


@pytest.mark.parametrize("strategy", ["exact", "best"])
def test_hints_on_marked_boards_name_the_numbers_that_prove_them(strategy: str) -> None:
    kinds = set()
    for seed in range(200):
        position = random_board(seed)
        try:
            decision = decide(position, strategy=STRATEGIES[strategy])
        except BotError:
            continue
        told, guessed = explain(position, decision), decision.reason is Reason.GUESS
        kinds.add(decision.reason)
        assert told.sentence.endswith(".")
        assert len(told.sentence) < 600
        if guessed or decision.reason is Reason.FIRST_CLICK:
            assert told.proven == (not guessed and not told.risk)
            continue
        assert told.cell in told.safe
        system = System.of(position)
        said = system.constraints(system.everything)
        wanted = (*told.numbers, *[None] * told.total)
        grounds = [(one.cells, one.mines) for one in said if one.source in wanted]
        assert len(grounds) == len(told.numbers) + told.total
        assert any(told.cell in cells for cells, _ in grounds)
        assert oracle.implied(grounds, told.cell, mine=False)
        for cell in told.numbers:
            where = f"the {position[cell]} at row {cell.row + 1}, column {cell.col + 1}"
            assert where in told.sentence or f"{len(told.numbers)} numbers" in told.sentence
    assert kinds >= {Reason.COUNTING, Reason.CONTRADICTION, Reason.PROBABILITY, Reason.GUESS}


def test_mines_in_words() -> None:
    def told(text: str, cell: tuple[int, int]) -> str:
        position = board(text)
        system = System.of(position)
        return why(position, system.constraints(system.everything), Cell(*cell), mine=True).words

    assert told("1.", (0, 1)) == "the 1 at row 1, column 1 has only row 1, column 2 left for its mine"
    assert told(".... W12W", (0, 3)) == (
        "the 2 at row 2, column 3 shares at most 1 mine with the 1 at row 2, column 2, "
        "so all its other cells are mines"
    )


def test_a_guess_says_that_nothing_is_known() -> None:
    told = hint("11 ..", 1)
    assert told.sentence == (
        "I don't know: nothing is proven here. The least risk is row 2, column 1: 50.0%. "
        "Or: row 2, column 2 (50.0%)."
    )
    assert (told.proven, told.risk, told.numbers) == (False, 0.5, ())
    assert [one.cell for one in told.alternatives] == [(1, 0), (1, 1)]


def test_the_words_for_a_guess_follow_its_judgement() -> None:
    position = board("... ...", 2)
    move = Move(Cell(0, 0), Action.OPEN, 0.3, Reason.GUESS)
    near = (Alternative(Cell(0, 0), 0.3, 1.0), Alternative(Cell(1, 2), 0.25, 0.5))

    def told(judgement: Judgement, **more: object) -> str:
        values = {"judgement": judgement, "alternatives": near, **more}
        return explain(position, Decision((move,), Reason.GUESS, **values)).sentence  # type: ignore[arg-type]

    assert (
        "its risk of 30.0% is not the least, which is 25.0% at row 2, column 3, but it gives the best next "
        "moves. Or: row 2, column 3 (25.0%, wins 50.0% as often)." in told(Judgement.LOOK_AHEAD)
    )
    assert "but it wins most often in simulated games from here" in told(Judgement.THOUGHT)
    assert "The least risk is row 1, column 1: 30.0%." in told(Judgement.SEARCH, alternatives=near[:1])
    assert "the game is won in 40.0% with it" in told(Judgement.ENDGAME, win_chance=0.4)
    assert "about 30.0%" in told(Judgement.LEAST_RISK, exact=False)
    assert "This guess cannot be avoided: open row 1, column 1 now, risk 30.0%" in told(Judgement.FIFTY_FIFTY)


@pytest.mark.parametrize("reason", Reason)
def test_a_move_has_a_sentence_for_people(reason: Reason) -> None:
    def told(action: Action, risk: float = 0.0) -> str:
        return Decision((), reason).sentence_for(Move(Cell(1, 2), action, risk, reason))

    if reason is Reason.FIRST_CLICK:
        assert told(Action.OPEN) == "The first click is at row 2, column 3."
        assert told(Action.OPEN, 0.1).endswith(", risk 10.0%.")
    elif reason is Reason.GUESS:
        assert told(Action.OPEN, 0.25).endswith("this is a guess: row 2, column 3, risk 25.0%.")
    else:
        assert told(Action.OPEN).startswith("Row 2, column 3 is safe: ")
    assert told(Action.FLAG, 1.0) == "Row 2, column 3 gets a flag."


def test_only_flags_left() -> None:
    assert "remove the flag at row 1, column" in hint("FF 11", 1).sentence


def test_a_guess_that_is_not_wanted_names_the_least_risk() -> None:
    position = board("11 ..", 1)
    told = explain(position, decide(position, strategy=STRATEGIES["exact"], guess=False))
    assert (told.cell, told.proven) == (None, False)
    assert re.fullmatch(
        r"I don't know: nothing is proven here\. The least risk is row 2, .*50\.0%\.", told.sentence
    )


@pytest.mark.parametrize("rule", FirstClick)
def test_the_first_click(rule: FirstClick) -> None:
    position = Board.covered(9, 9, 10)
    told = explain(position, decide(position, rule=rule, strategy=STRATEGIES["exact"]))
    assert told.proven == (rule is not FirstClick.ANY)
    assert ("risk is 12.3%" in told.sentence) == (rule is FirstClick.ANY)


def test_many_numbers_are_not_all_named() -> None:
    position = Board.from_rows(["1" * 9, "." * 9])
    constraints = [
        Constraint(frozenset({Cell(1, col), Cell(1, (col + 1) % 9)}), 1, Cell(0, col)) for col in range(9)
    ]
    told = why(position, constraints, Cell(1, 0))
    assert told.words == "with a mine there, no placement of the mines fits 9 numbers"
    assert len(told.constraints) == 9


def test_a_long_chain_is_told_by_its_numbers() -> None:
    # Each number tells of the next cell, from the left to the right.
    chain = [Constraint(frozenset({Cell(1, 0)}), 1, Cell(0, 0))]
    chain += [
        Constraint(frozenset({Cell(1, col), Cell(1, col + 1)}), 1, Cell(0, col + 1)) for col in range(7)
    ]
    told = why(Board.from_rows(["1" * 9, "." * 9]), chain, Cell(1, 7))
    assert told.words.startswith("this follows from the 1 at row 1, column 1, the 1 at")
    assert len(told.constraints) == 8


@pytest.mark.parametrize(
    ("text", "mines", "cell", "mine", "words"),
    [
        (
            "1.... ..... ....1",
            2,
            (0, 2),
            False,
            "with a mine there, the 1 at row 1, column 1 and the 1 at row 3, column 5 would need at least 3 "
            "mines, and there are 2",
        ),
        (
            "1.1. ....",
            2,
            (1, 0),
            True,
            "without a mine there, the 1 at row 1, column 3 would leave room for 1 of the 2 mines at most",
        ),
        (
            "11... 1.... ..... ....1 ...11",
            2,
            (0, 3),
            False,
            "the 1 at row 1, column 1 has only row 2, column 2 left for its mine; the 1 at row 5, column 5 "
            "has only row 4, column 4 left for its mine; so the 2 mines are all found",
        ),
    ],
)
def test_how_the_total_is_told(text: str, mines: int, cell: tuple[int, int], mine: bool, words: str) -> None:
    told = simplest(board(text, mines), [Cell(*cell)], mine=mine)
    assert told is not None
    assert told.total
    assert told.words == words


def test_a_cell_that_can_be_neither() -> None:
    told = simplest(board("WWW1.. WWW4.. W2.... WW.4.. ..W..."), [Cell(3, 4)])
    assert told is not None
    assert told.reason is Reason.PROBABILITY
    assert told.words == (
        "with a mine there, row 3, column 4 can be neither a mine nor safe: as a mine, the 2 at "
        "row 3, column 2 would have only 2 cells left for its 2 mines; then the 4 at row 4, "
        "column 4 would have its mines at row 3, columns 3 and 4, and row 4, columns 3 and 5, so "
        "row 3, column 5 would be safe; then the 4 at row 2, column 4 would have only 2 cells "
        "left for its last 2 mines; then the 1 at row 1, column 4 would touch 2 mines; as a safe "
        "cell, the 4 at row 2, column 4 would have only 4 cells left for its 4 mines; then the 1 "
        "at row 1, column 4 would touch 2 mines"
    )


@pytest.mark.parametrize(
    ("risk", "words", "short"),
    [
        (0.0, "0.0%", "0%"),
        (1e-9, "under 0.1%", "1%"),
        (0.0006, "0.1%", "1%"),
        (0.125, "12.5%", "12%"),
        (0.9994, "99.9%", "99%"),
        (1 - 1e-9, "over 99.9%", "99%"),
        (1.0, "100.0%", "100%"),
    ],
)
def test_only_a_proven_cell_has_a_risk_of_0_or_100_percent(risk: float, words: str, short: str) -> None:
    assert (risk_words(risk), short_risk(risk)) == (words, short)
    assert risk_words(0.125, exact=False) == "about 12.5%"


def test_every_place_words_a_tiny_risk_alike() -> None:
    """A hint, the moves of a replay or a dry run, and the page of a record."""
    cell = Cell(0, 1)
    move = Move(cell, Action.OPEN, 1e-6, Reason.GUESS)
    others = (Alternative(cell, 1e-6), Alternative(Cell(0, 0), 2e-6))
    decision = Decision((move,), Reason.GUESS, risks={cell: 1e-6}, alternatives=others)
    said = [explain(Board.from_rows([".."], 1), decision).sentence, *move_lines(decision, "")]
    assert len(said) == 3
    assert all("under 0.1%" in words and "0.0%" not in words for words in said)
