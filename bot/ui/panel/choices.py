"""What is chosen in the panel, what there is to choose from, and the command that comes of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from bot.errors import SettingsError
from bot.files import StateFile
from bot.targets import TARGETS

FILE = "panel.json"
LAUNCHED = ("builtin", "winemine")  # what ``play --launch`` starts
MOST_GAMES = 9999
_FAR = 1 << 20  # no screen is so large, in pixels
LEVELS = ("beginner", "intermediate", "expert")
SPEEDS = {
    "human": "like a person",
    "1": "1 click a second",
    "2": "2 clicks a second",
    "5": "5 clicks a second",
    "10": "10 clicks a second",
    "20": "20 clicks a second",
    "max": "as fast as it goes",
}
STRATEGIES = {
    "best": "best: proofs, least risk, looks ahead",
    "deep": "deep: thinks a second about each guess",
    "fast": "fast: proofs, least risk",
    "exact": "exact: counts all placements",
    "novitsky": "novitsky: schemes (2021)",
    "komarov": "komarov: contradiction (2006)",
    "pestov": "pestov: elements (2005)",
    "korlyakova": "korlyakova: experience (2016)",
    "article": "article: least sum (2024)",
    "counting": "counting: simple rules alone",
}
FLAGS = {
    "none": "left clicks only",
    "all": "flag every proven mine",
    "chord": "flags and chords",
}
LAYERS = {
    "safe": "safe cells",
    "mines": "mines",
    "next": "next click",
    "order": "order of clicks",
    "risk": "risk in percent",
    "words": "why, in words",
}
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
    """What is chosen; a ``level`` of "" is the one that the game has, 0 ``games`` are played until stopped.

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
        return ["play", "--control", *self._what(), *(self._shown(picture) if self.show else self._played())]

    def _what(self) -> Iterator[str]:
        yield from ("--target", self.target, "--strategy", self.strategy, "--stop-key", self.stop_key)
        if self.target in LAUNCHED:
            yield "--launch"
        if self.level:
            yield from ("--level", self.level)
        if not self.guess:
            yield "--no-guess"

    def _shown(self, picture: Path) -> Iterator[str]:
        yield from ("--dry-run", "--picture", str(picture))
        if self.layers:
            yield from ("--layers", ",".join(self.layers))

    def _played(self) -> Iterator[str]:
        yield from ("--games", str(self.games), "--speed", self.speed, "--flags", self.flags)
        if self.efficient:
            yield "--efficient"


class KeptPanel:
    """The choices of a user in a folder."""

    def __init__(self, folder: Path) -> None:
        self._file = StateFile(folder / FILE, "the settings of the panel", SettingsError)
        self.picture = folder / "panel-suggestions.png"

    def load(self) -> Choices:
        """Return what was kept. Raises SettingsError if that is damaged or cannot be read."""
        return self._file.read(_parsed) or Choices()

    def keep(self, choices: Choices) -> None:
        """Keep these choices. Raises SettingsError if they cannot be written."""
        self._file.write(asdict(choices))


_KNOWN: Mapping[str, Mapping[str, str]] = {
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
    good = {"layers": _are_layers, "place": _is_place, "games": _are_games}.get(name)
    alike = type(value) is type(usual) and value in _KNOWN.get(name, {value: ""})
    if not (alike if good is None else good(value)):
        raise ValueError(f"{name} is {value!r}")
    return tuple(value) if isinstance(value, list) else value


def _are_games(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_GAMES


def _are_layers(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one in LAYERS for one in value)


def _is_place(value: Any) -> bool:
    numbers = isinstance(value, list) and all(type(one) is int and abs(one) < _FAR for one in value)
    return numbers and len(value) in (0, 2)
