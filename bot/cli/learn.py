"""``minebot learn``: turn what a Minesweeper looks like into a skin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bot.capture import ScreenCapture
from bot.cli.lesson import Lesson, state_name
from bot.cli.options import DebugOption
from bot.cli.output import complain, console, print_json, side_console
from bot.cli.skins import SkinsOption
from bot.clicker import RealClock
from bot.desktop import open_desktop
from bot.desktop.protocols import Capture
from bot.errors import BotError, UsageError
from bot.geometry import Frame
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
    lesson.finish()
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
        if watch:
            side_console().print("play: Esc or Ctrl+C ends the lesson", markup=False)
            look_on(lesson, capture, desktop.stop_pressed, INTERVAL, _tell_new)
        else:
            lesson.look_at(capture.grab().pixels, "the screen")
    return 0


def _tell_new(states: frozenset[int]) -> None:
    side_console().print(f"learned: {', '.join(map(state_name, sorted(states)))}", markup=False)


def look_on(
    lesson: Lesson,
    capture: Capture,
    stopped: Callable[[], bool],
    interval: float,
    tell: Callable[[frozenset[int]], None],
) -> None:
    """Find a board on the screen and look on while somebody plays; keep what is new at once.

    A position is looked at when it rests for ``interval`` seconds; ``tell`` is told of states that became
    certain. It ends when ``stopped`` says so. Raises GameNotFoundError if there is no board at first.
    """
    clock, frame = RealClock(), capture.grab()
    grid = lesson.look_at(frame.pixels, "the screen")
    area = frame.on_screen(grid.rect)
    told, before, seen = frozenset[int](), frame.crop(area), None
    while not stopped():
        if lesson.save() and lesson.skin_learner.trusted > told:
            tell(lesson.skin_learner.trusted - told)
            told = lesson.skin_learner.trusted
        clock.sleep(interval)
        now = capture.grab(area)
        if _same(now, before) and not _same(now, seen):
            lesson.look_again(
                now.pixels, grid.moved(frame.origin.x - now.origin.x, frame.origin.y - now.origin.y)
            )
            seen = now
        before = now


def _same(one: Frame, other: Frame | None) -> bool:
    return other is not None and np.array_equal(one.pixels, other.pixels)
