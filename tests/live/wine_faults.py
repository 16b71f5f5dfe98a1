"""Things that a desktop or its user may do to WineMine during play, and how to undo them after a run."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

from bot.geometry import Point, Rect
from x11_faults import press

if TYPE_CHECKING:
    from wine_match import Ground

NEW_GAME, TIMES, ABOUT = 1001, 1003, 1004  # command numbers in WineMine's menus
BEGINNER, INTERMEDIATE, CUSTOM = 1005, 1006, 1008
SMALL = 200  # pixels; a beginner window is narrower than this
SCREEN = Rect(0, 0, 1280, 900)
BLINK = 0.2  # seconds
STEPS = 30  # of a movement by hand, at 100 steps a second
LONGEST_BLINDNESS = 3.0
NOT_FOUND = 3  # exit code of a run that finds no game
ENDING = 0.5  # the longest time, in seconds, from a run's release of its lock to the report of its end
LONG = 8.0  # seconds for which a window lies over the game
BRIEF = 0.01  # the longest delay, in seconds, before a new window is reported


Strike = Callable[["Ground"], "float | None"]


class MissedError(Exception):
    """The run was over before the fault struck."""


def nothing(_ground: Ground) -> None:
    pass


@dataclass(frozen=True, slots=True)
class WineFault:
    """A fault: ``strike`` is called once a game, ``mend`` before each run.

    The strike comes at a random time, ``after`` seconds (from, to) after the first round. It may return the
    time (of Windows) when its effect began. ``best_time`` is the record in seconds that a win must beat (0:
    impossible). ``kills``: it ends the bot; ``hides``: it hides the board until another game begins.
    """

    name: str
    strike: Strike = nothing
    mend: Callable[[Ground], None] = nothing
    after: tuple[float, float] = (0.0, 0.5)
    best_time: int = 0
    kills: bool = False
    hides: bool = False


def _place(ground: Ground) -> Point:
    """Return a random place for the window's corner so that the whole window is on the screen."""
    client = ground.client
    left = ground.random.randrange(SCREEN.width - client.width - 10)
    return Point(left, ground.random.randrange(SCREEN.height - client.height - 40))


def _move(ground: Ground) -> None:
    place = _place(ground)
    ground.order("move", place.x, place.y)


def _drag(ground: Ground) -> None:
    """Move the window in steps, as if it was dragged by its title bar."""
    client, end = ground.client, _place(ground)
    for step in range(1, 11):
        x = client.x + (end.x - client.x) * step // 10
        ground.order("move", x, client.y + (end.y - client.y) * step // 10)
        time.sleep(0.04)


def _cover_part(ground: Ground) -> None:
    client, chance = ground.client, ground.random
    x, y = chance.randrange(client.width - 60), chance.randrange(33, client.height - 60)
    ground.order("cover", client.x + x, client.y + y, chance.randrange(60, 300), chance.randrange(60, 200))


def _cover_whole(ground: Ground) -> None:
    client = ground.client.grown(40)
    ground.order("cover", client.x, client.y, client.width, client.height)


def _uncover(ground: Ground) -> None:
    ground.order("uncover")


def _for_long(begin: Callable[[Ground], float | None], end: Callable[[Ground], None]) -> Strike:
    """Return a strike that calls ``begin``, and ``end`` later: the bot waits for a covered board."""

    def strike(ground: Ground) -> float | None:
        began = begin(ground)
        time.sleep(LONG)
        end(ground)
        return began

    return strike


def _flash(ground: Ground) -> None:
    _cover_whole(ground)
    time.sleep(BLINK)
    _uncover(ground)


def _minimise(ground: Ground) -> None:
    ground.order("minimise")


def _close(ground: Ground) -> None:
    ground.order("close")


def _start(ground: Ground) -> None:
    """Start the game again if it is closed."""
    if not ground.client.width:
        ground.start_game()


def _choose(*lines: int) -> Callable[[Ground], None]:
    """Return a strike that chooses one of the given menu commands at random."""

    def strike(ground: Ground) -> None:
        ground.order("command", ground.random.choice(lines))

    return strike


def _change_level(ground: Ground) -> None:
    ground.order("command", INTERMEDIATE if ground.client.width < SMALL else BEGINNER)


def _start_beginner(ground: Ground) -> None:
    """Restart a closed game, and undo another level that a click on a menu may have chosen."""
    _start(ground)
    ground.order("command", BEGINNER)


def _open_menu(ground: Ground) -> None:
    ground.order("menu")


def _second(ground: Ground) -> float:
    """Start one more WineMine; its window appears where the first game's window was at its start."""
    ground.more.enter_context(ground.wine.running("winemine"))
    ground.seconds += 1
    return float(ground.order("another", ground.seconds)["until"]) - BRIEF


def _close_second(ground: Ground) -> None:
    ground.more.close()


def _end_second(ground: Ground) -> None:
    _close_second(ground)
    ground.seconds = 0
    _start(ground)


def _switch(ground: Ground) -> None:
    """Give the keyboard to another window next to the game."""
    client = ground.client
    x = client.right + 40 if client.right + 240 < SCREEN.width else client.x - 240
    ground.order("switch", x, client.y, 150, 150)


def _take_mouse(ground: Ground) -> None:
    """Move the mouse to a random place, as by hand, in a third of a second."""
    place = _place(ground)
    with closing(Display()) as display:
        start = display.screen().root.query_pointer()
        for step in range(1, STEPS + 1):
            x = start.root_x + (place.x - start.root_x) * step // STEPS
            y = start.root_y + (place.y - start.root_y) * step // STEPS
            _pointer_to(display, x, y)


def _nudge_mouse(ground: Ground) -> None:
    """Move the mouse slowly, as by hand."""
    with closing(Display()) as display:
        for _ in range(STEPS):
            where = display.screen().root.query_pointer()
            _pointer_to(display, where.root_x + ground.random.choice((1, 2, 3)), where.root_y + 1)


def _pointer_to(display: Display, x: int, y: int) -> None:
    xtest.fake_input(display, X.MotionNotify, x=x, y=y)
    display.sync()
    time.sleep(0.01)


def _blind(ground: Ground) -> None:
    ground.blind.touch()
    time.sleep(ground.random.uniform(0.01, LONGEST_BLINDNESS))
    ground.blind.unlink()


def _kill(ground: Ground) -> None:
    assert ground.bot is not None
    ground.order("kill", ground.bot.number)


def _interrupt(ground: Ground) -> None:
    """Press Ctrl+C: Wine turns SIGINT into that."""
    assert ground.bot is not None
    ground.bot.program.process.send_signal(signal.SIGINT)


def _ready_other(ground: Ground) -> None:
    ground.other_bot()


def _start_other(ground: Ground) -> None:
    """Start another bot, which must be refused. Its target is not on the screen, so that it never clicks."""
    assert ground.bot is not None
    folder = ground.blind.parent / "other"
    folder.mkdir(exist_ok=True)
    code, printed, errors = ground.other_bot().play(folder, "--target", "winmine")
    if code == NOT_FOUND:
        time.sleep(ENDING)
        if not ground.playing:
            raise MissedError
    told = errors.replace(f" (process {ground.bot.number})", "")  # its process id may be missing yet
    line = "minebot: another minebot plays on this desktop already: stop it first\n"
    if (code, printed, told) != (1, "", line):
        ground.wrong.append(f"another bot is answered {errors!r} [{code}]")


FAULTS = (
    WineFault("none"),
    WineFault("moved", _move),
    WineFault("dragged", _drag),
    WineFault("covered in part", _for_long(_cover_part, _uncover), _uncover),
    WineFault("covered", _for_long(_cover_whole, _uncover), _uncover),
    WineFault("covered for a moment", _flash, _uncover),
    WineFault("minimised", _minimise),
    WineFault("closed", _close, _start),
    WineFault("another level", _change_level, _choose(BEGINNER)),
    WineFault("a new game", _choose(NEW_GAME)),
    WineFault("a new game by key", lambda _: press(XK.XK_F2)),
    WineFault("a second game", _for_long(_second, _close_second), _end_second),
    WineFault("dialog", _choose(ABOUT, TIMES, CUSTOM), hides=True),
    WineFault("menu", _open_menu, _start_beginner),
    WineFault("records", best_time=999, after=(0.0, 0.0)),
    WineFault("hand", _take_mouse),
    WineFault("slow hand", _nudge_mouse),
    WineFault("escape", lambda _: press(XK.XK_Escape)),
    WineFault("another window", _switch, _uncover),
    WineFault("no picture", _blind),
    WineFault("ctrl-c", _interrupt),
    WineFault("two bots", _start_other, _ready_other),
    WineFault("killed", _kill, kills=True),
)
