"""``minebot replay DIR``: what a record of ``minebot play --record`` tells."""

from __future__ import annotations

import math
import os
import sys
import webbrowser
from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.cli.options import prepare_kernel
from bot.cli.output import complain, note, print_json, progress, say
from bot.errors import BotError, UsageError
from bot.record import Record, RecordedGame, is_record, load_record
from bot.solver import STRATEGIES
from bot.vision import Skin

if TYPE_CHECKING:
    from bot.record.check import Checked, RecordProblem


PAGE = "report.html"  # is written into the folder of a record that is shown


def are_records(places: Sequence[Path]) -> bool:
    """Return whether ``places`` are records, and no pictures. Raises UsageError if there are both."""
    records = [place for place in places if place.is_dir() or is_record(place)]
    if records and len(records) < len(places):
        raise UsageError("give either pictures or folders with records, not both at once")
    return bool(records)


def report_record(places: Sequence[Path], path: Path) -> None:
    """Write a record as a page for a browser.

    Raises UsageError if it is not one record, or no page can be there, RecordError if writing it fails.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--report {path}: the name must end in .html")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--report {path}: there is no folder {path.absolute().parent}")
    _write_page(_only_record(places, "--report"), path)


def show_record(places: Sequence[Path], numbers: Sequence[int]) -> None:
    """Write the page of a record into its folder, and open it in the browser at the first of ``numbers``.

    Without a display only the page is written. Raises UsageError if it is not one record or has no such game,
    RecordError if the page cannot be written.
    """
    record = _only_record(places, "the page")
    games, path = _chosen(record, numbers), record.folder / PAGE
    _write_page(record, path)
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        place = f"#game={games[0].number}" if numbers else ""
        webbrowser.open(path.absolute().as_uri() + place)


def _write_page(record: Record, path: Path) -> None:
    from bot.record.report import write_report  # takes a while

    _tell_missing(record)
    prepare_kernel([STRATEGIES[record.about.strategy]])
    with _progress("writing") as bar:
        task = bar.add_task("", total=len(record.games))
        write_report(record, path, lambda: bar.advance(task))
    _tell_written(path, len(record.games))


def film_record(places: Sequence[Path], path: Path, numbers: Collection[int], seconds: float | None) -> None:
    """Write games of a record, those of these ``numbers`` or all, as MP4.

    Raises UsageError if it is not one record, has no such game, or the name of the film is none; RecordError
    if it cannot be written.
    """
    from bot.record.film import SHORTEST, check_name, write_film  # takes a while

    check_name(path)
    if seconds is not None and not (math.isfinite(seconds) and seconds >= SHORTEST):
        raise UsageError(f"--seconds {seconds:g}: give at least {SHORTEST:g}, or --as-played")
    record = _only_record(places, "--film")
    games = _chosen(record, numbers)
    _tell_missing(record)
    with _progress("writing") as bar:
        task = bar.add_task("", total=sum(1 for game in games for _ in game.looks))
        write_film(record, path, games, seconds, lambda: bar.advance(task))
    _tell_written(path, len(games))


def _chosen(record: Record, numbers: Collection[int]) -> list[RecordedGame]:
    """Return the games of these numbers, all if there are none. Raises UsageError if one is not there."""
    there = {game.number: game for game in record.games}
    for number in numbers:
        if number not in there:
            raise UsageError(f"--game {number}: the record {record.folder} has {_games(len(there))}")
    return [there[number] for number in numbers] if numbers else list(record.games)


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _only_record(places: Sequence[Path], option: str) -> Record:
    if len(places) > 1:
        raise UsageError(f"{option} takes one record at a time")
    return load_record(places[0])


def _progress(what: str) -> Progress:
    """Return a bar for games."""
    return progress(TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


def _tell_missing(record: Record) -> None:
    """Tell what is missing before anything fails for that."""
    for words in record.missing:
        note(f"{record.folder}: {words}")


def _tell_written(path: Path, games: int) -> None:
    say(f"{path}: {_games(games)}, {path.stat().st_size / 1e6:.2f} MB")


def check_records(places: Sequence[Path], skins: Sequence[Skin], *, json_lines: bool) -> None:
    """Read and decide all rounds of some records again, and print what is wrong.

    Ends the command with 1 if anything is.
    """
    code = 0
    for place in places:
        try:
            code = max(code, _check(load_record(place), skins, json_lines))
        except BotError as error:
            code = code or error.exit_code
            _print_error(place, error, json_lines)
    if code:
        raise typer.Exit(code)


def _check(record: Record, skins: Sequence[Skin], json_lines: bool) -> int:
    """Check one record, and return 1 if anything is wrong with it."""
    from bot.record.check import Checked, RecordProblem, check_game  # takes a while

    prepare_kernel([STRATEGIES[record.about.strategy]])
    findings, checked = list[RecordProblem](), Checked()
    with _progress("checking") as bar:
        for game in bar.track(record.games):
            findings += check_game(record, game, skins, checked)
    if json_lines:
        print_json(_as_json(record, findings, checked))
    else:
        _print(record, findings, checked)
    return int(bool(findings))


def _as_json(record: Record, findings: Sequence[RecordProblem], checked: Checked) -> dict[str, object]:
    return {
        "record": str(record.folder),
        "ended": record.ended,
        "missing": list(record.missing),
        **asdict(checked),
        "findings": [
            {"game": one.game, "round": one.round, "kind": one.kind.value, "words": one.words}
            for one in findings
        ],
        "error": None,
    }


def _print(record: Record, findings: Sequence[RecordProblem], checked: Checked) -> None:
    for words in [*record.missing, *map(str, findings)]:
        say(f"{record.folder}: {words}")
    what = f"{checked.games} games, {checked.rounds} rounds, {checked.proofs} proven moves"
    seen = f"{what}, {checked.cells} cells on {checked.pictures} pictures"
    unread = f" ({checked.unread} cells could not be read again)" if checked.unread else ""
    verdict = f"{len(findings)} findings" if findings else "nothing is wrong"
    say(f"{record.folder}: {seen}{unread}: {verdict}")


def _print_error(place: Path, error: BotError, json_lines: bool) -> None:
    if json_lines:
        print_json({"record": str(place), "findings": [], "error": str(error)})
    else:
        complain(str(error))
