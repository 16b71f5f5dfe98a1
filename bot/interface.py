"""The Python interface: read pictures, decide on boards, and explain decisions, as the commands do.

`bot` offers its functions as ``bot.read``, ``bot.decide`` and ``bot.explain``. None of them touches the
screen or the mouse.
"""

from __future__ import annotations

from pathlib import Path

from bot.board import Board, Cell, FirstClick
from bot.errors import UsageError
from bot.game.board_files import read_board
from bot.geometry import Pixels
from bot.solver import Decision, Strategy, strategy_named
from bot.solver import decide as decide_by
from bot.solver.explain.hints import Hint, chances, hint_for
from bot.solver.explain.hints import explain as hint_of
from bot.solver.strategies import uses_kernel
from bot.vision import Reading, load_picture, load_skins, read_picture
from bot.vision.reading import with_total


def read(
    picture: str | Path | Pixels, *, skins: str | Path | None = None, mines: int | None = None
) -> list[Reading]:
    """Return every Minesweeper board in a picture, from top to bottom; an empty list if there is none.

    ``picture`` is a file, or BGR pixels, uint8 of shape (height, width, 3). ``skins`` is a folder with skins
    of your own, used besides the shipped ones; other boards are read at first sight. ``mines`` is the total
    for boards whose mine counter cannot be read. A reading has the ``board``, its ``grid`` in the picture
    (pixels), the ``state`` of the game, and ``doubts`` about cells that could not be read.
    Raises NotInTimeError if the search was ended before it found a board,
    UsageError if there is no such file or folder, PictureError for a file that is not a picture,
    SkinError for a damaged skin.
    """
    pixels = picture if not isinstance(picture, str | Path) else load_picture(picture)
    own = () if skins is None else load_skins(Path(skins))
    names = {skin.name for skin in own}
    known = (*own, *(skin for skin in load_skins() if skin.name not in names))
    readings = (with_total(found, mines) for found in read_picture(pixels, known, True, every=True))
    return sorted(readings, key=lambda reading: (reading.grid.y, reading.grid.x))


def decide(
    board: Board | str,
    strategy: str | Strategy = "best",
    *,
    guess: bool = True,
    rule: FirstClick = FirstClick.SAFE,
) -> Decision:
    """Return the moves that are proven on ``board``, or else one guess.

    ``board`` may be text in minebot's notation. ``strategy`` is the name of one that ``minebot bench``
    compares, or one of your own, see `bot.solver.strategies.Strategy`. The first decision of "fast", "best"
    or "deep" compiles the solver, once on a computer, which takes half a minute. "deep" plays out most of its
    guesses. Without ``guess`` there is no move if nothing is proven. ``rule`` is what the game
    promises about the first click. A move has a ``cell`` (row and column from 0), an ``action`` and its
    ``risk``, which is exactly 0 if it is proven. Any thread may call this at any time.
    Raises UsageError for an unknown strategy, BoardFormatError if the text is not a board, ContradictionError
    if no placement of mines fits the board, NothingToOpenError if no cell is left to open.
    """
    return decide_by(_board(board), rule=rule, strategy=_strategy(strategy), guess=guess)


def explain(
    board: Board | str,
    decision: Decision | None = None,
    *,
    cell: tuple[int, int] | None = None,
    strategy: str | Strategy = "best",
) -> Hint:
    """Return why ``decision`` was made on ``board``, or what is known about ``cell`` (row and column from 0).

    Without either, the next move that ``strategy`` suggests is explained. The ``sentence`` of a hint names
    the fewest numbers that prove its ``cell``, or the risk of a guess. Raises UsageError if ``cell`` is off
    the board, and the errors of `decide`.
    """
    position = _board(board)
    if cell is None:
        return hint_of(position, decision or decide(position, strategy))
    row, col = cell
    if not (0 <= row < position.rows and 0 <= col < position.cols):
        raise UsageError(f"the cell {row}, {col} is off a board of {position.rows} x {position.cols}")
    compiled = uses_kernel(_strategy(strategy))
    return hint_for(position, Cell(row, col), chances(position, compiled=compiled))


def _strategy(strategy: str | Strategy) -> Strategy:
    return strategy_named(strategy) if isinstance(strategy, str) else strategy


def _board(board: Board | str) -> Board:
    return read_board(board).board if isinstance(board, str) else board
