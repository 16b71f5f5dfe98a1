"""Play that is told to pause, to go on, to go by rounds, to be quicker or slower, and to stop."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

import bot.play.dryrun
import bot.play.player
from bot.board import Cell, State
from bot.clicker.pace import Pace, SteadyPace
from bot.desktop import stop_by_key
from bot.errors import StoppedError
from bot.geometry import Point
from bot.levels import BEGINNER, INTERMEDIATE, Level
from bot.play.dryrun import watch
from bot.play.orders import QUESTION, Control
from bot.play.results import Round, Settings
from bot.signals import Postponed, handlers_set, leave
from bot.solver.decision import Decision
from bot.solver.strategies import decide_on
from bot.targets.catalogue import UNKNOWN, Target
from simulated import SimulatedScreen, WithButton
from watched_player import WatchedPlayer, screen

SEED = 10_000_000
LONG = 30.0  # seconds for which nothing happens


class Panel(WatchedPlayer):
    """A player at a simulated screen, and somebody who gives it orders."""

    def __init__(
        self,
        games: int = 1,
        pace: Pace | None = None,
        *,
        deaf: bool = False,
        there: SimulatedScreen | None = None,
        target: Target | str = "winemine",
    ) -> None:
        there = there or screen(seed=SEED)
        self.clock = there.clock
        self.waiting: list[tuple[float, str | Callable[[], object]]] = []  # what comes when
        self.news: list[tuple[str, str]] = []
        self.times: list[float] = []  # of the news
        self.on_news: Callable[[str], object] = lambda _: None
        self.looked: Callable[[Round], object] = lambda _: None
        orders = None if deaf else self._orders
        self.control = Control(stop_by_key(there), self.clock, orders, self._tell_news)
        super().__init__(there, Settings(games), pace, target, control=self.control)

    def round(self, turn: Round) -> None:
        assert turn.look.reading.board == self.screen.game.board  # nothing is decided on an old position
        super().round(turn)
        self.looked(turn)

    def _orders(self) -> list[str]:
        now = self.clock.time
        due = [what for time, what in self.waiting if time <= now]
        self.waiting = [(time, what) for time, what in self.waiting if time > now]
        for what in due:
            if callable(what):
                what()
        return [what for what in due if isinstance(what, str)]

    def _tell_news(self, kind: str, words: str) -> None:
        self.news.append((kind, words))
        self.on_news(kind)
        self.times.append(self.clock.time)

    def later(self, seconds: float, *what: str | Callable[[], object]) -> None:
        """Give these orders, or do this, in so many seconds."""
        self.waiting += [(self.clock.time + seconds, one) for one in what]

    def at_click(self, number: int, *what: str | Callable[[], object]) -> None:
        """Give these orders right after so many clicks."""

        def clicked(count: int) -> None:
            if count == number:
                self.later(0.0, *what)

        self.screen.on_click = clicked

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.news]


def solve_by_hand(panel: Panel, cells: int | None = None) -> None:
    """Open what is safe as a user does, so many cells or all."""
    game = panel.screen.game
    assert game.mines is not None
    safe = [cell for cell in game.board.cells(State.COVERED) if cell not in game.mines]
    for cell in safe[:cells]:
        if not game.over:
            game.open(cell)
    panel.screen._show()


def test_no_click_is_sent_while_it_is_paused() -> None:
    panel, clicks = Panel(), list[int]()
    panel.at_click(3, "pause")
    panel.later(5.0, lambda: clicks.append(len(panel.screen.clicks)))
    panel.later(LONG, lambda: clicks.append(len(panel.screen.clicks)), "go")
    (result,) = panel.play()
    assert clicks == [3, 3]
    assert panel.kinds() == ["paused", "playing"]
    assert result.seconds > LONG
    assert not result.measures  # the pause is none of the bot's time


def test_an_order_is_heeded_while_it_waits_for_the_next_click() -> None:
    panel = Panel(pace=SteadyPace(0.1))
    panel.later(4.0, "pause")
    panel.later(LONG, "stop")
    with pytest.raises(StoppedError, match="stopped: by an order"):
        panel.play()
    assert panel.news == [("paused", "")]
    assert 4.0 <= panel.times[0] <= 4.1


def test_what_the_user_plays_meanwhile_is_seen() -> None:
    panel = Panel()
    panel.at_click(2, "pause")
    panel.later(3.0, lambda: solve_by_hand(panel, 12))
    panel.later(4.0, "go")
    (result,) = panel.play()
    assert not result.measures
    assert result.misreads == 0
    assert panel.told == []


def test_a_game_that_the_user_ends_does_not_count() -> None:
    panel = Panel(games=2)
    panel.at_click(2, "pause")
    panel.later(3.0, lambda: solve_by_hand(panel))
    panel.later(4.0, "go")
    results = panel.play()
    assert panel.told == ["the game was ended by hand: it does not count"]
    assert len(results) == 2
    assert panel.screen.seed == SEED + 2  # three games were on the screen


@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE], ids=str)
def test_a_game_that_the_user_begins_is_played(level: Level) -> None:
    panel = Panel()
    panel.at_click(4, "pause")
    panel.later(3.0, lambda: panel.screen.begin(level))
    panel.later(4.0, "go")
    (result,) = panel.play()
    assert panel.told == ["another game was started: it is played now, and the previous game does not count"]
    assert result.level == ("beginner" if level == BEGINNER else "intermediate")


def test_one_round_after_another() -> None:
    panel, seen = Panel(), list[tuple[int, int]]()

    def step() -> None:
        seen.append((len(panel.rounds), len(panel.screen.clicks)))
        panel.later(0.0, "step")

    panel.later(0.0, "step")
    for second in range(2, 10, 2):
        panel.later(second, step)
    panel.later(10.0, "stop by the user")
    with pytest.raises(StoppedError, match="stopped: by the user"):
        panel.play()
    assert [rounds for rounds, _ in seen] == [1, 2, 3, 4]
    assert panel.rounds[0].number == 1
    assert [turn.number for turn in panel.rounds] == list(range(1, len(panel.rounds) + 1))
    sent = [0]
    for turn in panel.rounds:
        sent.append(sent[-1] + len(turn.clicks))
    assert [clicks for _, clicks in seen] == sent[1:5]


def test_the_last_click_before_a_pause_may_end_the_game() -> None:
    whole = Panel()
    (played,) = whole.play()
    panel = Panel(games=2)
    panel.at_click(len(whole.screen.clicks), "pause")
    panel.later(LONG, lambda: panel.news.append(("games", str(len(panel.results)))), "go")
    first, _ = panel.play()
    assert (first.won, first.spent.total) == (played.won, played.spent.total)
    assert panel.news[0][0] == "paused"
    assert ("games", "1") in panel.news


def test_a_hand_on_the_mouse_pauses_what_can_be_told_to_go_on() -> None:
    panel = Panel(pace=SteadyPace(10))

    def hand(number: int) -> None:
        if number == 3:
            panel.screen.at = Point(700, 500)

    panel.screen.on_click = hand
    panel.later(LONG, "go")
    panel.play()
    assert panel.news == [("paused", "paused: the mouse was moved by hand"), ("playing", "")]


def test_play_waits_until_the_hand_has_left_the_mouse() -> None:
    panel = Panel()
    moved = list[float]()

    def move() -> None:
        if not moved or moved[-1] < 6.0:
            panel.screen.at = Point(300 + len(moved), 500)
            moved.append(panel.clock.time)
            panel.later(0.1, move)

    panel.at_click(2, "pause")
    panel.later(4.0, "go", move)
    clicked = list[float]()
    panel.looked = lambda _: clicked.append(panel.clock.time)
    panel.play()
    assert panel.kinds() == ["paused", "playing"]
    assert not [time for time in clicked if 1.0 < time < 6.3]


def test_the_speed_is_changed_in_the_middle_of_a_wait() -> None:
    panel = Panel(pace=SteadyPace(0.01))
    panel.later(5.0, "speed 20")
    panel.play()
    assert panel.clock.time < 60
    assert panel.news == [("speed", "20")]


def test_orders_that_are_none() -> None:
    panel = Panel()
    panel.later(0.0, "dance", "speed fast", "buttons maybe", "", "pause now")
    panel.play()
    refused = [words for kind, words in panel.news if kind == "refused"]
    assert refused == [
        "unknown order 'dance': use one of pause, go, step, stop, speed, buttons",
        "--speed fast: give max, human, or a number of clicks a second above 0",
        "buttons 'maybe': give yes or no",
        "unknown order 'pause now': use one of pause, go, step, stop, speed, buttons",
    ]


def test_whether_unknown_buttons_may_be_clicked_is_asked_and_answered_by_an_order() -> None:
    panel = Panel(games=3, there=screen(kind=WithButton), target=UNKNOWN)
    panel.on_news = lambda kind: panel.later(2.0, move_hand, "buttons yes") if kind == "question" else None

    def move_hand() -> None:
        panel.screen.at = Point(500, 300)

    assert len(panel.play()) == 3
    assert panel.news == [("question", QUESTION), ("buttons", "yes")]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_that_order_may_come_before_the_question(answer: str) -> None:
    panel = Panel(games=2, there=screen(kind=WithButton), target=UNKNOWN)
    panel.later(0.0, f"buttons {answer}")
    if answer == "no":
        panel.later(60.0, "stop")
        panel.fails(StoppedError, "by an order")
    else:
        panel.play()
    assert (None in [cell for cell, _ in panel.screen.clicks]) == (answer == "yes")
    assert panel.news == [("buttons", answer)]


@pytest.mark.parametrize("order", ["stop", None])
def test_a_question_without_an_answer_can_be_stopped(order: str | None) -> None:
    panel = Panel(games=2, there=screen(kind=WithButton), target=UNKNOWN)

    def stop(_: str) -> None:
        panel.later(1.0, order or press_escape)

    def press_escape() -> None:
        panel.screen.escape = True

    panel.on_news = stop
    panel.fails(StoppedError, "order" if order else "Esc")
    assert panel.clock.time < 60


@pytest.mark.parametrize("order", ["pause", "go"])
def test_the_stop_key_ends_it_at_any_time(order: str) -> None:
    panel = Panel(games=0)
    panel.at_click(3, order)

    def escape() -> None:
        panel.screen.escape = True

    panel.later(3.0, escape)
    with pytest.raises(StoppedError, match="stopped: Esc was pressed"):
        panel.play()
    assert panel.clock.time < 3.2


def test_a_pause_between_two_games_leaves_what_the_user_begins() -> None:
    panel = Panel(games=2)

    def begin() -> None:
        panel.screen.begin()
        panel.screen.click(panel.screen.point(Cell(0, 0)))

    for result in panel.player.play():
        panel.results.append(result)
        if len(panel.results) == 1:
            panel.later(0.0, "pause")
            panel.later(2.0, begin)
            panel.later(3.0, "go")
    assert len(panel.results) == 2
    assert ("f2",) not in panel.screen.keys
    begun = next(turn for turn in panel.rounds if turn.game == 2)
    assert begun.look.reading.board[Cell(0, 0)] <= 8


def test_a_dry_run_pauses_and_goes_by_positions() -> None:
    """While it is paused it suggests nothing; a step lets it speak of one position."""
    panel, seen = Panel(), list[tuple[float, str]]()
    there, clock = panel.screen, panel.clock

    def play(cells: int) -> Callable[[], None]:
        return lambda: solve_by_hand(panel, cells)

    there.game.open(Cell(4, 4))
    there._show()
    panel.later(1.0, "pause")
    panel.later(2.0, play(5))
    panel.later(3.0, "step")
    panel.later(5.0, play(5))
    panel.later(7.0, "go")
    panel.later(9.0, "stop")
    for suggestion in watch(panel.watcher, Settings(), panel.control):
        look = suggestion.look
        assert look is None or look.reading.board == there.game.board
        seen.append((clock.time, "paused" if look is None else "decided"))
    assert [what for _, what in seen] == ["decided", "paused", "decided", "paused", "decided"]
    for (time, _), earliest in zip(seen, (0.0, 1.0, 3.0, 5.0, 7.0), strict=True):
        assert earliest <= time <= earliest + 1.5
    assert panel.kinds() == ["paused", "playing", "paused", "playing"]
    assert not there.clicks


def test_a_signal_that_ends_the_program_waits_until_a_round_is_told_of_and_then_nothing_is_clicked() -> None:
    postponed, told = Postponed(), list[Round]()
    panel = Panel()
    panel.control.stop.add(postponed.handle_pending)

    def interrupted(turn: Round) -> None:
        if turn.number == 2:
            signal.raise_signal(signal.SIGINT)
        told.append(turn)

    panel.looked = interrupted
    with handlers_set({signal.SIGINT: leave}), pytest.raises(SystemExit), postponed.delayed([signal.SIGINT]):
        panel.play()
    assert [turn.number for turn in told] == [1, 2]
    assert not panel.results
    assert len(panel.screen.clicks) == len(told[0].clicks)


Cut = tuple[list[Decision], list[Decision]]


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Callable[[Panel], Cut]:
    """Return a function that lets a panel order a pause in the middle of the second decision.

    "go" comes right after it. The function returns that decision, once it is cut short, and all others.
    """

    def let(panel: Panel) -> Cut:
        short, whole = list[Decision](), list[Decision]()

        def deciding(*how: Any, **options: Any) -> Decision:
            decision = decide_on(*how, **options)
            if whole and not short:
                panel.later(0.0, "pause")
                panel.later(0.001, "go")
                assert panel.control.stop.stopped()  # as thinking asks
                panel.clock.sleep(0.01)
                assert panel.control.stop.stopped()
                short.append(decision)
            else:
                whole.append(decision)
            return decision

        monkeypatch.setattr(bot.play.player, "decide_on", deciding)
        monkeypatch.setattr(bot.play.dryrun, "decide_on", deciding)
        return short, whole

    return let


def test_a_decision_that_a_pause_cut_short_is_never_played(cut: Callable[[Panel], Cut]) -> None:
    panel = Panel()
    short, whole = cut(panel)
    panel.play()
    assert panel.kinds() == ["paused", "playing"]
    assert len(short) == 1
    assert [set(turn.decision.moves) for turn in panel.rounds] == [set(one.moves) for one in whole]


def test_a_dry_run_thinks_again_about_what_a_pause_has_cut_short(cut: Callable[[Panel], Cut]) -> None:
    panel = Panel()
    panel.screen.game.open(Cell(4, 4))
    panel.screen._show()
    short, whole = cut(panel)
    suggestions = watch(panel.watcher, Settings(), panel.control)
    first = next(suggestions)
    solve_by_hand(panel, 5)
    assert next(suggestions).decision is None  # the pause
    again = next(suggestions)
    assert len(short) == 1
    assert [set(one.decision.moves) for one in (first, again) if one.decision] == [
        set(one.moves) for one in whole
    ]
    assert panel.kinds() == ["paused", "playing"]
