"""Ground for tests: the command line, a virtual display, WineMine, the bot's eyes and hands on it."""

from __future__ import annotations

import io
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse, open_desktop
from bot.desktop.protocols import Desktop, Window
from bot.errors import LaunchError
from bot.levels import BEGINNER, Level
from bot.solver.kernel.build.compilation import compile_kernel
from bot.targets.launch import Wine, virtual_display, wine_prefix, winemine
from font_files import MissingFontsError

if TYPE_CHECKING:
    from drawn_game import Driven, Start
    from played_screen import Screen

StartGame = Callable[..., Window]
Run = Callable[..., tuple[int, str, str]]
LIVE = Path(__file__).parent / "live"
LONGEST_ID = 200  # characters of one value in the name of a test
PATIENCE = 300.0  # seconds that only a fault exceeds: a machine may be busy, the solver be compiled

# The same examples at every run, however slow the machine; others by --hypothesis-profile=default.
settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


def pytest_configure() -> None:
    """Heed Ctrl+C: what a shell starts in the background is told to ignore it, and hands that on."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Keep the names of tests short: they are in the environment of each process that a test starts."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_ID:
        return f"{len(val)} {type(val).__name__}"
    return None


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the live games to one process where several test: two at once would only slow each other down."""
    for item in items:
        if LIVE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("live"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    """Skip tests whose fixtures draw with fonts that are not here."""
    yield from skipped_without_fonts()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Skip tests that draw with fonts that are not here."""
    yield from skipped_without_fonts()


def skipped_without_fonts() -> Iterator[None]:
    try:
        yield
    except MissingFontsError as error:
        pytest.skip(str(error))


def minebot(*arguments: object) -> int:
    """Run the command line with these arguments; return the code that it ends with."""
    from bot.cli import main  # only where commands are tested

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["minebot", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
    return int(ended.value.code or 0)


@pytest.fixture(scope="session")
def kernel() -> None:
    """The compiled kernel, so that no command begins with the plain solver."""
    compile_kernel(lambda _done, _total: None)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], kernel: None) -> Run:  # noqa: ARG001 - it must be there
    """Return a function that runs the command line and returns its exit code, output and errors."""

    def command(*arguments: object) -> tuple[int, str, str]:
        code = minebot(*arguments)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


def one_line(text: str) -> str:
    """Return what a command has told of an error, which has to be one line."""
    assert text.startswith("minebot: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text


@pytest.fixture
def console(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs `minebot console` with typed lines; returns its code, output and errors."""

    def command(typed: str, *arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return run("console", *arguments)

    return command


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A simulated screen on which ``minebot play`` finds a game."""
    from played_screen import played_screen  # only where commands are tested

    screen = played_screen()
    for name in ("open_desktop", "ScreenCapture", "ScreenMouse"):
        monkeypatch.setattr(f"bot.cli.session.{name}", lambda *_: screen)
    monkeypatch.setattr("bot.cli.play.open_desktop", lambda *_: screen)
    monkeypatch.setattr("bot.cli.session.Clock", lambda: screen.clock)
    monkeypatch.setattr("bot.cli.play.OverlayMarks.over", lambda _, seen, *__: seen)  # no real screen
    return screen


@pytest.fixture
def play(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Return a function that runs ``minebot play`` and returns its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.cli.files.user_data_path", lambda *_, **__: tmp_path / "data")
    return partial(run, "play", "--speed", "max")


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a virtual display of our own, never the user's; DISPLAY is set to it."""
    if not sys.platform.startswith("linux"):
        pytest.skip("virtual displays are for Linux")
    with ExitStack() as stack:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the display ends too
        stack.callback(signal.signal, signal.SIGTERM, before)
        try:
            name = stack.enter_context(virtual_display())
        except LaunchError as error:
            pytest.skip(str(error))
        yield name


@pytest.fixture
def desktop(display: str) -> Iterator[Desktop]:  # noqa: ARG001 - it must be there
    with closing(open_desktop()) as opened:
        yield opened


@pytest.fixture
def capture(display: str) -> Iterator[ScreenCapture]:  # noqa: ARG001 - it must be there
    with closing(ScreenCapture()) as opened:
        yield opened


@pytest.fixture
def mouse(display: str) -> ScreenMouse:  # noqa: ARG001 - it must be there
    return ScreenMouse()


@pytest.fixture
def left_handed(display: str) -> Iterator[None]:
    """The left and the right mouse button are exchanged, as by ``xmodmap -e 'pointer = 3 2 1'``."""
    from Xlib import display as x11

    with closing(x11.Display(display)) as connection:
        before = connection.get_pointer_mapping()
        connection.set_pointer_mapping([3, 2, 1, *before[3:]])
        yield
        connection.set_pointer_mapping(before)


@pytest.fixture(scope="session")
def wine(display: str) -> Iterator[Wine]:  # noqa: ARG001 - it must be there
    """A Wine prefix in the user's cache, which nobody else uses meanwhile."""
    with ExitStack() as stack:
        try:
            prefix = stack.enter_context(wine_prefix())
        except LaunchError as error:
            pytest.skip(str(error))
        yield prefix


@pytest.fixture
def start_winemine(wine: Wine) -> Iterator[StartGame]:
    """Starts WineMine at a level, as often as it is called; the games end with the test."""
    with ExitStack() as stack:

        def start(level: Level = BEGINNER, best_time: int = 0) -> Window:
            return stack.enter_context(winemine(wine, level, best_time))

        yield start


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Start]:
    """Opens windows of the built-in game with the options it is given, as often as it is called."""
    from drawn_game import started  # it needs Qt

    with started(tmp_path) as start:
        yield start


@pytest.fixture
def driven(make: Start) -> Driven:
    return make()


def wait_for(what: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Return whether ``what`` becomes true within ``patience`` seconds."""
    deadline = time.monotonic() + patience
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
