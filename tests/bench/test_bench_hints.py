"""The numbers that hints name on positions of expert games, held against an oracle that would object."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from bench import bench_hints
from bench.bench_hints import Position, WrongHintError, drawn, measure, tables, wrong_about
from bot.board import Board, Cell
from bot.solver import STRATEGIES, decide
from bot.solver.explain.hints import explain

SEED = 10_000_000


@pytest.mark.parametrize("hard", [False, True])
def test_the_numbers_of_hints_suffice_and_none_can_be_spared(hard: bool) -> None:
    tally = measure(drawn(15, SEED, hard=hard))  # which raises an error otherwise
    assert len(tally.hints) == len(tally.milliseconds) == 15
    assert max(tally.numbers) >= 2
    assert all(hint.sentence.endswith(".") for hint in tally.hints)


def test_a_wrong_hint_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.from_rows(["....", "111W"], 2)
    position = Position(board, decide(board, strategy=STRATEGIES["exact"]), frozenset())
    hint = explain(board, position.decision)
    assert wrong_about(position, hint) == ""
    assert hint.cell is not None
    assert "is a mine" in wrong_about(replace(position, mines=frozenset({hint.cell})), hint)
    assert "do not prove" in wrong_about(position, replace(hint, numbers=hint.numbers[:1]))
    spare = next(Cell(*cell) for cell, _ in board.numbers() if cell not in hint.numbers)
    assert "can be spared" in wrong_about(position, replace(hint, numbers=(*hint.numbers, spare)))
    assert "total can be spared" in wrong_about(position, replace(hint, total=True))
    assert "nothing is said" in wrong_about(position, replace(hint, proven=False))
    monkeypatch.setattr(bench_hints, "wrong_about", lambda *_: "wrong")
    with pytest.raises(WrongHintError, match="wrong: Row"):
        measure(iter([position]))


def test_what_is_printed() -> None:
    tally = measure(drawn(3, SEED, hard=False))
    out = StringIO()
    for table in tables({"any": tally}):
        Console(file=out, width=120).print(table)
    assert "numbers: median" in out.getvalue()
    assert tally.hints[0].reason.value in out.getvalue()
