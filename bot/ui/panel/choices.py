"""The choices of the panel, what may be chosen, and the command that they make."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from bot.clicker.style import Flags
from bot.errors import SettingsError
from bot.files import StateFile
from bot.solver import STRATEGIES as KNOWN_STRATEGIES
from bot.targets import TARGETS
from bot.ui.marks import Layer

FILE = "panel.json"
LAUNCHED = ("builtin", "winemine")  # what ``play --launch`` starts
MOST_GAMES = 9999
_FAR = 1 << 20  # no screen is so large, in pixels
SPEEDS = {
    "human": "like a person",
    **{str(rate): f"{rate} click{'s' * (rate != 1)} a second" for rate in (1, 2, 5, 10, 20)},
    "max": "as fast as it goes",
}
_ABOUT_STRATEGIES = {
    "best": "proofs, least risk, looks ahead",
    "deep": "thinks a second about each guess",
    "fast": "proofs, least risk",
    "exact": "counts all placements",
    "novitsky": "patterns (2021)",
    "komarov": "contradiction (2006)",
    "pestov": "elements (2005)",
    "korlyakova": "experience (2016)",
    "article": "least sum (2024)",
    "counting": "simple rules alone",
}
STRATEGIES = {
    name: f"{name}: {_ABOUT_STRATEGIES[name]}" if name in _ABOUT_STRATEGIES else name
    for name in reversed(tuple(KNOWN_STRATEGIES))  # the strongest first
}
_ABOUT_FLAGS = {
    Flags.NONE: "left clicks only",
    Flags.ALL: "flag every proven mine",
    Flags.CHORD: "flags and chords",
}
FLAGS = {flags.value: _ABOUT_FLAGS.get(flags, flags.value) for flags in Flags}
_ABOUT_LAYERS = {
    Layer.SAFE: "safe cells",
    Layer.MINES: "mines",
    Layer.NEXT: "next click",
    Layer.ORDER: "order of clicks",
    Layer.RISK: "risk in percent",
    Layer.WORDS: "why, in words",
}
LAYERS = {layer.value: _ABOUT_LAYERS[layer] for layer in Layer}
COLOURS = {"desktop": "colours of the desktop", "light": "light", "dark": "dark"}
STOP_KEYS = ("esc", "pause", "f12", "ctrl+alt+s")


def targets(platform: str = sys.platform) -> dict[str, str]:
    """Return what may be played on this platform, and what it is called."""
    labels = {target.name: target.label for target in TARGETS}
    launched = {"builtin": f"{labels['builtin']} (opened if need be)"}
    if platform.startswith("linux"):
        launched["winemine"] = f"{labels['winemine']} (opened if need be)"
    elsewhere = {name: label for name, label in labels.items() if name not in LAUNCHED}
    return {"auto": "the one on the screen", **launched, **elsewhere}


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices; a ``level`` of "" is the one that the game has, 0 ``games`` are played until stopped.

    ``show`` is a dry run with ``layers`` of marks over the game. ``place`` is where the panel was, x and y in
    screen pixels; () if that is not known.
    """

    target: str = "auto"
    level: str = ""
    speed: str = "human"
    strategy: str = "best"
    flags: str = "none"
    efficient: bool = False
    guess: bool = True
    games: int = 0
    show: bool = False
    layers: tuple[str, ...] = tuple(LAYERS)
    stop_key: str = "esc"
    colours: str = "desktop"
    on_top: bool = False
    place: tuple[int, ...] = ()

    def command(self, picture: Path) -> list[str]:
        """Return the arguments of ``minebot``; a dry run draws its suggestions into ``picture`` as well."""
        words = ["play", "--control"]
        words += ["--target", self.target, "--strategy", self.strategy, "--stop-key", self.stop_key]
        words += ["--launch"] * (self.target in LAUNCHED)
        words += ["--level", self.level] if self.level else []
        words += ["--no-guess"] * (not self.guess)
        if self.show:
            words += ["--dry-run", "--picture", str(picture)]
            words += ["--layers", ",".join(self.layers)] if self.layers else []
        else:
            words += ["--games", str(self.games), "--speed", self.speed, "--flags", self.flags]
            words += ["--efficient"] * self.efficient
        return words

    @property
    def how_to_stop(self) -> str:
        """How to stop a run, in words."""
        key = "+".join(part.strip().capitalize() for part in self.stop_key.split("+"))
        return f"{key} ends it." if self.show else f"Move the mouse to pause it; {key} stops it."


class SavedPanel:
    """The saved choices of a user, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._file = StateFile(folder / FILE, "the settings of the panel", SettingsError)
        self.picture = folder / "panel-suggestions.png"

    def load(self) -> Choices:
        """Return what was kept. Raises SettingsError if that is damaged or cannot be read."""
        return self._file.read(_parsed) or Choices()

    def keep(self, choices: Choices) -> None:
        """Keep these choices. Raises SettingsError if they cannot be written."""
        self._file.write(asdict(choices))


_KNOWN: Mapping[str, Collection[str]] = {
    "target": targets(),
    "strategy": STRATEGIES,
    "flags": FLAGS,
    "colours": COLOURS,
    "speed": SPEEDS,
}


def _parsed(content: Mapping[str, Any]) -> Choices:
    """Return the choices in a file. Raises ValueError that says what is wrong with it."""
    usual = asdict(Choices())
    return Choices(
        **{
            field.name: _value(field.name, content[field.name], usual[field.name])
            for field in fields(Choices)
            if field.name in content
        }
    )


def _value(name: str, value: Any, usual: Any) -> Any:
    if name == "games":
        good = type(value) is int and 0 <= value <= MOST_GAMES
    elif name == "layers":
        good = isinstance(value, list) and all(isinstance(one, str) and one in LAYERS for one in value)
    elif name == "place":
        numbers = isinstance(value, list) and all(type(one) is int and abs(one) < _FAR for one in value)
        good = numbers and len(value) in (0, 2)
    else:
        good = type(value) is type(usual) and value in _KNOWN.get(name, (value,))
    if not good:
        raise ValueError(f"{name} is {value!r}")
    return tuple(value) if isinstance(value, list) else value
