"""``minebot learn``: turn what a Minesweeper looks like into a skin."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bot.cli.lesson import Lesson, state_name
from bot.cli.options import DebugOption
from bot.cli.output import complain, console, print_json, side_console
from bot.cli.skins import SkinsOption
from bot.clicker import RealClock
from bot.errors import BotError, UsageError
from bot.geometry import Frame, Grid
from bot.screen.capture import ScreenCapture
from bot.screen.protocols import Capture, Desktop
from bot.screen.windows import open_desktop
from bot.vision import load_picture

INTERVAL = 0.05  # seconds between two looks that must agree


def learn(
    name: Annotated[str, typer.Argument(help="The name of the new skin: letters, digits, - and _.")],
    pictures: Annotated[
        list[Path] | None, typer.Argument(help="Screenshots to learn from; without any, the screen.")
    ] = None,
    skins_folder: SkinsOption = None,
    mines: Annotated[
        int | None, typer.Option(min=1, help="Mines in total: makes more certain what is learned.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a skin of that name; learn also what is known already.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Look on while you play, and learn more until Esc is pressed.")
    ] = False,
    json_lines: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Learn what a Minesweeper looks like, from the screen or from pictures, and keep it as a skin.

    A skin of that name that fits the board grows by what is new.
    """
    if watch and pictures:
        raise UsageError("--watch looks at the screen: leave out the pictures")
    lesson = Lesson(name, skins_folder, mines, force)
    try:
        code = _from_pictures(lesson, pictures) if pictures else _from_screen(lesson, watch)
    finally:
        if lesson.learned:  # by what was seen until Ctrl+C, too
            _tell(lesson, json_lines)
    if code:
        raise typer.Exit(code)


def _tell(lesson: Lesson, json_lines: bool) -> None:
    lesson.save()
    if json_lines:
        print_json(lesson.as_json())
    else:
        console().print("\n".join(lesson.lines()), markup=False)


def _from_pictures(lesson: Lesson, pictures: Sequence[Path]) -> int:
    """Learn from every picture; return the exit code of the first that taught nothing."""
    code, lost = 0, list[BotError]()
    for picture in pictures:
        try:
            lesson.look_at(load_picture(picture), str(picture))
        except BotError as error:
            lost.append(error)
            code = code or error.exit_code
    if not lesson.learned:
        raise lost[0]
    for unlearned in lost:
        complain(str(unlearned))
    return code


def _from_screen(lesson: Lesson, watch: bool) -> int:
    with closing(open_desktop()) as desktop, closing(ScreenCapture()) as capture:
        frame = capture.grab()
        grid = lesson.look_at(frame.pixels, "the screen")
        if watch:
            side_console().print("play on: Esc or Ctrl+C ends the lesson", markup=False)
            _watch(lesson, capture, desktop, frame, grid)
    return 0


def _watch(lesson: Lesson, capture: Capture, desktop: Desktop, frame: Frame, grid: Grid) -> None:
    """Look on at the board on ``grid`` of ``frame`` and save what is new, until Esc is pressed."""
    clock, side = RealClock(), side_console()
    area = grid.rect.moved(frame.origin.x, frame.origin.y)
    before = seen = capture.grab(area)
    while not desktop.stop_pressed():
        clock.sleep(INTERVAL)
        now = capture.grab(area)
        resting = now.pixels.shape == before.pixels.shape and np.array_equal(now.pixels, before.pixels)
        before = now
        if not resting or np.array_equal(now.pixels, seen.pixels):
            continue
        seen = now
        known = lesson.eyes.trusted
        place = grid.moved(frame.origin.x - now.origin.x, frame.origin.y - now.origin.y)
        lesson.look_again(now.pixels, place)
        if new := sorted(lesson.eyes.trusted - known):
            side.print(f"learned: {', '.join(map(state_name, new))}", markup=False)
            lesson.save()
