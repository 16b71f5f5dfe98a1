"""Whole games on a simulated screen, in every style."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.board import Cell, State
from bot.clicker.style import Flags
from bot.desktop.protocols import Button
from bot.errors import StuckError
from bot.levels import INTERMEDIATE
from bot.play.results import Settings
from bot.solver import decide
from bot.targets.catalogue import Target, find_target
from play.test_player_marks import Marking
from simulated import Faults, SimulatedScreen
from watched_player import WatchedPlayer, screen

WINEMINE = replace(find_target("winemine"), same_board=0.0)
NF, ALL, CHORD = Flags.NONE, Flags.ALL, Flags.CHORD


class Played(WatchedPlayer):
    """A run of some games and all that was sent in it."""

    def __init__(
        self, there: SimulatedScreen, flags: Flags, games: int = 1, target: Target = WINEMINE
    ) -> None:
        super().__init__(there, Settings(games, flags=flags), target=target)
        assert len(self.play()) == games

    def sent(self, button: Button) -> int:
        return sum(one is button for _, one in self.screen.clicks)


@pytest.mark.parametrize("flags", Flags)
def test_no_click_is_without_effect_or_off_the_board(flags: Flags) -> None:
    run = Played(screen(seed=10_000_000), flags, games=4)
    assert sum(result.won is True for result in run.results) >= 2
    assert {result.misreads + result.retries for result in run.results} == {0}
    assert None not in {cell for cell, _ in run.screen.clicks}
    assert sum(result.spent.left for result in run.results) == run.sent(Button.LEFT)
    assert sum(result.spent.right for result in run.results) == run.sent(Button.RIGHT)
    assert sum(result.spent.chords for result in run.results) == run.sent(Button.MIDDLE)
    for result in run.results:
        assert 0 < result.spent.effective <= result.spent.total


def test_the_styles_win_the_same_board_with_other_clicks() -> None:
    styles = (NF, ALL, CHORD)
    runs = [Played(screen(level=INTERMEDIATE, seed=10_000_050), flags).results[0] for flags in styles]
    assert all(run.won for run in runs)
    left, flags, chords = (run.spent for run in runs)
    assert chords.total < 0.85 * left.total < 0.85 * flags.total
    assert left.right == left.chords == flags.chords == 0
    assert chords.chords > 0 < flags.right


@pytest.mark.parametrize("flags", [ALL, CHORD])
def test_lost_clicks_are_sent_again(flags: Flags) -> None:
    faults = Faults(lose=lambda number: number % 5 == 0)
    run = Played(screen(seed=10_000_100, faults=faults), flags, games=2)
    assert sum(result.retries for result in run.results) >= 3
    assert safe(run)


class Doubling(Marking):
    """Every fourth click is two, and the game knows question marks."""

    def _do(self, cell: Cell, button: Button) -> None:
        for _ in range(1 + (len(self.clicks) % 4 == 0)):
            super()._do(cell, button)


@pytest.mark.parametrize("flags", [ALL, CHORD])
def test_doubled_clicks_and_question_marks_cost_clicks_and_nothing_else(flags: Flags) -> None:
    run = Played(screen(kind=Doubling, seed=10_000_200), flags, games=3)
    assert safe(run)


def safe(run: Played) -> bool:
    """Return whether every game that was lost was lost by a guess."""
    ends = [
        rounds[-1]
        for number in range(1, len(run.results) + 1)
        if (rounds := [turn for turn in run.rounds if turn.game == number])
    ]
    return all(result.won or end.decision.risk > 0 for result, end in zip(run.results, ends, strict=True))


class Flagless(SimulatedScreen):
    """A game that heeds no right click."""

    def _do(self, cell: Cell, button: Button) -> None:
        if button is not Button.RIGHT:
            super()._do(cell, button)


@pytest.mark.parametrize("flags", [ALL, CHORD])
def test_a_game_without_flags_is_played_without(flags: Flags) -> None:
    run = Played(screen(kind=Flagless, seed=10_000_300), flags, games=4)
    assert run.told == ["right clicks do not set flags here: play goes on without flags"]
    assert run.results[-1].spent.right == 0


def test_a_wrong_flag_that_cannot_be_taken_off_stops_the_bot() -> None:
    there = screen(kind=Flagless, seed=10_000_409)
    there.game.open(Cell(4, 4))
    decision = decide(there.game.board)
    assert decision.risk == 0
    for move in decision.moves:
        there.game.flag(move.cell)
    there.shown = there.game.board
    with pytest.raises(StuckError, match="had no effect"):
        Played(there, ALL)


@pytest.mark.parametrize("flags", [NF, ALL, CHORD])
def test_the_marks_of_a_user_are_opinions(flags: Flags) -> None:
    """A game under way with right and wrong flags and question marks is played on, and safely."""
    there = screen(level=INTERMEDIATE, seed=10_000_500)
    there.game.open(Cell(8, 8))
    for number, cell in enumerate(there.game.board.cells(State.COVERED)):
        if number % 9 == 0:
            there.game.flag(cell)
        if number % 27 == 0:
            there.game.flag(cell, question_marks=True)
    there.shown = there.game.board
    run = Played(there, flags)
    assert safe(run)
    assert not run.results[0].measures  # it was not played from its first click on


def test_chords_are_played_with_the_button_of_the_target() -> None:
    class Both(SimulatedScreen):
        def _do(self, cell: Cell, button: Button) -> None:
            super()._do(cell, Button.MIDDLE if button is Button.BOTH else button)

    there = screen(kind=Both, seed=10_000_700)
    run = Played(there, CHORD, games=2, target=replace(WINEMINE, chord=Button.BOTH))
    assert run.sent(Button.MIDDLE) == 0
    assert run.sent(Button.BOTH) == sum(result.spent.chords for result in run.results) > 0
