"""Korlyakova's table beside ours: games won with and without experience, at 10, 15 and 20 mines.

Her board size is not stated: first that is looked for at which her score without experience fits best.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from bot.bench.plan import Boards, PlayOptions, Unit, fingerprint
from bot.bench.running import play_unit
from bot.bench.statistics import win_rate
from bot.board import Cell, FirstClick
from bot.game.simulation import BASE_SEED
from bot.solver import STRATEGIES
from bot.solver.ladder import Learned
from bot.solver.published.korlyakova import SHIPPED, Experience

MINES = (10, 15, 20)
WITHOUT = (76.0, 12.0, 1.0)  # published, %
WITH = (69.4, 46.9, 8.3)
SIZES = ((7, 8), (8, 8), (8, 9), (8, 10), (9, 9), (9, 10), (10, 10))
RULES = (FirstClick.ANY, FirstClick.SAFE, FirstClick.OPENING)
LUMP = 500


def wins(boards: Boards, games: int, experience: Experience | None) -> int:
    """Play games in lumps and show how far it is."""
    won, told = 0, time.monotonic()
    strategy = STRATEGIES["korlyakova"].knowing(Learned(experience=experience))
    for start in range(0, games, LUMP):
        stop = min(games, start + LUMP)
        won += sum(play_unit(Unit(boards, strategy, start, stop, PlayOptions(), fingerprint())).won)
        if time.monotonic() - told > 5:
            told = time.monotonic()
            rate = f"{100 * won / stop:.1f} %"
            print(f"  {boards.level}: {stop} of {games}, {rate}", file=sys.stderr, flush=True)
    return won


def kinds() -> Iterator[Boards]:
    for rows, cols in SIZES:
        for rule in RULES:
            for first in (Cell(0, 0), Cell(rows // 2, cols // 2)):
                yield Boards(rows, cols, MINES[0], rule, first, BASE_SEED)


def best_fit(games: int) -> Boards:
    """Return the boards on which the score alone wins most nearly what was published, and print all."""
    fits: list[tuple[float, int, Boards]] = []
    for boards in kinds():
        rates = [100 * wins(replace(boards, mines=mines), games, None) / games for mines in MINES]
        off = float(np.abs(np.array(rates) - WITHOUT).mean())
        fits.append((off, len(fits), boards))
        figures = "".join(f"{rate:7.1f}" for rate in rates)
        where = "corner" if boards.first == (0, 0) else "centre"
        size = f"{boards.rows}x{boards.cols}"
        print(f"{size:6} {boards.rule.value:8} {where}{figures}   off by {off:4.1f}", flush=True)
    return min(fits)[2]


def table(boards: Boards, games: int, experience: Experience) -> None:
    where = f"{boards.rule.value}, first click at {tuple(boards.first)}"
    print(f"\n{boards.rows}x{boards.cols}, {where}, {games} games")
    print("mines   published: without, with   ours: without             with")
    for mines, without, with_ in zip(MINES, WITHOUT, WITH, strict=True):
        ours = []
        for learned in (None, experience):
            rate = win_rate(wins(replace(boards, mines=mines), games, learned), games)
            ours.append(f"{100 * rate.value:5.1f} ({100 * rate.low:.1f} to {100 * rate.high:.1f})")
        print(f"{mines:5} {without:18.1f} {with_:6.1f}        {ours[0]:21} {ours[1]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--fit-games", type=int, default=300, help="for each size that is tried; 0: 8x9")
    parser.add_argument("--experience", type=Path, default=SHIPPED)
    arguments = parser.parse_args()
    boards = Boards(8, 9, MINES[0], FirstClick.OPENING, Cell(0, 0), BASE_SEED)
    if arguments.fit_games:
        boards = best_fit(arguments.fit_games)
    table(boards, arguments.games, Experience.load(arguments.experience))


if __name__ == "__main__":
    main()
