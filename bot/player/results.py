"""What is known of a round, a game and a run once they are over."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Board, Cell
from bot.clicker import Click
from bot.game.metrics import bbbv
from bot.game.simulation import mine_map
from bot.player.look import Look
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
    risk: float = 0.0  # of the last clicks
    covered: float | None = None  # when, since the last click, the board was seen to be covered
    clicks: int = 0
    guesses: int = 0
    rounds: int = 0
    misreads: int = 0
    retries: int = 0
    stuck: bool = False  # nothing was proven, and no guess was wanted


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game, or one that was ``stuck``: it would have taken a guess, and none was wanted.

    ``seconds`` runs from the first click to the picture that showed the end. ``bbbv`` is None where the game
    does not show all its mines. ``misreads`` counts looks that contradicted themselves and had to be taken
    again; ``retries`` clicks that had to be sent again.
    """

    target: str
    level: str
    won: bool
    seconds: float
    clicks: int
    bbbv: int | None
    guesses: int
    rounds: int
    misreads: int
    retries: int
    stuck: bool = False

    @property
    def outcome(self) -> str:
        """How it ended, in a word: won, lost or stuck."""
        return "stuck" if self.stuck else "won" if self.won else "lost"

    @property
    def bbbv_per_second(self) -> float | None:
        """3BV/s of a won game, None for a lost one."""
        if self.bbbv is None or not self.won or self.seconds <= 0:
            return None
        return round(self.bbbv / self.seconds, 3)

    def as_json(self) -> dict[str, object]:
        """Return the object that ``play --json`` prints for a game."""
        return {
            "target": self.target,
            "level": self.level,
            "won": self.won,
            "outcome": self.outcome,
            "seconds": round(self.seconds, 4),
            "clicks": self.clicks,
            "bbbv": self.bbbv,
            "bbbv_per_second": self.bbbv_per_second,
            "guesses": self.guesses,
            "rounds": self.rounds,
            "misreads": self.misreads,
            "retries": self.retries,
        }


@dataclass(slots=True)
class Totals:
    """The sums of a run."""

    games: int = 0
    wins: int = 0
    stuck: int = 0
    seconds: float = 0.0
    clicks: int = 0
    guesses: int = 0
    rounds: int = 0
    misreads: int = 0
    retries: int = 0

    def add(self, result: GameResult) -> None:
        """Count one more game."""
        self.games += 1
        self.wins += result.won
        self.stuck += result.stuck
        self.seconds += result.seconds
        self.clicks += result.clicks
        self.guesses += result.guesses
        self.rounds += result.rounds
        self.misreads += result.misreads
        self.retries += result.retries

    def as_json(self) -> dict[str, object]:
        """Return the last object that ``play --json`` prints."""
        return {
            "games": self.games,
            "wins": self.wins,
            "stuck": self.stuck,
            "win_rate": round(self.wins / self.games, 4) if self.games else None,
            "seconds": round(self.seconds, 4),
            "clicks": self.clicks,
            "guesses": self.guesses,
            "rounds": self.rounds,
            "misreads": self.misreads,
            "retries": self.retries,
        }


def result_of(target: str, level: str, won: bool, board: Board, ended: float, tally: Tally) -> GameResult:
    """Return the result of a game that ended on ``board`` at time ``ended``."""
    mines = None if tally.stuck else mine_map(board)
    return GameResult(
        target=target,
        level=level,
        won=won,
        seconds=0.0 if tally.first_click is None else ended - tally.first_click,
        clicks=tally.clicks,
        bbbv=None if mines is None else bbbv(mines),
        guesses=tally.guesses,
        rounds=tally.rounds,
        misreads=tally.misreads,
        retries=tally.retries,
        stuck=tally.stuck,
    )
