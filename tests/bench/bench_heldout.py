"""Measure how well drawn screenshots are read whose styles the reader was not made for.

Run from the repository root: ``python tests/bench heldout``. Picture i is ``heldout.new_scene(i)``, with
``--set old`` ``heldout.scene(i)``. Nothing passes or fails; the original goals were 97 % of boards located
exactly, 95 % perfect, no wrong cell. With ``--steps`` each step of reading without a skin gets the true
input, and a column gives the share of boards on which the step succeeds:

- candidates: some seed of the search leads to the rows, columns and place of the board
- extent: the search keeps the true rows and columns, given the true grid
- place: ... and the true place to a pixel or two, and the pitch to half a per cent
- cells: the network recognises each visible cell, given the true grid
- judged: ... and each final state, judged from looks and rules, is right and certain
- accepted: the true grid is recognised as a game, with no wrong cell
- whole: the whole search ends with the true grid; perfect: ... and every cell is right
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import (
    Case,
    breakdown,
    compared,
    confused,
    exactly,
    measure,
    overlap,
    parser,
    share,
    started,
)
from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision import read_picture
from bot.vision.board_reader import read_board
from bot.vision.clusters import find_clusters, grounds_of
from bot.vision.judgement import SURE, judge
from bot.vision.locate import averaged, extended, locate, look
from bot.vision.seeds import find_seeds
from heldout import TAGS, new_scene, scene
from true_pictures import TrueBoard, TruePicture

STEPS = ("candidates", "extent", "place", "cells", "judged", "accepted", "whole", "perfect")

SCENES = {"new": new_scene, "old": scene}


def same_cells(found: Grid, true: Grid) -> bool:
    """Return whether two grids have the same cells; their places may differ by some pixels."""
    return found.rows == true.rows and found.cols == true.cols and overlap(found, true) > 0.9


def proposed(pixels: Pixels, true: Grid) -> bool:
    """Return whether some seed of the search leads to the true cells."""
    seeds = (seed for seed in find_seeds(pixels) if not seed.window.intersection(true.rect).empty)
    boards = (locate(pixels, seed.grid) for seed in seeds)
    return any(board is not None and same_cells(board.grid, true) for board in boards)


def steps_of(pixels: Pixels, board: TrueBoard) -> dict[str, bool]:
    """Return for each step whether it succeeds on a board."""
    grid, visible = board.grid, board.visible
    seen = replace(averaged(pixels, look(pixels, grid)), grid=grid)
    judged = judge(seen.scores.labels, find_clusters(pixels, grid), grounds_of(pixels, grid))
    right = judged.labels == board.states
    kept = extended(pixels, grid)
    placed = None if kept is None else averaged(pixels, kept)
    watcher = read_board(pixels, seen)
    wrong = None
    if watcher is not None:
        states = watcher.reading.board.states
        wrong = (states != board.states) & (states != State.UNREADABLE) & visible
    return {
        "candidates": proposed(pixels, grid),
        "extent": kept is not None and same_cells(kept.grid, grid),
        "place": placed is not None and exactly(placed.grid, grid),
        "cells": bool((seen.scores.labels.argmax(2) == board.states)[visible].all()),
        "judged": bool((right & (judged.gaps >= SURE))[visible].all()),
        "accepted": wrong is not None and not wrong.any(),
    }


def records_of(name: str, truth: TruePicture) -> list[dict[str, Any]]:
    """Return one record for each board of a picture."""
    readings = read_picture(truth.pixels, (), first_sight=True)
    ends = compared(name, truth, readings)
    return [
        {"picture": name, **steps_of(truth.pixels, board), "whole": end.exact, "perfect": end.perfect}
        for board, end in zip(truth.boards, ends, strict=True)
    ]


def judge_steps(asked: argparse.Namespace, cases: Sequence[Case]) -> None:
    """Print how often each step succeeds; pictures that already have records are not read again."""
    asked.no_skins = True
    _, journal = started(asked, "steps", set=asked.set)
    done = {line["picture"] for line in journal.lines}
    left = [case for case in cases if case.name not in done]
    for case in track(left, "held-out screens", console=Console(stderr=True)):
        journal.add(records_of(case.name, case.draw()))
    records = journal.lines
    table = Table(title=f"steps that do their part, in per cent of {len(records)} boards")
    for heading in STEPS:
        table.add_column(heading, justify="right")
    table.add_row(*(f"{share(sum(record[step] for record in records), len(records)):.1f}" for step in STEPS))
    console = Console(width=190)
    console.print(table)
    for step in STEPS:
        lost = [record["picture"].split()[1] for record in records if not record[step]]
        console.print(f"lost at {step}: {', '.join(lost) or 'none'}")


def main() -> None:
    options = parser(__doc__, 1000, "pictures")
    options.add_argument("--set", choices=SCENES, default="new", help="of styles (default: new)")
    options.add_argument("--steps", action="store_true", help="judge each step of reading")
    asked = options.parse_args()
    numbers = range(asked.first, asked.first + asked.count)
    cases = [Case(f"heldout {number}", {}, partial(SCENES[asked.set], number)) for number in numbers]
    if asked.steps:
        judge_steps(asked, cases)
        return
    skins, journal = started(asked, "heldout", set=asked.set)
    records = measure("held-out screens", cases, skins, journal)
    console = Console(width=190)
    others = sorted({tag for record in records for tag in record.tags} - set(TAGS))
    console.print(breakdown("by what else is in the picture", records, others))
    console.print(breakdown("held-out screens", records, TAGS))
    console.print(f"cells that are taken for others: {confused(records)}")
    missed = [record.picture.split()[1] for record in records if not record.perfect]
    console.print(f"not perfect: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
