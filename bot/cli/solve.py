"""``minebot solve``: print one placement of all mines that fits a board, or say that there is none."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Annotated

import typer

from bot.board import Board
from bot.cli.options import one_of, positive
from bot.cli.positions import INPUT, board_file
from bot.cli.terminal import print_json, say
from bot.desktop.protocols import Clock
from bot.errors import GameNotFoundError, MissingLibraryError, PlacementError
from bot.game.board_files import BoardFile, Notation, written
from bot.solver.conflict import Blame
from bot.solver.published.urbas import Method, blame, count_placements, place
from bot.stop import Stop

NO_PLACEMENT = GameNotFoundError.exit_code  # the same code as for a game that was not found
_BLAME = 30.0  # seconds to search for the numbers that contradict each other
_DIGITS = 60  # counts with more digits are rounded when printed


def solve(
    file: Annotated[
        str, typer.Argument(help="A text file with the board; - or nothing: standard input.")
    ] = INPUT,
    notation: Annotated[
        str, typer.Option("--format", help="How the board is written: auto, minebot or urbas.")
    ] = "auto",
    method: Annotated[
        str,
        typer.Option(
            help="How to search: urbas (area by area, all mines of a number at once), constraints (OR-tools "
            "CP-SAT), or auto: urbas, and constraints if that takes long."
        ),
    ] = Method.AUTO.value,
    count: Annotated[bool, typer.Option("--count", help="Say how many placements there are.")] = False,
    second: Annotated[
        bool, typer.Option("--second", help="Print a second placement, or say that the first is unique.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another seed may find another placement.")] = 0,
    seconds: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Give up after this time. Default: never.")
    ] = None,
    json_lines: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print one placement of all mines that fits a board, or say that there is none (exit code 3).

    Boards are written in minebot's notation (first line "9 x 9 / 10", cells . 0-8 *) or in that of Urbas
    (first line "9 9 10", 0 for an unknown total; cells 0-8, 9 covered, -1 a mine, with spaces between them).

    In messages, rows and columns of the board count from 1, as do lines and columns of the file.
    """
    how = Method(one_of("--method", method, [each.value for each in Method]))
    written_as = one_of("--format", notation, ["auto", *(each.value for each in Notation)])
    limit = math.inf if seconds is None else positive("--seconds", seconds, "seconds")
    deadline = Deadline(limit)
    found = board_file(file, None if written_as == "auto" else Notation(written_as))
    stop = deadline.stop("no placement was found, but it is not proven that there is none")
    placement = place(found.board, method=how, seed=seed, stop=stop)
    if placement is None:
        _print_none(found, _why_none(found.board, deadline), json_lines)
        raise typer.Exit(NO_PLACEMENT)
    full = placement.full
    said: dict[str, object] = {"rows": full.rows, "cols": full.cols, "mines": full.mines}
    said |= {"method": placement.method.value, "placement": full.lines()}

    def tell(words: str) -> None:
        if not json_lines:
            print(words, flush=True)

    tell(written(full, found.notation))
    try:
        if second:
            stop = deadline.stop("it is not known whether there is a second placement")
            other = place(found.board, method=how, seed=seed, stop=stop, unlike=placement)
            said |= {"unique": other is None, "second": None if other is None else other.full.lines()}
            tell("unique" if other is None else f"second:\n{written(other.full, found.notation)}")
        if count:
            stop = deadline.stop("it is not known how many placements there are")
            number, too_wide = count_placements(placement, stop)
            said["count"] = None if too_wide else _for_json(number)
            said["count_at_least"] = _for_json(number)
            words = number_words(number)
            least = f"at least {words}: an area of {too_wide} cells is too wide to count"
            tell(f"placements: {least if too_wide else words}")
    finally:  # also if the time ran out: print what was found until then
        if json_lines:
            print_json(said)


class Deadline:
    """A time limit for all searches together: ``seconds`` from now, inf for none."""

    def __init__(self, seconds: float) -> None:
        self._clock, self._seconds = Clock(), seconds
        self._end = self._clock.now() + seconds

    def stop(self, unknown: str) -> Stop:
        """Return a stop that raises PlacementError when the time is over; ``unknown`` ends its message."""

        def check() -> None:
            if self._clock.now() > self._end:
                over = f"stopped after {self._seconds:g} s: {unknown}"
                raise PlacementError(f"{over}; give more time with --seconds")

        return Stop(check)


def _why_none(board: Board, deadline: Deadline) -> Blame:
    """Return why there is no placement, as far as that is found within the time."""
    stop = deadline.stop("the reason was not found")
    stop.add(Deadline(_BLAME).stop("the reason was not found").raise_if_stopped)
    try:
        return blame(board, stop=stop)
    except (PlacementError, MissingLibraryError):
        all_of_it = "the numbers" if board.mines is None else "the numbers and the total"
        return Blame(f"{all_of_it} contradict each other, but it was not found which ones")


def number_words(number: int) -> str:
    """Return a count as text, rounded if it has more than 60 digits."""
    return f"{number:,}" if number < 10**_DIGITS else f"about {Decimal(number):.2e}".replace("e+", "e")


def _for_json(number: int) -> int | str:
    """Return a count for JSON: the number, or rounded text if it has thousands of digits."""
    return number if number.bit_length() < 10_000 else number_words(number)


def _print_none(found: BoardFile, why: Blame, json_lines: bool) -> None:
    places = [found.place(cell) for cell in why.cells]
    if json_lines:
        pairs = zip(why.cells, places, strict=True)
        numbers = [{**cell._asdict(), **place._asdict()} for cell, place in pairs]
        print_json({"placement": None, "reason": why.words, "numbers": numbers})
        return
    say(f"no placement\n{why.words}")
    if why.total and found.total:
        places.append(found.total)
    if places:
        say(f"in the input: {'; '.join(map(str, places))}")
