"""Play a program that the bot was not made for, and check every cell that was read against the true board.

::

    python tests/live/checked_first_sight.py --program kmines --games 20 --no-skins

Prints one JSON object. The page tells its mines itself; the others show them at the end of each game, and all
that was read before must agree with that. Programs are started on a virtual screen of their own.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.board import Board, Cell, FirstClick, State
from bot.desktop.protocols import Window
from bot.errors import BotError
from bot.play import GameResult, Look, Round, Settings
from bot.solver.decision import Action
from bot.targets import UNKNOWN, Target, find_target
from bot.targets.launch import virtual_display
from bot.vision import load_skins, save_picture
from page import open_page
from players import player_on
from programs import started
from truth import wrong_cells

PROGRAMS = ("gnome-mines", "kmines", "xdemineur", "page")
SIZES = {"gnome-mines": ("small", 10), "kmines": ("Easy", 10), "xdemineur": ("usual", 100)}  # and their mines
PAGE = replace(UNKNOWN, name="page", label="the page", first_click=FirstClick.SAFE, new_game=("f2",))
_SETTLED = 1.0  # seconds after which the page has told its mines


@dataclass(frozen=True, slots=True)
class Ground:
    """A game on the screen: its window, what is known of it, its mines in total and, if it tells, where.

    ``true_mines`` returns the mines of the present game; None if it does not tell them.
    """

    window: Window
    target: Target
    mines: int
    true_mines: Callable[[], frozenset[Cell] | None] = lambda: None


@dataclass
class Checker:
    """Compares what was read in each game with its mines.

    ``misread`` are game, cell and what was read there; ``unchecked`` are games whose mines were not shown.
    """

    misread: list[tuple[int, Cell, int]] = field(default_factory=list)
    unchecked: list[int] = field(default_factory=list)
    cells: int = 0
    _boards: list[Board] = field(default_factory=list)
    _last: frozenset[Cell] = frozenset()  # cells that were opened by the clicks of the last round

    def round(self, turn: Round) -> None:
        self._boards.append(turn.look.reading.board)
        self._last = frozenset(m.cell for m in turn.decision.moves if m.action is Action.OPEN)

    def end(
        self, game: int, look: Look, mines: frozenset[Cell] | None = None, total: int | None = None
    ) -> None:
        """Compare all boards of a game with ``mines``; None: with those that the last ``look`` shows.

        There have to be as many as ``total``, if that is known. Of a game whose end nobody saw, the last look
        shows the board before it: if it was won, the last clicks opened the rest, and what they opened beside
        their own cells nobody saw either, unless as many cells are left as there are mines. Of a
        game that was lost in this way the mines are unknown.
        """
        final = look.reading.board
        if mines is None:
            mines = shown_mines(final) - (self._last if look.concluded else frozenset())
        unseen = look.concluded and (not look.won or len(mines) != (total or final.mines))
        if look.won is not None and not unseen and (total is None or len(mines) == total):
            for board in self._boards:
                self._compare(game, board, mines, over=False)
            self._compare(game, final, mines, over=not look.concluded)
        else:
            self.unchecked.append(game)
        self._boards.clear()

    def _compare(self, game: int, board: Board, mines: frozenset[Cell], *, over: bool) -> None:
        unread = set(board.cells(State.UNREADABLE))
        self.cells += board.states.size - len(unread)
        if over:  # after a win some programs leave their mines covered
            unread |= mines & set(board.cells(State.COVERED))
        wrong = [cell for cell in wrong_cells(board, mines, over) if cell not in unread]
        self.misread += [(game, cell, board[cell]) for cell in wrong]


def shown_mines(final: Board) -> frozenset[Cell]:
    """Return the mines that a finished board shows: as such, by flags, or as what is not open after a win."""
    lost = final.count(State.MINE, State.EXPLODED) > 0
    closed = () if lost else (State.COVERED, State.UNREADABLE)
    states = (State.MINE, State.EXPLODED, State.FLAG, *closed)
    return frozenset(final.cells(*states))


@contextmanager
def ground(program: str, scale: float, theme: str) -> Iterator[Ground]:
    """Start a program and yield it as a ground to play on."""
    if program == "page":
        with open_page(9, 9, 10, scale=scale, art=theme) as page:
            yield Ground(page.window, PAGE, 10, lambda: page.mines(page.latest.game))
        return
    size, mines = SIZES[program]
    with started(program, size, theme) as window:
        yield Ground(window, find_target(program), mines)


def play(
    program: str,
    games: int,
    *,
    skins: bool = True,
    speed: str = "20",
    scale: float = 1.0,
    theme: str = "",
    pictures: Path | None = None,
) -> dict[str, object]:
    """Play ``games`` games of a program on the display and return what happened.

    A picture that could not be understood is kept in the folder ``pictures``.
    """
    checker, results = Checker(), list[GameResult]()
    error = ""
    with ground(program, scale, theme or ("classic" if program == "page" else "")) as here:

        def end(result: GameResult, look: Look) -> None:
            time.sleep(_SETTLED)
            results.append(result)
            checker.end(len(results), look, here.true_mines(), here.mines)
            print(f"\r{len(results)} of {games} games", end="", file=sys.stderr)

        def keep(look: Look) -> str:
            if pictures is None:
                return "no folder: give --pictures"
            path = pictures / f"{program}-{len(results):03d}.png"
            save_picture(path, look.frame.pixels)
            return str(path)

        told = {"on_round": checker.round, "on_end": end, "keep": keep}
        try:
            with player_on(
                here.window,
                Settings(games),
                told,
                target=here.target,
                skins=load_skins() if skins else (),
                mines=here.mines,
                speed=speed,
            ) as player:
                for _ in player.play():
                    pass
        except BotError as problem:
            error = f"{type(problem).__name__}: {problem}"
    print(file=sys.stderr)
    return summary(program, games, results, checker, error)


def summary(
    program: str, games: int, results: list[GameResult], checker: Checker, error: str
) -> dict[str, object]:
    """Return the figures of a run."""
    return {
        "program": program,
        "games": len(results),
        "not_finished": games - len(results),
        "wins": sum(result.won is True for result in results),
        "cells_checked": checker.cells,
        "misread_cells": len(checker.misread),
        "games_unchecked": len(checker.unchecked),
        "looks_again": sum(result.misreads for result in results),
        "clicks": sum(result.clicks for result in results),
        "clicks_again": sum(result.retries for result in results),
        "error": error,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--program", choices=PROGRAMS, required=True)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--no-skins", action="store_true")
    parser.add_argument("--speed", default="20")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--theme", default="")
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    with virtual_display():
        result = play(
            given.program,
            given.games,
            skins=not given.no_skins,
            speed=given.speed,
            scale=given.scale,
            theme=given.theme,
            pictures=given.pictures,
        )
    print(json.dumps(result))


if __name__ == "__main__":
    main()
