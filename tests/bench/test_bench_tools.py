"""The benches of vision and their tools: how readings are judged, what is kept of a run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from bench import bench_steps
from bench.bench_heldout import cases, drawn
from bench.bench_steps import same_cells, steps_of
from bench.bench_vision_ratio import OPENED, STEPS, draw
from bench.bench_vision_ratio import table as ratio_table
from bench.measured import (
    Case,
    Goal,
    Journal,
    Record,
    TrueBoard,
    TruePicture,
    compared,
    measure,
    summary,
    whole_pictures,
)
from bench.scaled_boards import scaled
from bot.board import Board, Cell
from bot.geometry import Grid, Pixels
from bot.vision import GameState, Reading, Skin, load_picture
from fixture_boards import FIXTURES, fixture_boards
from heldout import MissingFontError, require_fonts, scene

ROWS = ("1.F.", "12..", "01..", "0111")
GRID = Grid(40.0, 60.0, 20.0, 20.0, 4, 4)
PIXELS = np.zeros((200, 200, 3), np.uint8)


def board(rows: Sequence[str] = ROWS) -> Board:
    return Board.from_rows(rows)


def truth(hidden: Sequence[Cell] = ()) -> TruePicture:
    mask = np.zeros((4, 4), np.bool_)
    for cell in hidden:
        mask[cell] = True
    return TruePicture(PIXELS, [TrueBoard(GRID, board().states, mask, GameState.RUNNING)], {"kind": "test"})


def reading(grid: Grid = GRID, seen: Board | None = None) -> Reading:
    seen = seen or board()
    return Reading(grid, seen, GameState.RUNNING, "unknown")


def judged(*readings: Reading, hidden: Sequence[Cell] = ()) -> Record:
    (record,) = compared("one", truth(hidden), readings)
    return record


@pytest.mark.parametrize(
    ("grid", "rows", "right_place", "counts"),
    [
        (GRID.moved(1.9, -1.9), ROWS, (True, True, True), (16, 0, 0)),
        # A grid that is a little off is not exact, but its cells count.
        *[
            (grid, ROWS, (True, False, True), (16, 0, 0))
            for grid in (
                GRID.moved(2.1, 0),
                GRID.moved(0, -2.1),
                replace(GRID, pitch_x=20.11),
                replace(GRID, pitch_y=19.89),
            )
        ],
        # "1.F", "12.", "01." and "011" stand where ".F.", "2..", "1.." and "111" are.
        (GRID.moved(20, 0), ROWS, (True, False, False), (4, 8, 4)),
        (replace(GRID.moved(0, 20), rows=3), ROWS[1:], (False, False, False), (12, 0, 4)),
        (GRID, ("2.F.", *ROWS[1:]), (True, True, False), (15, 1, 0)),
        (GRID, ("-.F.", *ROWS[1:]), (True, True, False), (15, 0, 1)),
    ],
)
def test_a_reading_is_judged_by_its_place_and_its_cells(
    grid: Grid, rows: Sequence[str], right_place: tuple[bool, bool, bool], counts: tuple[int, int, int]
) -> None:
    record = judged(reading(grid, board(rows)))
    assert record.found
    assert (record.shape, record.exact, record.perfect) == right_place
    assert (record.right, record.wrong, record.unread) == counts
    assert (record.cells, record.false, record.confused.get("1 as 2", 0)) == (16, 0, rows[0][0] == "2")


def test_what_is_read_of_hidden_cells_does_not_count() -> None:
    record = judged(reading(seen=board(("-.1.", *ROWS[1:]))), hidden=[Cell(0, 0), Cell(0, 2)])
    assert record.perfect
    assert record.cells == 14


def test_a_board_that_is_missing_has_no_cell_read_and_a_board_elsewhere_is_false() -> None:
    record = judged(reading(GRID.moved(300, 0)))
    assert (record.found, record.exact, record.perfect, record.state) == (False,) * 4
    assert (record.cells, record.right, record.unread, record.false) == (16, 0, 16, 1)
    (nothing,) = compared("none", TruePicture(PIXELS, []), [reading()])
    assert (nothing.board, nothing.cells, nothing.false) == (-1, 0, 1)


def test_each_board_of_a_picture_gets_its_own_reading() -> None:
    other = TrueBoard(GRID.moved(100, 0), board().states)
    both = TruePicture(PIXELS, [*truth().boards, other])
    records = compared("two", both, [reading(other.grid), reading()], seconds=1.5)
    assert [(each.perfect, each.of, each.false, each.seconds) for each in records] == [
        (True, 2, 0, 1.5),
        (True, 2, 0, 0.0),
    ]


def test_a_run_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    path, asked = tmp_path / "run" / "records.jsonl", {"bench": "test", "skins": True}
    read: list[str] = []

    def case(name: str) -> Case:
        def draw() -> TruePicture:
            read.append(name)
            return truth()

        return Case(name, {"scale": "100 %"}, draw)

    def reader(_pixels: Pixels, _skins: Sequence[Skin]) -> list[Reading]:
        return [reading()]

    cases = [case("a"), case("b"), case("c")]
    measure("test", cases[:2], (), Journal(path, asked), reader)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"picture": "c", "boa')  # the run was ended here
    records = measure("test", cases, (), Journal(path, asked), reader)
    assert read == ["a", "b", "c"]
    assert [record.picture for record in records] == ["a", "b", "c"]
    assert records[0].tags == {"scale": "100 %", "kind": "test"}
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(head) == asked
    assert [Record(**json.loads(line)) for line in lines] == records
    with pytest.raises(SystemExit, match="of another bench or of other options"):
        Journal(path, {**asked, "skins": False})


def test_a_picture_of_which_a_board_is_missing_is_not_done() -> None:
    lines = [asdict(Record("two", 0, 2, {})), asdict(Record("one", 0, 1, {}))]
    assert list(whole_pictures(lines)) == ["one"]


def test_the_table_sums_up_each_group_and_marks_what_misses_its_goal() -> None:
    record = judged(reading())
    records = [
        replace(record, tags={"art": "light"}, seconds=0.25),
        replace(record, tags={"art": "dark"}, right=12, wrong=4, perfect=False),
    ]
    drawn = StringIO()
    console = Console(file=drawn, width=200, force_terminal=True, color_system="standard")
    console.print(summary("boards", records, ("art",), lambda _: Goal(read=99.9)))
    light, dark, together = (line for line in drawn.getvalue().splitlines() if "│" in line)
    assert "100.00 (99.9)" in light
    assert "\x1b[31m" not in light
    assert "\x1b[31m75.00 (99.9)" in dark
    assert "\x1b[31m4 (0)" in dark
    assert "87.50" in together


@pytest.mark.parametrize("art", ["winmine", "drawn light"])
def test_a_scaled_board_stands_where_its_truth_says(art: str) -> None:
    once, twice = (scaled(art, 1, scale, "nearest") for scale in (1.0, 2.0))
    (small,), (large,) = once.boards, twice.boards
    assert large.grid == Grid(
        2 * small.grid.x,
        2 * small.grid.y,
        2 * small.grid.pitch_x,
        2 * small.grid.pitch_y,
        *small.states.shape,
    )
    pitch = int(small.grid.pitch_x)
    looks: dict[int, set[bytes]] = {}
    for cell in Board(small.states):
        x, y = (int(value) for value in small.grid.corner(cell))
        looks.setdefault(int(small.states[cell]), set()).add(
            once.pixels[y : y + pitch, x : x + pitch].tobytes()
        )
    assert len(looks) > 3
    assert all(len(each) == 1 for each in looks.values())  # cells in one state look alike, exactly
    assert len(set.union(*looks.values())) == len(looks)


def test_ratios_of_two_checkouts_stand_beside_each_other() -> None:
    here = dict.fromkeys(STEPS, 2.0)
    lines = [
        {"number": 0, "of": "here", "ratios": here},
        {"number": 0, "of": "other", "ratios": {**here, "first": 4.0}},
        {"number": 1, "of": "here", "ratios": {**here, "first": 6.0}},
        {"number": 1, "of": "other", "ratios": {**here, "first": 6.0}},
        {"number": 9, "of": "here", "ratios": {**here, "first": 900.0}},  # is not asked for
    ]
    drawn = StringIO()
    Console(file=drawn, width=200).print(ratio_table(lines, ("here", "other"), range(2)))
    (row,) = (line for line in drawn.getvalue().splitlines() if STEPS["first"] in line)
    assert [part.strip() for part in row.split("│")[2:7]] == ["4", "6", "5", "6", "0.80"]


def test_the_pictures_of_a_desktop_show_the_boards_where_its_facts_say(tmp_path: Path) -> None:
    draw(0, tmp_path)
    facts = json.loads((tmp_path / "facts.json").read_text(encoding="utf-8"))
    known, changed, unknown = (np.load(tmp_path / f"{name}.npy") for name in ("known", "changed", "unknown"))
    assert known.shape == changed.shape == unknown.shape == (1080, 1920, 3)
    ys, xs = np.nonzero((known != changed).any(axis=2))
    grid = Grid(*facts["known"])
    assert len({grid.cell_at(x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)} - {None}) == OPENED


def test_a_case_is_the_screen_of_its_seed() -> None:
    try:
        require_fonts()
    except MissingFontError as error:
        pytest.skip(str(error))
    (case,) = cases([3])
    picture, screen = case.draw(), scene(3)
    assert np.array_equal(picture.pixels, screen.pixels)
    assert [board.grid for board in picture.boards] == [board.grid for board in screen.boards]
    assert picture.tags["style"] == screen.style
    assert all(picture.tags[tag] == "yes" for tag in screen.tags)
    assert {board.state.value for board in drawn(3).boards if board.state} == {
        board.state for board in screen.boards
    }


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (GRID.moved(0.5, 0), True),
        (replace(GRID, pitch_x=20.1), True),
        (replace(GRID, rows=3), False),
        (GRID.moved(20, 0), False),
    ],
)
def test_grids_have_the_same_cells_or_not(other: Grid, same: bool) -> None:
    assert same_cells(other, GRID) is same


def test_a_plain_board_passes_each_step_and_a_board_elsewhere_none() -> None:
    name = "winemine-beginner-running"
    (truth,) = fixture_boards(name)
    pixels, there = load_picture(FIXTURES / f"{name}.png"), TrueBoard(truth.grid, truth.board.states)
    assert steps_of(pixels, there) == dict.fromkeys(bench_steps.STEPS[:6], True)
    assert not any(steps_of(np.full_like(pixels, 200), there).values())
