"""Real games that a user has begun, with flags and question marks of which many are wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from bot.board import Cell, State
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Button, Window
from bot.levels import BEGINNER
from bot.play import GameResult, Look, Round, Settings
from bot.targets import find_target
from bot.targets.launch import builtin
from bot.vision import load_skins
from conftest import StartGame, wait_for
from players import player_on

MIDDLE = Cell(4, 4)
MARKED = (0, 0, 0, 1, 2)  # right clicks on a cell, by chance: none, for a flag, for a question mark
MARKS = ((State.COVERED,), (State.FLAG,), (State.COVERED, State.QUESTION))  # after as many
MINES = (State.FLAG, State.MINE, State.EXPLODED)


@pytest.fixture(params=["winemine", "builtin", "builtin, no question marks"])
def begun(request: pytest.FixtureRequest, display: str) -> Iterator[tuple[str, Window]]:  # noqa: ARG001
    """A program and its window, with a new game."""
    name, _, plain = request.param.partition(", ")
    with ExitStack() as stack:
        if name == "winemine":
            start: StartGame = request.getfixturevalue("start_winemine")
            yield name, start(BEGINNER)
        else:
            marks = "--no-question-marks" if plain else "--question-marks"
            yield name, stack.enter_context(builtin(BEGINNER, "--seed", "10000400", marks))


@pytest.mark.parametrize("seed", [10_000_400, 10_000_401])
def test_a_game_with_wrong_marks_is_played_without_a_wrong_proof(
    begun: tuple[str, Window], seed: int
) -> None:
    """A game is begun, a third of its cells are marked by chance, and the bot plays it to its end."""
    target, mouse = find_target(begun[0]), ScreenMouse()
    rounds, ends = list[Round](), list[tuple[GameResult, Look]]()
    told = {"on_round": rounds.append, "on_end": lambda *end: ends.append(end)}
    skins = [skin for skin in load_skins() if skin.name in target.skins]
    with player_on(begun[1], Settings(1), told, target=target, skins=skins, speed="max") as player:
        look = player.game.open(BEGINNER)

        def click(cell: Cell, button: Button) -> None:
            mouse.click(look.frame.to_screen(*look.reading.grid.centre(cell)), button)

        def is_marked() -> bool:
            """Return whether each covered cell shows as many right clicks as there were."""
            board = player.watcher.look().reading.board
            return all(board[cell] <= 8 or board[cell] in MARKS[marks[cell]] for cell in marks)

        player.clicker.disarm()  # the mouse is the user's for a while
        click(MIDDLE, Button.LEFT)
        look = player.watcher.watch(lambda reading: reading.board[MIDDLE] <= 8, None, 2.0)
        chance = random.Random(seed)
        marks = {cell: chance.choice(MARKED) for cell in look.reading.board.cells(State.COVERED)}
        for cell in marks:
            for _ in range(marks[cell]):
                click(cell, Button.RIGHT)
        assert wait_for(is_marked)  # on a busy machine the game is late
        player.clicker.arm()
        list(player.play())
    ((result, end),) = ends
    board = end.reading.board
    mines = board.cells(*range(9, 16)) if result.won else board.cells(*MINES)  # a loss may not show all
    assert rounds[0].look.reading.board.mines == BEGINNER.mines
    assert len(mines) == BEGINNER.mines or not result.won
    proven = {move.cell for turn in rounds for move in turn.decision.moves if move.risk == 0}
    assert proven.isdisjoint(mines)
    assert result.won or rounds[-1].decision.risk > 0
