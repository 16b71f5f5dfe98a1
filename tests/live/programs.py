"""Real Minesweeper programs that the bot has no skins for, a player for them, and a window manager.

The programs run on the display named by DISPLAY. Each has a home folder of its own, so that the user's
settings are neither read nor changed. Every process that a program starts ends with the block.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from bot.capture import PatientCapture, ScreenCapture
from bot.clicker.pace import parse_speed
from bot.desktop import ScreenMouse, open_desktop
from bot.desktop.protocols import Clock, Mouse, Window
from bot.errors import LaunchError
from bot.geometry import Point, Rect
from bot.play.orders import Control
from bot.play.player import Player
from bot.play.results import Observer, Settings
from bot.play.watcher import BoardWatcher
from bot.record.lines import SentInput
from bot.record.recorder import RecordingMouse
from bot.targets.catalogue import UNKNOWN, Target
from bot.targets.launch import find_program, running, wait_for_window, windows_that
from bot.vision import Skin

_SETTLED = 1.0  # seconds in which a window takes the keyboard
_CORNER = 8  # pixels from the edges of a window, where there is no cell and no button
_PATH = f"{os.environ.get('PATH', '')}:/usr/games"
_STILL = 0.5  # seconds without a change of size, after which a window is stable: toolkits lay it out twice
_START_PATIENCE = 60.0  # seconds for a window manager to start
_END_PATIENCE = 15.0  # seconds for the window of a program to disappear after its end


@dataclass(frozen=True, slots=True)
class Game:
    """A program: the start of its window's title, its command for a small board, and its Debian packages.

    ``settings`` maps paths of files below the home folder to their contents.
    """

    title: str
    command: tuple[str, ...]
    packages: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> str:
        """The name of a program that is not installed, "" if all are."""
        programs = (self.command[0], *self.command[2:3]) if self.command[1:2] == ("--",) else self.command[:1]
        return next((name for name in programs if shutil.which(name, path=_PATH) is None), "")


GAMES: Mapping[str, Game] = {
    "gnome-mines": Game(
        "Mines",
        ("dbus-run-session", "--", "gnome-mines", "--small"),
        "gnome-mines dbus",
        {
            ".config/glib-2.0/settings/keyfile": (
                "[org/gnome/Mines]\ntheme='bgcolors'\nuse-animations=false\nuse-question-marks=true\n"
            )
        },
    ),
    "kmines": Game(
        "KMines",
        ("dbus-run-session", "--", "kmines"),
        "kmines dbus",
        {".config/kminesrc": "[KgTheme]\nTheme=themes/default.desktop\n\n[KgDifficulty]\nLevel=Easy\n"},
    ),
    "xdemineur": Game("xdémineur", ("xdemineur",), "xdemineur"),
    "sgt-puzzles": Game("Mines", ("sgt-mines", "9x9n10"), "sgt-puzzles"),
    "ace-of-penguins": Game("The Ace of Penguins", ("ace-minesweeper",), "ace-of-penguins"),
    "xbomb": Game("XBomb", ("xbomb",), "xbomb"),
}


@contextmanager
def started(game: Game) -> Iterator[Window]:
    """Start a program in a home folder of its own; yield its window once it is stable.

    Raises LaunchError if the program is not installed or shows no window.
    """
    if game.missing:
        raise LaunchError(f"{game.missing} is missing: install it with `apt-get install {game.packages}`")
    folder = next((Path(part).parent for part in game.command if Path(part).is_file()), Path.cwd())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:  # something may still write there
        for path, text in game.settings.items():
            file = Path(home) / path
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
        shown = window_of(
            [*game.command],
            _environment(Path(home)),
            game.title,
            lambda window: window.title.startswith(game.title),
        )
        with chdir(folder), shown as window:  # some programs look for their pictures in the current folder
            yield at_rest(window)


def _environment(home: Path) -> dict[str, str]:
    runtime = home / "run"
    runtime.mkdir(mode=0o700)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("QT_")}
    return {
        **inherited,  # cv2 points Qt to plugins of its own, with which other programs cannot start
        "PATH": _PATH,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_RUNTIME_DIR": str(runtime),
        "GSETTINGS_BACKEND": "keyfile",
        "NO_AT_BRIDGE": "1",
        "LANG": "C.UTF-8",
    }


@contextmanager
def window_of(
    command: list[str], environment: Mapping[str, str], label: str, belongs: Callable[[Window], bool]
) -> Iterator[Window]:
    """Run a program for the length of the block; yield its window, the first for which ``belongs`` is true.

    All processes that it started end with the block, and its window is gone then, so that the next start does
    not take it for its own. Raises LaunchError if no window appears, or if it stays.
    """
    with running(command, environment) as program:
        try:
            yield wait_for_window(program, label, (), partial(windows_that, belongs))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(program.process.pid, signal.SIGTERM)
    deadline = time.monotonic() + _END_PATIENCE
    while windows_that(belongs):
        if time.monotonic() > deadline:
            raise LaunchError(f"the window of {label} is still there")
        time.sleep(0.05)


def at_rest(window: Window) -> Window:
    """Return the window once its position and size have not changed for a while."""
    with closing(open_desktop()) as desktop:
        since = time.monotonic()
        while time.monotonic() < since + _STILL:
            time.sleep(0.05)
            now = desktop.refresh(window)
            if now is None:
                raise LaunchError(f"{window.label} was closed")
            if now.client != window.client:
                window, since = now, time.monotonic()
    return window


def configure(window: Window, **geometry: int) -> None:
    """Set ``x`` and ``y``, or ``width`` and ``height``, of a window, in pixels."""
    from Xlib.display import Display  # only for X11; the player works elsewhere, too

    with closing(Display()) as display:
        display.create_resource_object("window", window.handle).configure(**geometry)
        display.sync()


def minimise(window: Window) -> None:
    """Minimise a window as a window manager does."""
    from Xlib import Xutil
    from Xlib.display import Display

    with closing(Display()) as display:
        client, state = (
            display.create_resource_object("window", window.handle),
            display.intern_atom("WM_STATE"),
        )
        client.change_property(state, state, 32, [Xutil.IconicState, 0])
        client.unmap()
        display.sync()


def plain_window(
    area: Rect, *, focus: bool = False, menu: bool = False, title: str = "another program", picture: str = ""
) -> Any:
    """Put a plain window, or a menu, over ``area``; closing the returned display removes it.

    It shows the file ``picture``, if there is one, in its top left corner.
    """
    from Xlib import X
    from Xlib.display import Display

    display = Display()
    screen, mask = display.screen(), X.KeyPressMask | X.ButtonPressMask
    place = (area.x, area.y, area.width, area.height, 0, screen.root_depth)
    window = screen.root.create_window(
        *place, background_pixel=0x8899AA, override_redirect=menu, event_mask=mask
    )
    window.set_wm_name(title)
    if picture:
        pixels, shown = screen.root.create_gc(), window.create_pixmap(*place[2:4], screen.root_depth)
        from PIL import Image  # the Python of Windows in these tests has no Pillow

        shown.put_pil_image(pixels, 0, 0, Image.open(picture).convert("RGB"))
        window.change_attributes(background_pixmap=shown)
    window.set_wm_class("another", "Another")
    window.map()
    display.sync()
    if focus:
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        display.sync()
    return display


@contextmanager
def window_manager() -> Iterator[None]:
    """Run the window manager openbox for the length of the block. Raises LaunchError if it does not start."""
    from Xlib import X
    from Xlib.display import Display

    with running([find_program("openbox", "openbox")]) as manager, closing(Display()) as display:
        check = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
        deadline = time.monotonic() + _START_PATIENCE
        while not display.screen().root.get_full_property(check, X.AnyPropertyType):
            if time.monotonic() > deadline or manager.process.poll() is not None:
                raise LaunchError("openbox does not manage windows")
            time.sleep(0.02)
        yield


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Keep the processor busy with ``count`` processes for the length of the block."""
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(running([sys.executable, "-c", "while True: pass"]))
        yield


@contextmanager
def repeated(act: Callable[[], object], pause: float) -> Iterator[None]:
    """Call ``act`` at once, and in a thread every ``pause`` seconds until the end of the block."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(pause):
            act()

    act()
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def touch(window: Window, mouse: ScreenMouse) -> None:
    """Click into the corner of a window: without a window manager, some take the keyboard only then."""
    mouse.click(Point(window.client.x + _CORNER, window.client.bottom - _CORNER))
    time.sleep(_SETTLED)


class Listeners(Observer):
    """An observer that is made of functions, each by the name of its method."""

    def __init__(self, **functions: Callable[..., Any]) -> None:
        vars(self).update(functions)


@contextmanager
def player_on(
    window: Window | None,
    settings: Settings,
    observer: Observer,
    *,
    target: Target = UNKNOWN,
    skins: Sequence[Skin] = (),
    mines: int | None = None,
    speed: str = "20",
    on_sent: Callable[[SentInput], None] | None = None,
) -> Iterator[Player]:
    """Yield a player of the game in ``window``, or of any on the screen if that is None.

    ``observer`` follows the run. ``mines`` is the number of mines if the user gives it; ``on_sent`` is
    called with each click and key. If there are no skins, the window is first clicked into.
    """
    with closing(open_desktop()) as desktop, closing(ScreenCapture()) as capture:
        clock, hand = Clock(), ScreenMouse()
        if window is not None and not skins:
            touch(window, hand)
        mouse: Mouse = hand if on_sent is None else RecordingMouse(hand, clock.now, on_sent)
        patient = PatientCapture(capture, clock, desktop, tell=observer.tell)
        watcher = BoardWatcher(patient, skins, window, mines, mouse.position)
        control = Control(patient.stop, clock, buttons=True)
        settings = replace(settings, target=target, pace=parse_speed(speed))
        yield Player(watcher, mouse, settings, observer, control)
