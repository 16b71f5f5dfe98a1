"""``minebot bench``: play seeded games in memory to measure win rates and times of strategies."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TimeRemainingColumn

from bot.bench.plan import PlayOptions, Unit, UnitResult, boards_of, fingerprint, parse_against
from bot.bench.results import OUTCOMES, Checkpoint, Key, Results, Summary, charts_of, identity
from bot.bench.running import WorkerPool, peak_memory, play_all, players
from bot.bench.statistics import Estimate, difference
from bot.board import FirstClick
from bot.charts import save_charts
from bot.cli.options import FirstOption, LearnedOption, RuleOption, informed, prepare_kernel
from bot.cli.terminal import note, print_json, print_table, progress_with_news, say
from bot.errors import UsageError
from bot.files import check_output
from bot.game.simulation import BASE_SEED
from bot.solver import STRATEGIES, Strategy, strategy_named
from bot.solver.strategies import CompiledStrategy

_PAUSE = 10.0  # seconds between two lines of progress if the output is not a terminal


def bench(
    level: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL",
            help="beginner, intermediate, expert or ROWSxCOLS/MINES; may be repeated. Default: expert.",
        ),
    ] = None,
    mines: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="Play each board size with these numbers of mines instead."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many boards.")] = 1000,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the first board; each of the next has one more.")
    ] = BASE_SEED,
    first: FirstOption = None,
    rule: RuleOption = FirstClick.SAFE,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help=f"One of {', '.join(STRATEGIES)}; may be repeated. Default: fast and best."),
    ] = None,
    by_move: Annotated[
        bool,
        typer.Option("--by-move", help="Decide on every move separately, as on the screen; much slower."),
    ] = False,
    guess: Annotated[
        bool,
        typer.Option(
            "--guess/--no-guess",
            help="With --no-guess, a game ends as stuck as soon as no cell is proven safe.",
        ),
    ] = True,
    advantages: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="If a guess differs from the first strategy's, that strategy plays both choices to the end "
            "N times. This measures small differences with far fewer games.",
        ),
    ] = None,
    experience: LearnedOption = None,
    jobs: Annotated[
        int, typer.Option(min=0, help="How many processes play; 0 means one for each processor.")
    ] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on the Dask cluster of this scheduler, in a network that you trust: whoever reaches "
            "it can run code here. tls://HOST:PORT needs Dask's settings in distributed.comm.tls.",
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="Save finished games in this file; the same command continues from it."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", dir_okay=False, help="Draw win rates and times into this file."),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object for each level and strategy.")
    ] = False,
    outcomes: Annotated[
        bool,
        typer.Option(
            "--outcomes",
            help=f"In JSON, list the results of all games, even of more than {OUTCOMES:,} games.",
        ),
    ] = False,
) -> None:
    """Play seeded games in memory: win rates, differences on the same boards, and times of strategies.

    For fast and best, one decision is all the thinking between two guesses, and
    only their own processor time counts (except on Windows). Other strategies
    decide on one move at a time; with --by-move, --no-guess or --advantages all
    of them do.
    """
    if plot is not None:
        check_output(plot, "--plot", ".svg", inputs=[] if checkpoint is None else [checkpoint])
    if advantages is not None and not guess:
        raise UsageError("--advantages compares guesses: leave out --no-guess")
    boards = list(dict.fromkeys(boards_of(level or ["expert"], mines, first, rule, seed)))
    strategies = _strategies(strategy or ["fast", "best"], experience)
    against = parse_against(strategies, advantages)
    options = PlayOptions(by_move, against, guess)
    compared = strategies if against is None else strategies[1:]
    results = {
        (kind.size, one.name): Results(kind, one, games, options) for kind in boards for one in compared
    }
    report = BenchReport(results, json_lines=json_lines, outcomes=outcomes)
    with ExitStack() as cleanup:
        keep = None
        if checkpoint is not None:
            run = identity(boards[0], first, options, strategies, fingerprint())
            keep = cleanup.enter_context(closing(Checkpoint(checkpoint, run, report.recall)))
        crew = cleanup.enter_context(_players(jobs, cluster, strategies))
        report.begin()
        cleanup.callback(report.end)
        _play(results, crew, report, keep)
    if plot is not None:
        save_charts(plot, charts_of([one.summary() for one in results.values()]), 2)
        note(f"the plot is in {plot}")


def _strategies(names: Sequence[str], experience: str | None) -> list[Strategy]:
    """Return the strategies of these names, without duplicates, with what they have learned."""
    chosen = [strategy_named(name) for name in dict.fromkeys(names)]
    return [informed(one, experience, grows=False)[0] for one in chosen]


@contextmanager
def _players(jobs: int, cluster: str | None, strategies: Sequence[Strategy]) -> Iterator[WorkerPool]:
    """Yield ``jobs`` processes, or a cluster, that play with ``strategies``."""
    if cluster is None:  # compile before the processes start; otherwise each would compile
        prepare_kernel(strategies)
    with players(jobs, cluster) as crew:
        if cluster is not None and any(isinstance(one, CompiledStrategy) for one in strategies):
            note("each worker compiles the solver's kernel once: the first games take longer")
        yield crew


def _play(
    results: Mapping[Key, Results], crew: WorkerPool, report: BenchReport, keep: Checkpoint | None
) -> None:
    """Play the games that are missing in ``results``; all strategies advance at about the same pace."""

    def done(unit: Unit, played: UnitResult) -> None:
        report.add(unit, played)
        if keep is not None:
            keep.add(unit, played)

    units = heapq.merge(*(one.units(fingerprint()) for one in results.values()), key=lambda one: one.start)
    play_all(units, crew, done)


class BenchReport:
    """A progress bar with the current win rates; at the end a table and the differences, or JSON lines.

    With ``outcomes``, the JSON contains how each game ended, however many games there are.
    """

    def __init__(self, results: Mapping[Key, Results], *, json_lines: bool, outcomes: bool) -> None:
        self._results, self._json_lines, self._outcomes = results, json_lines, outcomes
        self._progress = progress_with_news(TimeRemainingColumn())
        self._task = self._progress.add_task("", total=sum(one.games for one in results.values()), news="")
        self._told = time.monotonic()
        self._memory = 0.0

    def recall(self, key: Key, start: int, played: UnitResult) -> None:
        """Add games from a checkpoint, if this run includes them."""
        if key in self._results:
            self._progress.update(self._task, advance=self._results[key].add(start, played))

    def add(self, unit: Unit, played: UnitResult) -> None:
        """Add games that have just been played, and show the progress."""
        self.recall((unit.boards.size, unit.strategy.name), unit.start, played)
        self._memory = max(self._memory, played.memory)
        now = time.monotonic()
        if self._progress.console.is_terminal:
            self._progress.update(self._task, news=self._rates())
        elif now - self._told >= _PAUSE:
            self._told = now
            self._progress.console.print(self._rates(), markup=False)

    def begin(self) -> None:
        """Start the progress bar; it is shown on a terminal only."""
        self._progress.start()

    def end(self) -> None:
        """Print the results, also of a stopped run: they include all games before the first missing one."""
        self._progress.stop()
        summaries = [one.summary() for one in self._results.values()]
        if self._json_lines:
            for summary in summaries:
                print_json(summary.as_json(outcomes=self._outcomes))
            return
        _print_table(summaries)
        for line in (*_differences(summaries), *_advantages(summaries)):
            say(line)
        if peak_memory() and self._memory:
            here, playing = (f"{most:.0f} MB" for most in (peak_memory(), self._memory))
            say(f"most memory: {here} here, {playing} where games were played")

    def _rates(self) -> str:
        """Return one line with the current win rate of each strategy (and level, if there are several)."""
        several = len({one.boards for one in self._results.values()}) > 1
        return " · ".join(
            f"{f'{one.boards.level} ' if several else ''}{one.strategy} {_rate(one)}"
            for one in self._results.values()
        )


def _rate(results: Results) -> str:
    far, against = results.so_far, results.options.against
    rate = f"{100 * far.rate.value:.2f} % of {far.games}" if far.games else "-"
    return f"{rate}, {_points(far.gain)} over {against.strategy}" if against and far.games > 1 else rate


def _print_table(summaries: Sequence[Summary]) -> None:
    boards = summaries[0].of.boards
    levels = {one.of.boards.level for one in summaries}
    firsts = {one.of.boards.first for one in summaries}
    title = [
        *(levels if len(levels) == 1 else []),
        f"rule {boards.rule.value}",
        *[f"first click {first.row + 1},{first.col + 1}" for first in firsts if len(firsts) == 1],
        f"boards from seed {boards.seed}",
    ]
    unwanted = {"level"} if len(levels) == 1 else set[str]()
    unwanted |= {"stuck, %"} if summaries[0].of.options.guess else set()
    columns = [(heading, text) for heading, text in _COLUMNS if heading not in unwanted]
    rows = ([text(summary) for _, text in columns] for summary in summaries)
    print_table(", ".join(title), [heading for heading, _ in columns], rows)


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _time(name: str) -> Callable[[Summary], str]:
    return lambda one: _milliseconds(one.times[name])


_COLUMNS: tuple[tuple[str, Callable[[Summary], str]], ...] = (
    ("level", lambda one: one.of.boards.level),
    ("strategy", lambda one: one.of.strategy.name),
    ("games", lambda one: str(one.games)),
    ("won, %", lambda one: f"{100 * one.rate.value:.2f}" if one.games else "-"),
    ("95 %", lambda one: f"{100 * one.rate.low:.2f}-{100 * one.rate.high:.2f}" if one.games else "-"),
    ("stuck, %", lambda one: f"{100 * one.stuck / one.games:.2f}" if one.games else "-"),
    ("ms a game", _time("mean")),
    ("median", _time("median")),
    ("99 %", _time("p99")),
    ("longest", _time("max")),
    ("ms a decision: 99 %", lambda one: _milliseconds(one.of.decision_times["p99"])),
    ("longest", lambda one: _milliseconds(one.of.decision_times["max"])),
    ("guesses", lambda one: "-" if one.guesses is None else f"{one.guesses:.2f}"),
)


def _differences(summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield a line for every two strategies: the difference on the boards that both have played."""
    for one, other in combinations(summaries, 2):
        games = min(one.games, other.games)
        if one.of.boards == other.of.boards and games:
            found = difference(other.won[:games], one.won[:games])
            yield (
                f"{one.of.boards.level}: {other.of.strategy} - {one.of.strategy} = {_points(found)} "
                f"on the same {games} boards"
            )


def _advantages(summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield a line for each strategy: how much more often it wins than the one it was compared with."""
    for one in summaries:
        against = one.of.options.against
        if against is not None and one.games:
            yield (
                f"{one.of.boards.level}: {one.of.strategy} - {against.strategy} = {_points(one.gain)} "
                f"by the advantages of {one.games} games, where {one.differing:.2f} guesses a game differ, "
                f"played out {against.games} times each"
            )


def _points(found: Estimate) -> str:
    return f"{100 * found.value:+.2f} points ({100 * found.low:+.2f} to {100 * found.high:+.2f})"
