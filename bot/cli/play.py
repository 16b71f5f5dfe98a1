"""``minebot play``: find the game on the screen and play it, or only show what would be clicked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

from bot.cli.live import JsonReport, Report, TableReport, picture_path
from bot.cli.options import DebugOption
from bot.cli.output import console, print_json, side_console
from bot.cli.replay import Found, SkinsOption, all_skins, as_json, move_lines
from bot.clicker import RealClock, parse_speed
from bot.errors import UsageError
from bot.player import GameResult, Look, Player, Settings, Sight
from bot.player.dryrun import Suggestion, watch
from bot.screen.capture import ScreenCapture
from bot.screen.launch import launched
from bot.screen.mouse import ScreenMouse
from bot.screen.targets import find_game, find_target, parse_level, target_of_skin
from bot.screen.windows import open_desktop
from bot.solver import STRATEGIES
from bot.vision import draw_marks, save_picture

WINEMINE = "winemine"


def play(
    target: Annotated[
        str, typer.Option(help="Which game: auto, or a name that `minebot doctor` lists.")
    ] = "auto",
    level: Annotated[
        str | None,
        typer.Option(help="beginner, intermediate, expert or ROWSxCOLS/MINES; if not given, as it is."),
    ] = None,
    games: Annotated[int, typer.Option(min=0, help="How many games; 0 means until stopped.")] = 1,
    speed: Annotated[str, typer.Option(help="max, human, or clicks a second.")] = "human",
    strategy: Annotated[str, typer.Option(help="Stages of the solver: counting, komarov, best.")] = "best",
    mines: Annotated[
        int | None, typer.Option(min=1, help="Mines in total, where the game's counter cannot be read.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Never touch the mouse: show what to click, until stopped.")
    ] = False,
    picture: Annotated[
        Path, typer.Option(help="Where a dry run draws its suggestions, anew for each position.")
    ] = Path("minebot-suggestions.png"),
    pictures: Annotated[
        Path | None, typer.Option(help="Folder for a picture of each final board.", file_okay=False)
    ] = None,
    skins_folder: SkinsOption = None,
    launch: Annotated[
        bool,
        typer.Option(
            "--launch", help="Linux: start WineMine if it is missing, and a screen if there is none."
        ),
    ] = False,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a game, then one with the sums.")
    ] = False,
    _debug: DebugOption = False,
) -> None:
    """Find the Minesweeper on the screen and play it. Move the mouse or press Esc to stop."""
    pace = parse_speed(speed)
    if strategy not in STRATEGIES:
        raise UsageError(f"--strategy {strategy}: choose one of {', '.join(STRATEGIES)}")
    known = find_target(target) if target != "auto" else None
    skins = all_skins(skins_folder, known)
    if known and level:
        parse_level(level, known)  # a level that it does not have is told before anything is started
    with ExitStack() as cleanup:
        if launch:
            _launch(cleanup, target, level)
        clock, desktop = RealClock(), cleanup.enter_context(closing(open_desktop()))
        capture = cleanup.enter_context(closing(ScreenCapture()))
        known, window = find_game(desktop, target) or (known, None)
        sight = Sight(capture, desktop, skins, clock, window, mines)
        known = known or target_of_skin(sight.find().reading.skin)
        wanted = None if level is None else parse_level(level, known)
        if dry_run:
            _show(watch(sight, desktop, clock, known.first_click, strategy), picture, json_lines)
            return
        folder = _picture_folder(pictures)
        report: Report = JsonReport() if json_lines else TableReport(games, folder)
        player = Player(
            sight,
            ScreenMouse(),
            desktop,
            known,
            pace,
            clock,
            Settings(games, wanted, strategy),
            on_round=report.round,
            on_end=_end_keeper(folder),
            keep=_doubt_keeper(folder),
        )
        with report:
            for result in player.play():
                report.game(result)


def _launch(cleanup: ExitStack, target: str, level: str | None) -> None:
    """Start WineMine, to be ended by ``cleanup``, unless the wanted game is on the screen already."""
    if target not in ("auto", WINEMINE):
        raise UsageError(f"--launch starts {WINEMINE}: leave out --target {target}")
    if os.environ.get("DISPLAY"):
        with closing(open_desktop()) as desktop:
            if find_game(desktop, target):
                return
    wanted = parse_level(level or "beginner", find_target(WINEMINE))
    cleanup.enter_context(launched(wanted, side_console().print))


def _picture_folder(wanted: Path | None) -> Path:
    """Return the folder for the pictures of this run, made if need be: a new one in the user's data if None.

    Raises UsageError if it cannot be made.
    """
    runs = user_data_path("minebot", appauthor=False) / "runs"
    folder = wanted or runs / f"{datetime.now():%Y-%m-%d-%H%M%S}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"no pictures can be kept in {folder} ({error.strerror}): give another --pictures"
        ) from error
    return folder


def _end_keeper(folder: Path) -> Callable[[GameResult, Look], None]:
    games = count(1)

    def keep(_result: GameResult, look: Look) -> None:
        save_picture(picture_path(folder, next(games)), look.frame.pixels)

    return keep


def _doubt_keeper(folder: Path) -> Callable[[Look], str]:
    def keep(look: Look) -> str:
        path = folder / f"doubt-{datetime.now():%H%M%S}.png"
        save_picture(path, look.frame.pixels)
        return str(path)

    return keep


def _show(suggestions: Iterable[Suggestion], picture: Path, json_lines: bool) -> None:
    """Print each suggestion and draw it into ``picture``."""
    out, side = console(), side_console()
    side.print(f"dry run: the mouse is yours; suggestions are drawn into {picture}; Esc or Ctrl+C ends it")
    for suggestion in suggestions:
        look = suggestion.look
        if look is None:
            side.print(suggestion.why, markup=False)
            continue
        if json_lines:
            print_json(as_json(Found(look.reading, suggestion.decision, suggestion.why)))
        else:
            out.print(str(look.reading.board), markup=False)
            out.print("\n".join(move_lines(suggestion.decision, suggestion.why)), markup=False)
        save_picture(picture, draw_marks(look.frame.pixels, look.reading, suggestion.decision))
