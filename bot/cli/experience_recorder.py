"""Learning from play: how the choices of a game went, when it can be seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.board import SHOWN_MINES, Board, Cell
from bot.cli.learned import experience_file, learned_for, save_experience
from bot.cli.output import complain
from bot.errors import ExperienceError
from bot.solver.constraints import System
from bot.solver.counting import Known, count
from bot.solver.decision import Decision, Reason
from bot.solver.experience import Experience
from bot.solver.korlyakova import key_of
from bot.solver.learned import Learned
from bot.solver.neighbourhoods import Keys


class ExperienceRecorder:
    """An experience that goes on learning, and is written to ``path`` at the end of each game.

    It is told of each decision before it is carried out, and of the board that came of it. It complains of
    the first time that the file cannot be written.
    """

    def __init__(self, experience: Experience, path: Path) -> None:
        self.experience = experience
        self._path = path
        self._choice: tuple[int, Cell] | None = None  # its neighbourhood, and the cell
        self._complained = False

    @property
    def alike(self) -> Experience:
        """What that of an `Experience` is."""
        return self.experience.alike

    @property
    def digest(self) -> str:
        """What that of an `Experience` is."""
        return self.experience.digest

    def recalled(self, keys: Keys) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return what `Experience` does."""
        return self.experience.recalled(keys)

    def decided(self, board: Board, decision: Decision) -> None:
        """Take note of what will be opened on ``board``, which shows how the last choice went."""
        self._learn(board)
        if decision.reason is Reason.GUESS and decision.moves:
            system, cell = System.of(board), decision.moves[0].cell
            key = key_of(system, count(system, Known()), cell.row * board.cols + cell.col)
            self._choice = (key, cell) if key else None

    def ended(self, board: Board) -> None:
        """Learn from the final board of a game, and keep what was learned."""
        self._learn(board)
        learned = self.experience.games
        self.experience = self.experience.after(np.zeros(0, np.int64), np.zeros(0), 1)
        try:
            save_experience(self.experience, self._path)
        except ExperienceError as error:
            if not self._complained:
                complain(f"{error}; what {learned} games taught stays, what is learned now will be forgotten")
            self._complained = True

    def _learn(self, board: Board) -> None:
        if self._choice is None:
            return
        (key, cell), self._choice = self._choice, None
        state = board[cell]
        if state <= 8 or state in SHOWN_MINES:  # else nobody knows how it went
            went = np.array([float(state in SHOWN_MINES)])
            self.experience = self.experience.after(np.array([key], np.int64), went, 0)


def student(strategy: str, folder: str | None, grows: bool) -> tuple[Learned, ExperienceRecorder | None]:
    """Return what a strategy has learned and, if that is to grow and can, what learns from its games.

    Raises ExperienceError if it cannot be read.
    """
    learned = learned_for([strategy], folder, grows=grows)
    if not grows or not isinstance(learned.experience, Experience):
        return learned, None
    experience_recorder = ExperienceRecorder(learned.experience, experience_file(folder))
    return replace(learned, experience=experience_recorder), experience_recorder
