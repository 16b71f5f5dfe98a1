"""What a fault is: something that a game, a desktop or a user does at a random moment while the bot plays."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import IO, Any

from Xlib import X
from Xlib.display import Display

from bot.desktop.protocols import Window
from bot.geometry import Rect


@dataclass
class Ground:
    """What a fault is done to: the game, the bot, and the display that DISPLAY names.

    ``game`` is the process of `faulty_game`, ``window`` its window as it was at first, ``bot`` the process of
    the run that is under way, ``second`` that of another game, hidden at first, for a fault that asks for it.
    A fault that presses buttons itself notes them by `pressed_by_hand`.
    """

    game: Popen[str]
    window: Window
    random: random.Random
    bot: Popen[str] | None = None
    second: Popen[str] | None = None
    by_hand: list[tuple[float, float]] = field(default_factory=list)
    board: Rect = field(default_factory=lambda: Rect(0, 0, 0, 0))  # where the game says that it is
    kept: list[Any] = field(default_factory=list)  # what a strike leaves for the mending
    foul: list[str] = field(default_factory=list)  # rules that a fault itself has seen broken
    blind: Path = Path("blind")  # while there is such a file, no picture of the screen can be taken
    acts: list[tuple[float, float]] = field(default_factory=list)  # from when to when something was done

    def order(self, *words: object) -> None:
        """Tell the game what to do, see `FaultyWindow.order`."""
        _order(self.game.stdin, words)

    def second_order(self, *words: object) -> None:
        """Tell the second game what to do."""
        assert self.second is not None
        _order(self.second.stdin, words)

    def act(self, deed: Callable[[Ground], None]) -> None:
        """Do something to the game or the desktop, and take note of when (`time.monotonic`)."""
        since = time.monotonic()
        deed(self)
        self.acts.append((since, time.monotonic()))

    def pressed_by_hand(self, since: float) -> None:
        """Take note that all presses from ``since`` (`time.monotonic`) until now were none of the bot."""
        self.by_hand.append((since, time.monotonic()))

    def cover(self, area: Rect, *, focus: bool = False, menu: bool = False) -> None:
        """Put a plain window of no game over ``area`` (screen pixels), until `uncover`; or a ``menu``."""
        display = Display()
        root = display.screen()
        window = root.root.create_window(
            area.x,
            area.y,
            area.width,
            area.height,
            0,
            root.root_depth,
            background_pixel=0x8899AA,
            override_redirect=menu,
            event_mask=X.KeyPressMask | X.ButtonPressMask,
        )
        window.set_wm_name("another program")
        window.set_wm_class("another", "Another")
        window.map()
        display.sync()
        if focus:
            window.set_input_focus(X.RevertToParent, X.CurrentTime)
            display.sync()
        self.kept.append(display)  # its window is there for as long as the connection

    def uncover(self) -> None:
        """Take away what was put over the game."""
        while self.kept:
            with closing(self.kept.pop()) as display:
                display.sync()
                events = [display.next_event() for _ in range(display.pending_events())]
                keys = sum(event.type == X.KeyPress for event in events)
                self.foul += ["a key went to another program"] * keys


def _order(pipe: IO[str] | None, words: tuple[object, ...]) -> None:
    assert pipe is not None
    pipe.write(" ".join(map(str, words)) + "\n")
    pipe.flush()


def _nothing(_ground: Ground) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: what is wrong, and what the bot is to answer.

    ``options`` are those of `faulty_game`, for what is wrong all the time; ``strike`` is called once a game,
    at a random moment, on a thread of its own; ``mend`` after a run that has stopped. ``answer`` says for the
    table what the bot does; ``stops`` are beginnings or parts of the words with which it may stop, none if it
    is to play on. ``play`` are options of the bot, ``deeds`` between how many clicks of a game it strikes.
    ``late`` says that what is on the screen may be so many seconds old, ``second`` that there is another game
    of the same kind. ``manager`` asks for a window manager, ``within`` is a command that runs the bot, and
    ``codes`` are those with which it may end because the fault ends it, without a word.
    """

    name: str
    does: str
    answer: str
    options: tuple[str, ...] = ()
    strike: Callable[[Ground], None] | None = None
    mend: Callable[[Ground], None] = _nothing
    stops: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    deeds: tuple[int, int] = (1, 10)
    pause: float = 0.1  # seconds after such a click, at most
    late: float = 0.0
    second: bool = False
    manager: bool = False
    within: tuple[str, ...] = ()
    codes: tuple[int, ...] = ()
