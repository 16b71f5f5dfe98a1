"""``minebot replay DIR``: what a record of ``minebot play --record`` tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.cli.kernel import prepare_kernel
from bot.cli.output import complain, console, print_json, side_console
from bot.errors import BotError, UsageError
from bot.session import Record, is_record, load_record
from bot.session.check import Checked, Finding, check_game
from bot.vision import Skin


def are_records(places: Sequence[Path]) -> bool:
    """Return whether ``places`` are records, and no pictures. Raises UsageError if there are both."""
    records = [place for place in places if place.is_dir() or is_record(place)]
    if records and len(records) < len(places):
        raise UsageError("give either pictures or folders with records, not both at once")
    return bool(records)


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
    prepare_kernel([record.about.strategy])
    findings, checked = list[Finding](), Checked()
    side = side_console()
    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=side, disable=not side.is_terminal) as bar:
        for game in bar.track(record.games):
            findings += check_game(record, game, skins, checked)
    if json_lines:
        print_json(_as_json(record, findings, checked))
    else:
        _print(record, findings, checked)
    return int(bool(findings))


def _as_json(record: Record, findings: Sequence[Finding], checked: Checked) -> dict[str, object]:
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


def _print(record: Record, findings: Sequence[Finding], checked: Checked) -> None:
    out = console()
    for words in [*record.missing, *map(str, findings)]:
        out.print(f"{record.folder}: {words}", markup=False)
    what = f"{checked.games} games, {checked.rounds} rounds, {checked.proofs} proven moves"
    seen = f"{what}, {checked.cells} cells on {checked.pictures} pictures"
    unread = f" ({checked.unread} cells could not be read again)" if checked.unread else ""
    verdict = f"{len(findings)} findings" if findings else "nothing is wrong"
    out.print(f"{record.folder}: {seen}{unread}: {verdict}", markup=False)


def _print_error(place: Path, error: BotError, json_lines: bool) -> None:
    if json_lines:
        print_json({"record": str(place), "findings": [], "error": str(error)})
    else:
        complain(str(error))
