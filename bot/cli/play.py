"""``minebot play``: find the game on the screen and play it, or only show what would be clicked."""

from __future__ import annotations

from base64 import b64encode
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot import __version__
from bot.cli.files import (
    DryRunRecorder,
    PictureKeeper,
    SkinKeeper,
    all_skins,
    only_bot,
    picture_folder,
    this_display,
    user_skins,
)
from bot.cli.options import (
    GuessOption,
    LearnedOption,
    MinesOption,
    PickOption,
    SkinsOption,
    StrategyOption,
    deciding_by,
    files_option,
    games_option,
    one_of,
    positive,
)
from bot.cli.positions import MinesNote
from bot.cli.reports import JsonReport, OverlayMarks, Report, TableReport, layers_of, show_suggestions
from bot.cli.session import OpenedScreen, Session, WantedGame, parse_place
from bot.cli.terminal import Orders, can_be_asked, complain, note, print_json, tell_event
from bot.clicker.pace import parse_speed
from bot.clicker.style import Flags
from bot.desktop import is_portable, open_desktop
from bot.desktop.protocols import Backend, Mouse
from bot.files import check_output
from bot.marks import Layer
from bot.picture_files import SUFFIXES, png_of, shrunk
from bot.play.dryrun import watch
from bot.play.look import Look
from bot.play.player import Player
from bot.play.results import GameResult, Observer, Round, Settings, Totals
from bot.record.lines import RunInfo
from bot.record.recorder import Recorder, RecordingMouse, check_folder
from bot.solver import Strategy
from bot.targets.catalogue import parse_stop_key

if TYPE_CHECKING:
    from bot.solver.published.korlyakova import ExperienceRecorder

NOT_KEPT = 5  # exit code: done, but a record or a picture that was asked for could not be written
_LARGEST_SHOWN = 800  # pixels: the longest side of the picture of a board in `--boards`
clicks_option = partial(typer.Option, rich_help_panel="How to click")
dry_run_option = partial(typer.Option, rich_help_panel="Dry run")
programs_option = partial(typer.Option, rich_help_panel="For programs")
FLAGS = [flags.value for flags in Flags]
ALL_LAYERS = ",".join(layer.value for layer in Layer)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of ``minebot play``."""

    target: Annotated[str, games_option(help="Which game: auto, or a name that `minebot doctor` lists.")] = (
        "auto"
    )
    pick: PickOption = False
    at: Annotated[
        str | None,
        games_option(metavar="X,Y", help="The board at this place of the screen, in pixels; see --boards."),
    ] = None
    level: Annotated[
        str | None,
        games_option(
            metavar="LEVEL", help="beginner, intermediate, expert or ROWSxCOLS/MINES. Default: as it is."
        ),
    ] = None
    games: Annotated[
        int | None,
        games_option(
            min=0, help="How many games; 0 means until stopped. Default: 1, or 0 with --wins or --minutes."
        ),
    ] = None
    wins: Annotated[int | None, games_option(min=1, help="Stop after this many won games.")] = None
    minutes: Annotated[
        float | None,
        games_option(help="Start no new game after this many minutes; the current game is finished."),
    ] = None
    speed: Annotated[str, clicks_option(metavar="SPEED", help="max, human, or clicks a second.")] = "human"
    stop_key: Annotated[
        str,
        clicks_option(
            metavar="KEYS",
            help="What stops the bot, whichever window has the keyboard: esc, pause, f12 or the like, or a "
            "combination such as ctrl+alt+s.",
        ),
    ] = "esc"
    backend: Annotated[
        Backend,
        clicks_option(
            help="auto: what is made for this system; portable: mss and pyautogui alone, which know no "
            "windows and no stop key, as on macOS."
        ),
    ] = Backend.AUTO
    flags: Annotated[
        str,
        clicks_option(
            help="none: left clicks only (NF); all: mark every proven mine; chord: flags and chords if "
            "they save clicks."
        ),
    ] = "none"
    strategy: StrategyOption = None
    guess: GuessOption = True
    mines: MinesOption = None
    dry_run: Annotated[
        bool,
        dry_run_option(
            "--dry-run",
            help="Never touch the mouse: show what to click, until stopped. Options for games, clicks and "
            "final boards have no effect then; --level only affects what --launch starts.",
        ),
    ] = False
    overlay: Annotated[
        Path | None,
        dry_run_option(help="Draw the suggestions for each position into this picture.", dir_okay=False),
    ] = None
    marks: Annotated[
        bool | None,
        dry_run_option(
            "--marks/--no-marks",
            help="Whether a dry run shows marks over the game; clicks go through them. Default: if possible.",
        ),
    ] = None
    layers: Annotated[
        str,
        dry_run_option(
            metavar="NAME,...",
            help=f"What these marks show, of {ALL_LAYERS.replace(',', ', ')}. Default: all.",
            show_default=False,
        ),
    ] = ALL_LAYERS
    pictures: Annotated[
        Path | None, files_option(help="Folder for a picture of each final board.", file_okay=False)
    ] = None
    record: Annotated[
        Path | None,
        files_option(
            metavar="DIR",
            file_okay=False,
            help="Keep each round in this new folder: picture, reading, decision, clicks, times. `minebot "
            "replay DIR` shows it.",
        ),
    ] = None
    skins_folder: SkinsOption = None
    experience: LearnedOption = None
    learn: Annotated[
        bool,
        files_option(
            "--learn/--no-learn",
            help="Whether to save unknown cell pictures as a skin, and add to the experience.",
        ),
    ] = True
    launch: Annotated[
        bool,
        games_option(
            "--launch",
            help="Start the game if it is missing: WineMine (Linux only), or minebot's own with --target "
            "builtin; also a virtual screen if there is none.",
        ),
    ] = False
    yes: Annotated[
        bool,
        clicks_option(
            "--yes",
            help="In a program that minebot does not know, click what look like buttons without asking "
            "first: to start the next game, or to set the level.",
        ),
    ] = False
    json_lines: Annotated[
        bool,
        programs_option(
            "--json", help="One JSON object a game, then one with the sums; in a dry run one a position."
        ),
    ] = False
    boards: Annotated[
        bool,
        programs_option(
            "--boards",
            help="Play nothing: print one JSON object for each board on the screen, the first one "
            "to be played first.",
        ),
    ] = False
    control: Annotated[
        bool,
        programs_option(
            "--control",
            help="Take orders as lines on standard input: pause, go, step (one round), speed 20, layers "
            "NAME,... (of a dry run), buttons yes, stop; and print every round as JSON. Moving the mouse "
            "only pauses then. For `minebot panel` and other programs.",
        ),
    ] = False

    @property
    def as_json(self) -> bool:
        """Whether results are printed as JSON."""
        return self.json_lines or self.control

    @property
    def most_games(self) -> int:
        """The number of games after which the run ends; 0: none."""
        usual = 1 if self.wins is None and self.minutes is None else 0
        return usual if self.games is None else self.games

    def limit_reached(self, played: Totals, seconds: float) -> str | None:
        """Return the limit that ends the run before its last game, "wins" or "minutes"; None if none does."""
        if played.games == self.most_games:
            return None
        if played.wins == self.wins:
            return "wins"
        return "minutes" if self.minutes is not None and seconds >= 60 * self.minutes else None

    def settings(self, wanted: WantedGame, strategy: Strategy) -> Settings:
        """Return the settings of the run, except what the game decides. Raises UsageError for wrong ones."""
        return Settings(
            games=self.most_games,
            strategy=strategy,
            guess=self.guess,
            flags=Flags(one_of("--flags", self.flags, FLAGS)),
            pace=parse_speed(self.speed),
            skins=all_skins(self.skins_folder, wanted.target),
            mines=self.mines,
            buttons=self.yes or None,
            stop_key=parse_stop_key(self.stop_key),
            backend=self.backend,
        )

    def run_info(self, settings: Settings) -> RunInfo:
        """Return what a record tells about the run, which begins now."""
        began = datetime.now().astimezone().isoformat(timespec="seconds")
        target, rule = settings.target.name, settings.target.first_click
        options: dict[str, Any] = {"level": self.level, "speed": self.speed, "flags": self.flags}
        options |= {"guess": self.guess, "mines": self.mines, "dry_run": self.dry_run}
        return RunInfo(__version__, began, target, rule, settings.strategy.name, options)


def play(**values: Any) -> None:
    """Find the Minesweeper on the screen and play it. Move the mouse or press Esc (--stop-key) to stop."""
    options = RunOptions(**values)
    orders = Orders() if options.control else None
    asked = can_be_asked() and not options.as_json
    place = None if options.at is None else parse_place(options.at)
    wanted = WantedGame(options.target, options.level, options.launch, options.pick, asked, place)
    grows = options.learn and not options.dry_run
    deciding = deciding_by(options.strategy, options.guess, options.experience, grows=grows)
    over = options.dry_run and not is_portable(options.backend)  # that has marks in pictures alone
    marks = OverlayMarks(options.marks if over else False, layers_of(options.layers))
    if options.minutes is not None:
        positive("--minutes", options.minutes, "minutes")
    settings = options.settings(wanted, deciding.strategy)
    if options.boards:
        _list_boards(wanted, settings)
        return
    if options.dry_run and options.overlay is not None:
        check_output(options.overlay, "--overlay", *SUFFIXES)
    elif not options.dry_run and options.pictures is not None:
        picture_folder(options.pictures)
    if options.record is not None:
        check_folder(options.record)
    with ExitStack() as cleanup:
        display = this_display()
        if not options.dry_run:
            cleanup.enter_context(only_bot(display))
        if display is not None or not options.launch:
            open_desktop(settings.stop_key, settings.backend).close()  # before the compiler is waited for
        settings = replace(settings, strategy=deciding.at_once().strategy)
        started = wanted.launched(cleanup)
        if not options.dry_run and display is None:
            cleanup.enter_context(only_bot(this_display()))  # the display that was started with the game
        session = Session(settings, wanted, orders, marks, cleanup, started)
        known, watcher = session.settings.target, session.watcher
        if options.control:
            tell_event("started", target=known.name, label=known.label, stop_key=watcher.desktop.stop_key)
        recorder = None
        if options.record is not None:
            about = options.run_info(session.settings)
            recorder = cleanup.enter_context(Recorder(options.record, about, watcher.clock.now, complain))
        if options.dry_run:
            lost = _suggest(session, options, marks, recorder)
        else:
            lost = _play(session, options, recorder, deciding.recorder)
    if lost or (recorder is not None and recorder.lost):
        raise typer.Exit(NOT_KEPT)


# Typer reads the options of a command from its signature: this one has a parameter for each field.
play.__signature__ = signature(RunOptions, eval_str=True)  # type: ignore[attr-defined]


class Outputs(Observer):
    """What comes out of a run: its report, pictures and, where wanted, a record, a skin and experience."""

    def __init__(
        self,
        report: Report,
        pictures: PictureKeeper,
        recorder: Recorder | None,
        skins: SkinKeeper | None,
        experience: ExperienceRecorder | None,
    ) -> None:
        self.report, self._pictures, self._recorder = report, pictures, recorder
        self._skins, self._experience = skins, experience
        self._ask_for_mines = MinesNote()

    def round(self, turn: Round) -> None:
        """Record and report a round, and learn from the last guess."""
        board = turn.look.reading.board
        if self._recorder is not None:
            self._recorder.round(turn)
        self._ask_for_mines.look_at(board)
        if self._experience is not None:
            self._experience.decided(board, turn.decision)
        self.report.round(turn)

    def end(self, result: GameResult, look: Look) -> None:
        """Record a game that has ended, and keep its picture and what was learned from it."""
        if self._recorder is not None:
            self._recorder.end(result, look)
        self._pictures.keep_end(look)
        if self._skins is not None:
            self._skins.keep()
        if self._experience is not None:
            self._experience.ended(look.reading.board)

    def keep(self, look: Look) -> str:
        """Save a picture that could not be understood, and return where."""
        if self._recorder is not None:
            self._recorder.unclear(look)
        return self._pictures.keep_doubt(look)

    def tell(self, words: str) -> None:
        """Print a message."""
        note(words)


def _list_boards(wanted: WantedGame, settings: Settings) -> None:
    """Print the boards on the screen that could be played, with where they are and how they look."""
    with ExitStack() as cleanup:
        screen = OpenedScreen(settings, cleanup, note)
        while not (boards := wanted.boards(screen)):
            screen.watcher(None).find()  # this says why there is none, or finds what has appeared meanwhile
        for board in boards:
            area = board.area
            seen = None if area is None else shrunk(screen.capture.grab(area).pixels, _LARGEST_SHOWN)
            print_json(
                {
                    "target": board.target.name,
                    "label": board.target.label,
                    "words": str(board),
                    **dict.fromkeys(("x", "y", "width", "height"), None),
                    **({} if area is None else asdict(area)),
                    "picture": None if seen is None else b64encode(png_of(seen)).decode(),
                }
            )


def _suggest(session: Session, options: RunOptions, marks: OverlayMarks, recorder: Recorder | None) -> bool:
    """Show what to click until the user stops that; return whether the last picture was lost."""
    settings, watcher = session.settings, session.watcher
    if not options.control:
        ends = " or ".join(dict.fromkeys((watcher.desktop.stop_key, "Ctrl+C")))  # the same without a stop key
        drawn = "" if options.overlay is None else f"suggestions are drawn into {options.overlay}; "
        note(f"dry run: the mouse is yours; {drawn}{ends} ends it")
    shown = marks.shown_by(watcher, settings.strategy)
    suggestions = watch(watcher, settings, session.control, shown, marks.rest)
    recorded = None if recorder is None else DryRunRecorder(recorder)
    event = {"event": "position"} if options.control else {}
    return not show_suggestions(
        suggestions, options.overlay, recorded, json_lines=options.as_json, event=event
    )


def _play(
    session: Session, options: RunOptions, recorder: Recorder | None, experience: ExperienceRecorder | None
) -> bool:
    """Play until a limit is reached, and report every game; return whether a picture was lost."""
    settings, now = session.settings, session.watcher.clock.now
    mouse: Mouse = session.mouse
    if recorder is not None:
        mouse = RecordingMouse(mouse, now, recorder.sent)
    folder = picture_folder(options.pictures)
    keeper, skins = PictureKeeper(folder), None
    if options.learn:
        learned = options.skins_folder or user_skins()
        skins = SkinKeeper(session.watcher.reader, settings.target, learned)
    report = JsonReport(events=options.control) if options.as_json else TableReport(settings.games, folder)
    outputs = Outputs(report, keeper, recorder, skins, experience)
    player = Player(session.watcher, mouse, settings, outputs, session.control)
    with report:
        began = now()
        for result in player.play():
            report.game(result)
            if reached := options.limit_reached(report.totals, now() - began):
                report.limit = reached
                break
        else:  # the player counts the games: one that was replaced, whose end is unknown, is none
            report.limit = "games"
    return options.pictures is not None and keeper.lost
