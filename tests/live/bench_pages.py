"""Play the test page with random settings of its switches, and check all readings and results.

Run from the repository root: ``python tests/bench pages``. The bot knows no skin and no key of the page, and
gets no help; only where the page has no button for a new game, its key is pressed when the bot asks. *False*:
results that the bot reported wrong. *Unknown*: games whose end the bot says it does not know. *Finished*:
games whose results it reported correctly.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import Journal
from bot.board import CHARACTERS, Cell, State
from bot.desktop import ScreenMouse
from bot.errors import BotError, StoppedError
from bot.play.look import Look
from bot.play.results import GameResult, Round, Settings
from bot.signals import ended_by_signals
from bot.solver.decision import Action
from bot.targets.launch import virtual_display
from bot.vision import save_picture
from page import ARTS, Page, open_page
from programs import Listeners, busy_processes, player_on
from truth import wrong_cells

Switch = int | float | str
SWITCHES: Mapping[str, Sequence[Switch]] = {
    "art": ARTS,
    "scale": (1.0, 1.25, 1.5, 1.75, 2.0),
    "cell": (20, 24, 28),
    "delay": (0, 80, 300, 800),
    "wave": (0, 0, 150, 400),
    "late": (0, 0, 500, 1500),
    "restart": ("key", "button", "smiley"),
    "levels": ("none", "buttons", "list"),
    "end": ("none", "alert", "box"),
    "hover": (0, 1),
    "hint": (0, 0, 700, 2000),
    "first": ("safe", "opening", "any"),
    "flood": (8, 8, 4),
    "marks": (0, 1),
}
BOARD = {"rows": 9, "cols": 9, "mines": 10}
WINDOW = 1280, 1200  # pixels: has room for the largest cells at the largest scale
LONGEST = 900.0  # seconds for the games of one combination, at most


def combinations(count: int, seed: int) -> list[dict[str, Switch]]:
    """Return ``count`` combinations in which all values of a switch occur equally often."""
    rng = np.random.default_rng(seed)
    drawn = {
        name: [values[index % len(values)] for index in rng.permutation(count)]
        for name, values in SWITCHES.items()
    }
    return [{name: values[number] for name, values in drawn.items()} for number in range(count)]


@dataclass
class Outcome:
    """The results for one combination; ``seconds`` is the time from its first look to its last game."""

    number: int
    asked: int
    switches: dict[str, Switch]
    true: int = 0
    false: int = 0
    unknown: int = 0
    wins: int = 0
    cells: int = 0
    misread: int = 0
    false_proofs: int = 0
    clicks: int = 0
    seconds: float = 0.0
    error: str = ""
    notes: list[str] = field(default_factory=list)


class Referee:
    """Compares readings and results of the bot with the truth that the page reports."""

    def __init__(self, page: Page, outcome: Outcome, pictures: Path | None) -> None:
        self._page, self.outcome, self._pictures = page, outcome, pictures
        self._seen: list[tuple[int, Look, list[Cell]]] = []
        self._deadline = time.monotonic() + LONGEST

    def round(self, turn: Round) -> None:
        """Keep a round for `compare`. Raises StoppedError if the combination takes too long."""
        moves = turn.decision.moves
        proven = [move.cell for move in moves if move.risk == 0 and move.action is Action.OPEN]
        self._seen.append((self._page.latest.game, turn.look, proven))
        if time.monotonic() > self._deadline:
            raise StoppedError(f"stopped: it took more than {LONGEST:.0f} s")

    def end(self, result: GameResult, look: Look) -> None:
        """Compare the reported result of a game with its true result."""
        time.sleep(0.1)  # the report of the page takes a moment
        self.compare()
        won = self._page.latest.won
        self.outcome.wins += won is True
        if result.won is None:
            self.outcome.unknown += 1
            self.outcome.notes.append(f"game {self._page.latest.game}: {result.concluded}, is {won}")
            self.keep(look, f"unknown-{self._page.latest.game}")
        elif result.won is won:
            self.outcome.true += 1
        else:
            self.outcome.false += 1
            game = self._page.latest.game
            self.outcome.notes.append(f"game {game}: told {result.won}, is {won}")
            self.keep(look, f"false-{game}")
        self.outcome.clicks += result.spent.total

    def compare(self) -> None:
        """Compare the boards read since the last comparison with the mines of their games."""
        for number, (game, look, proven) in enumerate(self._seen):
            board, mines = look.reading.board, self._page.mines(game)
            unread = set(board.cells(State.UNREADABLE, State.QUESTION))
            self.outcome.cells += board.states.size - len(unread)
            if mines:
                wrong = [cell for cell in wrong_cells(board, mines, over=False) if cell not in unread]
                self.outcome.misread += len(wrong)
                if wrong:
                    self.keep(look, f"misread-{game}-{number}")
                self.outcome.notes += [
                    f"game {game}: {tuple(cell)} read as {CHARACTERS[board[cell]]}" for cell in wrong[:5]
                ]
            if mines and board.count(*range(9)):
                self.outcome.false_proofs += sum(cell in mines for cell in proven)
        self._seen.clear()

    def keep(self, look: Look, name: str = "doubt") -> str:
        """Save the picture of a look, and its board and doubt in a text file beside it."""
        if self._pictures is None:
            return "no folder: give --pictures"
        path = self._pictures / f"{self.outcome.number:03d}-{name}.png"
        save_picture(path, look.frame.pixels)
        path.with_suffix(".txt").write_text(f"{look.reading.board}\n{look.doubt}\n")
        return str(path)


def play(
    number: int,
    switches: dict[str, Switch],
    games: int,
    pictures: Path | None = None,
    size: tuple[int, int] = WINDOW,
) -> Outcome:
    """Play ``games`` games on the page with ``switches``; return the results."""
    outcome = Outcome(number, games, switches)
    options: dict[str, Any] = {**switches, **BOARD}
    with ExitStack() as stack:
        page = stack.enter_context(open_page(size=size, seed=1000 * number, **options))
        referee = Referee(page, outcome, pictures)

        def tell(words: str) -> None:
            outcome.notes.append(words)
            if switches["restart"] == "key" and words.startswith("start a new game"):
                threading.Timer(0.3, ScreenMouse().press, ("f2",)).start()

        heard = Listeners(round=referee.round, end=referee.end, keep=referee.keep, tell=tell)
        player = stack.enter_context(player_on(page.window, Settings(games), heard))
        begun = time.monotonic()
        try:
            for _ in player.play():
                pass
        except BotError as error:
            outcome.error = f"{type(error).__name__}: {error}"
            if pictures is not None:
                save_picture(pictures / f"{number:03d}-end.png", player.watcher.capture.grab().pixels)
        outcome.seconds = time.monotonic() - begun
        referee.compare()
    return outcome


def report(outcomes: Sequence[Outcome], console: Console) -> None:
    """Print a row for each combination with a fault, then the totals."""
    table = Table(title="combinations with a fault")
    for heading in ("no.", "switches", "games", "false", "unknown", "misread", "seconds", "what happened"):
        table.add_column(heading, overflow="fold")
    for one in outcomes:
        if one.true < one.asked or one.misread or one.false_proofs:
            words = " ".join(f"{name}={value}" for name, value in one.switches.items())
            table.add_row(
                str(one.number),
                words,
                f"{one.true}/{one.asked}",
                str(one.false),
                str(one.unknown),
                str(one.misread),
                f"{one.seconds:.0f}",
                "; ".join([one.error, *one.notes[-2:]]),
            )
    console.print(table)
    asked, true = sum(one.asked for one in outcomes), sum(one.true for one in outcomes)
    console.print(
        f"{len(outcomes)} combinations, {asked} games: {true} finished and reported right "
        f"({100 * true / max(1, asked):.1f} %), {sum(one.false for one in outcomes)} false verdicts, "
        f"{sum(one.unknown for one in outcomes)} unknown, {sum(one.wins for one in outcomes)} won; "
        f"{sum(one.misread for one in outcomes)} of {sum(one.cells for one in outcomes)} cells misread, "
        f"{sum(one.false_proofs for one in outcomes)} proven cells were mines; "
        f"median {np.median([one.seconds / max(1, one.true) for one in outcomes]):.1f} s a game"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=60, help="combinations (default: 60)")
    parser.add_argument("--seed", type=int, default=17, help="draws the combinations (default: 17)")
    parser.add_argument("--games", type=int, default=10, help="of each combination (default: 10)")
    parser.add_argument("--busy", type=int, default=0, help="so many processes compute meanwhile")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of combinations")
    parser.add_argument("--pictures", type=Path, help="a folder for what was not understood")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep records in FILE, and go on from there"
    )
    given = parser.parse_args()
    asked: dict[str, Any] = {"bench": "pages", "seed": given.seed, "count": given.count, "games": given.games}
    asked |= {"busy": given.busy}
    journal = Journal(given.resume, asked)
    outcomes = {line["number"]: Outcome(**line) for line in journal.lines}
    drawn = dict(enumerate(combinations(given.count, given.seed)))
    wanted = [number for number in given.only or drawn if number not in outcomes]
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    print(f"seed {given.seed}", file=sys.stderr)
    with ended_by_signals(), virtual_display(2560, 1700), busy_processes(given.busy):
        for number in track(wanted, "playing", console=Console(stderr=True)):
            outcomes[number] = play(number, drawn[number], given.games, given.pictures)
            journal.add([asdict(outcomes[number])])
    report([outcomes[number] for number in sorted(outcomes)], Console(width=200))


if __name__ == "__main__":
    main()
