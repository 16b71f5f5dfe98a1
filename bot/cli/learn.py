"""``minebot learn``: learn the look of a Minesweeper and save it as a skin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bot.board import state_name
from bot.capture import ScreenCapture
from bot.cli.files import all_skins, skins_in, user_skins
from bot.cli.options import MinesOption, SkinsOption
from bot.cli.terminal import complain, note, print_json, say
from bot.desktop import open_desktop, stop_by_key
from bot.desktop.protocols import Capture, Clock
from bot.errors import BotError, StoppedError, UsageError
from bot.geometry import Frame
from bot.stop import Stop
from bot.vision import load_picture
from bot.vision.learning.skin_learner import Lesson
from bot.vision.skin import file_name
from bot.words import counted

INTERVAL = 0.05  # seconds between two pictures that must be equal


def learn(
    name: Annotated[str, typer.Argument(help="The name of the new skin: letters, digits, - and _.")],
    pictures: Annotated[
        list[Path] | None, typer.Argument(help="Screenshots to learn from; without any, the screen.")
    ] = None,
    skins_folder: SkinsOption = None,
    mines: MinesOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a skin of that name; also learn known boards again.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep learning while you play, until you press Esc.")
    ] = False,
    json_lines: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Learn what a Minesweeper looks like, from the screen or from pictures, and keep it as a skin.

    If a skin of that name exists and fits the board, new states are added to it.
    """
    if watch and pictures:
        raise UsageError("--watch looks at the screen: leave out the pictures")
    lesson = lesson_in(skins_folder, name, mines, force=force)
    for picture in pictures or ():
        with suppress(OSError):  # one of them is not there
            if picture.parent.samefile(lesson.folder):
                raise UsageError(
                    f"{picture} is in the folder of the skin, which is written anew: move it away"
                )
    try:
        code = _from_pictures(lesson, pictures) if pictures else _from_screen(lesson, watch)
    finally:
        if lesson.learned:  # also after Ctrl+C, with what was seen before
            lesson.finish()
            if json_lines:
                print_json(_as_json(lesson))
            else:
                say("\n".join(_lines(lesson)))
    if code:
        raise typer.Exit(code)


def lesson_in(folder: Path | None, name: str, mines: int | None, *, force: bool) -> Lesson:
    """Return a lesson whose skin is saved in ``folder``, or in the folder of learned skins if it is None."""
    beside = [] if folder is None else skins_in(folder)
    return Lesson(name, folder or user_skins(), [*beside, *all_skins(None)], mines, force)


def _lines(lesson: Lesson) -> Iterator[str]:
    """Yield lines that say what was learned, state by state."""
    skin = lesson.old
    assert skin is not None
    yield f"{lesson.name}: cells of {skin.cell} pixels"
    for state in skin.shown:
        pictures, seen = int((skin.states == state).sum()), lesson.cells_seen(state)
        yield f"  {state_name(state):14} {counted(pictures, 'picture')} of {counted(seen, 'cell')}"
    if lesson.unsure:
        yield f"not certain yet: {', '.join(map(state_name, lesson.unsure))}"
    if lesson.missing:
        yield f"never seen: {', '.join(map(state_name, lesson.missing))}"
    yield f"kept in {lesson.folder}"


def _as_json(lesson: Lesson) -> dict[str, object]:
    def key(state: int) -> str:
        return file_name(state).removesuffix(".png")

    skin = lesson.old
    assert skin is not None
    return {
        "skin": lesson.name,
        "folder": str(lesson.folder),
        "cell": skin.cell,
        "states": {key(state): int((skin.states == state).sum()) for state in skin.shown},
        "uncertain": [key(state) for state in lesson.unsure],
        "missing": [key(state) for state in lesson.missing],
    }


def _from_pictures(lesson: Lesson, pictures: Sequence[Path]) -> int:
    """Learn from all pictures; return the exit code of the first failure, or 0. Raise it if all failed."""
    lost = list[BotError]()
    for picture in pictures:
        try:
            lesson.look_at(load_picture(picture), str(picture))
        except BotError as error:
            lost.append(error)
    if not lesson.learned:
        raise lost[0]
    for unlearned in lost:
        complain(str(unlearned))
    return lost[0].exit_code if lost else 0


def _from_screen(lesson: Lesson, watch: bool) -> int:
    with closing(open_desktop()) as desktop, closing(ScreenCapture()) as capture:
        if watch:
            note("play: Esc or Ctrl+C ends the lesson")
            look_on(lesson, capture, stop_by_key(desktop), INTERVAL, _tell_new)
        else:
            lesson.look_at(capture.grab().pixels, "the screen")
    return 0


def _tell_new(states: frozenset[int]) -> None:
    note(f"learned: {', '.join(map(state_name, sorted(states)))}")


def look_on(
    lesson: Lesson,
    capture: Capture,
    stop: Stop,
    interval: float,
    tell: Callable[[frozenset[int]], None],
) -> None:
    """Find a board on the screen, learn from it while the user plays, and save new states at once.

    A position is used if it is unchanged after ``interval`` seconds. ``tell`` is called with states that are
    newly certain. Return when the user stops it. Raises GameNotFoundError if there is no board first.
    """
    clock, frame = Clock(), capture.grab()
    grid = lesson.look_at(frame.pixels, "the screen")
    area = frame.on_screen(grid.rect)
    reported, before, seen = frozenset[int](), frame.crop(area), None
    with suppress(StoppedError):
        while True:
            stop.raise_if_stopped()
            trusted = lesson.learner.knowledge.trusted
            if lesson.save() and trusted > reported:
                tell(trusted - reported)
                reported = trusted
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
