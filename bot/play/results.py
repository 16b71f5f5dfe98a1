"""What is known of a round, a game and a run once they are over."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean

from bot.board import Cell
from bot.clicker import Click
from bot.clicker.style import NF, Style
from bot.game.metrics import NO_CLICKS, Clicks, Measures, bbbv
from bot.game.simulation import mine_map
from bot.levels import Level
from bot.play.evidence import Look
from bot.solver import BEST, Strategy
from bot.solver.decision import Decision


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of the loop: what was seen, what was decided, what was sent; ``game`` counts from 1."""

    game: int
    number: int
    look: Look
    decision: Decision
    clicks: tuple[Click, ...]


@dataclass(slots=True)
class Tally:
    """What adds up while a game is played. Times are those of the player's clock, in seconds."""

    first_click: float | None = None
    first_cell: Cell | None = None  # that was opened; None in a game that was under way
    ended: float = 0.0  # when the end was seen
    covered: float | None = None  # when, since the last click, the board was seen to be covered
    clicks: Clicks = NO_CLICKS
    guesses: int = 0
    rounds: int = 0
    misreads: int = 0
    retries: int = 0
    stuck: bool = False  # nothing was proven, and no guess was wanted
    paused: bool = False


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game, or one that was ``stuck``: it would have taken a guess, and none was wanted.

    ``won`` is None where its end is unknown; ``concluded`` says by what else than its cells the game
    was known to be over. ``seconds`` runs from the first click to the picture that showed the end. ``bbbv``
    is None where the game does not show all its mines. ``misreads`` counts looks that contradicted themselves
    and had to be taken again; ``retries`` clicks that had to be sent again. A game is ``whole`` if it was
    played from its first click on, and not taken up under way or paused.
    """

    target: str
    level: str
    won: bool | None
    seconds: float
    spent: Clicks
    bbbv: int | None
    guesses: int
    rounds: int
    misreads: int
    retries: int
    stuck: bool = False
    whole: bool = True
    concluded: str = ""

    @property
    def clicks(self) -> int:
        """How many clicks it took."""
        return self.spent.total

    @property
    def outcome(self) -> str:
        """How it ended, in a word: won, lost, stuck or unknown."""
        return "stuck" if self.stuck else {True: "won", False: "lost", None: "unknown"}[self.won]

    @property
    def measures(self) -> Measures | None:
        """What can be measured only of a game that was won, from its first click on; None for others."""
        if self.bbbv is None or not (self.won and self.whole):
            return None
        return Measures(self.bbbv, self.seconds, self.spent)

    @property
    def measured(self) -> dict[str, float | None]:
        """These measures by their names; empty for other games."""
        if (of := self.measures) is None:
            return {}
        return {
            "seconds": of.seconds,
            "bbbv": of.bbbv,
            "bbbv_per_second": of.bbbv_per_second,
            "clicks": of.clicks.total,
            "ioe": of.ioe,
            "correctness": of.clicks.correctness,
            "throughput": of.throughput,
            "rqp": of.rqp,
        }

    def as_json(self) -> dict[str, object]:
        """Return the object that ``play --json`` prints for a game."""
        measured = self.measured
        return {
            "target": self.target,
            "level": self.level,
            "won": self.won,
            "outcome": self.outcome,
            "concluded": self.concluded,
            "seconds": round(self.seconds, 4),
            **self.spent.by_kind,
            "effective_clicks": self.spent.effective,
            "bbbv": self.bbbv,
            "bbbv_per_second": _rounded(measured.get("bbbv_per_second"), 3),
            "ioe": _rounded(measured.get("ioe")),
            "correctness": _rounded(self.spent.correctness),
            "throughput": _rounded(measured.get("throughput")),
            "rqp": _rounded(measured.get("rqp")),
            "guesses": self.guesses,
            "rounds": self.rounds,
            "misreads": self.misreads,
            "retries": self.retries,
        }


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


@dataclass(frozen=True, slots=True)
class Totals:
    """The games of a run, their sums, and the means over those that were won from their first click on."""

    results: list[GameResult] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        """Return how many games ended so; see `GameResult.outcome`."""
        return sum(result.outcome == outcome for result in self.results)

    def sum_of(self, name: str) -> int:
        """Return the sum of an attribute of the results."""
        return sum(getattr(result, name) for result in self.results)

    @property
    def games(self) -> int:
        """How many games there were."""
        return len(self.results)

    @property
    def wins(self) -> int:
        """How many were won."""
        return self.count("won")

    @property
    def known(self) -> int:
        """How many games there were whose end is known."""
        return self.games - self.count("unknown")

    @property
    def rate(self) -> float | None:
        """The share of these that was won; None if there is none."""
        return self.wins / self.known if self.known else None

    @property
    def spent(self) -> Clicks:
        """The clicks of all games."""
        return sum((result.spent for result in self.results), NO_CLICKS)

    @property
    def means(self) -> dict[str, float | None]:
        """The mean of each measure over the games that have it; empty if none was measured."""
        measured = [result.measured for result in self.results if result.measures]
        values = {name: [one[name] for one in measured] for name in (measured[0] if measured else ())}
        found = {name: [value for value in each if value is not None] for name, each in values.items()}
        return {name: fmean(each) if each else None for name, each in found.items()}

    def as_json(self) -> dict[str, object]:
        """Return the last object that ``play --json`` prints."""
        return {
            "games": self.games,
            "wins": self.wins,
            "stuck": self.count("stuck"),
            "unknown": self.count("unknown"),
            "win_rate": _rounded(self.rate),
            "seconds": round(sum(result.seconds for result in self.results), 4),
            **self.spent.by_kind,
            **{name: self.sum_of(name) for name in ("guesses", "rounds", "misreads", "retries")},
            "means": {name: _rounded(value) for name, value in self.means.items()},
        }


def result_of(target: str, level: str, look: Look, tally: Tally) -> GameResult:
    """Return the result of a game of which ``look`` shows the end."""
    mines = None if tally.stuck else mine_map(look.reading.board)
    return GameResult(
        target=target,
        level=level,
        won=False if tally.stuck else look.won,
        seconds=0.0 if tally.first_click is None else tally.ended - tally.first_click,
        spent=tally.clicks,
        bbbv=None if mines is None else bbbv(mines),
        guesses=tally.guesses,
        rounds=tally.rounds,
        misreads=tally.misreads,
        retries=tally.retries,
        stuck=tally.stuck,
        whole=tally.first_cell is not None and not tally.paused,
        concluded=look.concluded,
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is to do: ``games`` 0 means until stopped; ``level`` None means as the game stands.

    Without ``guess`` a game ends where nothing is proven.
    """

    games: int = 1
    level: Level | None = None
    strategy: Strategy = BEST
    guess: bool = True
    style: Style = NF
