"""``minebot play``: find the game on the screen and play it, or only show what would be clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot import __version__
from bot.capture import PatientCapture, ScreenCapture
from bot.cli.explain import MinesNote
from bot.cli.files import (
    DryRunRecorder,
    PictureKeeper,
    SkinKeeper,
    all_skins,
    check_picture,
    picture_folder,
    user_skins,
)
from bot.cli.lock import only_bot, this_display
from bot.cli.options import (
    FILES,
    GAMES,
    Deciding,
    GuessOption,
    LearnedOption,
    MinesOption,
    PickOption,
    SkinsOption,
    StrategyOption,
    ThinkOption,
    deciding_by,
    one_of,
    positive,
)
from bot.cli.orders import Orders, TerminalQuestion
from bot.cli.output import can_be_asked, complain, note
from bot.cli.reports import JsonReport, TableReport, tell_event, tell_news
from bot.cli.suggestions import DryRun, layer_orders, layers_of, opened_overlay, show, shown_by
from bot.cli.target import FoundBoard, WantedGame
from bot.clicker.mouse import ScreenMouse
from bot.clicker.pace import Pace, parse_speed
from bot.clicker.style import Flags
from bot.desktop import is_portable, open_desktop
from bot.desktop.protocols import Backend, Mouse, RealClock, Shortcut, stop_by_key
from bot.errors import GameNotFoundError
from bot.levels import Level
from bot.marks.overlay_marks import Layer
from bot.play.control import Control
from bot.play.dryrun import watch
from bot.play.look import Look
from bot.play.player import Player
from bot.play.results import GameResult, Round, Settings
from bot.play.watcher import BoardWatcher
from bot.record.lines import RunInfo
from bot.record.recorder import Recorder, RecordingMouse, check_folder
from bot.signals import Postponed
from bot.solver.strategies import ThinkingStrategy
from bot.targets.catalogue import Target, parse_level, parse_stop_key, target_of_skin
from bot.ui.overlay import Overlay
from bot.vision import Skin

CLICKS, DRY_RUN, PROGRAMS = "How to click", "Dry run", "For programs"
FLAGS = [flags.value for flags in Flags]
ALL_LAYERS = ",".join(layer.value for layer in Layer)


def play(
    target: Annotated[
        str,
        typer.Option(help="Which game: auto, or a name that `minebot doctor` lists.", rich_help_panel=GAMES),
    ] = "auto",
    pick: PickOption = False,
    level: Annotated[
        str | None,
        typer.Option(
            help="beginner, intermediate, expert or ROWSxCOLS/MINES. Default: as it is.",
            rich_help_panel=GAMES,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many games; 0 means until stopped. Default: 1, or 0 with --wins or --minutes.",
            rich_help_panel=GAMES,
        ),
    ] = None,
    wins: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many won games.", rich_help_panel=GAMES)
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            help="Start no new game after this many minutes; the current game is finished.",
            rich_help_panel=GAMES,
        ),
    ] = None,
    speed: Annotated[
        str, typer.Option(help="max, human, or clicks a second.", rich_help_panel=CLICKS)
    ] = "human",
    stop_key: Annotated[
        str,
        typer.Option(
            metavar="KEYS",
            help="What stops the bot, whichever window has the keyboard: esc, pause, f12 or the like, or a "
            "combination such as ctrl+alt+s.",
            rich_help_panel=CLICKS,
        ),
    ] = "esc",
    backend: Annotated[
        Backend,
        typer.Option(
            help="auto: what is made for this system; portable: mss and pyautogui alone, which know no "
            "windows and no stop key, as on macOS.",
            rich_help_panel=CLICKS,
        ),
    ] = Backend.AUTO,
    flags: Annotated[
        str,
        typer.Option(
            help="none: left clicks only (NF); all: mark every proven mine; chord: flags and chords if "
            "they save clicks.",
            rich_help_panel=CLICKS,
        ),
    ] = "none",
    strategy: StrategyOption = None,
    think: ThinkOption = None,
    guess: GuessOption = True,
    mines: MinesOption = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Never touch the mouse: show what to click, until stopped. Options for games, clicks and "
            "final boards have no effect then; --level only affects what --launch starts.",
            rich_help_panel=DRY_RUN,
        ),
    ] = False,
    picture: Annotated[
        Path,
        typer.Option(
            help="File in which a dry run draws its suggestions for each position.",
            dir_okay=False,
            rich_help_panel=DRY_RUN,
        ),
    ] = Path("minebot-suggestions.png"),
    overlay: Annotated[
        bool | None,
        typer.Option(
            "--overlay/--no-overlay",
            help="Whether a dry run shows marks over the game; clicks go through them. Default: if possible.",
            rich_help_panel=DRY_RUN,
        ),
    ] = None,
    layers: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="What these marks show, of those in the default.",
            rich_help_panel=DRY_RUN,
        ),
    ] = ALL_LAYERS,
    pictures: Annotated[
        Path | None,
        typer.Option(
            help="Folder for a picture of each final board.", file_okay=False, rich_help_panel=FILES
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            file_okay=False,
            help="Keep each round in this new folder: picture, reading, decision, clicks, times. `minebot "
            "replay DIR` shows it.",
            rich_help_panel=FILES,
        ),
    ] = None,
    skins_folder: SkinsOption = None,
    experience: LearnedOption = None,
    learn: Annotated[
        bool,
        typer.Option(
            "--learn/--no-learn",
            help="Whether to save unknown cell pictures as a skin, and add to the experience.",
            rich_help_panel=FILES,
        ),
    ] = True,
    launch: Annotated[
        bool,
        typer.Option(
            "--launch",
            help="Start the game if it is missing: WineMine (Linux only), or minebot's own with --target "
            "builtin; also a virtual screen if there is none.",
            rich_help_panel=GAMES,
        ),
    ] = False,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes",
            help="In a program that minebot does not know, click what look like buttons without asking "
            "first: to start the next game, or to set the level.",
            rich_help_panel=CLICKS,
        ),
    ] = False,
    json_lines: Annotated[
        bool,
        typer.Option(
            "--json",
            help="One JSON object a game, then one with the sums; in a dry run one a position.",
            rich_help_panel=PROGRAMS,
        ),
    ] = False,
    control: Annotated[
        bool,
        typer.Option(
            "--control",
            help="Take orders as lines on standard input: pause, go, step (one round), speed 20, layers "
            "NAME,... (of a dry run), buttons yes, stop; and print every round as JSON. Moving the mouse "
            "only pauses then. For `minebot panel` and other programs.",
            rich_help_panel=PROGRAMS,
        ),
    ] = False,
) -> None:
    """Find the Minesweeper on the screen and play it. Move the mouse or press Esc (--stop-key) to stop."""
    wanted = WantedGame(target, level, launch, pick)
    deciding = deciding_by(strategy, think, guess, experience, grows=learn and not dry_run)
    dry = DryRun(picture, overlay, layers_of(layers))
    task = Task(
        wanted,
        deciding,
        parse_speed(speed),
        Flags(one_of("--flags", flags, FLAGS)),
        limits_of(games, wins, minutes),
        pictures,
        (skins_folder or user_skins()) if learn else None,
        dry if dry_run else None,
        all_skins(skins_folder, wanted.target),
        mines,
        parse_stop_key(stop_key),
        backend,
        Orders() if control else None,
        json_lines,
        yes or None,
    )
    if dry_run:
        check_picture(picture, "--picture")
    elif pictures is not None:
        picture_folder(pictures)
    if record is not None:
        check_folder(record)
    thinking = deciding.strategy.thinking if isinstance(deciding.strategy, ThinkingStrategy) else None
    think = None if thinking is None else thinking.seconds
    settings = {"level": level, "speed": speed, "flags": flags, "think": think}
    settings |= {"guess": guess, "mines": mines, "dry_run": dry_run}
    with ExitStack() as cleanup:
        _take_screen(task, cleanup)
        task = replace(task, deciding=deciding.at_once())
        game = _find_game(task, cleanup)
        known, watcher = game.target, game.watcher
        if control:
            tell_event("started", target=known.name, label=known.label, stop_key=watcher.desktop.stop_key)
        recorder = None
        if record is not None:
            began, rule = datetime.now().astimezone().isoformat(timespec="seconds"), known.first_click.value
            about = RunInfo(__version__, began, known.name, rule, deciding.strategy.name, settings)
            recorder = cleanup.enter_context(Recorder(record, about, watcher.clock.now, complain))
        if task.dry:
            _suggest(task, task.dry, game, recorder)
        else:
            _play(task, game, recorder)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a run: numbers of ``games`` (0: no limit) and ``wins``, and ``minutes`` (None: no limit)."""

    games: int = 0
    wins: int | None = None
    minutes: float | None = None

    def reached(self, games: int, wins: int, seconds: float) -> str | None:
        """Return the limit that was reached, "games", "wins" or "minutes"; None if the run goes on."""
        if games == self.games:
            return "games"
        if wins == self.wins:
            return "wins"
        if self.minutes is not None and seconds >= 60 * self.minutes:
            return "minutes"
        return None


def limits_of(games: int | None, wins: int | None, minutes: float | None) -> Limits:
    """Return the limits given by the options. Raises UsageError if ``minutes`` is not a positive number."""
    if minutes is not None:
        positive("--minutes", minutes, "minutes")
    usual = 1 if wins is None and minutes is None else 0
    return Limits(usual if games is None else games, wins, minutes)


@dataclass(frozen=True, slots=True)
class Task:
    """All settings of a run; ``dry`` is None except in a dry run, ``orders`` None without ``--control``.

    ``pictures`` is the folder for pictures of final boards, or None for a new one in the user's data. Cell
    pictures that no skin knows are saved as a skin in the folder ``learned_skins``, if it is not None.
    ``buttons`` says whether what may be a button in an unknown program may be clicked; None: ask.
    """

    wanted: WantedGame
    deciding: Deciding
    pace: Pace
    flags: Flags
    limits: Limits
    pictures: Path | None
    learned_skins: Path | None
    dry: DryRun | None
    skins: Sequence[Skin]
    mines: int | None
    stop_key: Shortcut
    backend: Backend
    orders: Callable[[], list[str]] | None
    json_lines: bool
    buttons: bool | None


@dataclass(frozen=True, slots=True)
class FoundGame:
    """The game that was found, the objects to see and play it, and the ``level`` to set (None: keep it)."""

    target: Target
    level: Level | None
    watcher: BoardWatcher
    mouse: Mouse
    control: Control
    marks: Overlay | None


def _take_screen(task: Task, cleanup: ExitStack) -> None:
    """Lock the display against other bots, and check that it can be used."""
    display = this_display()
    if task.dry is None:
        cleanup.enter_context(only_bot(display))
    if display is not None or not task.wanted.launch:
        open_desktop(task.stop_key, task.backend).close()


def _find_game(task: Task, cleanup: ExitStack) -> FoundGame:
    """Find the game on the screen, or start it; ``cleanup`` later ends everything started here."""
    wanted, dry, display = task.wanted, task.dry, this_display()
    started = wanted.launched(cleanup)
    if dry is None and display is None:
        cleanup.enter_context(only_bot(this_display()))  # the display that was started with the game
    clock, desktop = RealClock(), cleanup.enter_context(closing(open_desktop(task.stop_key, task.backend)))
    screen = cleanup.enter_context(closing(ScreenCapture()))
    mouse, stop = ScreenMouse(task.backend), stop_by_key(desktop)
    no_marks = dry is None or is_portable(task.backend)  # it draws them into the picture alone
    marks = (
        None if dry is None or no_marks else opened_overlay(screen, cleanup, dry.overlay, dry.layers, stop)
    )
    capture = PatientCapture(marks or screen, clock, desktop, stop, note)
    look_at = partial(BoardWatcher, capture, task.skins, mines=task.mines, pointer=mouse.position)
    stop.add(cleanup.enter_context(Postponed().delayed()).handle_pending)
    ask = TerminalQuestion() if can_be_asked() else None
    control = Control(stop, clock, task.orders, tell_news, layer_orders(marks), task.buttons, ask)
    choose = ask is not None and not (task.json_lines or task.orders)
    with stop.pauses_postponed():  # there is nothing to pause yet
        found = started or wanted.found(capture, task.skins, mouse.position, task.backend, ask=choose)
        watcher = look_at(found.window, seen=found.area) if found else look_at()
        try:
            if found is None:  # this says why, or finds what has appeared meanwhile
                seen = watcher.find().reading.skin
                found = FoundBoard(wanted.target or target_of_skin(seen), watcher.window)
        except GameNotFoundError as missing:
            found = wanted.offered(cleanup, missing)
            watcher = look_at(found.window)
    target = found.target
    level = None if wanted.level is None else parse_level(wanted.level, target)
    return FoundGame(target, level, watcher, mouse, control, marks)


def _suggest(task: Task, dry: DryRun, game: FoundGame, recorder: Recorder | None) -> None:
    """Run the dry run: show what to click until the user stops it."""
    deciding, marks, stop = task.deciding, game.marks, game.watcher.desktop.stop_key
    if task.orders is None:
        where = f"suggestions are drawn into {dry.picture}"
        ends = " or ".join(dict.fromkeys((stop, "Ctrl+C")))  # the same without a stop key
        note(f"dry run: the mouse is yours; {where}; {ends} ends it")
    suggestions = watch(
        game.watcher,
        game.target.first_click,
        deciding.strategy,
        deciding.guess,
        game.control,
        seen=(lambda _: None) if marks is None else shown_by(marks, game.watcher, deciding.strategy),
        rest=None if marks is None else marks.rest,
    )
    show(
        suggestions,
        dry.picture,
        None if recorder is None else DryRunRecorder(recorder),
        json_lines=task.json_lines or task.orders is not None,
        event={} if task.orders is None else {"event": "position"},
    )


def _play(task: Task, game: FoundGame, recorder: Recorder | None) -> None:
    """Play until a limit is reached, and report every round and every game."""
    deciding, limits, folder = task.deciding, task.limits, picture_folder(task.pictures)
    events = task.orders is not None
    report = JsonReport(events=events) if task.json_lines or events else TableReport(limits.games, folder)
    pictures, ask_for_mines = PictureKeeper(folder), MinesNote()
    learned = task.learned_skins
    skins = None if learned is None else SkinKeeper(game.watcher, game.target, learned)

    def take_round(turn: Round) -> None:
        board = turn.look.reading.board
        if recorder is not None:
            recorder.round(turn)
        ask_for_mines.look_at(board)
        if deciding.recorder is not None:
            deciding.recorder.decided(board, turn.decision)
        report.round(turn)

    def take_end(result: GameResult, look: Look) -> None:
        if recorder is not None:
            recorder.end(result, look)
        pictures.keep_end(look)
        if skins is not None:
            skins.keep()
        if deciding.recorder is not None:
            deciding.recorder.ended(look.reading.board)

    def keep_doubt(look: Look) -> str:
        if recorder is not None:
            recorder.unclear(look)
        return pictures.keep_doubt(look)

    clock = game.watcher.clock
    player = Player(
        game.watcher,
        RecordingMouse(game.mouse, clock.now, recorder.sent) if recorder else game.mouse,
        game.target,
        task.pace,
        Settings(limits.games, game.level, deciding.strategy, deciding.guess, task.flags),
        on_round=take_round,
        on_end=take_end,
        keep=keep_doubt,
        tell=note,
        control=game.control,
    )
    with report:
        began = clock.now()
        for result in player.play():
            report.game(result)
            reached = limits.reached(report.totals.games, report.totals.wins, clock.now() - began)
            if reached not in (None, "games"):
                report.limit = reached
                return
        report.limit = "games"  # the player counts them: one that was replaced, whose end is unknown, is none
