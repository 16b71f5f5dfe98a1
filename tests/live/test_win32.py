"""The Windows side of the bot on the real Windows game: Windows Python under Wine, on a screen of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from windows_python import UnavailableError, WindowsProgram, windows_python, wine_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Wine stands in for Windows on Linux only")

PROBE = Path(__file__).with_name("win32_probe.py")

Facts = Mapping[str, Any]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Wine with a prefix of its own on a virtual screen of its own."""
    for program, package in (("wine", "wine and wine64"), ("Xvfb", "xvfb")):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing: install {package}")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as screen:
        assert screen.stdout is not None
        found = wine_environment(tmp_path_factory.mktemp("wine"), f":{screen.stdout.readline().strip()}")
        assert run_wine(["wineboot", "--init"], found) == 0
        yield found
        run_wine(["wineserver", "--kill"], found)
        screen.terminate()


def run_wine(command: list[str], environment: dict[str, str]) -> int:
    """Run a tool of Wine and return its exit status. No pipes: services that it starts keep them open."""
    silent = subprocess.DEVNULL
    return subprocess.run(
        command, env=environment, stdin=silent, stdout=silent, stderr=silent, check=False, timeout=300
    ).returncode


@pytest.fixture(scope="module")
def python() -> Path:
    try:
        return windows_python()
    except UnavailableError as error:
        pytest.skip(f"no Windows Python: {error}")


@pytest.fixture(scope="module")
def facts(environment: dict[str, str], python: Path) -> Facts:
    """What the probe saw, step by step."""
    seen: dict[str, Any] = {}
    with WindowsProgram(python, [str(PROBE)], environment) as program:
        for line in program.lines():
            words = json.loads(line)
            seen.update(words)
            if "waiting" in words:
                act_as_user(words, environment["DISPLAY"])
    assert program.process.returncode == 0, program.errors
    return seen


def act_as_user(request: Facts, name: str) -> None:
    """Move the mouse or press Esc as hardware would."""
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


def test_every_module_can_be_imported(facts: Facts) -> None:
    assert facts["imports"]["failures"] == {}
    assert facts["imports"]["count"] > 10


def test_the_game_is_found_and_seen_in_true_pixels(facts: Facts) -> None:
    assert facts["window"] == {
        "python": "win32",
        "dpi": "PER_MONITOR",
        "titles": ["WineMine"],
        "class": "WineMine",
        "client": [154, 182],
        "refreshed": True,
        "pixels": [182, 154, 3],
    }


def test_the_pointer_settles_where_it_was_put(facts: Facts) -> None:
    assert facts["pointer"]["still_wrong"] == 0


def test_each_click_reaches_its_cell(facts: Facts) -> None:
    assert facts["clicks"] == {"changed": 81, "pictures": 1}


def test_dialogs_are_noticed_and_esc_too(facts: Facts) -> None:
    assert facts["dialogs"] == {
        "menus": 1,
        "titles": ["Custom Game"],
        "visibility": "COVERED",
        "esc": [False, True, False],
        "closed": True,
    }


def test_a_window_above_is_noticed_and_raising_helps(facts: Facts) -> None:
    assert facts["cover"] == {
        "covered": True,
        "corner": "VISIBLE",
        "outside": "COVERED",
        "raised": "VISIBLE",
    }


def test_a_minimised_window_is_noticed_and_raising_helps(facts: Facts) -> None:
    assert facts["minimise"] == {"minimised": True, "listed": True, "raised": "VISIBLE"}


def test_the_hand_of_the_user_is_noticed(facts: Facts) -> None:
    assert facts["hand"] == {"moved": True, "escape": True}


def test_a_closed_window_is_noticed(facts: Facts) -> None:
    assert facts["close"]["visibility"] == "CLOSED"
    assert "is closed" in facts["close"]["error"]
