"""Faults of the game itself: of its clicks, its painting, its window, its dialogs."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from bot.geometry import Rect
from fault import Fault, Ground

SCALES = (1, 1.25, 1.5, 2)
LEVELS = ("beginner", "intermediate", "10x12/15")
FRAME = (12, 75)  # of a window, from its corner to the board at scale 1
NIGHT = (255, 190, 120)  # about 2700 K


def move(ground: Ground) -> None:
    """Let the window move."""
    ground.order("move", ground.random.randint(0, 600), ground.random.randint(0, 400))


def rescale(ground: Ground) -> None:
    """Draw everything in another size."""
    ground.order("scale", ground.random.choice(SCALES))


def change_level(ground: Ground) -> None:
    """Begin a game of another level."""
    ground.order("level", ground.random.choice(LEVELS))


def redraw_in_other_colours(ground: Ground) -> None:
    """Change the theme."""
    ground.order("dark", ground.random.randint(0, 1))


def dim(ground: Ground) -> None:
    """Let the colours shift to the warm or back, within a second."""
    warm = ground.random.random()
    ground.order("tint", *(round(255 + warm * (shade - 255)) for shade in NIGHT), ground.random.random())


def order(*words: object) -> Callable[[Ground], None]:
    """Return what tells the game that."""
    return lambda ground: ground.order(*words)


def open_menu(ground: Ground) -> None:
    """Open a menu somewhere on the board."""
    ground.order("menu", *(f"{ground.random.uniform(-0.3, 0.8):.2f}" for _ in range(2)))


def take_the_keyboard(ground: Ground) -> None:
    """Give the keyboard to another window, far from the game, for a moment: nobody gives it back."""
    ground.act(partial(Ground.cover, area=Rect(1000, 700, 200, 150), focus=True))
    time.sleep(0.2)
    ground.act(Ground.uncover)


def show_second(ground: Ground, *, over: bool) -> None:
    """Let a second Minesweeper appear over the board, or far from it."""
    x, y = (ground.board.x - FRAME[0], ground.board.y - FRAME[1]) if over else (900, 500)
    by = ground.random.randint(-60, 60) if over else 0
    for words in (("move", max(0, x + by), max(0, y + by)), ("show",), ("raise",)):
        ground.second_order(*words)


def hide_second(ground: Ground) -> None:
    """Let the second Minesweeper go."""
    ground.second_order("hide")


GAME_FAULTS = (
    Fault("none", "nothing goes wrong", "plays"),
    Fault("lost", "a fifth of the clicks is lost", "sends them again", ("--lose", "0.2")),
    Fault("doubled", "half of the clicks count twice", "plays on", ("--double", "0.5")),
    Fault(
        "doubled-flags",
        "a tenth of the clicks counts twice, right ones too",
        "plays on",
        ("--double", "0.1"),
        play=("--flags", "chord"),
    ),
    Fault("late", "clicks do what they do 500 ms later", "waits for them", ("--late", "0.5"), late=0.5),
    Fault("pieces", "changed cells are painted within 300 ms", "waits", ("--pieces", "0.3"), late=0.3),
    Fault(
        "swallowed",
        "another window takes the keyboard; the click that takes it back is swallowed",
        "sends it again",
        ("--swallow",),
        take_the_keyboard,
        Ground.uncover,
    ),
    Fault("moves", "the window moves", "follows it", strike=move),
    Fault("rescaled", "the window is drawn in another size", "finds the board again", strike=rescale),
    Fault("level", "a game of another level is begun", "plays that", strike=change_level),
    Fault("new", "a new game is begun", "plays that", strike=order("new")),
    Fault("dark", "the theme changes from light to dark or back", "reads on", strike=redraw_in_other_colours),
    Fault(
        "night", "the colours shift by and by", "reads on", strike=dim, mend=order("tint", 255, 255, 255, 0)
    ),
    Fault("name", "a dialog asks for a name", "closes it", strike=order("open", "name"), mend=order("close")),
    Fault("times", "the best times open", "closes them", strike=order("open", "times"), mend=order("close")),
    Fault("about", "About opens", "closes it", strike=order("open", "about"), mend=order("close")),
    Fault("menu", "a menu opens", "closes it", strike=open_menu, mend=order("close")),
    Fault(
        "second-over",
        "a second Minesweeper opens over the board",
        "stops",
        strike=partial(show_second, over=True),
        mend=hide_second,
        stops=("stopped: the board is covered",),
        second=True,
    ),
    Fault(
        "second-beside",
        "a second Minesweeper opens beside it",
        "plays on",
        strike=partial(show_second, over=False),
        mend=hide_second,
        second=True,
    ),
)
