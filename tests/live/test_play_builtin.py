"""The bot plays our own window through the screen, and reads every cell of it right."""

from __future__ import annotations

import pytest

from bot.solver import STRATEGIES

pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from bot.board import Board, Cell, FirstClick
from bot.capture import ScreenCapture
from bot.clicker import MaxPace, RealClock
from bot.clicker.mouse import ScreenMouse
from bot.clicker.style import NF, Flags, Style
from bot.desktop.protocols import Desktop, Window
from bot.game.simulation import mines_of_game
from bot.levels import BEGINNER, INTERMEDIATE, Level
from bot.play import BoardWatcher, GameResult, Look, Player, Round, Settings
from bot.targets import find_game, find_target
from bot.targets.launch import builtin
from bot.vision import load_skins
from truth import wrong_cells

SEED = 10_000_200
MOST = 12  # games until one must be won; three of four are
NEAR = 20  # seeds of which the next board has one: setting a level begins games, and asking for one again
TARGET = find_target("builtin")


class Run:
    """A run of the bot in a window whose boards are known by their seeds, and what was read wrong in it."""

    def __init__(
        self, window: Window, capture: ScreenCapture, desktop: Desktop, mouse: ScreenMouse, seeds: int
    ) -> None:
        self.next_seed = seeds
        self.boards: list[Board] = []
        self.first: Cell | None = None
        self.wrong: list[tuple[Board, list[Cell]]] = []
        self.results: list[GameResult] = []
        skins = [skin for skin in load_skins() if skin.name in TARGET.skins]
        self.watcher = BoardWatcher(capture, desktop, skins, RealClock(), window, pointer=mouse.position)
        self.desktop, self.mouse = desktop, mouse

    def play(self, level: Level, games: int, *, until_won: bool = False, style: Style = NF) -> None:
        player = Player(
            self.watcher,
            self.mouse,
            self.desktop,
            TARGET,
            MaxPace(),
            RealClock(),
            Settings(games, level, STRATEGIES["exact"], style=style),
            on_round=self._round,
            on_end=self._end,
        )
        for result in player.play():
            self.results.append(result)
            if until_won and result.won:
                return

    def _round(self, turn: Round) -> None:
        if turn.number == 1:
            self.first = turn.decision.moves[0].cell
        self.boards.append(turn.look.reading.board)

    def _end(self, _result: GameResult, look: Look) -> None:
        """Compare all that was read of a game with its true board."""
        final, first = look.reading.board, self.first
        assert first is not None
        assert final.mines is not None
        seeds = range(self.next_seed, self.next_seed + NEAR)
        boards = {
            seed: mines_of_game(final.rows, final.cols, final.mines, seed, first, FirstClick.SAFE)
            for seed in seeds
        }
        seed = min(seeds, key=lambda seed: len(wrong_cells(final, boards[seed], over=True)))
        self.next_seed = seed + 1
        for board, over in [*((board, False) for board in self.boards), (final, True)]:
            if wrong := wrong_cells(board, boards[seed], over):
                self.wrong.append((board, wrong))
        self.boards.clear()


@pytest.mark.parametrize("options", [(), ("--dark",), ("--scale", "2"), ("--scale", "2", "--dark")])
def test_a_game_is_won_and_every_cell_read_right(
    desktop: Desktop, capture: ScreenCapture, mouse: ScreenMouse, options: tuple[str, ...]
) -> None:
    with builtin(BEGINNER, "--scale", "1", "--seed", str(SEED), *options) as window:
        found = find_game(desktop)
        assert found is not None
        assert (found[0].name, found[1].handle) == ("builtin", window.handle)
        run = Run(window, capture, desktop, mouse, SEED)
        run.play(BEGINNER, MOST, until_won=True)
    assert run.results[-1].won
    assert run.wrong == []


def test_the_level_is_set_by_its_menu(desktop: Desktop, capture: ScreenCapture, mouse: ScreenMouse) -> None:
    with builtin(BEGINNER, "--scale", "1", "--seed", str(SEED)) as window:
        run = Run(window, capture, desktop, mouse, SEED)
        for level in (INTERMEDIATE, Level(10, 12, 15), BEGINNER):
            run.play(level, 1)
    assert [result.level for result in run.results] == ["intermediate", "10x12/15", "beginner"]
    assert run.wrong == []


def test_chords_are_played(desktop: Desktop, capture: ScreenCapture, mouse: ScreenMouse) -> None:
    with builtin(BEGINNER, "--scale", "1", "--seed", str(SEED)) as window:
        run = Run(window, capture, desktop, mouse, SEED)
        run.play(BEGINNER, MOST, until_won=True, style=Style(Flags.CHORD))
    assert sum(result.spent.chords for result in run.results) > 0
    assert run.wrong == []
