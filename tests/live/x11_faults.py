"""The faults on X11: things that a game, a desktop or a user may do at a random moment during play.

The game is `faulty_game`, on the display named by DISPLAY.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import IO, Any

from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import randr
from Xlib.ext.xtest import fake_input
from Xlib.protocol.event import ClientMessage

from bot.desktop import ScreenMouse
from bot.desktop.protocols import Window
from bot.geometry import Point, Rect
from programs import configure, plain_window

A_WHILE = (0.2, 3.0)  # seconds, from and to
LONG = (7.0, 9.0)  # the same; the bot waits for a board that is covered, however long
EDITOR = Rect(900, 640, 250, 200)
SIZES = ((1280, 900), (1024, 768), (800, 600), (1152, 864))
DOTS = 3.78  # pixels in a millimetre, at 96 dots per inch
ICONIC = 3  # the state IconicState, for WM_CHANGE_STATE
SCALES = (1, 1.25, 1.5, 2)
LEVELS = ("beginner", "intermediate", "10x12/15")
FRAME = (12, 75)  # pixels from a window's corner to its board at scale 1
NIGHT = (255, 190, 120)  # white light at about 2700 K
FULL_DISK = """
mkdir -p "$XDG_DATA_HOME" && mount -t tmpfs -o size=4k none "$XDG_DATA_HOME" || exit 77
head -c 4096 /dev/zero > "$XDG_DATA_HOME/taken" 2>/dev/null
"$@"
"""


@dataclass
class FaultContext:
    """Everything that a fault may act on: the game, the bot and the display.

    ``game`` is the process of `faulty_game`, ``window`` its window at the start. ``bot`` is the process of
    the current run, ``second`` that of another game, hidden at first, for faults that need it.
    """

    game: Popen[str]
    window: Window
    random: random.Random
    blind: Path  # while this file exists, no picture of the screen can be taken
    bot: Popen[str] | None = None
    second: Popen[str] | None = None
    board: Rect = field(default_factory=lambda: Rect(0, 0, 0, 0))  # the place that the game reports
    kept: list[Any] = field(default_factory=list)  # windows left by a strike, to be removed by `uncover`
    foul: list[str] = field(default_factory=list)  # rules that the fault itself saw broken
    acts: list[tuple[float, float]] = field(default_factory=list)  # begin and end of each action

    def order(self, *words: object) -> None:
        """Send an order to the game, see `FaultyWindow.order`."""
        _order(self.game.stdin, words)

    def second_order(self, *words: object) -> None:
        """Send an order to the second game."""
        assert self.second is not None
        _order(self.second.stdin, words)

    def act(self, deed: Strike) -> None:
        """Do something to the game or the desktop, and note its begin and end (`time.monotonic`)."""
        since = time.monotonic()
        deed(self)
        self.acts.append((since, time.monotonic()))

    def cover(self, area: Rect, *, focus: bool = False, menu: bool = False) -> None:
        """Put a plain window, or a ``menu``, over ``area`` (screen pixels), until `uncover` is called."""
        self.kept.append(plain_window(area, focus=focus, menu=menu))

    def uncover(self) -> None:
        """Remove the windows over the game; a key press that one received is a broken rule."""
        while self.kept:
            with closing(self.kept.pop()) as display:
                display.sync()
                events = [display.next_event() for _ in range(display.pending_events())]
                keys = sum(event.type == X.KeyPress for event in events)
                self.foul += ["a key went to another program"] * keys


def _order(pipe: IO[str] | None, words: tuple[object, ...]) -> None:
    assert pipe is not None
    pipe.write(" ".join(map(str, words)) + "\n")
    pipe.flush()


Strike = Callable[[FaultContext], None]


def nothing(_ground: FaultContext) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: something that goes wrong during play.

    ``options`` of `faulty_game` set permanent faults. ``strike`` is called once a game, at a random moment,
    on a thread of its own; ``mend`` before each run. ``play`` are options of the bot. The screen may be
    ``late`` seconds behind; ``second`` asks for another game of the same kind, ``manager`` for a window
    manager. ``within`` is a command that runs the bot; ``codes`` are silent exit codes that the fault may
    cause.
    """

    name: str
    options: tuple[str, ...] = ()
    strike: Strike | None = None
    mend: Strike = nothing
    play: tuple[str, ...] = ()
    late: float = 0.0
    second: bool = False
    manager: bool = False
    within: tuple[str, ...] = ()
    codes: tuple[int, ...] = ()


# Faults of the game: its clicks, its painting, its window, its dialogs


def move(ground: FaultContext) -> None:
    ground.order("move", ground.random.randint(0, 600), ground.random.randint(0, 400))


def rescale(ground: FaultContext) -> None:
    ground.order("scale", ground.random.choice(SCALES))


def change_level(ground: FaultContext) -> None:
    ground.order("level", ground.random.choice(LEVELS))


def redraw_in_other_colours(ground: FaultContext) -> None:
    ground.order("dark", ground.random.randint(0, 1))


def dim(ground: FaultContext) -> None:
    """Shift the colours towards warm light, or back, within a second."""
    warm = ground.random.random()
    ground.order("tint", *(round(255 + warm * (shade - 255)) for shade in NIGHT), ground.random.random())


def order(*words: object) -> Strike:
    """Return a strike that sends this order to the game."""
    return lambda ground: ground.order(*words)


def open_menu(ground: FaultContext) -> None:
    ground.order("menu", *(f"{ground.random.uniform(-0.3, 0.8):.2f}" for _ in range(2)))


def take_the_keyboard(ground: FaultContext) -> None:
    """Give the keyboard for a moment to a window far from the game; afterwards no window has it."""
    ground.act(partial(FaultContext.cover, area=Rect(1000, 700, 200, 150), focus=True))
    time.sleep(0.2)
    ground.act(FaultContext.uncover)


def show_second(ground: FaultContext, *, over: bool) -> None:
    """Show a second Minesweeper over the board, or far from it."""
    x, y = (ground.board.x - FRAME[0], ground.board.y - FRAME[1]) if over else (900, 500)
    by = ground.random.randint(-60, 60) if over else 0
    for words in (("move", max(0, x + by), max(0, y + by)), ("show",), ("raise",)):
        ground.second_order(*words)


def hide_second(ground: FaultContext) -> None:
    ground.second_order("hide")


SECOND_OVER = partial(show_second, over=True)


# Faults of the desktop and its user


def for_a_while(begin: Strike, end: Strike, seconds: tuple[float, float] = A_WHILE) -> Strike:
    """Return a strike that calls ``begin``, and ``end`` some time later."""

    def strike(ground: FaultContext) -> None:
        ground.act(begin)
        time.sleep(ground.random.uniform(*seconds))
        ground.act(end)

    return strike


def cover_a_part(ground: FaultContext, *, menu: bool = False) -> None:
    """Put a window over a part of the board."""
    board, chance = ground.board, ground.random
    x, y = chance.randint(-40, board.width - 20), chance.randint(-40, board.height - 20)
    size = chance.randint(50, 200), chance.randint(50, 200)
    ground.cover(Rect(max(0, board.x + x), max(0, board.y + y), *size), menu=menu)


def cover_all(ground: FaultContext) -> None:
    ground.cover(ground.board.grown(90).intersection(Rect(0, 0, 1280, 900)))


def type_elsewhere(ground: FaultContext) -> None:
    """Open another window next to the game, which takes the keyboard."""
    ground.cover(EDITOR, focus=True)


def tell_manager(ground: FaultContext, kind: str, *data: int) -> None:
    """Send the window manager a message about the game's window."""
    with closing(Display()) as display:
        window = display.create_resource_object("window", ground.window.handle)
        words = (32, [*data, 0, 0, 0, 0, 0][:5])
        message = ClientMessage(window=window, client_type=display.intern_atom(kind), data=words)
        display.screen().root.send_event(message, X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        display.sync()


def minimise(ground: FaultContext) -> None:
    tell_manager(ground, "WM_CHANGE_STATE", ICONIC)


def restore(ground: FaultContext) -> None:
    tell_manager(ground, "_NET_ACTIVE_WINDOW", 2)


def move_by_manager(ground: FaultContext) -> None:
    """Let the window manager move the game, with its frame."""
    configure(ground.window, x=ground.random.randint(0, 700), y=ground.random.randint(0, 450))


def take_the_mouse(ground: FaultContext) -> None:
    """Move the pointer away from its place, as by hand."""
    mouse = ScreenMouse()
    here = mouse.position()
    mouse.move(Point((here.x + ground.random.randint(20, 300)) % 1280, here.y))


def press(key: int) -> None:
    """Press and release the key with this keysym, as a person does."""
    with closing(Display()) as display:
        code = display.keysym_to_keycode(key)
        fake_input(display, X.KeyPress, code)
        fake_input(display, X.KeyRelease, code)
        display.sync()


def blind(ground: FaultContext) -> None:
    ground.blind.touch()


def see(ground: FaultContext) -> None:
    ground.blind.unlink(missing_ok=True)


def resize(ground: FaultContext) -> None:
    """Give the screen another size with room for the game, and move the game to a corner."""
    width, height = ground.random.choice(SIZES)
    resize_screen(width, height)
    frame = 24 + ground.board.width, 110 + ground.board.height
    ground.order(
        "move", ground.random.choice((0, width - frame[0])), ground.random.choice((0, height - frame[1]))
    )


def whole_screen(ground: FaultContext) -> None:
    """Give the screen its original size."""
    resize_screen(*SIZES[0])
    ground.order("move", 100, 100)


def signalled(number: int) -> Strike:
    """Return a strike that sends a signal to the bot."""

    def strike(ground: FaultContext) -> None:
        assert ground.bot is not None
        ground.bot.send_signal(number)

    return strike


def freeze(ground: FaultContext) -> None:
    ground.game.send_signal(signal.SIGSTOP)


def thaw(ground: FaultContext) -> None:
    ground.game.send_signal(signal.SIGCONT)


def start_another(ground: FaultContext) -> None:
    """Start another bot: it must refuse and name the first one, unless the first has ended its run."""
    folder = str(ground.blind.parent / "data")
    command = [sys.executable, "-m", "bot", "play", "--target", "kmines"]  # a game that is not on the screen
    environment = {**os.environ, "XDG_DATA_HOME": folder}
    others = list[subprocess.Popen[str]]()
    ground.act(
        lambda _: others.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True))
    )
    words = others[0].communicate()[1]
    assert ground.bot is not None
    refused = f"another minebot (process {ground.bot.pid}) plays on the display" in words
    # The first bot writes the end of its record, then releases the lock; its process ends a little later.
    ended = '"kind":"stop"' in (ground.blind.parent / "record" / "record.jsonl").read_text(encoding="utf-8")
    if not ended and (others[0].returncode != 1 or not refused):
        ground.foul.append(f"another bot ended with {others[0].returncode}: {words}")


def resize_screen(width: int, height: int) -> None:
    """Give the display another size in pixels, not larger than its original one."""
    with closing(Display()) as display:
        root = display.screen().root
        resources = root.xrandr_get_screen_resources()
        (output,), (controller,) = resources.outputs, resources.crtcs
        mode = _mode(display, root, resources, output, (width, height))
        stamp = root.xrandr_get_screen_resources().config_timestamp
        display.xrandr_set_crtc_config(controller, stamp, 0, 0, 0, randr.Rotate_0, [])
        root.xrandr_set_screen_size(width, height, round(width / DOTS), round(height / DOTS))
        display.xrandr_set_crtc_config(controller, stamp, 0, 0, mode, randr.Rotate_0, [output])
        display.sync()


def _mode(display: Any, root: Any, resources: Any, output: int, size: tuple[int, int]) -> int:
    """Return the mode with this size; create it if there is none."""
    for mode in resources.modes:
        if (mode.width, mode.height) == size:
            return int(mode.id)
    name = "{}x{}".format(*size)
    made = root.xrandr_create_mode((0, *size, 0, 0, 0, 0, 0, 0, 0, 0, len(name), 0), name).mode
    display.xrandr_add_output_mode(output, made)
    display.sync()
    return int(made)


FAULTS = (
    # Of the game: clicks are lost or count twice, its window changes, dialogs open. The bot plays on.
    Fault("none"),
    Fault("lost", ("--lose", "0.2")),
    Fault("doubled", ("--double", "0.5")),
    Fault("doubled-flags", ("--double", "0.1"), play=("--flags", "chord")),
    Fault("late", ("--late", "0.5"), late=0.5),
    Fault("pieces", ("--pieces", "0.3"), late=0.3),
    Fault("swallowed", ("--swallow",), take_the_keyboard, FaultContext.uncover),
    Fault("moves", strike=move),
    Fault("rescaled", strike=rescale),
    Fault("level", strike=change_level),
    Fault("new", strike=order("new")),
    Fault("new-by-key", strike=lambda _: press(XK.XK_F2)),
    Fault("dark", strike=redraw_in_other_colours),
    Fault("night", strike=dim, mend=order("tint", 255, 255, 255, 0)),
    Fault("name", strike=order("open", "name"), mend=order("close")),
    Fault("times", strike=order("open", "times"), mend=order("close")),
    Fault("about", strike=order("open", "about"), mend=order("close")),
    Fault("menu", strike=open_menu, mend=order("close")),
    Fault("second-over", strike=for_a_while(SECOND_OVER, hide_second, LONG), mend=hide_second, second=True),
    Fault("second-beside", strike=partial(show_second, over=False), mend=hide_second, second=True),
    Fault("moved", strike=move_by_manager, manager=True),
    # A window covers the game: the bot waits. It has the keyboard for good: the bot stops after 5 s.
    Fault("covered", strike=for_a_while(cover_a_part, FaultContext.uncover)),
    Fault("covered-whole", strike=for_a_while(cover_all, FaultContext.uncover)),
    Fault("covered-long", strike=for_a_while(cover_a_part, FaultContext.uncover, LONG)),
    Fault("foreign-menu", strike=for_a_while(partial(cover_a_part, menu=True), FaultContext.uncover)),
    Fault("minimised", strike=for_a_while(minimise, restore), manager=True),
    Fault("minimised-for-good", strike=minimise, mend=restore, manager=True),
    Fault("closed", strike=order("end")),  # the bot stops at once
    Fault("frozen", strike=for_a_while(freeze, thaw), late=3.0),
    Fault("typed-elsewhere", strike=for_a_while(type_elsewhere, FaultContext.uncover)),
    Fault("switched", strike=type_elsewhere, mend=FaultContext.uncover),
    Fault("switched-managed", strike=type_elsewhere, mend=FaultContext.uncover, manager=True),
    Fault("blind", strike=for_a_while(blind, see), mend=see),
    Fault("blind-for-good", strike=blind, mend=see),
    # The user takes over: the bot stops at once. If the screen's size changes, it may have to stop, too.
    Fault("hand", strike=take_the_mouse),
    Fault("escape", strike=lambda _: press(XK.XK_Escape)),
    Fault("resolution", strike=resize, mend=whole_screen),
    # Of the system: a full disk costs only pictures; a killed bot leaves its record readable.
    Fault("disk", within=("unshare", "-rm", "sh", "-c", FULL_DISK, "sh")),
    Fault("killed", strike=signalled(signal.SIGKILL), codes=(-signal.SIGKILL,)),
    Fault("terminated", strike=signalled(signal.SIGTERM), codes=(143,)),
    Fault("interrupted", strike=signalled(signal.SIGINT)),
    Fault("two-bots", strike=start_another),  # the other one is refused
)
