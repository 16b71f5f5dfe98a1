"""What a run shows: progress and totals of its games, or the suggestions of a dry run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from rich.progress import TimeElapsedColumn

from bot.capture import ScreenCapture
from bot.cli.files import DryRunRecorder, picture_path
from bot.cli.positions import Found, MinesNote, board_as_json, hint_as_json, hint_lines, move_lines
from bot.cli.terminal import complain, note, print_json, print_table, progress_with_news, say, tell_event
from bot.desktop import open_desktop
from bot.desktop.protocols import Capture
from bot.errors import BotError, PictureError, StoppedError, UsageError
from bot.files import PRIVATE
from bot.game.metrics import Clicks
from bot.marks import Advice, Layer, draw_boards, marks_in_picture
from bot.play.dryrun import Suggestion
from bot.play.look import Look
from bot.play.results import GameResult, Round, Totals
from bot.play.watcher import BoardWatcher
from bot.record.recorder import around_board
from bot.solver import Strategy
from bot.solver.decision import Decision, Reason
from bot.solver.explain.hints import chances, explain
from bot.solver.strategies import uses_kernel
from bot.stop import Stop
from bot.ui.overlay import Overlay
from bot.vision import save_picture
from bot.words import counted, measure_name, measure_words

MOST_PATHS = 20  # if there are more pictures, only their folder is printed
MOST_ROWS = 100  # games in the table, the last ones: a run may go on for days
_COLUMNS = (  # keys in the JSON object of a game
    *("level", "outcome", "seconds", "bbbv", "bbbv_per_second", "clicks", "ioe", "guesses"),
)
_LEGEND = (
    "3BV: fewest clicks that open the board; IOE: 3BV for each click; correctness: share of clicks with an "
    "effect; throughput: 3BV for each of these; RQP: seconds squared for each 3BV"
)


class Report:
    """A report of a run: it receives every round and every game, and prints the totals at the end."""

    def __init__(self) -> None:
        self.totals = Totals()
        self.limit = ""  # the limit that ended the run: "games", "wins" or "minutes"

    def round(self, turn: Round) -> None:
        """Receive one round, before its clicks are sent."""

    def game(self, result: GameResult) -> None:
        """Receive the result of one finished game."""
        self.totals.results.append(result)

    def end(self, error: BaseException | None) -> None:
        """Print the totals at the end of the run; ``error`` is the exception that ended it, or None."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self.end(error)


class JsonReport(Report):
    """A report that prints one JSON object per game on standard output, and a last one with the totals.

    With ``events`` it also prints every round, for the program that gives orders, and each object has the key
    ``event``: "started", "round", "game", "sums", "position" (in a dry run), "paused", "playing", "speed" and
    "layers" and "buttons" (after a change), "question", "refused".
    """

    def __init__(self, *, events: bool = False) -> None:
        super().__init__()
        self._events = events

    def round(self, turn: Round) -> None:
        """Print a round as an event, before its clicks are sent."""
        if not self._events:
            return
        decision, board = turn.decision, turn.look.reading.board
        move = decision.moves[0]
        tell_event(
            "round",
            game=turn.game,
            round=turn.number,
            row=move.cell.row,
            col=move.cell.col,
            reason=decision.words_for(move),
            words=decision.sentence_for(move),
            risk=decision.risk,
            clicks=len(turn.clicks),
            opened=board.count(*range(9)),
            mines_left=turn.look.reading.mines_left,
        )

    def game(self, result: GameResult) -> None:
        """Print the result of a game."""
        super().game(result)
        self._tell("game", result.as_json())

    def end(self, error: BaseException | None) -> None:
        """Print the totals, and what ended the run: "user", "error", or the limit that was reached."""
        stopped = isinstance(error, StoppedError) or not isinstance(error, Exception)  # the latter: Ctrl+C
        ended_by = self.limit if error is None else "user" if stopped else "error"
        self._tell("sums", {**self.totals.as_json(), "ended_by": ended_by})

    def _tell(self, kind: str, facts: dict[str, Any]) -> None:
        print_json({"event": kind, **facts} if self._events else facts)


class TableReport(Report):
    """A progress line during play; at the end a table of the last games and the paths of their pictures.

    ``games`` is the planned number of games (0: no limit); ``folder`` contains pictures of final boards.
    """

    def __init__(self, games: int, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._rows = deque[list[str]](maxlen=MOST_ROWS)
        self._progress = progress_with_news(TimeElapsedColumn())
        self._task = self._progress.add_task("", total=games or None, news="looking at the board")

    def round(self, turn: Round) -> None:
        """Show the progress of the game."""
        opened = turn.look.reading.board.count(*range(9))
        decision = turn.decision
        why = decision.words_for(decision.moves[0])
        news = f"game {turn.game}, round {turn.number}: {why}, {opened} open"
        self._progress.update(self._task, news=f"{self._score()}{news}")

    def game(self, result: GameResult) -> None:
        """Show the score and add a row to the table."""
        super().game(result)
        self._progress.update(self._task, advance=1, news=f"{self._score()}{_outcome(result)}")
        if not self._progress.console.is_terminal:  # no live progress line: print one line per game
            self._progress.console.print(f"game {self.totals.games}: {_outcome(result)}{_measures(result)}")
        values: dict[str, Any] = result.as_json()
        figures = (measure_words(name, values[name]) for name in _COLUMNS)
        self._rows.append([str(self.totals.games), *figures])

    def _score(self) -> str:
        return f"won {self.totals.wins} of {self.totals.known} · " if self.totals.games else ""

    def __enter__(self) -> Self:
        self._progress.start()  # it is shown on a terminal only
        return self

    def end(self, _error: BaseException | None) -> None:
        """Print the table and the totals."""
        self._progress.stop()
        if not self.totals.games:
            return
        totals, cut = self.totals, len(self._rows) == MOST_ROWS
        headings = ["game", *map(measure_name, _COLUMNS)]
        print_table(f"the last {MOST_ROWS} games" if cut else "games", headings, self._rows)
        say(_LEGEND)
        for line in self._pictures():
            say(line)
        rate = f" ({totals.rate:.0%})" if totals.rate is not None else ""
        stuck = f"{stuck} stuck (would have to guess), " if (stuck := totals.count("stuck")) else ""
        unknown = f"{unknown} more with an unknown end, " if (unknown := totals.count("unknown")) else ""
        say(
            f"won {totals.wins} of {totals.known}{rate}, {unknown}"
            f"{stuck}{_clicks(totals.spent)}, {counted(totals.sum_of('guesses'), 'guess', 'guesses')}, "
            f"{counted(totals.sum_of('misreads'), 'misread')}, "
            f"{counted(totals.sum_of('retries'), 'click')} sent again"
        )
        if self.limit in ("wins", "minutes"):  # for "games" the number says enough
            say(f"ended as --{self.limit} asks for")
        if measured := sum(bool(result.measures) for result in totals.results):
            games = "the game" if measured == 1 else f"the {measured} games"
            say(f"means of {games} won from the first click on: {_words(totals.means)}")

    def _pictures(self) -> list[str]:
        """Return lines with the paths of the saved final boards, or only their folder if there are many."""
        paths = [picture_path(self._folder, game) for game in range(1, self.totals.games + 1)]
        kept = [(game, path) for game, path in enumerate(paths, 1) if path.exists()]
        if len(kept) > MOST_PATHS:
            return [f"final boards: {len(kept)} pictures in {self._folder}"]
        return [f"final board of game {game}: {path}" for game, path in kept]


def _outcome(result: GameResult) -> str:
    unknown = f"over, its end is unknown ({result.concluded}),"
    words = {"stuck": "stuck, it would take a guess,", "unknown": unknown}
    end = words.get(result.outcome, result.outcome)
    return f"{end} in {result.seconds:.2f} s"


def _measures(result: GameResult) -> str:
    """Return the clicks and measures of a game in words, to be printed after its outcome."""
    values = {name: value for name, value in result.measures.items() if name not in ("seconds", "clicks")}
    return ", ".join(part for part in (f": {_clicks(result.spent)}", _words(values)) if part)


def _clicks(clicks: Clicks) -> str:
    """Return the number of clicks in words, and of each kind unless all are left clicks."""
    kinds = (("left", clicks.left), ("right", clicks.right))
    each = [f"{number} {kind}" for kind, number in kinds if number]
    each += [counted(clicks.chords, "chord")] if clicks.chords else []
    return counted(clicks.total, "click") + (f" ({', '.join(each)})" if clicks.left != clicks.total else "")


def _words(values: Mapping[str, float | None]) -> str:
    """Return measures in words, with the names that players use, such as 3BV/s."""
    known = ((name, value) for name, value in values.items() if value is not None)
    return ", ".join(f"{measure_name(name)} {measure_words(name, value)}" for name, value in known)


# A dry run


def layers_of(names: str) -> frozenset[Layer]:
    """Return the layers in ``names``, separated by commas. Raises UsageError for unknown or no layers."""
    known = {layer.value: layer for layer in Layer}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            raise UsageError(f"--layers {names}: there is no layer {name}: choose from {', '.join(known)}")
    if not wanted:
        raise UsageError("--layers: name at least one, or use --no-marks")
    return frozenset(known[name] for name in wanted)


class OverlayMarks:
    """The marks over the game in a dry run, of those ``layers``.

    They are ``wanted`` in any case (True), if they are possible (None), or not at all (False).
    """

    def __init__(self, wanted: bool | None, layers: frozenset[Layer]) -> None:
        self._wanted, self._layers = wanted, layers
        self._overlay: Overlay | None = None
        self.orders: Mapping[str, Callable[[str], None]] = {"layers": self._change}

    def _change(self, names: str) -> None:
        if self._overlay is None:
            raise UsageError("layers: there are no marks over the game")
        self._overlay.layers = layers_of(names) if names else frozenset()

    def over(self, screen: Capture, cleanup: ExitStack, stop: Stop) -> Capture:
        """Open the marks, which ``cleanup`` will close, and return what takes pictures without them.

        If they cannot be shown, print a note or, if they are wanted in any case, raise the error.
        """
        if self._wanted is False:
            return screen
        try:
            overlay = Overlay(screen, self._layers, lambda: (open_desktop(), ScreenCapture()), note, stop)
        except BotError as error:
            if self._wanted:
                raise
            note(f"{error}; the dry run goes on without marks over the game")
            return screen
        cleanup.callback(overlay.close)
        self._overlay = overlay
        return overlay

    @property
    def rest(self) -> Callable[[float], None] | None:
        """A function that waits, and moves the marks with their window meanwhile; None without marks."""
        return None if self._overlay is None else self._overlay.rest

    def shown_by(self, watcher: BoardWatcher, strategy: Strategy) -> Callable[[Suggestion], None]:
        """Return a function that shows a suggestion as marks over the game that ``watcher`` watches."""
        last: tuple[Decision, Advice] | None = None  # the same decision often comes again: reuse its advice

        def show(suggestion: Suggestion) -> None:
            nonlocal last
            look, decision, overlay = suggestion.look, suggestion.decision, self._overlay
            if overlay is None:
                return
            if look is None or decision is None:
                overlay.clear()
                return
            if last is None or last[0] is not decision:
                last = decision, _advice(look, decision, compiled=uses_kernel(strategy))
            reading = look.reading
            overlay.show(look.frame, reading.grid, reading.board, watcher.place.window, last[1])

        return show


def _advice(look: Look, decision: Decision, *, compiled: bool) -> Advice:
    hint, risks = explain(look.careful, decision, first=True), decision.risks
    if compiled and decision.reason is not Reason.FIRST_CLICK:
        risks = dict(chances(look.careful, compiled=True).risks)
    return Advice(decision, hint.cell, hint.numbers, risks, hint.sentence)


def show_suggestions(
    suggestions: Iterable[Suggestion],
    picture: Path | None,
    watched: DryRunRecorder | None,
    *,
    json_lines: bool,
    event: Mapping[str, str],
) -> bool:
    """Print each suggestion, draw it into ``picture`` if there is one, and record it with ``watched``.

    Every JSON object contains ``event``. If the picture cannot be written, print an error and go on. Return
    false if it could not be written at last.
    """
    ask_for_mines, lost = MinesNote(), False
    for suggestion in suggestions:
        look, decision = suggestion.look, suggestion.decision
        if watched is not None:
            watched.record(suggestion)
        if look is None:
            note(suggestion.why)
            continue
        if decision:
            ask_for_mines.look_at(look.reading.board)
        if decision and decision.moves and suggestion.why:
            note(suggestion.why)
        hint = explain(look.careful, decision, first=True) if decision else None
        if json_lines:
            found = Found(look.reading, decision, suggestion.why)
            values = None if hint is None else hint_as_json(hint, look.careful)
            print_json({**event, **board_as_json(found), "hint": values})
        else:
            lines = move_lines(decision, suggestion.why)
            say(str(look.reading.board))
            say("\n".join(lines if hint is None else [*hint_lines(hint), *lines]))
        if picture is None:
            continue
        try:
            look = around_board(look)
            marks = marks_in_picture(look.reading.board, decision)
            save_picture(picture, draw_boards(look.frame.pixels, [(look.reading.grid, marks)]), PRIVATE)
            lost = False
        except PictureError as error:
            if not lost:  # print the error only after a success
                complain(f"{error}; the dry run goes on without this picture")
            lost = True
    return not lost
