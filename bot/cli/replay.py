"""``minebot replay``: read saved screenshots, or look back at a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.explain import MinesNote, guess_as_json, move_lines
from bot.cli.options import (
    DebugOption,
    Deciding,
    GuessOption,
    LearnedOption,
    SkinsOption,
    StrategyOption,
    ThinkOption,
    deciding_by,
)
from bot.cli.output import complain, print_json, say
from bot.cli.positions import is_board, readings_in
from bot.cli.records import are_records, check_records, film_record, report_record, show_record
from bot.cli.skins import all_skins
from bot.errors import BotError, PictureError, UsageError
from bot.geometry import Pixels
from bot.play.dryrun import suggest
from bot.solver.decision import Decision
from bot.targets import target_of_skin
from bot.vision import draw_marks, load_picture, save_picture
from bot.vision.reading import Reading, cut_words


@dataclass(frozen=True, slots=True)
class Found:
    """One board of a picture with what to do on it; ``why`` says why there is no decision."""

    reading: Reading
    decision: Decision | None
    why: str

    @property
    def error(self) -> str | None:
        """Why nobody can tell what to do on it, though the game is not over; None if that is told."""
        return self.why if self.decision is None and not self.reading.state.over else None


def replay(
    pictures: Annotated[
        list[Path],
        typer.Argument(
            metavar="PICTURE|DIR...",
            help="Screenshots: PNG, JPEG, BMP, GIF, WebP, TIFF; of an animation the first frame. Or folders "
            "that `minebot play --record` has written.",
        ),
    ],
    overlay: Annotated[
        Path | None,
        typer.Option(help="Draw boards and moves into this picture (with several screenshots: one each)."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Read and decide every round of a record again, and tell of misread cells, lost and false "
            "proofs, and stray clicks; exit code 1 if there are any.",
        ),
    ] = False,
    film: Annotated[
        Path | None,
        typer.Option(metavar="FILE.mp4", dir_okay=False, help="Write games of a record as a film."),
    ] = None,
    game: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Only this game of a record in the film, or the first one shown."),
    ] = None,
    seconds: Annotated[float, typer.Option(help="For how long the film shows a round.")] = 0.5,
    as_played: Annotated[
        bool, typer.Option("--as-played", help="Show each round in the film for as long as it took.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            dir_okay=False,
            help="Write a record as one page for a browser: games, charts, every round with its reasons.",
        ),
    ] = None,
    strategy: StrategyOption = None,
    think: ThinkOption = None,
    guess: GuessOption = True,
    mines: Annotated[
        int | None, typer.Option(min=1, help="Mines in total, where the game's counter cannot be read.")
    ] = None,
    skins_folder: SkinsOption = None,
    experience: LearnedOption = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a picture, or a record.")
    ] = False,
    _debug: DebugOption = False,
) -> None:
    """Read saved screenshots: print every board in them, its state, and the suggested moves.

    A record that `minebot play --record` has written is shown in the browser, round
    by round, or written as a film or a page.
    """
    if are_records(pictures):
        if film is not None:
            film_record(pictures, film, game or (), None if as_played else seconds)
        if report is not None:
            report_record(pictures, report)
        check = check or json_lines
        if film is None and report is None and not check:
            show_record(pictures, game or ())
        if check:
            check_records(pictures, all_skins(skins_folder), json_lines=json_lines)
        return
    if check or film is not None or report is not None:
        raise UsageError(
            "--check, --film and --report need a folder that `minebot play --record` has written"
        )
    deciding, skins = deciding_by(strategy, think, guess, experience), all_skins(skins_folder)
    deciding = deciding.at_once()
    code, ask_for_mines = 0, MinesNote()
    for picture in pictures:
        try:
            pixels = _loaded(picture)
            boards = [
                Found(reading, *_decide(reading, deciding))
                for reading in readings_in(picture, pixels, skins, mines)
            ]
            _print_boards(picture, boards, json_lines)
            for found in boards:
                if found.decision is not None and not found.reading.cut:
                    ask_for_mines.look_at(found.reading.board)
            if overlay is not None:
                save_picture(_overlay_path(overlay, picture, len(pictures)), _drawn(pixels, boards))
        except BotError as error:
            code = code or error.exit_code
            _print_error(picture, error, json_lines)
    if code:
        raise typer.Exit(code)


def _loaded(picture: Path) -> Pixels:
    try:
        return load_picture(picture)
    except PictureError as error:
        if is_board(str(picture)):
            words = f"{picture} is a text with a board, and no picture: `minebot hint` reads it"
            raise PictureError(words) from error
        raise


def _decide(reading: Reading, deciding: Deciding) -> tuple[Decision | None, str]:
    if not reading.state.over and (problems := reading.board.problems()):
        return None, problems[0].message
    rule = target_of_skin(reading.skin).first_click
    return suggest(reading.board, reading.state, rule, deciding.strategy, guess=deciding.guess)


def _drawn(pixels: Pixels, boards: Sequence[Found]) -> Pixels:
    for found in boards:
        pixels = draw_marks(pixels, found.reading, found.decision)
    return pixels


def _overlay_path(overlay: Path, picture: Path, pictures: int) -> Path:
    return overlay if pictures == 1 else overlay.with_stem(f"{overlay.stem}-{picture.stem}")


def _print_boards(picture: Path, boards: Sequence[Found], json_lines: bool) -> None:
    if json_lines:
        print_json({"image": str(picture), "boards": [as_json(found) for found in boards], "error": None})
        return
    for found in boards:
        reading = found.reading
        place = f"at ({reading.grid.x:g}, {reading.grid.y:g})"
        say(f"{picture}: {reading.skin}, {reading.state.value}, {place}")
        say(str(reading.board))
        if words := cut_words(reading):
            say(words)
        for line in move_lines(found.decision, found.why):
            say(line)


def _print_error(picture: Path, error: BotError, json_lines: bool) -> None:
    if json_lines:
        print_json({"image": str(picture), "boards": [], "error": str(error)})
    else:
        complain(str(error))


def as_json(found: Found) -> dict[str, object]:
    """Return the object that stands for one board in the JSON of ``replay``; it has an error only if need be.

    A game that is over has no moves, and no error for that.
    """
    reading, moves = found.reading, () if found.decision is None else found.decision.moves
    return {
        "skin": reading.skin,
        "rows": reading.board.rows,
        "cols": reading.board.cols,
        "x": round(reading.grid.x, 3),
        "y": round(reading.grid.y, 3),
        "pitch_x": round(reading.grid.pitch_x, 4),
        "pitch_y": round(reading.grid.pitch_y, 4),
        "cut": sorted(side.value for side in reading.cut),
        "state": reading.state.value,
        "mines_left": reading.panel.mines_left,
        "cells": reading.board.lines(),
        "moves": [
            {
                "row": move.cell.row,
                "col": move.cell.col,
                "action": move.action.value,
                "risk": move.risk,
                "reason": move.reason.value,
            }
            for move in moves
        ],
        "guess": guess_as_json(found.decision),
        "stuck": found.decision is not None and not moves,
        **({} if found.error is None else {"error": found.error}),
    }
