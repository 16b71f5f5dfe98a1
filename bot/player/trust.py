"""From a reading to a look: with all that is known besides, and with what speaks against it."""

from __future__ import annotations

from collections.abc import Callable

from bot.geometry import Frame, Point
from bot.player.counting import Counting
from bot.player.learner import Learner
from bot.player.look import Look, Past, bearable, doubt_about, with_win, zero_beside_mark
from bot.player.place import blamed_on_pointer
from bot.player.rhythm import GRAB_GAP
from bot.player.signs import Signs
from bot.vision.change import with_memory
from bot.vision.panel import with_total
from bot.vision.reading import Reading

UNANSWERED = 0.02  # seconds of rest after which a known board that lacks answers is thought about


class Trust:
    """What is known of one board besides its cells: the mine total, signs that a game is over.

    ``mines`` is the total where the counter cannot be read; ``pointer`` tells where the mouse pointer is.
    """

    def __init__(self, signs: Signs, mines: int | None, pointer: Callable[[], Point] | None) -> None:
        self.signs, self.mines, self.pointer = signs, mines, pointer
        self.counting = Counting()

    def look(self, frame: Frame, reading: Reading, past: Past | None, learner: Learner | None) -> Look:
        """Return what ``reading`` comes to; ``learner`` is told, if the art is still to be learned."""
        reading = blamed_on_pointer(reading, frame, self.pointer)
        total = self.mines
        if past is not None and past.board.shape == reading.board.shape:
            reading = with_memory(reading, past.board, past.clicked)
            total = past.board.mines or total
        if total is None:
            reading = self.counting.read(frame, reading, past)
        reading = with_total(reading, total)
        if learner is not None:
            learner.told(reading.board.mines, self.counting.right)
            reading = with_win(reading, past)
        reading = self.signs.read(frame, reading, past)
        doubt = doubt_about(reading, past)
        if learner is None:
            return Look(frame, reading, doubt)
        return Look(frame, reading, doubt, learner.unsure, bearable(reading, past))

    def look_at_once(
        self, frame: Frame, reading: Reading | None, past: Past, done: Callable[[Reading], bool]
    ) -> tuple[Look | None, float]:
        """Return the look that one grab allows if that is beyond doubt and ``done``, and else None.

        Then for how many seconds the picture has to be at rest is told as well. ``reading`` is None if what
        is there cannot be read at once. What is half painted is no state of a cell, or leaves a zero with a
        covered neighbour, and so does a cell that is still pressed, which looks like a zero.
        """
        if reading is None or reading.board.shape != past.board.shape:
            return None, GRAB_GAP
        if not (reading.state.over or done(reading)):
            return None, UNANSWERED
        look = self.look(frame, reading, past, None)
        sure = look.doubt is None and done(look.reading)
        return (
            (look, 0.0) if sure and not zero_beside_mark(look.reading.board, past.board) else (None, GRAB_GAP)
        )
