"""Play real Minesweeper programs that the bot does not know, with and without a window manager.

Run from the repository root: ``python tests/bench programs``. The bot gets no skin, no key and no number of
mines, and no help. The programs are Debian packages (see `programs`); others can be added with ``--also TITLE
COMMAND``, where TITLE is the start of the window's title. All boards read in a game must agree with the mines
shown at its end.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.board import Board, Cell, State
from bot.errors import BotError
from bot.play.look import Look
from bot.play.results import GameResult, Round, Settings
from bot.signals import ended_by_signals
from bot.solver.decision import Action
from bot.targets.launch import virtual_display
from bot.vision import save_picture
from programs import GAMES, Game, Listeners, busy_processes, player_on, started, window_manager
from truth import wrong_cells


@dataclass
class Outcome:
    """The results for one program; ``unchecked`` counts games whose end did not show all mines."""

    name: str
    managed: bool
    games: int = 0
    wins: int = 0
    unknown: int = 0
    cells: int = 0
    misread: int = 0
    unchecked: int = 0
    seconds: float = 0.0
    words: str = ""


@dataclass
class Checker:
    """Compares the boards read in each game with its mines.

    ``misread`` lists game, cell and the state read; ``unchecked`` lists games whose mines were not shown.
    """

    misread: list[tuple[int, Cell, int]] = field(default_factory=list)
    unchecked: list[int] = field(default_factory=list)
    cells: int = 0
    _boards: list[Board] = field(default_factory=list)
    _last: frozenset[Cell] = frozenset()  # the cells opened by the clicks of the last round

    def round(self, turn: Round) -> None:
        self._boards.append(turn.look.reading.board)
        self._last = frozenset(m.cell for m in turn.decision.moves if m.action is Action.OPEN)

    def end(self, game: int, look: Look) -> None:
        """Compare all boards of a game with the mines that the final ``look`` shows.

        If the end itself was not seen (``concluded``), the look shows the board before the last clicks.
        After a win, the covered cells without these clicks are then the mines, if their number is right: the
        clicks may also have opened other cells. Otherwise, or if a mine cannot be read, the mines are
        unknown, and the game is unchecked.
        """
        final = look.reading.board
        mines = shown_mines(final) - (self._last if look.verdict.concluded else frozenset())
        unread = final.count(State.UNREADABLE) and len(mines) != final.mines
        unseen = unread or (look.verdict.concluded and (not look.verdict.won or len(mines) != final.mines))
        if look.verdict.won is not None and not unseen:
            for board in self._boards:
                self._compare(game, board, mines, over=False)
            self._compare(game, final, mines, over=not look.verdict.concluded)
        else:
            self.unchecked.append(game)
        self._boards.clear()

    def _compare(self, game: int, board: Board, mines: frozenset[Cell], *, over: bool) -> None:
        unread = set(board.cells(State.UNREADABLE))
        self.cells += board.states.size - len(unread)
        if over:  # after a win some programs leave the mines covered
            unread |= mines & set(board.cells(State.COVERED))
        wrong = [cell for cell in wrong_cells(board, mines, over) if cell not in unread]
        self.misread += [(game, cell, board[cell]) for cell in wrong]


def shown_mines(final: Board) -> frozenset[Cell]:
    """Return the mines on a finished board: mines and flags, after a win also all cells that are not open."""
    lost = final.count(State.MINE, State.EXPLODED) > 0
    closed = () if lost else (State.COVERED, State.UNREADABLE)
    states = (State.MINE, State.EXPLODED, State.FLAG, *closed)
    return frozenset(final.cells(*states))


def play(
    name: str, game: Game, games: int, *, managed: bool = False, pictures: Path | None = None
) -> Outcome:
    """Play ``games`` games of a program on the display."""
    outcome, checker, told = Outcome(name, managed), Checker(), list[str]()

    def end(result: GameResult, look: Look) -> None:
        outcome.games += 1
        outcome.wins += result.won is True
        outcome.unknown += result.won is None
        checker.end(outcome.games, look)
        keep(look, f"end-{outcome.games:02d}")

    def keep(look: Look, what: str = "doubt") -> str:
        if pictures is None:
            return "no folder: give --pictures"
        path = pictures / f"{name}-{'managed' if managed else 'bare'}-{what}.png"
        save_picture(path, look.frame.pixels)
        return str(path)

    begun = time.monotonic()
    heard = Listeners(round=checker.round, end=end, keep=keep, tell=told.append)
    with window_manager() if managed else nullcontext():
        try:
            with started(game) as window, player_on(window, Settings(games), heard) as player:
                for _ in player.play():
                    pass
        except BotError as problem:
            outcome.words = f"{type(problem).__name__}: {problem}"
    outcome.words = "; ".join([outcome.words, *dict.fromkeys(told)] if outcome.words else dict.fromkeys(told))
    outcome.misread, outcome.unchecked = len(checker.misread), len(checker.unchecked)
    outcome.cells = checker.cells
    outcome.seconds = time.monotonic() - begun
    return outcome


def table(outcomes: list[Outcome], games: int) -> Table:
    """Return the outcomes as a table."""
    shown = Table(title=f"programs that nothing is known of, {games} games each")
    for heading in (
        "program",
        "window manager",
        "ended",
        "won",
        "unknown",
        "misread",
        "unchecked",
        "s a game",
    ):
        shown.add_column(heading, justify="left" if heading in ("program", "window manager") else "right")
    shown.add_column("what was said", overflow="fold")
    for one in outcomes:
        each = f"{one.seconds / one.games:.1f}" if one.games else "-"
        numbers = (one.games, one.wins, one.unknown, one.misread, one.unchecked)
        shown.add_row(one.name, "yes" if one.managed else "no", *map(str, numbers), each, one.words)
    return shown


def main() -> None:
    """Play the programs and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--also", nargs=2, action="append", default=[], metavar=("TITLE", "COMMAND"))
    parser.add_argument("--busy", type=int, default=0, help="so many processes compute meanwhile")
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    programs = {**GAMES, **{title: Game(title, tuple(shlex.split(line))) for title, line in given.also}}
    chosen = [name for name in programs if not given.only or name in given.only]
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    managers = (False, True) if shutil.which("openbox") else (False,)
    runs = [(name, managed) for name in chosen for managed in managers]
    outcomes = []
    with ended_by_signals(), virtual_display(1600, 1200), busy_processes(given.busy):
        for name, managed in track(runs, "playing", console=Console(file=sys.stderr)):
            played = play(name, programs[name], given.games, managed=managed, pictures=given.pictures)
            outcomes.append(played)
    Console(width=160).print(table(outcomes, given.games))


if __name__ == "__main__":
    main()
