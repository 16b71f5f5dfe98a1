"""The Windows side of the bot with a real Windows game: Windows Python under Wine, on a virtual screen."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.targets.launch import Wine, winemine
from conftest import wait_for
from programs import repeated
from windows_python import UnavailableError, WindowsProgram, run_windows, windows_python

PROBE = Path(__file__).with_name("win32_probe.py")
LOCK = """
import sys, time
from bot.cli.files import only_bot, this_display
from bot.errors import BusyError
try:
    with only_bot(this_display()):
        print("playing", flush=True)
        time.sleep(float(sys.argv[1]))
except BusyError as error:
    print(error, flush=True)
"""
SEEN = {  # the results of the probe, step by step
    "imports": {},  # the modules that cannot be imported
    "window": {
        "python": "win32",
        "dpi": 2,
        "titles": ["WineMine"],
        "class": "WineMine",
        "client": [154, 182],
        "refreshed": True,
        "pixels": [182, 154, 3],
        "scaling": 1.0,
        "hdr": False,
    },
    "pointer": {"still_wrong": 0},
    "clicks": {"changed": 81},
    "dialogs": {
        "menus": 1,
        "titles": ["Custom Game"],
        "visibility": "COVERED",
        "esc": [False, True, False],
        "closed": True,
    },
    "captionless": {"seen": [["", "#32770", False]], "closed": 1, "left": 0},
    "cover": {"covered": True, "corner": "VISIBLE", "outside": "COVERED", "raised": "VISIBLE"},
    "minimise": {"minimised": True, "listed": True, "raised": "VISIBLE"},
    "hand": {"moved": True, "escape": True},
    "close": {"visibility": "CLOSED", "told": True},
}
CHECKED_PLAY = Path(__file__).with_name("checked_play.py")

pytestmark = pytest.mark.timeout(1200)  # everything is slow under Wine, above all the first import

Facts = Mapping[str, Any]


@pytest.fixture(scope="module")
def python() -> Path:
    try:
        return windows_python()
    except UnavailableError as error:
        pytest.skip(f"no Windows Python: {error}")


@pytest.fixture(scope="module")
def facts(wine: Wine, python: Path) -> Facts:
    """The results of the probe, step by step."""
    seen: dict[str, Any] = {}
    with winemine(wine), WindowsProgram(python, [str(PROBE)], wine.environment) as program:
        for line in program.lines():
            words = json.loads(line)
            seen.update(words)
            if "waiting" in words:
                act_as_user(words, wine.environment["DISPLAY"])
    assert program.process.returncode == 0, program.errors
    return seen


def act_as_user(request: Facts, name: str) -> None:
    """Move the mouse or press Esc as hardware would; a pointer that is already there stays."""
    from Xlib import XK, X, display
    from Xlib.ext import xtest

    screen = display.Display(name)
    if request["waiting"] == "hand":
        xtest.fake_input(screen, X.MotionNotify, x=request["x"], y=request["y"])
    else:
        key = screen.keysym_to_keycode(XK.XK_Escape)
        xtest.fake_input(screen, X.KeyPress, key)
        xtest.fake_input(screen, X.KeyRelease, key)
    screen.sync()
    screen.close()


@pytest.mark.parametrize("step", SEEN)
def test_what_the_probe_sees(facts: Facts, step: str) -> None:
    assert facts[step] == SEEN[step]


def test_whole_games_are_played_without_a_fault(wine: Wine, python: Path) -> None:
    with winemine(wine):
        done = run_windows(python, [str(CHECKED_PLAY), "--games", "10"], wine.environment)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout.splitlines()[-1])
    assert summary["error"] == ""
    faults = ("not_finished", "misread_cells", "false_proofs", "wrong_ends")
    assert {name: summary[name] for name in faults} == dict.fromkeys(faults, 0)


def test_the_command_plays_and_sums_up(wine: Wine, python: Path, tmp_path: Path) -> None:
    options = [
        "--target",
        "winemine",
        "--games",
        "3",
        "--json",
        "--speed",
        "max",
        "--pictures",
        str(tmp_path),
    ]
    with winemine(wine):
        done = run_windows(python, ["-m", "bot", "play", *options], wine.environment)
    assert done.returncode == 0, done.stderr
    *games, sums = [json.loads(line) for line in done.stdout.splitlines()]
    assert [game["level"] for game in games] == ["beginner"] * 3
    assert sums["games"] == 3
    assert len(list(tmp_path.glob("game-*.png"))) == 3


def test_a_second_bot_is_refused_until_the_first_is_killed(wine: Wine, python: Path) -> None:
    def asked() -> str:
        return run_windows(python, ["-c", LOCK, "0"], wine.environment).stdout.strip()

    with WindowsProgram(python, ["-c", LOCK, "600"], wine.environment) as first:
        assert next(first.lines()) == "playing"
        refused = asked()
    assert refused.startswith("another minebot (process ")
    assert refused.endswith("plays on this desktop already: stop it first")
    assert wait_for(lambda: asked() == "playing")


def test_the_hand_of_the_user_stops_the_command(wine: Wine, python: Path, tmp_path: Path) -> None:
    command = ["-m", "bot", "play", "--games", "0", "--json", "--speed", "20", "--pictures", str(tmp_path)]
    with winemine(wine) as window, WindowsProgram(python, command, wine.environment) as program:
        lines = program.lines()
        next(lines)  # the first game is over, so the bot is playing
        # inside the window: Wine notices a pointer outside its windows only after a while
        hand = {"waiting": "hand", "x": window.client.x + 3, "y": window.client.y + 25}
        # Again and again: the bot, which moves the mouse itself, may miss it once
        with repeated(partial(act_as_user, hand, wine.environment["DISPLAY"]), 0.2):
            *_, sums = lines
    assert json.loads(sums)["games"] >= 1
    assert program.process.returncode == 4
    assert "moved by hand" in program.errors


def test_the_board_below_the_pointer_is_picked(wine: Wine, python: Path) -> None:
    command, display = ["-m", "bot", "hint", "--pick", "--json"], wine.environment["DISPLAY"]
    with winemine(wine) as window, WindowsProgram(python, command, wine.environment) as program:

        def point_at_board() -> None:
            asked = "move the pointer onto the board"
            wait_for(lambda: asked in program.errors or program.process.poll() is not None, 600)
            act_as_user({"waiting": "hand", "x": middle.x, "y": middle.y}, display)

        middle = window.client.centre
        # inside the window: Wine notices a pointer outside its windows only after a while
        act_as_user({"waiting": "hand", "x": window.client.x + 3, "y": window.client.y + 25}, display)
        user = threading.Thread(target=point_at_board)
        user.start()
        output = "".join(program.lines())
        user.join()
    assert program.process.returncode == 0, program.errors
    (board,) = json.loads(output)["boards"]
    assert (board["rows"], board["cols"], board["state"]) == (9, 9, "new")
