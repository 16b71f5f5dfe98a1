"""Shared parts of the benches of vision: compare readings with the truth, keep records, print tables.

A bench creates `Case` objects, each of which draws one picture with its true boards on request. `measure`
reads those that have no record yet in the file of ``--resume``. The reader under test is `read`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.board import CHARACTERS, State, States
from bot.errors import NotInTimeError
from bot.geometry import Grid, Pixels
from bot.vision import Reading, Skin, load_skins, read_picture
from true_pictures import TrueBoard, TruePicture

ORIGIN, PITCH = 2.0, 0.005  # tolerance of an exact location: pixels, and a share of the pitch
OVERLAP = 0.25  # the least shared part of the area that a reading and its true board cover together

Reader = Callable[[Pixels, Sequence[Skin]], list[Reading]]


def read(pixels: Pixels, skins: Sequence[Skin]) -> list[Reading]:
    """Return the boards in a BGR picture, uint8 (height, width, 3): the reader under test.

    None is found if the search ends early.
    """
    try:
        return read_picture(pixels, skins, first_sight=True, every=True)
    except NotInTimeError:
        return []


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A picture that can be drawn: its unique name, tags for grouping results, and a function to draw it."""

    name: str
    tags: Mapping[str, str]
    draw: Callable[[], TruePicture]


@dataclass(frozen=True, slots=True)
class Record:
    """The result of reading one board; for a picture without boards, ``board`` is -1 and ``cells`` 0.

    ``of`` is the number of records of the picture. ``shape``: rows and columns are right; ``exact``: the
    place is, too. Of the visible ``cells``, ``right`` were read correctly and ``wrong`` wrongly; the others
    were not read. ``perfect``: ``shape`` holds and all visible cells are right. ``state`` says whether the
    game's state is right, None if that is not judged; ``counter`` whether the mine counter is "right",
    "unread" or "wrong", "" if that is not judged. ``confused`` counts pairs such as "3 as 8". ``false``
    is the number of boards read where there is none, ``seconds`` the processor time of the reading; both
    belong to the picture and are set only in its first record.
    """

    picture: str
    board: int
    of: int
    tags: Mapping[str, str]
    found: bool = False
    shape: bool = False
    exact: bool = False
    perfect: bool = False
    cells: int = 0
    right: int = 0
    wrong: int = 0
    state: bool | None = None
    counter: str = ""
    confused: Mapping[str, int] = field(default_factory=dict)
    false: int = 0
    seconds: float = 0.0

    @property
    def unread(self) -> int:
        """The number of visible cells that were not read."""
        return self.cells - self.right - self.wrong


def exactly(found: Grid, true: Grid) -> bool:
    """Return whether a grid has the true place, pitch, rows and columns."""
    place = max(abs(found.x - true.x), abs(found.y - true.y))
    pitches = ((found.pitch_x, true.pitch_x), (found.pitch_y, true.pitch_y))
    pitch = max(abs(one / other - 1) for one, other in pitches)
    return place <= ORIGIN and pitch <= PITCH and (found.rows, found.cols) == (true.rows, true.cols)


def overlap(one: Grid, other: Grid) -> float:
    """Return the area that two grids share, as a part of the area that they cover together."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    tall = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    shared = max(0.0, wide) * max(0.0, tall)
    return shared / (one.width * one.height + other.width * other.height - shared)


def read_states(reading: Reading, grid: Grid) -> States:
    """Return the states of a reading for the cells of ``grid``, int8 (rows, cols); unreadable where none.

    A cell of the reading gives the state of the cell of ``grid`` that contains its centre.
    """
    states = np.full((grid.rows, grid.cols), State.UNREADABLE, np.int8)
    for cell in reading.board:
        place = grid.cell_at(*reading.grid.centre(cell))
        if place is not None and reading.board[cell] != State.UNREADABLE:
            states[place] = reading.board[cell]
    return states


def matched(readings: Sequence[Reading], boards: Sequence[TrueBoard]) -> dict[int, Reading]:
    """Return the reading of each true board, by the board's index; larger overlaps are matched first."""
    pairs = [
        (overlap(reading.grid, board.grid), index, number)
        for index, board in enumerate(boards)
        for number, reading in enumerate(readings)
    ]
    chosen: dict[int, int] = {}
    for shared, index, number in sorted(pairs, reverse=True):
        if shared >= OVERLAP and index not in chosen and number not in chosen.values():
            chosen[index] = number
    return {index: readings[number] for index, number in chosen.items()}


def compared(
    name: str, truth: TruePicture, readings: Sequence[Reading], seconds: float = 0.0
) -> list[Record]:
    """Return a record for each true board of a picture, or one record without a board if there is none."""
    pairs = matched(readings, truth.boards)
    false = len(readings) - len(pairs)
    if not truth.boards:
        return [Record(name, -1, 1, truth.tags, false=false, seconds=seconds)]
    records = []
    for index, board in enumerate(truth.boards):
        first = {"false": false, "seconds": seconds} if index == 0 else {}
        facts = {**_facts(board, pairs.get(index)), **first}
        records.append(Record(name, index, len(truth.boards), truth.tags, **facts))
    return records


def _facts(board: TrueBoard, reading: Reading | None) -> dict[str, Any]:
    visible = board.visible
    count = int(visible.sum())
    if reading is None:
        state = None if board.state is None else False
        return {"cells": count, "state": state, "counter": _counter_fact(board, None)}
    seen = read_states(reading, board.grid)
    right = int(((seen == board.states) & visible).sum())
    wrong = (seen != board.states) & (seen != State.UNREADABLE) & visible
    pairs = zip(board.states[wrong].tolist(), seen[wrong].tolist(), strict=True)
    shape = (reading.grid.rows, reading.grid.cols) == board.states.shape
    return {
        "found": True,
        "shape": shape,
        "exact": exactly(reading.grid, board.grid),
        "perfect": shape and right == count,
        "cells": count,
        "right": right,
        "wrong": int(wrong.sum()),
        "state": None if board.state is None else reading.state is board.state,
        "counter": _counter_fact(board, reading.mines_left),
        "confused": dict(Counter(f"{CHARACTERS[true]} as {CHARACTERS[read]}" for true, read in pairs)),
    }


def _counter_fact(board: TrueBoard, mines_left: int | None) -> str:
    if board.mines_left is None:
        return ""
    return "unread" if mines_left is None else "right" if mines_left == board.mines_left else "wrong"


class Journal:
    """Records of a bench in a file, one JSON object per line; the first line holds the bench's options.

    An incomplete last line is cut off. If ``path`` is None, nothing is written. Raises SystemExit if the file
    has other options.
    """

    def __init__(self, path: Path | None, asked: Mapping[str, Any]) -> None:
        self._path = path
        self.lines: list[dict[str, Any]] = []
        if path is None:
            return
        head = json.dumps(asked, sort_keys=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            path.write_text(whole, encoding="utf-8")
        if not whole:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(head + "\n", encoding="utf-8")
            return
        found, *lines = whole.splitlines()
        if found != head:
            raise SystemExit(f"{path} is of another bench or of other options: {found}; here: {head}")
        self.lines = [json.loads(line) for line in lines]

    def add(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Append several lines at once."""
        new = [dict(line) for line in lines]
        self.lines += new
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps(line) + "\n" for line in new))


def whole_pictures(lines: Iterable[Mapping[str, Any]]) -> dict[str, list[Record]]:
    """Return the records by picture, only of pictures with all their records."""
    records: dict[str, list[Record]] = {}
    for line in lines:
        records.setdefault(line["picture"], []).append(Record(**line))
    return {name: each for name, each in records.items() if len(each) == each[0].of}


def measure(
    title: str, cases: Sequence[Case], skins: Sequence[Skin], journal: Journal, reader: Reader = read
) -> list[Record]:
    """Return the records of all cases; cases in the journal are not read again."""
    done = whole_pictures(journal.lines)
    left = [case for case in cases if case.name not in done]
    for case in track(left, title, console=Console(stderr=True)):
        truth = case.draw()
        tagged = TruePicture(truth.pixels, truth.boards, {**case.tags, **truth.tags})
        start = time.process_time()
        readings = reader(truth.pixels, skins)
        done[case.name] = compared(case.name, tagged, readings, time.process_time() - start)
        journal.add(map(asdict, done[case.name]))
    return [record for case in cases for record in done[case.name]]


def breakdown(title: str, records: Sequence[Record], tags: Sequence[str]) -> Table:
    """Return a table with a section for each tag and a row for each of its values, and a row for all."""
    table = Table(title=title)
    for heading in ("", ""):
        table.add_column(heading, no_wrap=True)
    for heading in _HEADINGS:
        table.add_column(heading, justify="right")
    for tag in tags:
        groups: dict[str, list[Record]] = {}
        for record in sorted(records, key=lambda each: each.tags.get(tag, "")):
            groups.setdefault(record.tags.get(tag, ""), []).append(record)
        for number, (value, group) in enumerate(groups.items()):
            table.add_row("" if number else tag, value, *_figures(group))
        table.add_section()
    table.add_row("all", "", *_figures(records))
    return table


_HEADINGS = (
    "boards", "not found", "located exactly %", "wrong extents", "perfect %", "wrong cells", "cells read %",
    "state right %", "counters right", "unread", "wrong", "false boards", "median ms", "worst ms",
)  # fmt: skip


def _figures(records: Sequence[Record]) -> list[str]:
    boards = [record for record in records if record.board >= 0]
    found = [record for record in boards if record.found]
    judged = [record.state for record in boards if record.state is not None]
    times = [1000 * record.seconds for record in records if record.board <= 0]
    cells, right = sum(each.cells for each in boards), sum(each.right for each in boards)
    return [
        str(len(boards)),
        str(len(boards) - len(found)),
        _shown(share(sum(each.exact for each in boards), len(boards))),
        str(sum(not each.shape for each in found)),
        _shown(share(sum(each.perfect for each in boards), len(boards))),
        str(sum(each.wrong for each in boards)),
        _shown(share(right, cells)),
        _shown(share(sum(judged), len(judged))),
        *(str(sum(each.counter == fact for each in boards)) for fact in ("right", "unread", "wrong")),
        str(sum(each.false for each in records)),
        f"{statistics.median(times):.0f}",
        f"{max(times):.0f}",
    ]


def share(part: int, whole: int) -> float | None:
    """Return a part in per cent; None if ``whole`` is 0."""
    return 100 * part / whole if whole else None


def _shown(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"


def confused(records: Iterable[Record], most: int = 12) -> str:
    """Return the most frequent wrong states as text, such as "3 as 8: 5"."""
    pairs: Counter[str] = Counter()
    for record in records:
        pairs.update(record.confused)
    return ", ".join(f"{pair}: {times}" for pair, times in pairs.most_common(most)) or "none"


def parser(doc: str | None, count: int, words: str) -> argparse.ArgumentParser:
    """Return a parser with the shared options; ``count`` is the default, ``words`` names what is counted."""
    options = argparse.ArgumentParser(description=(doc or "").split("\n\n")[0])
    options.add_argument("--count", type=int, default=count, help=f"{words} (default: {count})")
    options.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    options.add_argument("--no-skins", action="store_true", help="read with no skin at all")
    options.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep records in FILE, and go on from there"
    )
    return options


def started(options: argparse.Namespace, bench: str, **asked: object) -> tuple[Sequence[Skin], Journal]:
    """Return the skins to read with, and the journal; OpenCV uses one thread from now on.

    Raises SystemExit if the file to resume belongs to another bench, or to a run with other options.
    """
    cv2.setNumThreads(1)
    skins: Sequence[Skin] = () if options.no_skins else load_skins()
    return skins, Journal(options.resume, {"bench": bench, "skins": not options.no_skins, **asked})
