"""Faults of the desktop and its user: what lies over the game, who has the keyboard, what ends the bot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial

from Xlib import X
from Xlib.display import Display
from Xlib.ext.xtest import fake_input
from Xlib.protocol.event import ClientMessage

from bot.clicker.mouse import ScreenMouse
from bot.geometry import Rect
from fault import Fault, Ground
from resolution import resize_screen

A_WHILE = (0.2, 3.0)  # seconds, from and to
EDITOR = Rect(900, 640, 250, 200)
SIZES = ((1280, 900), (1024, 768), (800, 600), (1152, 864))
ICONIC = 3  # WM_CHANGE_STATE
FULL_DISK = """
mkdir -p "$XDG_DATA_HOME" && mount -t tmpfs -o size=4k none "$XDG_DATA_HOME" || exit 77
head -c 4096 /dev/zero > "$XDG_DATA_HOME/taken" 2>/dev/null
"$@"
"""

Strike = Callable[[Ground], None]


def for_a_while(begin: Strike, end: Strike) -> Strike:
    """Return a strike that ends after some time."""

    def strike(ground: Ground) -> None:
        ground.act(begin)
        time.sleep(ground.random.uniform(*A_WHILE))
        ground.act(end)

    return strike


def cover_a_part(ground: Ground, *, menu: bool = False) -> None:
    """Put a window over a part of the board."""
    board, chance = ground.board, ground.random
    x, y = chance.randint(-40, board.width - 20), chance.randint(-40, board.height - 20)
    size = chance.randint(50, 200), chance.randint(50, 200)
    ground.cover(Rect(max(0, board.x + x), max(0, board.y + y), *size), menu=menu)


def cover_all(ground: Ground) -> None:
    """Put a window over the whole game."""
    ground.cover(ground.board.grown(90).intersection(Rect(0, 0, 1280, 900)))


def type_elsewhere(ground: Ground) -> None:
    """Let the user go to another window, beside the game, with the keyboard."""
    ground.cover(EDITOR, focus=True)


def tell_manager(ground: Ground, kind: str, *data: int) -> None:
    """Send the window manager a message about the game's window."""
    with closing(Display()) as display:
        window = display.create_resource_object("window", ground.window.handle)
        message = ClientMessage(
            window=window, client_type=display.intern_atom(kind), data=(32, [*data, 0, 0, 0, 0, 0][:5])
        )
        display.screen().root.send_event(message, X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        display.sync()


def minimise(ground: Ground) -> None:
    """Minimise the game."""
    tell_manager(ground, "WM_CHANGE_STATE", ICONIC)


def restore(ground: Ground) -> None:
    """Bring the game back, with the keyboard."""
    tell_manager(ground, "_NET_ACTIVE_WINDOW", 2)


def move_by_manager(ground: Ground) -> None:
    """Let the window manager put the game elsewhere, frame and all."""
    with closing(Display()) as display:
        window = display.create_resource_object("window", ground.window.handle)
        window.configure(x=ground.random.randint(0, 700), y=ground.random.randint(0, 450))
        display.sync()


def take_the_mouse(ground: Ground) -> None:
    """Move the pointer away from where it is, as a hand would."""
    mouse = ScreenMouse()
    here = mouse.position()
    mouse.move(type(here)((here.x + ground.random.randint(20, 300)) % 1280, here.y))


def press_escape(_ground: Ground) -> None:
    """Press Esc."""
    with closing(Display()) as display:
        code = display.keysym_to_keycode(0xFF1B)
        fake_input(display, X.KeyPress, code)
        fake_input(display, X.KeyRelease, code)
        display.sync()


def blind(ground: Ground) -> None:
    """Let no picture of the screen be taken."""
    ground.blind.touch()


def see(ground: Ground) -> None:
    """Let pictures be taken again."""
    ground.blind.unlink(missing_ok=True)


def resize(ground: Ground) -> None:
    """Give the screen another size in which the game has room, and move the game to a corner of it."""
    width, height = ground.random.choice(SIZES)
    resize_screen(width, height)
    frame = 24 + ground.board.width, 110 + ground.board.height
    ground.order(
        "move", ground.random.choice((0, width - frame[0])), ground.random.choice((0, height - frame[1]))
    )


def whole_screen(ground: Ground) -> None:
    """Give the screen its first size."""
    resize_screen(*SIZES[0])
    ground.order("move", 100, 100)


def signalled(number: int) -> Strike:
    """Return what sends the bot a signal."""

    def strike(ground: Ground) -> None:
        assert ground.bot is not None
        ground.bot.send_signal(number)

    return strike


def freeze(ground: Ground) -> None:
    """Let the game answer nothing."""
    ground.game.send_signal(signal.SIGSTOP)


def thaw(ground: Ground) -> None:
    """Let it answer again."""
    ground.game.send_signal(signal.SIGCONT)


def start_another(ground: Ground) -> None:
    """Start another bot: it must refuse, and name the first one, unless that has just ended."""
    folder = str(ground.blind.parent / "data")
    command = [sys.executable, "-m", "bot", "play", "--target", "kmines"]  # which is not there
    environment = {**os.environ, "XDG_DATA_HOME": folder}
    others = list[subprocess.Popen[str]]()
    ground.act(
        lambda _: others.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True))
    )
    words = others[0].communicate()[1]
    assert ground.bot is not None
    refused = f"another minebot (process {ground.bot.pid}) plays on the display" in words
    if ground.bot.poll() is None and (others[0].returncode != 1 or not refused):
        ground.foul.append(f"another bot ended with {others[0].returncode}: {words}")


DESKTOP_FAULTS = (
    Fault("moved", "a window manager moves it", "follows it", strike=move_by_manager, manager=True),
    Fault(
        "covered",
        "another window covers a part of it for 0.2 to 3 s",
        "waits",
        strike=for_a_while(cover_a_part, Ground.uncover),
    ),
    Fault(
        "covered-whole",
        "another window covers it for 0.2 to 3 s",
        "waits",
        strike=for_a_while(cover_all, Ground.uncover),
    ),
    Fault(
        "covered-for-good",
        "another window covers it for good",
        "waits 5 s, then stops",
        strike=cover_a_part,
        mend=Ground.uncover,
        stops=("stopped: the board is covered",),
    ),
    Fault(
        "foreign-menu",
        "the menu of another program lies over it for 0.2 to 3 s",
        "waits",
        strike=for_a_while(partial(cover_a_part, menu=True), Ground.uncover),
    ),
    Fault(
        "minimised",
        "it is minimised for 0.2 to 3 s",
        "waits",
        strike=for_a_while(minimise, restore),
        manager=True,
    ),
    Fault(
        "minimised-for-good",
        "it is minimised",
        "waits 5 s, then stops",
        strike=minimise,
        mend=restore,
        stops=("stopped: the board is minimised",),
        manager=True,
    ),
    Fault(
        "closed",
        "it is closed in the middle of a game",
        "stops",
        strike=lambda ground: ground.order("end"),
        stops=("was closed",),
    ),
    Fault("frozen", "the game hangs for 0.2 to 3 s", "waits", strike=for_a_while(freeze, thaw), late=3.0),
    Fault(
        "typed-elsewhere",
        "the user types into another window for 0.2 to 3 s",
        "waits",
        strike=for_a_while(type_elsewhere, Ground.uncover),
    ),
    Fault(
        "switched",
        "the user goes to another window",
        "waits 5 s, then stops",
        strike=type_elsewhere,
        mend=Ground.uncover,
        stops=("another window has the keyboard",),
    ),
    Fault(
        "switched-managed",
        "the user goes to another window, under a window manager",
        "waits 5 s, then stops",
        strike=type_elsewhere,
        mend=Ground.uncover,
        stops=("another window has the keyboard",),
        manager=True,
    ),
    Fault("hand", "the user moves the mouse", "stops", strike=take_the_mouse, stops=("moved by hand",)),
    Fault("escape", "the user presses Esc", "stops", strike=press_escape, stops=("Esc was pressed",)),
    Fault(
        "blind",
        "no picture can be taken for 0.2 to 3 s",
        "waits",
        strike=for_a_while(blind, see),
        mend=see,
    ),
    Fault(
        "blind-for-good",
        "no picture can be taken any more",
        "waits 5 s, then stops",
        strike=blind,
        mend=see,
        stops=("the screen cannot be seen",),
    ),
    Fault(
        "resolution",
        "the screen gets another size",
        "follows; stops if that pushes the pointer",
        strike=resize,
        mend=whole_screen,
        stops=("moved by hand",),
    ),
    Fault(
        "disk",
        "the disk is full",
        "plays on without pictures, and says so",
        within=("unshare", "-rm", "sh", "-c", FULL_DISK, "sh"),
    ),
    Fault(
        "killed",
        "the bot is killed",
        "its record is whole, nothing stays pressed",
        strike=signalled(signal.SIGKILL),
        codes=(-signal.SIGKILL,),
    ),
    Fault("terminated", "the system ends the bot", "ends", strike=signalled(signal.SIGTERM), codes=(143,)),
    Fault(
        "interrupted",
        "the user presses Ctrl+C",
        "stops",
        strike=signalled(signal.SIGINT),
        stops=("Ctrl+C was pressed",),
    ),
    Fault("two-bots", "another bot is started", "the other one refuses", strike=start_another),
)
