"""``minebot hint``: the next move, or what is known about a cell, with the reason in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bot.board import Cell
from bot.cli.files import all_skins
from bot.cli.options import (
    Deciding,
    GuessOption,
    LearnedOption,
    MinesOption,
    PickOption,
    SkinsOption,
    StrategyOption,
    deciding_by,
)
from bot.cli.positions import (
    MinesNote,
    Source,
    SourcePosition,
    guess_as_json,
    hint_as_json,
    hint_lines,
    reading_words,
    source_of,
)
from bot.cli.session import WantedGame
from bot.cli.terminal import can_be_asked, note, print_json, say
from bot.errors import BotError, ContradictionError, NothingToOpenError, UsageError
from bot.files import check_output
from bot.marks import Kind, Mark, draw_boards
from bot.picture_files import SUFFIXES
from bot.solver.decision import Decision
from bot.solver.explain.hints import Hint, chances, explain, hint_for, hints_for_proven
from bot.solver.strategies import decide_on, uses_kernel
from bot.vision import save_picture
from bot.vision.reading import side_words
from bot.words import short_risk

_ASK_FOR_TOTAL = (
    "the total number of mines is unknown, so the risk does not use it; to give it, add --mines N"
)
_CELL = re.compile(r"(\d{1,6}),(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Answer:
    """The hints for a position, and the ``decision`` behind a next move; ``why`` says why there are no hints.

    ``wrong`` is true if the board contradicts itself or its reading is in doubt.
    """

    position: SourcePosition
    hints: tuple[Hint, ...]
    why: str = ""
    decision: Decision | None = None
    wrong: bool = False


def hint(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[PICTURE|FILE]",
            help="A screenshot, or a text file with a board; - means standard input. Default: the board "
            "on the screen, read once.",
        ),
    ] = None,
    cell: Annotated[
        str | None,
        typer.Option(metavar="ROW,COL", help="What is known about this cell, and why. Both count from 1."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every proven cell: first the safe ones, then the mines.")
    ] = False,
    overlay: Annotated[
        Path | None, typer.Option(help="Draw the cell, and the numbers that prove it, into this picture.")
    ] = None,
    target: Annotated[
        str, typer.Option(help="Which game on the screen: auto, or a name that `minebot doctor` lists.")
    ] = "auto",
    pick: PickOption = False,
    strategy: StrategyOption = None,
    guess: GuessOption = True,
    mines: MinesOption = None,
    skins_folder: SkinsOption = None,
    experience: LearnedOption = None,
    json_lines: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Suggest the next move and say why, in words: the fewest numbers that prove it, or the risk of a guess.

    The mouse is never touched. Rows and columns count from 1; in JSON from 0.
    """
    deciding = deciding_by(strategy, guess, experience)
    if cell is not None and every:
        raise UsageError("--cell and --all: give one of them")
    if overlay is not None:
        check_output(overlay, "--overlay", *SUFFIXES, inputs=[] if what is None else [what])
    wanted = None if cell is None else parse_cell(cell)
    if pick and what is not None:
        raise UsageError(f"--pick points at the screen: leave out {what}")
    game = WantedGame(target, None, launch=False, pick=pick, ask=can_be_asked() and not json_lines)
    source = source_of(what, all_skins(skins_folder, game.target), game, mines)
    if overlay is not None and source.pixels is None:
        raise UsageError(f"--overlay draws into a picture, but {source.name} is a text: leave it out")
    positions = source.positions if wanted is None else _positions_with(wanted, source)
    deciding = deciding.at_once()
    answers = [_answer_about(position, wanted, every, deciding) for position in positions]
    _print(source, answers, json_lines)
    if overlay is not None:
        _draw(source, answers, overlay)
    if any(answer.wrong for answer in answers):
        raise typer.Exit(BotError.exit_code)


def parse_cell(text: str) -> Cell:
    """Return the cell that ``text`` gives as ROW,COL. Raises UsageError for any other text."""
    found = _CELL.fullmatch(text)
    if found is None or "0" in found.groups():
        raise UsageError(f"--cell {text}: give ROW,COL, both counted from 1, such as 3,4")
    return Cell(int(found[1]) - 1, int(found[2]) - 1)


def _positions_with(cell: Cell, source: Source) -> list[SourcePosition]:
    """Return the positions whose board has ``cell``. Raises UsageError if there is none."""
    found = [one for one in source.positions if cell.row < one.board.rows and cell.col < one.board.cols]
    if not found:
        board = source.positions[0].board
        raise UsageError(
            f"--cell {cell.row + 1},{cell.col + 1}: the rows of the board are 1 to {board.rows}, "
            f"its columns 1 to {board.cols}"
        )
    return found


def _answer_about(position: SourcePosition, cell: Cell | None, every: bool, deciding: Deciding) -> Answer:
    """Return the answer about ``cell``, about ``every`` proven cell, or (None and false) the next move."""
    if position.doubt:
        return Answer(position, (), position.doubt, wrong=True)
    if position.state.over and cell is None and not every:
        return Answer(position, (), f"the game is {position.state.value}")
    board, rule, decision = position.careful, position.rule, None
    try:
        if cell is not None or every:
            known = chances(board, compiled=uses_kernel(deciding.strategy))
            one = None if cell is None else hint_for(board, cell, known, rule)
            hints = hints_for_proven(board, known) if one is None else [one]
        else:
            decision = decide_on(position.board, board, rule, deciding.strategy, guess=deciding.guess)
            hints = [explain(board, decision)]
    except ContradictionError as contradiction:
        reading = position.reading
        if reading is not None and reading.mines_left is not None and position.board.mines is not None:
            return _answer_about(position.without_total, cell, every, deciding)  # the counter may be misread
        return Answer(position, (), str(contradiction), wrong=True)
    except NothingToOpenError as nothing:
        return Answer(position, (), str(nothing))
    return Answer(position, tuple(hints), "" if hints else "nothing is proven here", decision)


def _print(source: Source, answers: Sequence[Answer], json_lines: bool) -> None:
    if json_lines:
        print_json({"source": source.name, "boards": [_as_json(answer) for answer in answers]})
        return
    _ask_for_mines(answers)
    for answer in answers:
        reading = answer.position.reading
        if reading is not None and len(answers) > 1:
            say(f"{reading_words(reading)}:")
        if reading is not None:
            for words in side_words(reading):
                say(words)
        for one in answer.hints:
            say("\n".join(hint_lines(one)))
        if not answer.hints:
            say(f"no hint: {answer.why}")


def _ask_for_mines(answers: Sequence[Answer]) -> None:
    """Print a note that asks for the total of mines if it is unknown and would improve the answer."""
    unread = MinesNote()
    for answer in answers:
        position, risky = answer.position, not all(one.proven for one in answer.hints)
        if position.reading is not None and not position.reading.cut:
            unread.look_at(position.board)
        elif position.reading is None and position.board.mines is None and risky:
            note(_ASK_FOR_TOTAL)


def _as_json(answer: Answer) -> dict[str, object]:
    board, reading = answer.position.board, answer.position.reading
    return {
        "skin": None if reading is None else reading.skin,
        "rows": board.rows,
        "cols": board.cols,
        "mines": board.mines,
        "x": None if reading is None else round(reading.grid.x, 3),
        "y": None if reading is None else round(reading.grid.y, 3),
        "state": answer.position.state.value,
        "cells": board.lines(),
        "hints": [hint_as_json(one, board) for one in answer.hints],
        "guess": guess_as_json(answer.decision),
        "why": answer.why or None,
    }


def _draw(source: Source, answers: Sequence[Answer], overlay: Path) -> None:
    """Draw the hints into the picture and save it as ``overlay``; draw the numbers only for a single hint."""
    assert source.pixels is not None
    boards = [
        (answer.position.reading.grid, _marks(answer.hints))
        for answer in answers
        if answer.position.reading is not None
    ]
    save_picture(overlay, draw_boards(source.pixels, boards))


def _marks(hints: Sequence[Hint]) -> list[Mark]:
    marks = list[Mark]()
    for one in hints:
        if one.cell is not None:
            numbers = one.numbers if len(hints) == 1 else ()
            marks += [Mark(cell, Kind.PROOF) for cell in numbers]
            risk = 1.0 if one.mine else one.risk
            text = short_risk(risk) if 0 < risk < 1 else ""
            marks.append(Mark(one.cell, Kind.MINE if one.mine else Kind.NEXT, text, risk))
    return marks
