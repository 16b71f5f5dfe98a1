"""``minebot hint``: the next move, or what is known of a cell, with the reason in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot.board import Board, Cell, FirstClick
from bot.cli.explain import guess_as_json, hint_as_json, hint_lines
from bot.cli.kernel import prepare_kernel
from bot.cli.learned import LearnedOption, informed
from bot.cli.notes import MinesNote
from bot.cli.options import DebugOption, GuessOption, StrategyOption, ThinkOption, strategy_of
from bot.cli.output import console, print_json, side_console
from bot.cli.positions import Position, Source, source_of
from bot.cli.skins import SkinsOption, all_skins
from bot.errors import BotError, ContradictionError, NothingToOpenError, UsageError
from bot.solver.decision import Decision
from bot.solver.explain.hints import Hint, chances, explain, tell_all, tell_of
from bot.solver.strategies import decide_on
from bot.targets import find_target
from bot.vision import draw_hint, save_picture
from bot.vision.reading import cut_words

_ASK_FOR_TOTAL = (
    "the board does not tell the total of mines, so the risk is without it: give it with --mines N"
)
_CELL = re.compile(r"(\d{1,6}),(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody wants to know: the next move, or of one ``cell``, or of ``all`` that are proven."""

    cell: Cell | None
    all: bool
    compiled: bool
    decide: Callable[[Board, Board, FirstClick], Decision]


@dataclass(frozen=True, slots=True)
class Answer:
    """The hints for a position; ``why`` says why there are none, ``decision`` is behind that for a move.

    ``wrong`` says that the board cannot be believed.
    """

    position: Position
    hints: tuple[Hint, ...]
    why: str = ""
    decision: Decision | None = None
    wrong: bool = False


def hint(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[PICTURE|FILE]",
            help="A screenshot, or a text file with a board; - for one on standard input. Without it: the "
            "board on the screen, which is looked at once.",
        ),
    ] = None,
    cell: Annotated[
        str | None,
        typer.Option(metavar="ROW,COL", help="What is known of this cell, and why. Both count from 0."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every cell that is proven, the safe ones first, then the mines.")
    ] = False,
    overlay: Annotated[
        Path | None, typer.Option(help="Draw the cell, and the numbers that prove it, into this picture.")
    ] = None,
    target: Annotated[
        str, typer.Option(help="Which game on the screen: auto, or a name that `minebot doctor` lists.")
    ] = "auto",
    strategy: StrategyOption = None,
    think: ThinkOption = None,
    guess: GuessOption = True,
    mines: Annotated[
        int | None, typer.Option(min=1, help="Mines in total, where neither picture nor file tells.")
    ] = None,
    skins_folder: SkinsOption = None,
    experience: LearnedOption = None,
    json_lines: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Say what to do next and why, in words: the fewest numbers that prove it, or the risk of a guess.

    Never touches the mouse. Rows and columns count from 0.
    """
    chosen = strategy_of(strategy, think)
    if cell is not None and every:
        raise UsageError("--cell and --all: give one of them")
    wanted = None if cell is None else parse_cell(cell)
    known = None if target == "auto" else find_target(target)
    source = source_of(what, all_skins(skins_folder, known), target, mines)
    if overlay is not None and source.pixels is None:
        raise UsageError(f"--overlay draws into a picture, and {source.name} is a text: leave it out")
    prepare_kernel([chosen])
    decide = partial(decide_on, strategy=informed(chosen, experience), guess=guess)
    answers = answers_to(Question(wanted, every, chosen.policy is not None, decide), source)
    _print(source, answers, json_lines)
    if overlay is not None:
        _draw(source, answers, overlay)
    if any(answer.wrong for answer in answers):
        raise typer.Exit(BotError.exit_code)


def parse_cell(text: str) -> Cell:
    """Return the cell that is written as ROW,COL. Raises UsageError if it is none."""
    found = _CELL.fullmatch(text)
    if found is None:
        raise UsageError(f"--cell {text}: give ROW,COL, both counted from 0, such as 3,4")
    return Cell(int(found[1]), int(found[2]))


def answers_to(question: Question, source: Source) -> list[Answer]:
    """Return the answer for each board. Raises UsageError if the cell that is asked about is on none."""
    cell, positions = question.cell, source.positions
    if cell is not None:
        positions = tuple(one for one in positions if _has(one.board, cell))
        if not positions:
            board = source.positions[0].board
            raise UsageError(
                f"--cell {cell.row},{cell.col}: the rows of the board are 0 to {board.rows - 1}, "
                f"its columns 0 to {board.cols - 1}"
            )
    return [_answer(question, position) for position in positions]


def _has(board: Board, cell: Cell) -> bool:
    return cell.row < board.rows and cell.col < board.cols


def _answer(question: Question, position: Position) -> Answer:
    if position.doubt:
        return Answer(position, (), position.doubt, wrong=True)
    if position.state.over and question.cell is None and not question.all:
        return Answer(position, (), f"the game is {position.state.value}")
    try:
        hints, decision = _hints(question, position)
    except ContradictionError as contradiction:
        return Answer(position, (), str(contradiction), wrong=True)
    except NothingToOpenError as nothing:
        return Answer(position, (), str(nothing))
    return Answer(position, hints, "" if hints else "nothing is proven here", decision)


def _hints(question: Question, position: Position) -> tuple[tuple[Hint, ...], Decision | None]:
    board = position.careful
    if question.cell is not None or question.all:
        known = chances(board, compiled=question.compiled)
        if question.cell is None:
            return tuple(tell_all(board, known)), None
        return (tell_of(board, question.cell, known, position.rule),), None
    decision = question.decide(position.board, board, position.rule)
    return (explain(board, decision),), decision


def _print(source: Source, answers: Sequence[Answer], json_lines: bool) -> None:
    if json_lines:
        print_json({"source": source.name, "boards": [_as_json(answer) for answer in answers]})
        return
    _note(answers)
    out = console()
    for answer in answers:
        reading = answer.position.reading
        if reading is not None and len(answers) > 1:
            place = f"at ({reading.grid.x:g}, {reading.grid.y:g})"
            out.print(f"{reading.skin}, {answer.position.state.value}, {place}:", markup=False)
        if reading is not None and (words := cut_words(reading)):
            out.print(words, markup=False)
        for one in answer.hints:
            out.print("\n".join(hint_lines(one)), markup=False)
        if not answer.hints:
            out.print(f"no hint: {answer.why}", markup=False)


def _note(answers: Sequence[Answer]) -> None:
    """Ask for the total of mines where it is not known and would have been of use."""
    note = MinesNote()
    for answer in answers:
        position, risky = answer.position, not all(one.proven for one in answer.hints)
        if position.reading is not None and not position.reading.cut:
            note.look_at(position.board)
        elif position.reading is None and position.board.mines is None and risky:
            side_console().print(_ASK_FOR_TOTAL, markup=False)


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
    """Draw the hints into the picture: of a single one its numbers too."""
    pixels = source.pixels
    assert pixels is not None
    for answer in answers:
        for one in answer.hints:
            if answer.position.reading is not None and one.cell is not None:
                numbers = one.numbers if len(answer.hints) == 1 else ()
                grid = answer.position.reading.grid
                pixels = draw_hint(pixels, grid, one.cell, numbers, mine=one.mine, risk=one.risk)
    save_picture(overlay, pixels)
