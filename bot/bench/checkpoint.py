"""A file to which every unit is added when it is done, so that a run that was killed can go on.

JSON lines: the first tells what is played, each other one holds a unit. A line that a kill cut short is
dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from bot.bench.plan import Boards, How, Played, Unit
from bot.errors import BenchmarkError

Key = tuple[str, str]  # which boards, and which strategy plays them
_WORDS = {
    "rule": "--rule",
    "seed": "--seed",
    "by_move": "--by-move",
    "think": "--think",
    "advantages": "--advantages",
    "guess": "--guess",
    "experience": "--learned",
    "first": "--first",
    "solver": "the solver itself, which has changed,",
}


def name_of(boards: Boards) -> str:
    """Return the size by which the boards of a run are told apart."""
    return f"{boards.rows}x{boards.cols}/{boards.mines}"


def identity(boards: Boards, first: str | None, how: How, solver: str) -> dict[str, object]:
    """Return what must be the same for all games of a file; ``first`` is the user's word."""
    against, experience = how.against, how.learned.experience
    return {
        "rule": boards.rule.value,
        "seed": boards.seed,
        "first": first or "the solver's",
        "by_move": how.by_move,
        "solver": solver,
        "think": how.think,
        "advantages": f"{against.games} over {against.strategy}" if against else "not asked for",
        "guess": how.guess,
        "experience": experience.digest if experience else "none",
    }


class Checkpoint:
    """The file of a run, read when it is opened and added to from then on.

    ``take`` is told of each unit that was there: its boards and strategy, the number of its first board, the
    games. More games, strategies and sizes may come to the same file. Raises BenchmarkError if it is that of
    another run, or none of ours.
    """

    def __init__(
        self, path: Path, run: Mapping[str, object], take: Callable[[Key, int, Played], object]
    ) -> None:
        whole = _read(path, run, take) if path.exists() else 0
        self._file: BinaryIO = path.open("r+b" if whole else "wb")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._write({"minebot bench": dict(run)})

    def add(self, unit: Unit, played: Played) -> None:
        """Write a unit down."""
        self._write(
            {
                "size": name_of(unit.boards),
                "strategy": unit.strategy,
                "start": unit.start,
                "won": "".join("01"[won] for won in played.won),
                "ms": played.ms,
                "guesses": played.guesses,
                "slowest": played.slowest,
                "decisions": [*played.decisions.items()],
                "gained": played.gained,
                "differing": played.differing,
                "stuck": played.stuck,
            }
        )

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, values: Mapping[str, object]) -> None:
        self._file.write(json.dumps(values, separators=(",", ":")).encode() + b"\n")
        self._file.flush()


def _read(path: Path, run: Mapping[str, object], take: Callable[[Key, int, Played], object]) -> int:
    """Read the file; return how many bytes of it are whole lines."""
    whole = 0
    with path.open("rb") as file:
        for number, line in enumerate(file):
            if number and not line.endswith(b"\n"):
                break  # a kill cut it short
            try:
                values = json.loads(line)
                if number:
                    take(*_unit(values))
                else:
                    _compare(path, values["minebot bench"], run)
            except (ValueError, KeyError, TypeError, IndexError) as error:
                raise BenchmarkError(
                    f"{path} is no checkpoint, or line {number + 1} of it is damaged: give another file"
                ) from error
            whole += len(line)
    return whole


def _compare(path: Path, there: Mapping[str, object], run: Mapping[str, object]) -> None:
    for name, value in run.items():
        if there[name] != value:
            raise BenchmarkError(
                f"{path} is the checkpoint of another run: {_WORDS[name]} was {there[name]} there and is "
                f"{value} here; give another file, or the same options"
            )


def _unit(values: Mapping[str, Any]) -> tuple[Key, int, Played]:
    won = tuple(digit == "1" for digit in values["won"])
    played = Played(
        won,
        tuple(values["ms"]),
        tuple(values["guesses"]),
        float(values["slowest"]),
        {int(step): int(count) for step, count in values["decisions"]},
        tuple(values["gained"]),
        tuple(values["differing"]),
        stuck=tuple(values["stuck"]),
    )
    start = int(values["start"])
    compared = {len(played.gained), len(played.differing)}
    if start < 0 or not len(won) == len(played.ms) == len(played.guesses) or not compared <= {0, len(won)}:
        raise ValueError("a unit that cannot have been written")
    return (str(values["size"]), str(values["strategy"])), start, played
