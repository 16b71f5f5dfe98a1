"""Our own window as a target of the bot: its skins are its own drawing, its failures are told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from art import make_builtin_templates
from bot.board import Board, Cell, State
from bot.game.round import PlayedGame, Rule
from bot.game.simulation import Game
from bot.geometry import Pixels
from bot.levels import LEVELS, Level
from bot.targets.catalogue import find_target
from bot.ui.game.drawing import CLASSIC, DARK, Theme
from bot.ui.game.view import GameView
from bot.verdict import GameState
from bot.vision import load_skins, read_picture
from bot.vision.skin import load_skin, save_skin
from drawn_game import application
from qt_pictures import pixels

SKINS = tuple(skin for skin in load_skins() if skin.name in find_target("builtin").skins)
BESIDE = 40  # pixels of desktop around the window


class Shown(PlayedGame):
    """A round that shows any position."""

    position = Board.covered(9, 9, 10)
    how_far = GameState.RUNNING

    @property
    def board(self) -> Board:
        return self.position

    @property
    def state(self) -> GameState:
        return self.how_far


@dataclass(frozen=True)
class Case:
    position: Board
    state: GameState


def cases(level: Level) -> Iterator[Case]:
    """Yield a fresh board, one with all marks on it, a lost one and a won one."""
    game = Game(level.rows, level.cols, level.mines, 10_000_004)
    yield Case(game.board, GameState.NEW)
    order = [
        Cell(*divmod(int(i), level.cols))
        for i in np.random.default_rng(5).permutation(game.board.states.size)
    ]
    game.open(order[-1])
    assert game.mines is not None
    for number, cell in enumerate(order[: len(order) // 2]):
        if cell in game.mines or number % 9 == 0:
            game.flag(cell)
        else:
            game.open(cell)
    marked = game.board.cells(State.COVERED)[::5]
    yield Case(game.board.replace(dict.fromkeys(marked, State.QUESTION)), GameState.RUNNING)
    won = Game(level.rows, level.cols, level.mines, 10_000_004)
    won.open(order[-1])
    game.open(next(cell for cell in game.board.cells(State.COVERED) if cell in game.mines))
    yield Case(game.board, GameState.LOST)
    for cell in set(order) - game.mines:
        won.open(cell)
    yield Case(won.board, GameState.WON)


def drawn(case: Case, theme: Theme, scale: float) -> Pixels:
    """Return what the window shows of a position, on a desktop."""
    application()
    position = case.position
    game = Shown(Level(position.rows, position.cols, position.mines or 1), Rule(), 1, lambda: 37.0)
    game.position, game.how_far = position, case.state
    window = pixels(GameView(game, theme, scale).grab().toImage())
    return np.pad(window, ((BESIDE, BESIDE), (BESIDE, BESIDE), (0, 0)), constant_values=90)


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("theme", [CLASSIC, DARK], ids=["classic", "dark"])
def test_every_cell_is_read_right(theme: Theme, scale: float) -> None:
    for case in cases(LEVELS["beginner"]):
        (reading,) = read_picture(drawn(case, theme, scale), SKINS)
        assert reading.board == case.position
        assert reading.skin == make_builtin_templates.NAMES[theme]
        assert reading.state is case.state


@pytest.mark.parametrize("theme", make_builtin_templates.NAMES, ids=make_builtin_templates.NAMES.get)
def test_the_skins_are_what_the_window_draws(theme: Theme, tmp_path: Path) -> None:
    drawn = make_builtin_templates.skin(theme)
    save_skin(drawn, tmp_path / drawn.name)
    again = load_skin(tmp_path / drawn.name)
    (shipped,) = (skin for skin in SKINS if skin.name == drawn.name)
    assert (again.counter, again.ground, again.cell) == (shipped.counter, shipped.ground, shipped.cell)
    apart = np.abs(again.templates.astype(int) - shipped.templates)
    assert apart.max() <= 2  # Qt may round otherwise on another system
