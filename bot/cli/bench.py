"""``minebot bench``: play seeded games in memory; how often strategies win, and how long they think."""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from bot.bench.checkpoint import Checkpoint, Key, identity, name_of
from bot.bench.plan import (
    Against,
    Boards,
    How,
    Played,
    Unit,
    check_size,
    fingerprint,
    parse_first,
    parse_size,
)
from bot.bench.results import OUTCOMES, Results, units_of
from bot.bench.running import Crew, local, play_all
from bot.board import FirstClick
from bot.cli.bench_report import BenchReport
from bot.cli.kernel import prepare_kernel
from bot.cli.learned import LearnedOption, learned_for
from bot.cli.options import THINK, DebugOption, seconds_of
from bot.cli.output import side_console
from bot.errors import UsageError
from bot.game.simulation import BASE_SEED
from bot.solver import STRATEGIES
from bot.solver.policies import COMPILED, DEEP, POLICIES


def bench(
    level: Annotated[
        list[str] | None,
        typer.Option(
            help="beginner, intermediate, expert or ROWSxCOLS/MINES; may be repeated. Default: expert."
        ),
    ] = None,
    mines: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="Play boards of that size with these numbers of mines instead."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many boards.")] = 1000,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the first board; each of the next has one more.")
    ] = BASE_SEED,
    first: Annotated[
        str | None,
        typer.Option(help="First click: corner, center or ROW,COL; if not given, what the solver opens."),
    ] = None,
    rule: Annotated[
        FirstClick, typer.Option(help="What the game promises about the first click.")
    ] = FirstClick.SAFE,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help=f"One of {', '.join(STRATEGIES)}; may be repeated. Default: fast and best."),
    ] = None,
    by_move: Annotated[
        bool,
        typer.Option("--by-move", help="Ask for every move on its own, as on the screen; far slower."),
    ] = False,
    think: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help=f"How long {DEEP} thinks about each guess, on one processor. Default: {THINK:g}.",
        ),
    ] = None,
    guess: Annotated[
        bool,
        typer.Option(
            "--guess/--no-guess",
            help="With --no-guess a game ends where nothing is proven: those won took no guess.",
        ),
    ] = True,
    advantages: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Where a guess is not the first strategy's, let that play both out N times: this shows "
            "small differences in far fewer games.",
        ),
    ] = None,
    experience: LearnedOption = None,
    jobs: Annotated[
        int, typer.Option(min=0, help="How many processes play; 0 is one for each processor.")
    ] = 1,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on the Dask cluster of this scheduler.")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="File that keeps what has been played; the same command goes on from there."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Draw win rates and times to this picture, such as bench.png."),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object for each level and strategy.")
    ] = False,
    outcomes: Annotated[
        bool,
        typer.Option(
            "--outcomes", help=f"In JSON, tell how each game ended even of more than {OUTCOMES:,} games."
        ),
    ] = False,
    _debug: DebugOption = False,
) -> None:
    """Play seeded games in memory: win rates, differences on the same boards, and times of strategies.

    Of fast and best, a decision is all the thinking between two guesses, and
    what other programs take of the processor does not count (except on
    Windows). Others are asked for one move at a time; so are all of them with
    --by-move, --no-guess or --advantages.
    """
    names = _strategies(strategy or ["fast", "best"])
    boards = [
        Boards(*size, rule, parse_first(first, *size, rule), seed)
        for size in _sizes(level or ["expert"], mines)
    ]
    if plot is not None:
        from bot.bench.plots import check_plot, draw

        check_plot(plot)
    if advantages is not None and not guess:
        raise UsageError("--advantages compares guesses: leave out --no-guess")
    learned = learned_for(names, experience, grows=False)
    how = How(by_move, _seconds(names, think), _against(names, rule, advantages), learned, guess)
    players = names if how.against is None else names[1:]
    results = {(name_of(kind), name): Results(kind, name, games, how) for kind in boards for name in players}
    report = BenchReport(list(results.values()), json_lines=json_lines, outcomes=outcomes)
    run = identity(boards[0], first, how, fingerprint())
    with ExitStack() as cleanup:
        keep = cleanup.enter_context(Checkpoint(checkpoint, run, _taker(results))) if checkpoint else None
        if cluster is None:  # before processes start, which would all do it at once otherwise
            prepare_kernel([*names, DEEP] if how.against else names, games=True)  # which plays out as well
        crew = cleanup.enter_context(_crew(jobs, cluster))
        if cluster is not None and COMPILED.keys() & set(names):
            side_console().print("each worker compiles the solver's kernel once: the first games take longer")
        cleanup.enter_context(report)

        def done(unit: Unit, played: Played) -> None:
            report.add(results[name_of(unit.boards), unit.strategy], unit.start, played)
            if keep is not None:
                keep.add(unit, played)

        play_all(_units(list(results.values())), crew, done)
    if plot is not None:
        draw([one.summary() for one in results.values()], plot)


def _strategies(wanted: Sequence[str]) -> list[str]:
    for name in wanted:
        if name not in STRATEGIES:
            raise UsageError(f"--strategy {name}: choose one of {', '.join(STRATEGIES)}")
    return list(dict.fromkeys(wanted))


def _seconds(names: Sequence[str], think: float | None) -> float:
    """Return for how many seconds a guess is thought about, by those of ``names`` that think."""
    if think is not None and DEEP not in names:
        raise UsageError(f"--think {think:g}: only the strategy {DEEP} thinks, add --strategy {DEEP}")
    return seconds_of(think)


def _against(names: Sequence[str], rule: FirstClick, games: int | None) -> Against | None:
    """Return with whom guesses are compared, if ``games`` shall be played out for each."""
    if games is None:
        return None
    if len(names) < 2:
        raise UsageError("--advantages compares strategies: give two or more with --strategy")
    if names[0] not in POLICIES:
        raise UsageError(
            f"--advantages: {names[0]} comes first and cannot play out: {', '.join(POLICIES)} can"
        )
    if rule is FirstClick.WINMINE:
        raise UsageError("--advantages draws all solutions alike, which is wrong with --rule winmine")
    return Against(names[0], games)


def _sizes(levels: Sequence[str], mines: str | None) -> list[tuple[int, int, int]]:
    """Return rows, columns and mines of all boards, each once."""
    sizes = [parse_size(level) for level in levels]
    if mines is not None:
        try:
            counts = [int(count) for count in mines.split(",")]
        except ValueError:
            raise UsageError(f"--mines {mines}: give numbers, such as 80,90,99") from None
        sizes = [(rows, cols, count) for rows, cols, _ in sizes for count in counts]
        for size in sizes:
            check_size(*size)
    return list(dict.fromkeys(sizes))


def _taker(results: dict[tuple[str, str], Results]) -> Callable[[Key, int, Played], None]:
    """Return what takes in the units of a checkpoint, those that are asked for."""

    def take(key: Key, start: int, played: Played) -> None:
        if key in results:
            results[key].add(start, played)

    return take


def _units(results: Sequence[Results]) -> Iterator[Unit]:
    """Iterate over what has to be played, so that all strategies are about equally far at any time."""
    own = [units_of(one, fingerprint()) for one in results]
    return heapq.merge(*own, key=lambda unit: unit.start)


@contextmanager
def _crew(jobs: int, address: str | None) -> Iterator[Crew]:
    """Return those who play: the processes of this machine, or those of a cluster."""
    if address is None:
        with local(jobs or os.cpu_count() or 1) as crew:
            yield crew
        return
    from bot.bench.cluster import cluster

    with cluster(address) as crew:
        yield crew
