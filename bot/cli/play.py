"""``minebot play``: find the game on the screen and play it, or only show what would be clicked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot.capture import ScreenCapture
from bot.cli.control import (
    POSITION,
    ControlOption,
    EventReport,
    StopKeyOption,
    orders_if,
    tell_event,
    tell_news,
)
from bot.cli.find import check_launch, found_window, launched_game, offered_game
from bot.cli.keep import check_picture, doubt_keeper, end_keeper, picture_folder
from bot.cli.kernel import prepare_kernel
from bot.cli.learned import LearnedOption, informed_and_recorder
from bot.cli.limits import GamesOption, Limits, MinutesOption, WinsOption, limits_of
from bot.cli.live import JsonReport, Report, TableReport
from bot.cli.lock import only_bot, this_display
from bot.cli.notes import MinesNote
from bot.cli.options import (
    DebugOption,
    GuessOption,
    StrategyOption,
    ThinkOption,
    strategy_of,
)
from bot.cli.output import side_console
from bot.cli.overlay import (
    ALL_LAYERS,
    LayersOption,
    OverlayOption,
    layer_orders,
    layers_of,
    opened_overlay,
    shown_by,
)
from bot.cli.record import RecordOption, Watched, recorded, recording
from bot.cli.run import kept_for_safe_places
from bot.cli.skins import SkinKeeper, SkinsOption, all_skins, user_skins
from bot.cli.suggestions import NO_EVENT, show
from bot.clicker import Clock, RealClock, parse_speed
from bot.clicker.mouse import ScreenMouse
from bot.clicker.style import Style, parse_flags
from bot.desktop import open_desktop
from bot.desktop.protocols import Capture
from bot.errors import GameNotFoundError
from bot.play import BoardWatcher, GameResult, Look, Player, Round, Settings, Totals
from bot.play.control import Control
from bot.play.dryrun import watch
from bot.record.recorder import Recorder, RecordingMouse, check_folder
from bot.solver.published.korlyakova import ExperienceRecorder
from bot.targets import find_target, parse_level, parse_stop_key, target_of_skin


def play(
    target: Annotated[
        str, typer.Option(help="Which game: auto, or a name that `minebot doctor` lists.")
    ] = "auto",
    level: Annotated[
        str | None,
        typer.Option(help="beginner, intermediate, expert or ROWSxCOLS/MINES; if not given, as it is."),
    ] = None,
    games: GamesOption = None,
    wins: WinsOption = None,
    minutes: MinutesOption = None,
    speed: Annotated[str, typer.Option(help="max, human, or clicks a second.")] = "human",
    stop_key: StopKeyOption = "esc",
    flags: Annotated[
        str,
        typer.Option(
            help="none: left clicks only (NF); all: mark every proven mine; chord: flags and chords where "
            "they save clicks."
        ),
    ] = "none",
    efficient: Annotated[
        bool,
        typer.Option(
            "--efficient",
            help="Take few clicks: leave to an opening what it may open, and look more often.",
        ),
    ] = False,
    strategy: StrategyOption = None,
    think: ThinkOption = None,
    guess: GuessOption = True,
    mines: Annotated[
        int | None, typer.Option(min=1, help="Mines in total, where the game's counter cannot be read.")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Never touch the mouse: show what to click, until stopped. --games, --wins, --minutes, "
            "--speed, --flags, --efficient and --pictures have no effect on it, --level only on what "
            "--launch starts.",
        ),
    ] = False,
    picture: Annotated[
        Path,
        typer.Option(help="Where a dry run draws its suggestions, anew for each position.", dir_okay=False),
    ] = Path("minebot-suggestions.png"),
    overlay: OverlayOption = None,
    layers: LayersOption = ALL_LAYERS,
    pictures: Annotated[
        Path | None, typer.Option(help="Folder for a picture of each final board.", file_okay=False)
    ] = None,
    record: RecordOption = None,
    skins_folder: SkinsOption = None,
    experience: LearnedOption = None,
    learn: Annotated[
        bool,
        typer.Option(
            "--learn/--no-learn",
            help="Whether art that no skin knows is kept as a skin, and experience grows.",
        ),
    ] = True,
    launch: Annotated[
        bool,
        typer.Option(
            "--launch",
            help="Start the game if it is missing: WineMine, on Linux, or with --target builtin our own; and "
            "a screen if there is none.",
        ),
    ] = False,
    json_lines: Annotated[
        bool,
        typer.Option(
            "--json", help="One JSON object a game, then one with the sums; in a dry run one a position."
        ),
    ] = False,
    control: ControlOption = False,
    _debug: DebugOption = False,
) -> None:
    """Find the Minesweeper on the screen and play it. Move the mouse or press Esc (--stop-key) to stop."""
    given = orders_if(control)  # first of all, as files are opened later
    pace, limits, stop = parse_speed(speed), limits_of(games, wins, minutes), parse_stop_key(stop_key)
    style = Style(parse_flags(flags), efficient)
    chosen = strategy_of(strategy, think)
    chosen, experience_recorder = informed_and_recorder(chosen, experience, learn and not dry_run)
    shown = layers_of(layers)
    known = find_target(target) if target != "auto" else None
    skins = all_skins(skins_folder, known)
    if known and level:
        parse_level(level, known)  # a level that it does not have is told before anything is started
    if dry_run:
        check_picture(picture)
    elif pictures is not None:
        picture_folder(pictures)
    if record is not None:
        check_folder(record)
    if launch:
        check_launch(target)
    with ExitStack() as cleanup:
        display = this_display()
        if not dry_run:
            cleanup.enter_context(only_bot(display))
        if display is not None or not launch:
            open_desktop(stop).close()  # a screen that cannot be seen is told before a minute of compiling
        prepare_kernel([chosen])  # before there is a game that would wait for it
        started = launched_game(cleanup, target, level) if launch else None
        if not dry_run and display is None:
            cleanup.enter_context(only_bot(this_display()))  # one that has been started with the game
        clock, desktop = RealClock(), cleanup.enter_context(closing(open_desktop(stop)))
        capture: Capture = cleanup.enter_context(closing(ScreenCapture()))
        known, window = started or found_window(desktop, target) or (known, None)
        mouse, note = ScreenMouse(), MinesNote()
        marks = opened_overlay(cleanup, overlay, shown) if dry_run else None
        capture = capture if marks is None else marks.clean(capture)
        look_at = partial(BoardWatcher, capture, desktop, skins, clock, mines=mines, pointer=mouse.position)
        watcher = look_at(window)
        ends = cleanup.enter_context(kept_for_safe_places())
        orders = Control(desktop, clock, given, tell_news, layer_orders(marks), ends.heed)
        if marks is not None:
            marks.serve(orders.heed_end)
        if window is None:  # by the picture alone, or not at all
            try:
                watcher.capture.serve(orders.heed)
                with orders.quiet():  # there is nothing to pause yet
                    seen = watcher.find().reading.skin
                known = known or target_of_skin(seen)
            except GameNotFoundError as missing:
                known, window = offered_game(cleanup, target, level, missing)
                watcher = look_at(window)
        assert known is not None
        wanted = None if level is None else parse_level(level, known)
        if control:
            tell_event("started", target=known.name, label=known.label, stop_key=desktop.stop_key)
        think = chosen.thinking.seconds if chosen.thinking else None
        options = {"level": level, "speed": speed, "flags": flags, "efficient": efficient, "think": think}
        options |= {"guess": guess, "mines": mines, "dry_run": dry_run}
        recorder = cleanup.enter_context(recording(record, known, chosen, options, clock.now))
        if dry_run:
            show(
                watch(
                    watcher,
                    desktop,
                    clock,
                    known.first_click,
                    chosen,
                    guess,
                    orders,
                    seen=(lambda _: None) if marks is None else shown_by(marks, watcher, chosen),
                    rest=None if marks is None else marks.rest,
                ),
                picture,
                json_lines or control,
                note,
                None if recorder is None else Watched(recorder),
                desktop.stop_key,
                POSITION if control else NO_EVENT,
            )
            return
        folder = picture_folder(pictures)
        report = _report(limits.games, folder, json_lines, control)
        keeper = SkinKeeper(watcher, known, skins_folder or user_skins()) if learn else None
        player = Player(
            watcher,
            RecordingMouse(mouse, clock.now, recorder.sent) if recorder else mouse,
            desktop,
            known,
            pace,
            clock,
            Settings(limits.games, wanted, chosen, guess, style),
            on_round=partial(_on_round, report, note, experience_recorder, recorder),
            on_end=partial(_on_end, end_keeper(folder), keeper, experience_recorder, recorder),
            keep=recorded(doubt_keeper(folder), recorder),
            tell=partial(side_console().print, markup=False),
            control=orders,
        )
        with report:
            _play_on(player, report, limits, clock)


def _report(games: int, folder: Path, json_lines: bool, control: bool) -> Report:
    if control:
        return EventReport()
    return JsonReport() if json_lines else TableReport(games, folder)


def _play_on(player: Player, report: Report, limits: Limits, clock: Clock) -> None:
    """Play until a limit is reached, and report each game and that limit."""
    began, totals = clock.now(), Totals()
    for result in player.play():
        totals.results.append(result)
        report.game(result)
        limit = limits.reached(totals.games, totals.wins, clock.now() - began)
        if limit is not None:
            report.over(limit)
            return


def _on_round(
    report: Report,
    note: MinesNote,
    experience_recorder: ExperienceRecorder | None,
    recorder: Recorder | None,
    turn: Round,
) -> None:
    if recorder is not None:
        recorder.round(turn)
    note.look_at(turn.look.reading.board)
    if experience_recorder is not None:
        experience_recorder.decided(turn.look.reading.board, turn.decision)
    report.round(turn)


def _on_end(
    keep_picture: Callable[[GameResult, Look], None],
    keeper: SkinKeeper | None,
    experience_recorder: ExperienceRecorder | None,
    recorder: Recorder | None,
    result: GameResult,
    look: Look,
) -> None:
    if recorder is not None:
        recorder.end(result, look)
    keep_picture(result, look)
    if keeper is not None:
        keeper.keep()
    if experience_recorder is not None:
        experience_recorder.ended(look.reading.board)
