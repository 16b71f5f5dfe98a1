"""Moves become clicks, the nearest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.geometry import Frame, Grid, Point
from bot.screen.protocols import Button
from bot.solver.decision import Action, Move


@dataclass(frozen=True, slots=True)
class Click:
    """One mouse click on the screen, and the move it carries out."""

    point: Point
    button: Button
    move: Move


def plan(moves: Iterable[Move], frame: Frame, grid: Grid, start: Point) -> list[Click]:
    """Return one click a move: from ``start``, the nearest remaining one is always the next."""
    waiting = [_click(move, frame, grid) for move in moves]
    ordered: list[Click] = []
    here = start
    while waiting:
        nearest = min(waiting, key=lambda click: here.distance(click.point))
        waiting.remove(nearest)
        ordered.append(nearest)
        here = nearest.point
    return ordered


def _click(move: Move, frame: Frame, grid: Grid) -> Click:
    button = {Action.OPEN: Button.LEFT, Action.FLAG: Button.RIGHT, Action.CHORD: Button.MIDDLE}[move.action]
    return Click(frame.to_screen(*grid.centre(move.cell)), button, move)
