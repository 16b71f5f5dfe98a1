"""The settings of a run, and the results of its rounds and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from bot.board import CLOSED, Board, Cell
from bot.clicker.clicks import Click, counted, effective, first_opened, may_open
from bot.clicker.pace import Pace
from bot.clicker.style import Flags
from bot.desktop.protocols import ESC, Backend, Shortcut
from bot.game.metrics import NO_CLICKS, Clicks, bbbv, measures
from bot.game.simulation import mine_map
from bot.levels import Level
from bot.play.look import Look
from bot.solver import DEEP, Strategy
from bot.solver.decision import Decision
from bot.targets.catalogue import UNKNOWN, Target
from bot.verdict import Ledger
from bot.vision import Skin

_COUNTS = ("guesses", "rounds", "misreads", "retries")  # of a game, also by these names in JSON


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the look, the decision, and the clicks to send; ``game`` and ``number`` count from 1."""

    game: int
    number: int
    look: Look
    decision: Decision
    clicks: tuple[Click, ...]


@dataclass(slots=True)
class Tally:
    """What happens in one game: its clicks, counts and times. Times are the player's, in seconds."""

    sent: list[Click] = field(default_factory=list)  # all clicks
    turn: tuple[Click, ...] = ()  # those of the last round, whether they were sent or not
    risk: float = 0.0  # of the last round
    before: Board | None = None  # the board of the last round, until its effective clicks are counted
    effective: int = 0
    first_click: float | None = None
    first_cell: Cell | None = None  # the first one opened; None if the game was under way already
    ended: float = 0.0  # when the end was seen
    covered: float | None = None  # when the board was seen to be covered since the last click
    guesses: int = 0
    rounds: int = 0
    misreads: int = 0
    retries: int = 0
    stuck: bool = False  # nothing was proven, and guesses were not allowed
    paused: bool = False

    def begin_turn(self, board: Board, clicks: tuple[Click, ...], risk: float) -> None:
        """Record a round: ``clicks`` on ``board``, the first of them with that ``risk``."""
        self.guesses += risk > 0
        self.turn, self.risk, self.before = clicks, risk, board
        self.first_cell = first_opened(clicks, board) or self.first_cell

    def end_turn(self, board: Board) -> None:
        """Count the clicks of the last round that had an effect; ``board`` is the one after them."""
        if self.before is not None:
            self.effective += effective(self.turn, self.before, board)
        self.before = None

    def ledger(self, board: Board) -> Ledger:
        """Return what was done in this game, whose last position beyond doubt is ``board``."""
        clicked = {click.move.cell for click in self.sent}
        moves = (click.move for click in self.turn if click.move.cell in clicked)
        cells = {cell for move in moves for cell in may_open(move, *board.shape)}
        opening = frozenset(cell for cell in cells if board[cell] in CLOSED)
        return Ledger(board, frozenset(clicked), opening, self.risk)


class Observer:
    """Follows a run, for example to report or to record it. Here all methods do nothing."""

    def round(self, turn: Round) -> None:
        """Take a round before its clicks are sent."""

    def end(self, result: GameResult, look: Look) -> None:
        """Take a finished game and the last look at it."""

    def keep(self, look: Look) -> str:  # noqa: ARG002
        """Save a picture that could not be understood, and return where, for a message."""
        return "nowhere"

    def tell(self, words: str) -> None:
        """Show a message to the user."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game, or one that was ``stuck``: it needed a guess, and guesses were not allowed.

    ``won`` is None if its end is unknown. ``concluded`` says what showed that it was over, if its cells did
    not. ``seconds`` runs from the first click to the picture that showed the end. ``bbbv`` is None if the
    game does not show all its mines. ``misreads`` counts doubtful looks at a visible board; ``retries``
    counts clicks that were sent again. A game is ``whole`` if it was played from its first click on and
    never paused.
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
    def outcome(self) -> str:
        """How the game ended, in a word: won, lost, stuck or unknown."""
        return "stuck" if self.stuck else {True: "won", False: "lost", None: "unknown"}[self.won]

    @property
    def measures(self) -> dict[str, float | None]:
        """The measures of a game that was won and ``whole``, with a known 3BV; empty for other games."""
        if self.bbbv is None or not (self.won and self.whole):
            return {}
        return measures(self.bbbv, self.seconds, self.spent)

    def as_json(self) -> dict[str, object]:
        """Return the object that ``play --json`` prints for a game."""
        measured = self.measures
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
            **{name: getattr(self, name) for name in _COUNTS},
        }


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


@dataclass(frozen=True, slots=True)
class Totals:
    """The results of all games of a run: their sums, and means over the games with measures."""

    results: list[GameResult] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        """Return how many games have this `GameResult.outcome`."""
        return sum(result.outcome == outcome for result in self.results)

    def sum_of(self, name: str) -> int:
        """Return the sum of the attribute ``name`` over all results."""
        return sum(getattr(result, name) for result in self.results)

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.results)

    @property
    def wins(self) -> int:
        """The number of games won."""
        return self.count("won")

    @property
    def known(self) -> int:
        """The number of games whose end is known."""
        return self.games - self.count("unknown")

    @property
    def rate(self) -> float | None:
        """The share of wins among the games whose end is known; None if there is no such game."""
        return self.wins / self.known if self.known else None

    @property
    def spent(self) -> Clicks:
        """The clicks of all games."""
        return sum((result.spent for result in self.results), NO_CLICKS)

    @property
    def means(self) -> dict[str, float | None]:
        """The mean of each measure over the games that have it; empty if no game has measures."""
        measured = [result.measures for result in self.results if result.measures]
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
            **{name: self.sum_of(name) for name in _COUNTS},
            "means": {name: _rounded(value) for name, value in self.means.items()},
        }


def result_of(target: str, level: str, look: Look, tally: Tally) -> GameResult:
    """Return the result of the game whose end ``look`` shows."""
    mines = None if tally.stuck else mine_map(look.reading.board)
    return GameResult(
        target=target,
        level=level,
        won=False if tally.stuck else look.verdict.won,
        seconds=0.0 if tally.first_click is None else tally.ended - tally.first_click,
        spent=replace(counted(tally.sent), effective=tally.effective),
        bbbv=None if mines is None else bbbv(mines),
        guesses=tally.guesses,
        rounds=tally.rounds,
        misreads=tally.misreads,
        retries=tally.retries,
        stuck=tally.stuck,
        whole=tally.first_cell is not None and not tally.paused,
        concluded=look.verdict.concluded,
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run: ``games`` 0 means until stopped; ``level`` None keeps the level of the game.

    Without ``guess``, a game ends when no cell is proven safe. ``pace`` None: clicks are sent at once.
    ``mines`` is the total, if the user gives it. ``buttons`` says whether what may be a button in an unknown
    program may be clicked; None: ask.
    """

    games: int = 1
    level: Level | None = None
    strategy: Strategy = DEEP
    guess: bool = True
    flags: Flags = Flags.NONE
    target: Target = UNKNOWN
    pace: Pace | None = None
    skins: Sequence[Skin] = ()
    mines: int | None = None
    buttons: bool | None = None
    stop_key: Shortcut = ESC
    backend: Backend = Backend.AUTO
