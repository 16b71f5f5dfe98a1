"""Real games that a user has begun, with flags and question marks of which many are wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from bot.board import Board, Cell, State
from bot.capture import ScreenCapture
from bot.clicker import MaxPace, RealClock
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Button, Desktop, Window
from bot.levels import BEGINNER
from bot.play import BoardWatcher, Look, Player, Round, Settings
from bot.targets import find_target
from bot.targets.launch import builtin
from bot.vision import load_skins
from conftest import StartGame, wait_for

MIDDLE = Cell(4, 4)
MARKED = (0, 0, 0, 1, 2)  # right clicks on a cell, by chance: none, for a flag, for a question mark
MARKS = ((State.COVERED,), (State.FLAG,), (State.COVERED, State.QUESTION))  # after as many


class Begun:
    """A game that a user begins and the bot plays to its end; what it did is kept."""

    def __init__(self, name: str, window: Window, capture: ScreenCapture, desktop: Desktop) -> None:
        self.target, self.window, self.capture, self.desktop = find_target(name), window, capture, desktop
        self.mouse = ScreenMouse()
        self.rounds: list[Round] = []
        self.ends: list[Board] = []

    def sit_down(self) -> None:
        """Bring a bot that has not played yet: the one before knows where it has left the mouse."""
        clock, skins = RealClock(), [skin for skin in load_skins() if skin.name in self.target.skins]
        self.watcher = BoardWatcher(
            self.capture, self.desktop, skins, clock, self.window, pointer=self.mouse.position
        )
        self.player = Player(
            self.watcher,
            self.mouse,
            self.desktop,
            self.target,
            MaxPace(),
            clock,
            Settings(1),
            on_round=self.rounds.append,
            on_end=lambda _, look: self.ends.append(look.reading.board),
        )

    def play(self, seed: int) -> bool:
        """Begin a game, mark a third of its cells by chance, play it; return whether it is won."""
        self.rounds.clear()
        self.sit_down()
        look = self.player.game.open(BEGINNER)
        self.player.clicker.disarm()  # the mouse is the user's for a while
        self._click(look, MIDDLE, Button.LEFT)
        look = self.watcher.watch(lambda reading: reading.board[MIDDLE] <= 8, None, 2.0)
        chance = random.Random(seed)
        marks = {cell: chance.choice(MARKED) for cell in look.reading.board.cells(State.COVERED)}
        for cell in marks:
            for _ in range(marks[cell]):
                self._click(look, cell, Button.RIGHT)
        assert wait_for(lambda: self._is_marked(marks))  # on a busy machine the game is late
        self.player.clicker.arm()
        (result,) = self.player.play()
        return result.won is True

    def _is_marked(self, marks: dict[Cell, int]) -> bool:
        """Return whether each covered cell shows as many right clicks as there were."""
        board = self.watcher.look().reading.board
        return all(board[cell] <= 8 or board[cell] in MARKS[marks[cell]] for cell in marks)

    def _click(self, look: Look, cell: Cell, button: Button) -> None:
        self.mouse.click(look.frame.to_screen(*look.reading.grid.centre(cell)), button)

    def check(self, won: bool) -> None:
        """See that the total was known, that no proof was wrong, and that a loss was a guess."""
        first, end = self.rounds[0].look.reading.board, self.ends[-1]
        mines = end.cells(*range(9, 16)) if won else end.cells(*MINES)  # not every game shows all of them
        assert first.mines == BEGINNER.mines
        assert len(mines) == BEGINNER.mines or not won
        proven = {move.cell for turn in self.rounds for move in turn.decision.moves if move.risk == 0}
        assert proven.isdisjoint(mines)
        assert won or self.rounds[-1].decision.risk > 0


MINES = (State.FLAG, State.MINE, State.EXPLODED)
Begin = Callable[[], Begun]


@pytest.fixture(params=["winemine", "builtin", "builtin, no question marks"])
def begun(request: pytest.FixtureRequest, desktop: Desktop, capture: ScreenCapture) -> Iterator[Begun]:
    with ExitStack() as stack:
        name, _, plain = request.param.partition(", ")
        if name == "winemine":
            start: StartGame = request.getfixturevalue("start_winemine")
            window = start(BEGINNER)
        else:
            marks = "--no-question-marks" if plain else "--question-marks"
            window = stack.enter_context(builtin(BEGINNER, "--seed", "10000400", marks))
        yield Begun(name, window, capture, desktop)


def test_games_with_wrong_marks_are_played_without_a_wrong_proof(begun: Begun) -> None:
    for seed in range(10_000_400, 10_000_402):
        begun.check(begun.play(seed))
