"""What the panel makes of a run: the command, how it stands by what it says, and what is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from bot.cli.commands import app
from bot.clicker.style import Flags
from bot.errors import SettingsError
from bot.solver import STRATEGIES as KNOWN
from bot.targets import find_target, parse_stop_key
from bot.ui.overlay.advice import Layer
from bot.ui.panel.choices import (
    FILE,
    FLAGS,
    LAUNCHED,
    LAYERS,
    LEVELS,
    SPEEDS,
    STOP_KEYS,
    STRATEGIES,
    Choices,
    KeptPanel,
    targets,
)
from bot.ui.panel.standing import OPEN_OURS, Standing, Status
from bot.ui.panel.words import heading, score, speeds, stopping

PICTURE = Path("shown.png")
ALL = Choices(
    "builtin",
    "16x30/99",
    "20",
    "fast",
    "chord",
    True,
    False,
    7,
    False,
    ("safe",),
    "f12",
    "dark",
    True,
    (3, 4),
)


def test_all_that_can_be_chosen_is_there() -> None:
    assert set(STRATEGIES) == set(KNOWN)
    assert set(FLAGS) == {flags.value for flags in Flags}
    assert list(LAYERS) == [layer.value for layer in Layer]
    for name in targets("linux"):
        assert name == "auto" or find_target(name)
    assert "winemine" not in targets("win32")
    assert set(LAUNCHED) < set(targets("linux"))
    for key in STOP_KEYS:
        parse_stop_key(key)


@pytest.mark.parametrize(
    "choices",
    [Choices(), ALL, Choices(show=True), replace(ALL, show=True, layers=()), replace(ALL, target="winmine")],
)
def test_the_command_is_one_that_minebot_knows(choices: Choices) -> None:
    name, *arguments = choices.command(PICTURE)
    play = get_command(app).commands[name]  # type: ignore[attr-defined]
    options = play.make_context("play", list(arguments)).params
    assert options["control"]
    assert options["target"] == choices.target
    assert options["dry_run"] is choices.show
    assert options["launch"] is (choices.target in LAUNCHED)
    assert options["level"] == (choices.level or None)
    assert options["stop_key"] == choices.stop_key
    assert options["guess"] is choices.guess
    if choices.show:
        assert Path(options["picture"]) == PICTURE
    else:
        assert (options["games"], options["speed"]) == (choices.games, choices.speed)
        assert (options["flags"], options["efficient"]) == (choices.flags, choices.efficient)


def test_choices_are_kept(tmp_path: Path) -> None:
    kept = KeptPanel(tmp_path / "new")
    assert kept.load() == Choices()
    kept.keep(ALL)
    assert KeptPanel(tmp_path / "new").load() == ALL
    (tmp_path / "new" / FILE).write_text(json.dumps({"version": 1, "speed": "max"}))
    assert kept.load() == Choices(speed="max")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", "chess"),
        ("strategy", 3),
        ("strategy", ["best"]),
        ("flags", "some"),
        ("speed", "7"),
        ("games", -1),
        ("games", True),
        ("games", 10**9),
        ("guess", 1),
        ("layers", "safe"),
        ("layers", ["safe", "clouds"]),
        ("place", [1]),
        ("place", [1, 2.5]),
        ("place", [1, 1 << 40]),
        ("level", None),
    ],
)
def test_a_damaged_file_is_put_aside(tmp_path: Path, name: str, value: Any) -> None:
    kept = KeptPanel(tmp_path)
    (tmp_path / FILE).write_text(json.dumps({"version": 1, name: value}))
    with pytest.raises(SettingsError, match=f"{name} is .*: it is kept as panel.damaged.json"):
        kept.load()
    assert kept.load() == Choices()


def told(*events: dict[str, Any], status: Status = Status.STARTING) -> Standing:
    standing = Standing(status)
    for event in events:
        standing.hear(json.dumps(event))
    return standing


STARTED = {"event": "started", "target": "winemine", "stop_key": "Esc"}
ROUND = {"event": "round", "game": 2, "round": 5, "reason": "counting, safe"}


def game(outcome: str, speed: float | None = None) -> dict[str, Any]:
    return {"event": "game", "outcome": outcome, "bbbv_per_second": speed}


def test_how_a_run_stands() -> None:
    standing = told(STARTED)
    assert heading(standing) == "Looking at the game"
    standing = told(
        STARTED, game("won", 2.0), game("lost"), game("won", 5.0), game("stuck"), game("won"), ROUND
    )
    assert heading(standing) == "Playing game 2"
    assert standing.reason == "game 2, round 5: counting, safe"
    assert score(standing) == "Won 3 (60%), lost 1, 1 stuck"
    assert speeds(standing) == "3BV/s -, mean 3.5, best 5.0"  # the last one was paused
    assert standing.busy
    standing.end(0)
    assert (heading(standing), standing.busy, standing.error) == ("Done", False, "")
    assert speeds(Standing()) == "3BV/s -"


def test_a_pause_says_why() -> None:
    paused = {"event": "paused", "words": "paused: the mouse was moved by hand"}
    standing = told(STARTED, ROUND, paused)
    assert (standing.status, heading(standing)) == (Status.PAUSED, "Paused: the mouse was moved by hand")
    standing.status = Status.RESUMING
    assert heading(standing) == "Going on as soon as the mouse lies still"
    standing.hear('{"event": "playing", "words": ""}')
    assert standing.status is Status.RUNNING
    assert heading(told(STARTED, {"event": "paused", "words": ""})) == "Paused"
    standing.status = Status.STOPPING
    standing.hear(json.dumps(paused))
    assert standing.status is Status.STOPPING


def test_a_dry_run_gives_hints() -> None:
    standing = told(STARTED, {"event": "position", "hint": {"words": "This cell is safe."}})
    standing.show = True
    assert heading(standing) == "Watching: the mouse is yours"
    assert standing.reason == "This cell is safe."
    assert score(standing) == speeds(standing) == ""
    standing.hear('{"event": "position", "hint": null}')
    assert standing.reason == ""


@pytest.mark.parametrize(
    ("code", "line", "words", "error"),
    [
        (4, "minebot: stopped: Esc was pressed", "Stopped: Esc was pressed", ""),
        (4, "", "Stopped", ""),
        (
            1,
            "minebot: another minebot plays already: stop it first",
            "It did not work",
            "Another minebot plays already: stop it first.",
        ),
        (2, "minebot: --level 9: no level", "It did not work", "--level 9: no level."),
        (3, "minebot: no board: open it", "It did not work", f"No board: open it. {OPEN_OURS}"),
        (
            None,
            "",
            "It did not work",
            "It has crashed and does not say why. The mouse is yours. Press Start to try again.",
        ),
        (
            -9,
            "",
            "It did not work",
            "It has ended with code -9 and does not say why. The mouse is yours. Press Start to try again.",
        ),
    ],
)
def test_how_a_run_ended(code: int | None, line: str, words: str, error: str) -> None:
    standing = told(STARTED)
    standing.note("starting WineMine")
    standing.note(line)
    standing.end(code)
    assert (heading(standing), standing.error) == (words, error)
    assert standing.notes == ["starting WineMine"]


def test_how_a_run_ended_that_was_to_stop() -> None:
    for code, words in ((None, "Stopped, though by force"), (-9, "Stopped, though by force"), (0, "Stopped")):
        standing = told(STARTED, status=Status.STOPPING)
        standing.end(code)
        assert (heading(standing), standing.error) == (words, "")


def test_what_is_no_event_is_a_note() -> None:
    standing = Standing(Status.STARTING)
    for line in (
        "hello",
        "3",
        "[1]",
        '{"event": "later", "x": 1}',
        '{"other": 2}',
        " ",
    ):
        standing.hear(line)
    standing.hear('{"event": "refused", "words": "no such order"}')
    assert standing.notes == ["hello", "3", "[1]", "no such order"]
    for number in range(100):
        standing.note(f"line {number}")
    assert len(standing.notes) == 50


def test_how_to_stop_it() -> None:
    assert stopping(Choices()) == "Move the mouse to pause it; Esc stops it."
    assert stopping(Choices(show=True, stop_key="ctrl+alt+s")) == "Ctrl+Alt+S ends it."
    assert set(LEVELS) < {"", *LEVELS}
    assert next(iter(SPEEDS)) == Choices().speed
