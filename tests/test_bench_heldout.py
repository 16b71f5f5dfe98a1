"""The figures of the bench over held-out screens: readings of known worth are counted as what they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench import bench_heldout
from bench.bench_heldout import judged, kept_results
from bot.board import Board, State, States
from bot.geometry import Grid
from bot.vision import GameState, Panel, Reading
from heldout import BoardTruth, MissingFontError, Scene, require_fonts

STATES = np.array([[0, 1, 1], [0, 1, State.FLAG], [0, 1, 1]], np.int8)
GRID = Grid(10.0, 20.0, 16.0, 16.0, 3, 3)
HIDDEN = np.zeros((3, 3), np.bool_)
TRUTH = BoardTruth(GRID, STATES, STATES == State.FLAG, "won", HIDDEN)
SCENE = Scene(np.zeros((90, 90, 3), np.uint8), (TRUTH,), "classic", "cut", ("unchanged",), "small")


def reading(grid: Grid = GRID, states: States = STATES) -> Reading:
    sure = np.ones(states.shape, np.float32)
    return Reading(grid, Board(states), Panel(), GameState.WON, "unknown", 1.0, sure)


def test_a_right_reading_is_perfect() -> None:
    result = judged(3, SCENE, [reading(GRID.moved(1.5, -1.5))], 0.1)
    assert (result.located, result.perfect, result.cells, result.wrong, result.unreadable) == (1, 1, 9, 0, 0)
    assert (result.other_grid, result.missed, result.false, result.wrong_state) == (0, 0, 0, 0)


def test_wrong_and_unreadable_cells_are_told_apart() -> None:
    states = STATES.copy()
    states[0, 0], states[2, 2] = State.COVERED, State.UNREADABLE
    result = judged(3, SCENE, [replace(reading(states=states), state=GameState.RUNNING)], 0.1)
    assert (result.perfect, result.wrong, result.unreadable, result.wrong_state) == (0, 1, 1, 1)
    assert result.confused == {"0 COVERED": 1}


def test_hidden_cells_do_not_count() -> None:
    states, hidden = STATES.copy(), HIDDEN.copy()
    states[0, 0], hidden[0, 0] = State.COVERED, True
    result = judged(3, replace(SCENE, boards=(replace(TRUTH, hidden=hidden),)), [reading(states=states)], 0.1)
    assert (result.perfect, result.cells, result.wrong) == (1, 8, 0)


@pytest.mark.parametrize(
    "grid",
    [GRID.moved(3, 0), replace(GRID, pitch_x=16.2), replace(GRID, rows=2)],
    ids=["moved", "wide", "short"],
)
def test_cells_of_another_grid_are_not_counted(grid: Grid) -> None:
    result = judged(3, SCENE, [reading(grid, STATES[: grid.rows])], 0.1)
    assert (result.located, result.other_grid, result.missed, result.cells) == (0, 1, 0, 0)


def test_boards_that_are_not_there_are_false() -> None:
    result = judged(3, SCENE, [reading(GRID.moved(60, 0))], 0.1)
    assert (result.located, result.missed, result.false) == (0, 1, 1)


def test_a_run_goes_on_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        require_fonts()
    except MissingFontError as error:
        pytest.skip(str(error))
    read_seeds = list[int]()

    def blind(pixels: object, known: bool) -> list[Reading]:  # noqa: ARG001 - as the reader is called
        read_seeds.append(len(read_seeds))
        return []

    monkeypatch.setattr(bench_heldout, "read", blind)
    file = tmp_path / "run.jsonl"
    for count in (2, 3):
        monkeypatch.setattr("sys.argv", ["bench", "--count", str(count), "--resume", str(file)])
        bench_heldout.main()
    assert len(read_seeds) == 3
    assert [result.seed for result in kept_results(file)] == [0, 1, 2]
    assert "0.0 %" in capsys.readouterr().out
