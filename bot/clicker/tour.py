"""Moves become clicks, the nearest first.

A better order (2-opt) would be 3.6 % shorter, save 1.5 % of the time at human pace and nothing at full speed,
and take 150 times as long to find: ``tests/bench_tour.py``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.geometry import Frame, Grid, Point, nearest_first
from bot.screen.protocols import Button
from bot.solver.decision import Action, Move


@dataclass(frozen=True, slots=True)
class Click:
    """One mouse click on the screen, and the move it carries out."""

    point: Point
    button: Button
    move: Move


def tour(
    legs: Iterable[Iterable[Move]],
    frame: Frame,
    grid: Grid,
    start: Point,
    chord: Button = Button.MIDDLE,
) -> list[Click]:
    """Return one click a move, leg after leg; within a leg the nearest remaining one is always the next.

    ``start`` is where the pointer is, in screen pixels, ``chord`` the button that plays chords.
    """
    clicks = list[Click]()
    for leg in legs:
        here = clicks[-1].point if clicks else start
        clicks += plan(leg, frame, grid, here, chord)
    return clicks


def plan(
    moves: Iterable[Move], frame: Frame, grid: Grid, start: Point, chord: Button = Button.MIDDLE
) -> list[Click]:
    """Return one click a move: from ``start``, the nearest remaining one is always the next."""
    clicks = [_click(move, frame, grid, chord) for move in moves]
    return nearest_first(clicks, (start.x, start.y), lambda click: (click.point.x, click.point.y))


def _click(move: Move, frame: Frame, grid: Grid, chord: Button) -> Click:
    button = {Action.OPEN: Button.LEFT, Action.FLAG: Button.RIGHT, Action.CHORD: chord}[move.action]
    return Click(frame.to_screen(*grid.centre(move.cell)), button, move)
