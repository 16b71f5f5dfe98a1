"""``minebot replay`` and ``stats``: read screenshots; show, check, convert or sum up recorded runs."""

from __future__ import annotations

import math
import os
import sys
import webbrowser
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bot.charts import save_charts
from bot.cli.files import all_skins, page_path
from bot.cli.options import (
    Deciding,
    GuessOption,
    LearnedOption,
    MinesOption,
    SkinsOption,
    StrategyOption,
    deciding_by,
    prepare_kernel,
)
from bot.cli.positions import (
    Found,
    MinesNote,
    board_as_json,
    board_file,
    move_lines,
    position_of,
    reading_words,
    readings_in,
)
from bot.cli.terminal import complain, note, print_json, print_table, progress, say
from bot.clicker.clicks import in_order_from
from bot.errors import BoardFormatError, BotError, PictureError, UsageError
from bot.files import PRIVATE, PUBLIC, check_output
from bot.geometry import Frame, Pixels
from bot.marks import draw_boards, marks_in_picture
from bot.picture_files import SUFFIXES
from bot.play.dryrun import suggest
from bot.record.check import CheckCounts, RecordProblem, check_game
from bot.record.film import SHORTEST, write_film
from bot.record.lines import LINES, Record, RecordedGame, is_record, load_record
from bot.record.report import write_report
from bot.record.stats import RunStatistics, charts_of, combined, statistics_of
from bot.solver import STRATEGIES
from bot.solver.decision import Decision
from bot.solver.explain.hints import explain
from bot.vision import Skin, load_picture, save_picture
from bot.vision.reading import Reading, side_words
from bot.words import counted, measure_name, measure_words, one_line

_COLUMNS = (  # keys in the JSON object
    *("seconds", "bbbv_per_second", "ioe", "clicks", "guesses", "misreads", "retries", "ms_to_decide"),
)


def replay(
    pictures: Annotated[
        list[Path],
        typer.Argument(
            metavar="PICTURE|DIR...",
            help="Screenshots: PNG, JPEG, BMP, GIF, WebP, TIFF; of an animation, the first frame. Or "
            "folders written by `minebot play --record`.",
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
            help="Read and decide every round of a record again, and report misread cells, missing and wrong "
            "proofs, and clicks at wrong places; exit code 1 if there are any.",
        ),
    ] = False,
    film: Annotated[
        Path | None,
        typer.Option(metavar="FILE.mp4", dir_okay=False, help="Write games of a record as a film."),
    ] = None,
    game: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Only this game of a record in the film, or the first shown on the page."),
    ] = None,
    seconds: Annotated[float, typer.Option(help="How many seconds the film shows a round.")] = 0.5,
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
    guess: GuessOption = True,
    mines: MinesOption = None,
    skins_folder: SkinsOption = None,
    experience: LearnedOption = None,
    json_lines: Annotated[
        bool,
        typer.Option(
            "--json", help="One JSON object a picture, or a record, which is checked as with --check."
        ),
    ] = False,
) -> None:
    """Read saved screenshots: print every board in them, its state, and the suggested moves.

    A record made by `minebot play --record` is shown in the browser, round by
    round, or written as a film or a page.
    """
    if _are_records(pictures):
        if overlay is not None:
            raise UsageError(
                "--overlay draws into a picture of screenshots; a record has --report and --film"
            )
        if film is not None:
            _film_record(pictures, film, game or (), None if as_played else seconds)
        if report is not None:
            check_output(report, "--report", ".html", ".htm", inputs=[pictures[0] / LINES])
            record = _only_record(pictures, "--report")
            _chosen(record, game or ())
            _write_page(record, report)
        check = check or json_lines
        if film is None and report is None and not check:
            _show_record(pictures, game or ())
        if check:
            _check_records(pictures, all_skins(skins_folder), json_lines=json_lines)
        return
    if check or film is not None or report is not None:
        raise UsageError(
            "--check, --film and --report need a folder that `minebot play --record` has written"
        )
    drawn = _drawn(pictures, overlay)
    deciding, skins = deciding_by(strategy, guess, experience), all_skins(skins_folder)
    deciding = deciding.at_once()
    code, ask_for_mines = 0, MinesNote()
    for number, picture in enumerate(pictures):
        try:
            pixels = _loaded(picture)
            boards = [
                Found(reading, *_decide(reading, Frame(pixels), deciding))
                for reading in readings_in(picture, pixels, skins, mines)
            ]
            _print_boards(picture, boards, json_lines)
            for found in boards:
                if found.decision is not None and not found.reading.cut:
                    ask_for_mines.look_at(found.reading.board)
            if drawn:
                marks = [marks_in_picture(found.reading.board, found.decision) for found in boards]
                grids = [found.reading.grid for found in boards]
                save_picture(drawn[number], draw_boards(pixels, list(zip(grids, marks, strict=True))))
        except BotError as error:
            code = code or error.exit_code
            _print_error(error, {"image": str(picture), "boards": []}, json_lines)
    if code:
        raise typer.Exit(code)


def _drawn(pictures: Sequence[Path], overlay: Path | None) -> list[Path]:
    """Return where each picture is drawn with its moves, nowhere without ``overlay``.

    Raises UsageError for a place that cannot be written, or that is or gets another picture.
    """
    if overlay is None:
        return []
    places = [overlay.with_stem(f"{overlay.stem}-{picture.stem}") for picture in pictures]
    places = places if len(pictures) > 1 else [overlay]
    for place in places:
        check_output(place, "--overlay", *SUFFIXES, inputs=pictures)
        if places.count(place) > 1:
            raise UsageError(f"--overlay: {place} would be drawn twice: give pictures with different names")
    return places


def _loaded(picture: Path) -> Pixels:
    try:
        return load_picture(picture)
    except PictureError as error:
        with suppress(BoardFormatError):
            board_file(str(picture))
            words = f"{picture} is a text with a board, and no picture: `minebot hint` reads it"
            raise PictureError(words) from error
        raise


def _decide(reading: Reading, frame: Frame, deciding: Deciding) -> tuple[Decision | None, str]:
    """Return the decision, with moves from the cell that a hint suggests on, and why it has none."""
    seen = position_of(reading)
    board, careful = seen.board, seen.careful
    if seen.doubt and not seen.state.over:
        return None, seen.doubt
    decision, why = suggest(board, seen.state, seen.rule, deciding.strategy, careful, guess=deciding.guess)
    if decision is not None and (first := explain(careful, decision).cell) is not None:
        start = frame.to_screen(*reading.grid.centre(first))
        decision = in_order_from(start, decision, board, frame, reading.grid)
    return decision, why


def _print_boards(picture: Path, boards: Sequence[Found], json_lines: bool) -> None:
    if json_lines:
        print_json(
            {"image": str(picture), "boards": [board_as_json(found) for found in boards], "error": None}
        )
        return
    for found in boards:
        reading = found.reading
        say(f"{picture}: {reading_words(reading)}")
        say(str(reading.board))
        for words in side_words(reading):
            say(words)
        for line in move_lines(found.decision, found.why):
            say(line)


def _print_error(error: BotError, named: dict[str, object], json_lines: bool) -> None:
    """Print an error about a picture or a record; ``named`` are the JSON keys that identify it."""
    if json_lines:
        print_json({**named, "error": str(error)})
    else:
        complain(str(error))


def _are_records(places: Sequence[Path]) -> bool:
    """Return whether ``places`` are records, not pictures. Raises UsageError if there are both."""
    records = [place for place in places if place.is_dir() or is_record(place)]
    if records and len(records) < len(places):
        raise UsageError("give either pictures or folders with records, not both at once")
    return bool(records)


def _show_record(places: Sequence[Path], numbers: Sequence[int]) -> None:
    """Write the page of a record into the user's data, and open it at game ``numbers[0]``, if any.

    Without a display, only write the page. Raises UsageError if ``places`` is not one record or has no such
    game, RecordError if the page cannot be written.
    """
    record = _only_record(places, "the page")
    games, path = _chosen(record, numbers), page_path(record.folder)
    _write_page(record, path, PRIVATE)
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        place = f"#game={games[0].number}" if numbers else ""
        webbrowser.open(path.absolute().as_uri() + place)


def _write_page(record: Record, path: Path, mode: int = PUBLIC) -> None:
    prepare_kernel([STRATEGIES[record.about.strategy]])
    with progress() as bar:
        task = bar.add_task("writing", total=len(record.games))
        write_report(record, path, lambda: bar.advance(task), mode)
    _tell_written(path, len(record.games))


def _film_record(places: Sequence[Path], path: Path, numbers: Collection[int], seconds: float | None) -> None:
    """Write the games ``numbers`` of a record, or all if there are none, as an MP4 film.

    ``seconds`` is the time per round, None for the time it took. Raises UsageError if ``places`` is not one
    record, for an unknown game or a wrong option; RecordError if the film cannot be written.
    """
    if seconds is not None and not (math.isfinite(seconds) and seconds >= SHORTEST):
        raise UsageError(f"--seconds {seconds:g}: give at least {SHORTEST:g}, or --as-played")
    record = _only_record(places, "--film")
    games = _chosen(record, numbers)
    with progress() as bar:
        task = bar.add_task("writing", total=sum(1 for game in games for _ in game.looks))
        write_film(record, path, games, seconds, lambda: bar.advance(task))
    _tell_written(path, len(games))


def _chosen(record: Record, numbers: Collection[int]) -> list[RecordedGame]:
    """Return the games with these ``numbers``, or all if it is empty. Raises UsageError if one is missing."""
    there = {game.number: game for game in record.games}
    for number in numbers:
        if number not in there:
            raise UsageError(f"--game {number}: the record {record.folder} has {counted(len(there), 'game')}")
    return [there[number] for number in numbers] if numbers else list(record.games)


def _only_record(places: Sequence[Path], option: str) -> Record:
    """Return the only record, after printing what is missing in it: something may fail because of that."""
    if len(places) > 1:
        raise UsageError(f"{option} takes one record at a time")
    return _noted_record(places[0])


def _noted_record(place: Path) -> Record:
    record = load_record(place)
    for words in record.missing:
        note(f"{record.folder}: {words}")
    return record


def _tell_written(path: Path, games: int) -> None:
    say(f"{path}: {counted(games, 'game')}, {path.stat().st_size / 1e6:.2f} MB")


def _check_records(places: Sequence[Path], skins: Sequence[Skin], *, json_lines: bool) -> None:
    """Check records: read every board and decide every round again, and print the problems found.

    With ``json_lines``, print one JSON object for each record. End the command with an exit code other than 0
    if there are problems, or if a record cannot be read.
    """
    code = 0
    for place in places:
        try:
            code = max(code, _check_record(load_record(place), skins, json_lines))
        except BotError as error:
            code = code or error.exit_code
            _print_error(error, {"record": str(place), "findings": []}, json_lines)
    if code:
        raise typer.Exit(code)


def _check_record(record: Record, skins: Sequence[Skin], json_lines: bool) -> int:
    """Check one record and print the result; return 1 if anything is wrong with it or damaged, else 0."""
    prepare_kernel([STRATEGIES[record.about.strategy]])
    findings, checked = list[RecordProblem](), CheckCounts()
    with progress() as bar:
        for game in bar.track(record.games, description="checking"):
            findings += check_game(record, game, skins, checked)
    if json_lines:
        names = {"record": str(record.folder), "ended": record.ended, "missing": list(record.missing)}
        found = {"findings": list(map(asdict, findings)), "error": None}
        print_json({**names, **asdict(checked), **found})
    else:
        _print_findings(record, findings, checked)
    return int(bool(findings) or record.damaged)


def _print_findings(record: Record, findings: Sequence[RecordProblem], checked: CheckCounts) -> None:
    for words in [*record.missing, *map(str, findings)]:
        say(f"{record.folder}: {one_line(words)}")
    seen = (
        f"{counted(checked.games, 'game')}, {counted(checked.rounds, 'round')}, "
        f"{counted(checked.proofs, 'proven move')}, {checked.cells} cells on {checked.pictures} pictures"
    )
    unread = f" ({counted(checked.unread, 'cell')} could not be read again)" if checked.unread else ""
    right = "nothing else is wrong" if record.damaged else "nothing is wrong"
    verdict = counted(len(findings), "finding") if findings else right
    say(f"{record.folder}: {seen}{unread}: {verdict}")


def stats(
    records: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders written by `minebot play --record`."),
    ],
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg",
            help="Draw wins, times, speed and lost guesses by risk into this file.",
            dir_okay=False,
        ),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a record, then one with all of them.")
    ] = False,
) -> None:
    """Sum up recorded runs: games won, times, clicks, guesses, and lost guesses compared with their risk."""
    if plot is not None:
        check_output(plot, "--plot", ".svg", inputs=[place / LINES for place in records])
    sums, code = _sums_of(records)
    if sums:
        every = [*sums, combined(sums)] if len(sums) > 1 or json_lines else sums
        if json_lines:
            for one in every:
                print_json(one.as_json())
        else:
            headings = ["record", "games", "rounds", "won, %", "95 %", *map(measure_name, _COLUMNS)]
            print_table("records", headings, map(_row, every))
            for line in _guess_words(every[-1]):
                say(line)
        if plot is not None:
            save_charts(plot, charts_of(sums), 3)
            note(f"the plot is in {plot}")
    if code:
        raise typer.Exit(code)


def _sums_of(places: Sequence[Path]) -> tuple[list[RunStatistics], int]:
    """Return the sums of all readable records, and an exit code; print an error for each unreadable one."""
    sums: list[RunStatistics] = []
    code = 0
    for place in places:
        try:
            sums.append(statistics_of(_noted_record(place)))
        except BotError as error:
            complain(str(error))
            code = code or error.exit_code
    return sums, code


def _row(one: RunStatistics) -> list[str]:
    values, rate = one.as_json(), one.rate
    won = f"{100 * rate.value:.1f}" if one.games else "-"
    sure = f"{100 * rate.low:.1f}-{100 * rate.high:.1f}" if one.games else "-"
    figures = (measure_words(name, values[name], "-") for name in _COLUMNS)
    return [one.name, str(one.games), str(one.rounds), won, sure, *figures]


def _guess_words(one: RunStatistics) -> Iterator[str]:
    """Yield a line that compares lost guesses with their expected number, and one about the columns."""
    if one.guesses:
        lost, expected = sum(guess.lost for guess in one.guesses), sum(guess.risk for guess in one.guesses)
        guesses = counted(len(one.guesses), "guess", "guesses")
        yield f"{guesses} with an exact risk: {lost} lost the game, {expected:.1f} expected"
    yield "seconds, 3BV/s and IOE are medians of the games that were won; clicks and guesses are means"
