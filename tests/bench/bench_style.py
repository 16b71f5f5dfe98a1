"""Measure how many clicks each style of play takes to win the same expert boards.

Run from the repository root: ``python tests/bench style``. The boards are those of the published comparisons,
opened first in the middle. Boards that are lost by left clicks alone are skipped; every style must win the
others, since before a guess the same cells are open. The clicks are played in order in a game in memory. The
program ends at the first click that opens a cell which is neither proven nor guessed, or comes after the end.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.board import Cell, FirstClick
from bot.clicker.clicks import Click, counted, targets, tour
from bot.clicker.style import Flags, styled
from bot.game.metrics import Clicks, bbbv, measures
from bot.game.simulation import BASE_SEED, Game, mine_map
from bot.geometry import Frame, Grid, Point
from bot.levels import EXPERT
from bot.solver import Decision, decide
from bot.solver.decision import Action

FIRST = Cell(7, 14)
BOARDS = 500
STYLES = {flags.value: flags for flags in Flags}
_FRAME = Frame(np.zeros((300, 500, 3), np.uint8), Point(0, 0))
_GRID = Grid(10.0, 20.0, 16.0, 16.0, EXPERT.rows, EXPERT.cols)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: its result, its clicks, its 3BV, and how often the board was looked at."""

    won: bool
    clicks: Clicks
    bbbv: int
    looks: int

    @property
    def measures(self) -> dict[str, float | None]:
        return measures(self.bbbv, 1.0, self.clicks)


def play(seed: int, style: Flags) -> Played:
    """Play a board to its end. Raises AssertionError if a click opens a cell that it must not open."""
    game = Game(EXPERT.rows, EXPERT.cols, EXPERT.mines, seed, FirstClick.SAFE)
    game.open(FIRST)
    spent, looks, here = Clicks(left=1, effective=1), 1, Point(0, 0)
    while not game.over:
        board, looks = game.board, looks + 1
        decision = decide(board)
        clicks = tour(styled(decision, board, style), _FRAME, _GRID, here)
        spent += counted(clicks) + Clicks(effective=sum(_done(game, click, decision) for click in clicks))
        here = clicks[-1].point
    mines = mine_map(game.board)
    assert mines is not None
    return Played(game.won, spent, bbbv(mines), looks)


def _done(game: Game, click: Click, decision: Decision) -> bool:
    """Carry out a click in the game; return whether it changed the board."""
    assert not game.over, f"{click.move} comes after the end"
    before, move = game.board, click.move
    {Action.OPEN: game.open, Action.FLAG: game.flag, Action.CHORD: game.chord}[move.action](move.cell)
    allowed = {move.cell for move in decision.moves}
    opened = [] if move.action is Action.FLAG else targets(move, before)
    assert allowed.issuperset(opened), f"{move} opens what is not proven"
    assert move.action is not Action.FLAG or move.cell in decision.mines, f"{move} is on no proven mine"
    return game.board != before


def wins(count: int, first: int) -> Iterator[tuple[int, Played]]:
    """Yield ``count`` boards that left clicks alone win, as seeds from ``first`` on, with their games."""
    played = ((seed, play(seed, Flags.NONE)) for seed in itertools.count(first))
    return itertools.islice(((seed, game) for seed, game in played if game.won), count)


def row(games: list[Played], against: list[Played]) -> list[str]:
    spent = [game.clicks for game in games]
    share = [game.clicks.total / other.clicks.total - 1 for game, other in zip(games, against, strict=True)]
    ioe = [game.measures["ioe"] or 0.0 for game in games]
    return [
        *(f"{np.mean([getattr(one, kind) for one in spent]):.1f}" for kind in _KINDS),
        f"{100 * np.mean(share):+.1f} % ± {100 * _half(share):.1f}",
        f"{np.mean(ioe):.3f} ± {_half(ioe):.3f}",
        f"{np.mean([one.correctness for one in spent]):.3f}",
        f"{np.mean([game.measures['throughput'] for game in games]):.3f}",
        f"{np.mean([game.looks for game in games]):.1f}",
    ]


def _half(values: list[float]) -> float:
    """Return half the width of the 95 % confidence interval of a mean."""
    return float(1.96 * np.std(values, ddof=1) / np.sqrt(len(values)))


_KINDS = ("total", "left", "right", "chords")
_HEADINGS = ("--flags", "clicks", "left", "right", "chords", "against none", "IOE", "corr.", "thrp.", "looks")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", type=int, default=BOARDS)
    parser.add_argument("--seed", type=int, default=BASE_SEED, help="of the first board")
    parser.add_argument("--style", choices=STYLES, action="append", help="only these, and none")
    options = parser.parse_args()
    side = Console(stderr=True)
    found = wins(options.boards, options.seed)
    nf = dict(track(found, "boards that are won", options.boards, console=side))
    seeds, plain = list(nf), list(nf.values())
    table = Table(title=f"{len(seeds)} expert boards that are won, from seed {options.seed}: means a game")
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading == "--flags" else "right", no_wrap=True)
    table.add_row("none", *row(plain, plain))
    for name in dict.fromkeys(options.style or STYLES):
        if name != "none":
            games = [play(seed, STYLES[name]) for seed in track(seeds, name, console=side)]
            assert all(game.won for game in games), f"{name} loses what left clicks alone win"
            table.add_row(name, *row(games, plain))
    out = Console(width=120)
    out.print(table)
    out.print(f"3BV {np.mean([game.bbbv for game in plain]):.1f}")


if __name__ == "__main__":
    main()
