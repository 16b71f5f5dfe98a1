"""``minebot doctor``: report what works on this computer, and how to repair the rest."""

from __future__ import annotations

import platform
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

import typer
from rich.markup import escape
from rich.table import Table

from bot import __version__
from bot.capture import ScreenCapture
from bot.cli.files import data_folder, stored_files
from bot.cli.terminal import console
from bot.desktop import (
    WAYLAND,
    ScreenMouse,
    hdr_is_on,
    is_portable,
    is_remote,
    is_wayland,
    may_click_everything,
    open_desktop,
    require_shapes,
    scaling,
    snaps_to_buttons,
)
from bot.desktop.protocols import Backend
from bot.errors import BotError
from bot.installation import is_built, repair_words
from bot.solver.kernel.build.compilation import (
    can_keep_kernel,
    compiled_folder,
    kernel_compiled,
    kernel_folder,
)
from bot.targets.catalogue import TARGETS, find_game
from bot.vision import load_skins, read_picture
from bot.vision.networks import damaged_networks
from bot.words import counted, one_line

NETWORKS = "digits", "reader", "sides"
DATA = (  # the files besides code, below the package
    "record/report.html",
    "solver/first_clicks.csv",
    "solver/kernel/trees.npz",
    "solver/published/experience.bin",
    "solver/published/patterns.txt",
    *(f"vision/weights/{net}-{part}.onnx" for net in NETWORKS for part in ("judge", "look")),
)
Result = tuple[bool | None, str]  # whether it works, None for mere information; and what was found


def doctor() -> None:
    """Check display, capture, mouse, games on the screen and skins; say how to repair what does not work."""
    with ExitStack() as stack:
        with suppress(BotError):  # a virtual display may start anew whenever its last client leaves
            stack.enter_context(closing(open_desktop()))
        results = {what: _result(check) for what, check in CHECKS}
    # Several checks fail without a display: only the first says how to repair that.
    no_display = results["session"]
    blind = [what for what, result in results.items() if result == no_display and result[0] is False]
    results |= dict.fromkeys(blind[1:], (False, "needs a display"))
    table = Table(show_header=False, box=None)
    for _ in range(3):
        table.add_column(overflow="fold")  # a path is not cut off
    signs = {True: "[green]ok[/]", False: "[red]no[/]", None: "[dim]--[/]"}
    for what, (works, text) in results.items():
        table.add_row(signs[works], what, escape(one_line(text)))
    console().print(table)
    if any(works is False for works, _ in results.values()):
        raise typer.Exit(1)


def _result(check: Callable[[], Result]) -> Result:
    try:
        return check()
    except BotError as error:
        return False, str(error)


def _system() -> Result:
    system = f"{platform.system()} {platform.release()}"
    return None, f"minebot {__version__}, Python {platform.python_version()}, {system}"


def _files() -> Result:
    here = files("bot")
    missing = [name for name in DATA if not here.joinpath(name).is_file()]
    if missing:
        gone = f"{', '.join(missing)} missing: a virus scanner may have removed them"
        return False, f"{gone}; allow minebot there, and install it again"
    try:
        damaged = damaged_networks()
    except OSError as error:
        return False, f"{error.filename} cannot be read ({error.strerror}): {repair_words()}"
    if damaged:
        return False, f"the networks that read boards are damaged ({', '.join(damaged)}): {repair_words()}"
    return True, f"all {len(DATA)} data files are there, and the networks load"


_PERMISSIONS = (  # that macOS asks for
    "; in System Settings, Privacy & Security, allow the terminal both Screen & System Audio Recording and "
    "Accessibility: without them the bot sees no windows, and its clicks do nothing"
)


def _session() -> Result:
    if is_portable(Backend.AUTO):
        permissions = _PERMISSIONS if sys.platform == "darwin" else ""
        return None, f"the board is found by sight{permissions}"
    if sys.platform == "win32":
        if may_click_everything():
            return True, "minebot runs as administrator"
        return None, "not as administrator: a game that runs as administrator ignores the clicks of minebot"
    if is_wayland():
        return False, WAYLAND
    open_desktop().close()
    return True, "X11"


def _screens() -> Result:
    with closing(ScreenCapture()) as capture:
        places = capture.monitors
    sizes = (f"{rect.width} x {rect.height} at ({rect.x}, {rect.y})" for rect in places)
    found = f"{counted(len(places), 'screen')}: {', '.join(sizes)}; scaling {scaling():.0%}"
    if hdr_is_on():
        return None, (
            f"{found}; HDR is on, so pictures of the screen may be pale: if a board is not read, turn it off "
            "in the display settings of Windows"
        )
    if is_remote():
        return None, (
            f"{found}; this is a remote session: pictures are black while its window is minimised or closed"
        )
    return True, found


def _capture() -> Result:
    with closing(ScreenCapture()) as capture:
        capture.grab()
        start = time.perf_counter()
        frame = capture.grab()
        took = time.perf_counter() - start
    size = f"{frame.rect.width} x {frame.rect.height} pixels at ({frame.rect.x}, {frame.rect.y})"
    if not frame.pixels.any():
        return None, f"{size}, all black: if the screen is not black, the system forbids screen capture"
    return True, f"{size}, {1000 * took:.1f} ms a picture"


def _mouse() -> Result:
    here = ScreenMouse().position()
    found = f"the pointer is at ({here.x}, {here.y})"
    if snaps_to_buttons():
        return None, (
            f"{found}; Windows moves it to the button of each dialog that opens, which looks like a hand: "
            "turn off Snap To in the mouse settings (Pointer Options)"
        )
    return True, found


def _windows() -> Result:
    with closing(open_desktop()) as desktop:
        found, count = find_game(desktop), len(desktop.windows())
    if found is None:
        return None, f"no known Minesweeper among {count} windows: start one, or use `minebot play --launch`"
    target, window = found
    return True, f"{target.name}: {window.title!r}, {window.client.width} x {window.client.height} pixels"


def _board() -> Result:
    with closing(ScreenCapture()) as capture:
        readings = read_picture(capture.grab().pixels, load_skins(), every=True)
    if not readings:
        return None, "there is no readable board on the screen"
    seen = [(reading.skin, reading.grid) for reading in readings]
    return True, "; ".join(
        f"{skin} {grid.rows} x {grid.cols} at ({grid.x:g}, {grid.y:g})" for skin, grid in seen
    )


def _marks() -> Result:
    if is_portable(Backend.AUTO):
        return None, "a dry run draws them into a picture alone"
    require_shapes()
    if find_spec("PySide6") is None:
        return None, f"PySide6 is missing, so a dry run shows no marks: {repair_words()}"
    return True, "a dry run can show them over the game"


def _launch() -> Result:
    if sys.platform == "win32":
        return None, "not needed on Windows"
    missing = [program for program in ("wine", "Xvfb") if shutil.which(program) is None]
    if missing:
        return None, f"{' and '.join(missing)} missing: apt-get install wine wine64 xvfb"
    return True, "wine and Xvfb are installed"


def _solver() -> Result:
    if kernel_compiled():
        return True, f"compiled, in {compiled_folder()}"
    if not can_keep_kernel():
        return False, (
            f"it cannot be stored in {kernel_folder()}, to which only you must be able to write, so the "
            "strategy exact decides"
        )
    return (
        None,
        "not compiled yet: when you first play, that is done in the background, or now by `minebot compile`",
    )


def _stored() -> Result:
    """Return how much is on the disk, and whether the user's folders can be written."""
    data, cache = data_folder(), kernel_folder().parent
    program = Path(sys.executable).parent if is_built() else Path(sys.prefix)
    own = is_built() or sys.prefix != sys.base_prefix  # else it is the system's Python
    sizes = [f"runs, settings and skins {_size(data)} in {data}"]
    sizes += [f"Wine prefixes {_size(*wine)} in {cache}"] if (wine := list(cache.glob("wine*"))) else []
    sizes += [f"the program with its libraries {_size(program)} in {program}"] if own else []
    locked = [words for folder in (data, cache) if (words := _not_writable(folder))]
    return not locked and None, "; ".join([*locked, *sizes])


def _size(*folders: Path) -> str:
    size = sum(size for folder in folders for _, size, _ in stored_files(folder)) / 1e6
    return f"{size / 1e3:.1f} GB" if size >= 1e3 else f"{size:.1f} MB"


def _not_writable(folder: Path) -> str:
    """Return "", or what to do where nothing can be stored in ``folder``, which may not exist yet."""
    variable = "XDG_DATA_HOME" if folder == data_folder() else "XDG_CACHE_HOME"
    elsewhere = f", or set {variable} to another folder" if sys.platform.startswith("linux") else ""
    try:
        with TemporaryFile(dir=next(place for place in (folder, *folder.parents) if place.exists())):
            return ""
    except OSError as error:
        return f"{folder} cannot be written ({error.strerror}): make it your own{elsewhere}"


CHECKS: tuple[tuple[str, Callable[[], Result]], ...] = (
    ("system", _system),
    ("files", _files),
    ("session", _session),
    ("screens", _screens),
    ("capture", _capture),
    ("mouse", _mouse),
    ("game window", _windows),
    ("board", _board),
    ("marks", _marks),
    ("solver", _solver),
    ("skins", lambda: (True, ", ".join(skin.name for skin in load_skins()))),
    ("games known", lambda: (None, ", ".join(target.name for target in TARGETS))),
    ("--launch", _launch),
    ("stored", _stored),
)
