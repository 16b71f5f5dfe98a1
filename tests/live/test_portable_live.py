"""The portable backend plays on a virtual screen, in an environment made as the documentation says.

It needs one of its own, because pyautogui brings python3-xlib, and these tests need python-xlib: both call
themselves Xlib.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from Xlib import X
from Xlib.display import Display

from bot.desktop import ScreenMouse
from bot.geometry import Point
from bot.levels import BEGINNER, EXPERT
from bot.vision import load_picture, load_skins, read_picture
from conftest import PATIENCE, StartGame, wait_for
from page import open_page
from x11_match import ButtonWatch

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / ".github" / "docs" / "troubleshooting.md"
ENVIRONMENT = ROOT / ".build" / "portable"  # kept for the next run
MAKING = 500.0  # seconds for all commands of the recipe; they take half a minute
OPTIONS = ("play", "--backend", "portable", "--speed", "20", "--json", "--no-learn", "--yes")
GAMES = 2
SLOW_STOP = 1.0  # seconds after which nothing may be clicked any more
MIDDLE, CORNER, BESIDE = Point(640, 450), Point(0, 0), Point(800, 700)
Begin = Callable[[int], subprocess.Popen[str]]
pytestmark = pytest.mark.usefixtures("kernel")  # in the cache that both environments use


def recipe() -> list[list[str]]:
    """Return the commands of the documentation, with our Python and our folder in place of its names."""
    text = RECIPE.read_text(encoding="utf-8").split("\n### The portable backend on Linux\n", 1)[1]
    lines = re.findall(r"^ {4}(\S.*)$", text.split("\n#", 1)[0], re.MULTILINE)
    own = {
        "python3": sys.executable,
        "portable": str(ENVIRONMENT),
        "portable/bin/pip": str(ENVIRONMENT / "bin" / "pip"),
    }
    return [[own.get(word, word) for word in shlex.split(line)] for line in lines]


@pytest.fixture(scope="session")
def portable(display: str) -> list[str]:  # noqa: ARG001 - only systems that have one use this environment
    """The beginning of commands that run our minebot in the environment, which is made if it is not there."""
    commands, python = recipe(), ENVIRONMENT / "bin" / "python"
    made = ENVIRONMENT / "made.txt"  # by which commands, for which libraries
    wanted = f"{sys.version}\n{commands}\n{(ROOT / 'pyproject.toml').read_text(encoding='utf-8')}"
    ENVIRONMENT.parent.mkdir(exist_ok=True)
    with FileLock(ENVIRONMENT.with_suffix(".lock")):  # against other processes of these tests
        if not made.exists() or made.read_text(encoding="utf-8") != wanted:
            shutil.rmtree(ENVIRONMENT, ignore_errors=True)
            deadline = time.monotonic() + MAKING
            for command in commands:
                run_recipe(command, deadline - time.monotonic())
            made.write_text(wanted, encoding="utf-8")
    return [str(python), "-P", str(ROOT / "bot" / "__main__.py")]


def run_recipe(command: list[str], seconds: float) -> None:
    run = partial(subprocess.run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        run(command, cwd=ROOT, check=True, timeout=seconds)
    except (OSError, subprocess.SubprocessError) as error:
        said = str(getattr(error, "output", None) or error).strip().splitlines()[-1]
        pytest.fail(f"the environment cannot be made: {shlex.join(command)}: {said}", pytrace=False)


@pytest.fixture
def begin(portable: list[str], mouse: ScreenMouse, tmp_path: Path) -> Iterator[Begin]:
    """Return a function that starts so many games with the portable backend; the pointer is in no corner.

    python3-xlib knows nothing of our cookie, so meanwhile the display admits all programs of this user.
    """
    mouse.move(MIDDLE)
    command = [*portable, *OPTIONS, "--pictures", str(tmp_path), "--games"]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    popen = partial(subprocess.Popen[str], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with this_user_admitted(), ExitStack() as stack:

        def start(games: int) -> subprocess.Popen[str]:
            process = stack.enter_context(popen([*command, str(games)], env=environment))
            stack.callback(process.kill)
            return process

        yield start


@contextmanager
def this_user_admitted() -> Iterator[None]:
    """Let programs of this user use the display without its cookie, as ``xhost +si:localuser:NAME`` does."""
    user = list(b"localuser\0" + pwd.getpwuid(os.getuid()).pw_name.encode())
    with closing(Display()) as server:
        server.change_hosts(X.HostInsert, X.FamilyServerInterpreted, user)
        server.sync()
        yield
        server.change_hosts(X.HostDelete, X.FamilyServerInterpreted, user)
        server.sync()


def played(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """Wait for play to end as it should; return what it prints of each game."""
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    *games, sums = map(json.loads, output.splitlines())
    assert (len(games), sums["games"], sums["ended_by"]) == (GAMES, GAMES, "games")
    return games


def test_the_environment_has_one_xlib(portable: list[str]) -> None:
    names = "import importlib.metadata as m; print(*{d.name for d in m.distributions() if 'xlib' in d.name})"
    command = [portable[0], "-c", names]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "python3-xlib\n"


def test_the_other_commands_use_the_portable_backend_there_too(portable: list[str]) -> None:
    with this_user_admitted():
        done = subprocess.run(
            [*portable, "doctor"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
        hint = subprocess.run(
            [*portable, "hint"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
    assert "the board is found by sight" in " ".join(done.stdout.split())
    assert "Traceback" not in done.stderr
    assert (hint.returncode, "no Minesweeper" in hint.stderr) == (3, True)


def test_winemine_is_played_to_the_end(begin: Begin, start_winemine: StartGame, tmp_path: Path) -> None:
    start_winemine(BEGINNER)
    games = played(begin(GAMES))
    assert {game["target"] for game in games} == {"winemine"}
    pictures = [load_picture(picture) for picture in sorted(tmp_path.glob("game-*.png"))]
    ends = [read_picture(picture, load_skins())[0].state.value for picture in pictures]
    assert [{True: "won", False: "lost"}.get(game["won"]) for game in games] == ends


def test_a_page_is_played_to_the_end(begin: Begin) -> None:
    """It is played by sight, and started again by its button: no keys go to a window that is not known."""
    with open_page(art="dark", restart="button", seed=1) as page:
        games = played(begin(GAMES))
        truth = {shown.game: shown.won for shown in page.shown if shown.won is not None}
    assert dict(enumerate(game["won"] for game in games)) == truth


def by_hand(mouse: ScreenMouse, process: subprocess.Popen[str]) -> None:
    move_until_it_ends(mouse, process, BESIDE)


def into_the_corner(mouse: ScreenMouse, process: subprocess.Popen[str]) -> None:
    move_until_it_ends(mouse, process, CORNER)


def move_until_it_ends(mouse: ScreenMouse, process: subprocess.Popen[str], place: Point) -> None:
    """Move the pointer again and again: the bot, which moves it itself, may miss a single move."""
    deadline = time.monotonic() + SLOW_STOP
    while process.poll() is None and time.monotonic() < deadline:
        mouse.move(place)
        time.sleep(0.2)


def interrupt(_: ScreenMouse, process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        (by_hand, "the mouse was moved by hand"),
        (into_the_corner, "the mouse was moved by hand|the pointer is in a corner of the screen"),
        (interrupt, r"Ctrl\+C was pressed"),
    ],
)
def test_the_user_stops_play(
    stop: Callable[[ScreenMouse, subprocess.Popen[str]], None],
    words: str,
    begin: Begin,
    start_winemine: StartGame,
    mouse: ScreenMouse,
) -> None:
    start_winemine(EXPERT)
    with ButtonWatch() as watch:
        process = begin(0)  # until it is stopped
        assert wait_for(lambda: len(watch.presses) > 5 or process.poll() is not None)
        stopped = time.monotonic()
        stop(mouse, process)
        _, errors = process.communicate(timeout=PATIENCE)
        assert watch.down() == []
    assert process.returncode == 4
    assert re.fullmatch(f"minebot: stopped: ({words})", errors.splitlines()[-1])
    assert watch.presses[-1].at < stopped + SLOW_STOP


def test_nothing_is_clicked_if_the_pointer_is_in_a_corner(
    begin: Begin, start_winemine: StartGame, mouse: ScreenMouse
) -> None:
    start_winemine(BEGINNER)
    mouse.move(CORNER)
    with ButtonWatch() as watch:
        process = begin(1)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 4
    assert errors.splitlines()[-1] == "minebot: stopped: the pointer is in a corner of the screen"
    assert watch.presses == []
