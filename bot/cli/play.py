"""``minebot play``: find the game on the screen and play it, or only show what would be clicked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot import __version__
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
from bot.cli.reports import JsonReport, Report, TableReport, tell_event, tell_news
from bot.cli.suggestions import OverlayMarks, layers_of, show
from bot.cli.target import WantedGame
from bot.cli.terminal import Orders, TerminalQuestion, can_be_asked, complain, note
from bot.clicker.pace import parse_speed
from bot.clicker.style import Flags
from bot.desktop import is_portable, open_desktop
from bot.desktop.protocols import Backend, Mouse
from bot.marks.overlay_marks import Layer
from bot.play.dryrun import watch
from bot.play.look import Look
from bot.play.player import Player
from bot.play.results import GameResult, Observer, Round, Settings
from bot.play.session import Session, SessionSettings, User
from bot.record.lines import RunInfo
from bot.record.recorder import Recorder, RecordingMouse, check_folder
from bot.solver.strategies import ThinkingStrategy
from bot.targets.catalogue import parse_stop_key

if TYPE_CHECKING:
    from bot.solver.published.korlyakova import ExperienceRecorder

NOT_KEPT = 5  # exit code: done, but a record or a picture that was asked for could not be written
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
    orders = Orders() if control else None
    asked = can_be_asked() and not (json_lines or control)
    wanted = WantedGame(target, level, launch, pick, asked)
    deciding = deciding_by(strategy, think, guess, experience, grows=learn and not dry_run)
    pace, over = parse_speed(speed), dry_run and not is_portable(backend)  # that has marks in pictures alone
    marks = OverlayMarks(overlay if over else False, layers_of(layers))
    style, limits = Flags(one_of("--flags", flags, FLAGS)), limits_of(games, wins, minutes)
    settings = SessionSettings(
        wanted,
        all_skins(skins_folder, wanted.target),
        User(note, tell_news, orders, TerminalQuestion() if can_be_asked() else None),
        marks,
        parse_stop_key(stop_key),
        backend,
        mines,
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
    options = {"level": level, "speed": speed, "flags": flags, "think": think}
    options |= {"guess": guess, "mines": mines, "dry_run": dry_run}
    with ExitStack() as cleanup:
        display = this_display()
        if not dry_run:
            cleanup.enter_context(only_bot(display))
        if display is not None or not launch:
            open_desktop(settings.stop_key, backend).close()  # before the compiler is waited for
        deciding = deciding.at_once()
        started = wanted.launched(cleanup)
        if not dry_run and display is None:
            cleanup.enter_context(only_bot(this_display()))  # the display that was started with the game
        session = Session(settings, cleanup, started)
        known, stop_name = session.target, session.watcher.desktop.stop_key
        if control:
            tell_event("started", target=known.name, label=known.label, stop_key=stop_name)
        recorder = None
        if record is not None:
            began, rule = datetime.now().astimezone().isoformat(timespec="seconds"), known.first_click.value
            about = RunInfo(__version__, began, known.name, rule, deciding.strategy.name, options)
            recorder = cleanup.enter_context(Recorder(record, about, session.watcher.clock.now, complain))
        as_json = json_lines or control
        if dry_run:
            if not control:
                ends = " or ".join(dict.fromkeys((stop_name, "Ctrl+C")))  # the same without a stop key
                note(f"dry run: the mouse is yours; suggestions are drawn into {picture}; {ends} ends it")
            lost = not _suggest(session, deciding, marks, picture, recorder, as_json, control)
        else:
            run = Settings(limits.games, session.level, deciding.strategy, guess, style, known, pace)
            folder = picture_folder(pictures)
            keeper = PictureKeeper(folder)
            report = JsonReport(events=control) if as_json else TableReport(limits.games, folder)
            learned = (skins_folder or user_skins()) if learn else None
            skins = None if learned is None else SkinKeeper(session.watcher.reader, known, learned)
            _play(session, run, limits, Outputs(report, keeper, recorder, skins, deciding.recorder))
            lost = pictures is not None and keeper.lost
    if lost or (recorder is not None and recorder.lost):
        raise typer.Exit(NOT_KEPT)


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

    def heard(self, mouse: Mouse, now: Callable[[], float]) -> Mouse:
        """Return the mouse, with what it sends recorded if there is a record."""
        return mouse if self._recorder is None else RecordingMouse(mouse, now, self._recorder.sent)

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


def _suggest(
    session: Session,
    deciding: Deciding,
    marks: OverlayMarks,
    picture: Path,
    recorder: Recorder | None,
    as_json: bool,
    events: bool,
) -> bool:
    """Show what to click until the user stops that; return whether the last picture was written."""
    shown, rule = marks.shown_by(session.watcher, deciding.strategy), session.target.first_click
    suggestions = watch(
        session.watcher, rule, deciding.strategy, deciding.guess, session.control, shown, marks.rest
    )
    recorded = None if recorder is None else DryRunRecorder(recorder)
    event = {"event": "position"} if events else {}
    return show(suggestions, picture, recorded, json_lines=as_json, event=event)


def _play(session: Session, settings: Settings, limits: Limits, outputs: Outputs) -> None:
    """Play until a limit is reached, and report every game."""
    now, report = session.watcher.clock.now, outputs.report
    player = Player(session.watcher, outputs.heard(session.mouse, now), settings, outputs, session.control)
    with report:
        began = now()
        for result in player.play():
            report.game(result)
            reached = limits.reached(report.totals.games, report.totals.wins, now() - began)
            if reached not in (None, "games"):
                report.limit = reached
                return
        report.limit = "games"  # the player counts them: one that was replaced, whose end is unknown, is none
