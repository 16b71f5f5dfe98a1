"""What is known of a round, a game and a run once they are over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.board import Cell
from bot.clicker import Click
from bot.game.metrics import NO_CLICKS, Clicks, Measures, bbbv
from bot.game.simulation import mine_map
from bot.levels import Level
from bot.play.look import Look
from bot.play.style import NF, Style
from bot.solver.decision import Decision
from bot.solver.learned import NOTHING, Learned


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
    def bbbv_per_second(self) -> float | None:
        """3BV/s of a won game, None for a lost one."""
        return _rounded(self.measures.bbbv_per_second, 3) if self.measures else None

    def as_json(self) -> dict[str, object]:
        """Return the object that ``play --json`` prints for a game."""
        return {
            "target": self.target,
            "level": self.level,
            "won": self.won,
            "outcome": self.outcome,
            "concluded": self.concluded,
            "seconds": round(self.seconds, 4),
            "clicks": self.clicks,
            "left_clicks": self.spent.left,
            "right_clicks": self.spent.right,
            "chords": self.spent.chords,
            "effective_clicks": self.spent.effective,
            "bbbv": self.bbbv,
            "bbbv_per_second": self.bbbv_per_second,
            "ioe": _rounded(self.measures.ioe) if self.measures else None,
            "correctness": _rounded(self.spent.correctness),
            "throughput": _rounded(self.measures.throughput) if self.measures else None,
            "rqp": _rounded(self.measures.rqp) if self.measures else None,
            "guesses": self.guesses,
            "rounds": self.rounds,
            "misreads": self.misreads,
            "retries": self.retries,
        }


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


@dataclass(slots=True)
class Mean:
    """The mean of some values, without keeping them."""

    total: float = 0.0
    count: int = 0

    def add(self, value: float | None) -> None:
        """Take in a value; None is none."""
        if value is not None:
            self.total += value
            self.count += 1

    @property
    def value(self) -> float | None:
        """The mean, None if there was no value."""
        return self.total / self.count if self.count else None


def measured(result: GameResult) -> Iterator[tuple[str, float | None]]:
    """Iterate over the names and values of what is measured; over nothing if the game was not won."""
    if (of := result.measures) is not None:
        yield "seconds", of.seconds
        yield "bbbv", of.bbbv
        yield "bbbv_per_second", of.bbbv_per_second
        yield "clicks", of.clicks.total
        yield "ioe", of.ioe
        yield "correctness", of.clicks.correctness
        yield "throughput", of.throughput
        yield "rqp", of.rqp


@dataclass(slots=True)
class Totals:
    """The sums of a run, and the means over the games that were won from their first click on."""

    games: int = 0
    wins: int = 0
    stuck: int = 0
    unknown: int = 0
    seconds: float = 0.0
    spent: Clicks = NO_CLICKS
    guesses: int = 0
    rounds: int = 0
    misreads: int = 0
    retries: int = 0
    measured: int = 0  # games of which there are means
    means: dict[str, Mean] = field(default_factory=dict)

    def add(self, result: GameResult) -> None:
        """Count one more game."""
        self.games += 1
        self.wins += result.won is True
        self.unknown += result.won is None
        self.stuck += result.stuck
        self.seconds += result.seconds
        self.spent += result.spent
        self.guesses += result.guesses
        self.rounds += result.rounds
        self.misreads += result.misreads
        self.retries += result.retries
        self.measured += result.measures is not None
        for name, value in measured(result):
            self.means.setdefault(name, Mean()).add(value)

    @property
    def known(self) -> int:
        """How many games there were whose end is known."""
        return self.games - self.unknown

    @property
    def rate(self) -> float | None:
        """The share of these that was won; None if there is none."""
        return self.wins / self.known if self.known else None

    def as_json(self) -> dict[str, object]:
        """Return the last object that ``play --json`` prints."""
        return {
            "games": self.games,
            "wins": self.wins,
            "stuck": self.stuck,
            "unknown": self.unknown,
            "win_rate": None if self.rate is None else round(self.rate, 4),
            "seconds": round(self.seconds, 4),
            "clicks": self.spent.total,
            "left_clicks": self.spent.left,
            "right_clicks": self.spent.right,
            "chords": self.spent.chords,
            "guesses": self.guesses,
            "rounds": self.rounds,
            "misreads": self.misreads,
            "retries": self.retries,
            "means": {name: _rounded(mean.value) for name, mean in self.means.items()},
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

    The strategy "deep" thinks for ``think`` seconds about a guess, in so many ``threads``; others go by what
    they have ``learned``. Without ``guess`` a game ends where nothing is proven.
    """

    games: int = 1
    level: Level | None = None
    strategy: str = "best"
    think: float | None = None
    threads: int = 1
    learned: Learned = NOTHING
    guess: bool = True
    style: Style = NF
