"""Play a game, a unit of games, or all units of a run: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from itertools import islice
from threading import Thread
from typing import Any, cast

import numpy as np

from bot.bench.plan import Boards, Comparison, OneGame, Unit, UnitResult, fingerprint, plays_in_kernel
from bot.board import Board, Cell, FirstClick
from bot.errors import BenchmarkError
from bot.game.simulation import mines_of_games
from bot.installation import in_environment, needs
from bot.solver import Reason, decide

_AT_A_TIME = 32  # play-outs in one call of the kernel, which cannot be interrupted
_AHEAD = 3  # units submitted for each process, so that none is ever idle
_CHECK = 1.0  # seconds between two checks that the executor still works
_CLUSTER_WAIT = 30  # seconds to wait for an answer of the scheduler, and for the first worker
_ANSWER_WAIT = 8.0  # seconds for a scheduler to answer
_ABSENCE = 60.0  # seconds without any worker before the run is ended
_LOGS = ("distributed", "distributed.client", "distributed.core", "tornado.application")
_GO_ON = "finished games are in the --checkpoint, if one was given; the same command continues from it"


def play_unit(unit: Unit) -> UnitResult:
    """Play the games of ``unit``.

    Raises BenchmarkError if the solver here is not the one the unit requires, or if it makes a wrong proof.
    """
    if unit.solver != fingerprint():
        raise BenchmarkError(
            "the worker that plays the games has a different solver than this command: install the same "
            "minebot everywhere, and do not change its files during a run"
        )
    options = unit.options
    if plays_in_kernel(unit.strategy) and options.guess and not options.by_move and options.against is None:
        games = play_compiled(unit)
    else:
        games = [play_one(unit, number) for number in range(unit.start, unit.stop)]
    return replace(UnitResult.of(games, against=options.against is not None), memory=peak_memory())


def play_one(unit: Unit, number: int) -> OneGame:
    """Play a game of ``unit`` move by move; without ``unit.options.guess`` only until a guess is needed."""
    game = unit.boards.game(number)
    ms, guesses, gains, against = list[float](), 0, list[float](), unit.options.against
    while not game.over:
        began = time.perf_counter()
        decision = decide(
            game.board,
            rule=game.rule,
            strategy=unit.strategy,
            first=unit.boards.first,
            guess=unit.options.guess,
        )
        ms.append(1000 * (time.perf_counter() - began))
        if not decision.moves:
            break
        if decision.reason is Reason.GUESS:
            guesses += 1
            if against is not None:
                cell, seed = decision.moves[0].cell, 1000 * number + guesses
                gain = advantage(game.board, cell, unit.boards, against, seed)
                gains += [] if gain is None else [gain]
        for move in decision.moves:
            game.open(move.cell)
            if move.risk == 0 and game.lost:
                raise BenchmarkError(f"{unit.strategy} called a mine of board {number} safe: {move.cell}")
    return OneGame(game.won, ms, guesses, gains, not game.over)


def _clock() -> float:
    """Return this thread's CPU time in seconds; on Windows, which measures it too coarsely, wall time."""
    return time.perf_counter() if sys.platform == "win32" else time.thread_time()


def play_compiled(unit: Unit) -> list[OneGame]:
    """Play the games of ``unit``, whose strategy must be one of the kernel's policies.

    One decision is all the thinking between two guesses: the kernel has no clock, so it is called once for
    each. Raises BenchmarkError if a proof is wrong: a cell proven safe is a mine, or the other way round.
    """
    from bot.solver.analysis import guess_policy  # compiles code that simpler strategies do not need
    from bot.solver.kernel.layout import Workspace
    from bot.solver.kernel.play import LOST, WON, WRONG, advance, begin_game

    boards = unit.boards
    seeds = range(boards.seed + unit.start, boards.seed + unit.stop)
    mined = mines_of_games(boards.rows, boards.cols, boards.mines, seeds, boards.first, boards.rule)
    assert plays_in_kernel(unit.strategy)
    workspace, policy = Workspace(boards.rows, boards.cols), guess_policy(unit.strategy.policy)
    numbers, first = np.zeros(mined.shape[1], np.int8), boards.first.row * boards.cols + boards.first.col
    moved = first if boards.rule is FirstClick.WINMINE else -1

    def opened(cell: int) -> tuple[int, float]:
        """Open a cell and think; return the next guess, or LOST, WON or WRONG, and the milliseconds."""
        began = _clock()
        after = advance(workspace, policy, numbers, cell)
        return after, 1000 * (_clock() - began)

    numbers.fill(-1)  # every cell counts as a mine, so each game ends at once
    call = min(opened(0)[1] for _ in range(25))  # milliseconds of a kernel call with nothing to decide
    games = list[OneGame]()
    for number, mines in enumerate(mined, unit.start):
        begin_game(workspace, mines, numbers, boards.mines, moved)
        cell, took = opened(first)
        ms, guesses = list[float](), 0
        while cell != LOST:
            ms.append(max(0.0, took - call))
            if cell < 0:
                break
            guesses += 1
            cell, took = opened(cell)
        if cell == WRONG:
            raise BenchmarkError(
                f"{unit.strategy} made a wrong proof on board {number}: a safe cell is a mine, or the reverse"
            )
        games.append(OneGame(cell == WON, ms, guesses))
    return games


def advantage(board: Board, guess: Cell, boards: Boards, against: Comparison, seed: int) -> float | None:
    """Return how much likelier ``guess`` wins than the other strategy's choice; None if they are the same.

    The other strategy plays on after both. The mean over its games of the sum of these advantages is the
    difference of the two win rates. Both guesses are played out on the same random solutions as far as
    possible: this needs about a hundredth of the games needed to show a difference by wins and losses alone.
    ``board`` is a position of a game of ``boards``, whose rule of the first click weighs the solutions;
    ``seed`` determines the random ones. Raises BenchmarkError if the position is too large to be played out.
    """
    from bot.solver.analysis import analyse  # compiles code, too
    from bot.solver.kernel.layout import Playouts

    other = decide(board, rule=boards.rule, strategy=against.strategy, first=boards.first).moves[0].cell
    if other == guess:
        return None
    first = boards.first if boards.rule is FirstClick.WINMINE else None
    analysis, games = analyse(board, first), Playouts(*board.shape)
    games.seed[0] = seed
    possible = [cell for cell in (other, guess) if analysis.risks[cell] < 1.0]
    indices = np.array([cell.row * board.cols + cell.col for cell in possible], np.int32)
    sums, played = np.zeros(len(possible)), 0
    while played < against.games:
        count = min(_AT_A_TIME, against.games - played)
        chances = analysis.play_out(games, against.strategy.policy, indices, count)
        if chances is None:
            raise BenchmarkError("--advantages: this board has a position that is too large to be played out")
        sums, played = sums + chances.sum(axis=0), played + count
    won = dict(zip(possible, (sums / against.games).tolist(), strict=True))
    return float(won.get(guess, 0.0) - won.get(other, 0.0))


def peak_memory() -> float:
    """Return the peak memory of this process in megabytes, 0.0 if unknown."""
    if sys.platform == "win32":
        return 0.0
    from resource import RUSAGE_SELF, getrusage

    unit = 1 if sys.platform == "darwin" else 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * unit / 1e6


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """An executor, how many units it plays at once, and a function that raises if it no longer works."""

    executor: Executor
    width: int
    check: Callable[[], None] | None = None


class InlineExecutor(Executor):
    """Runs each function at once, in this process."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Call the function and return a finished future."""
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **options))
        return future


def play_all(units: Iterable[Unit], players: WorkerPool, done: Callable[[Unit, UnitResult], None]) -> None:
    """Play ``units``, and call ``done`` with each unit and its result, in any order.

    Only a few units are submitted at a time. Raises BenchmarkError if the executor has stopped working.
    """
    waiting, left = dict[Future[UnitResult], Unit](), iter(units)
    try:
        while True:
            for unit in islice(left, players.width * _AHEAD - len(waiting)):
                waiting[players.executor.submit(play_unit, unit)] = unit
            if not waiting:
                return
            finished, _ = wait(waiting, _CHECK, FIRST_COMPLETED)
            if not finished and players.check is not None:
                players.check()
            for future in finished:
                done(waiting.pop(future), future.result())
    except BrokenProcessPool as error:
        raise BenchmarkError(
            "a process that played games was killed, perhaps because memory ran out: start again with "
            "fewer --jobs, and with the same --checkpoint to continue from here"
        ) from error


def players(jobs: int, address: str | None) -> AbstractContextManager[WorkerPool]:
    """Return players in ``jobs`` processes (0: one per processor), or in the cluster at ``address``."""
    return local(jobs or os.cpu_count() or 1) if address is None else cluster(address)


@contextmanager
def local(jobs: int) -> Iterator[WorkerPool]:
    """Yield players in ``jobs`` processes (1: this one). Units unfinished after the block are dropped."""
    if jobs == 1:
        yield WorkerPool(InlineExecutor(), 1)
        return
    spawn = multiprocessing.get_context("spawn")  # as on Windows; forking a process with threads is unsafe
    with in_environment("PYTHONSAFEPATH", "1"):  # the processes run no code from the current folder
        pool = ProcessPoolExecutor(jobs, spawn, initializer=_obey_parent)
        try:
            yield WorkerPool(pool, jobs)
        finally:
            pool.shutdown(cancel_futures=True)


def _obey_parent() -> None:
    """Ignore Ctrl+C, which the parent handles, and end when the parent ends, even if it was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()


@contextmanager
def cluster(address: str) -> Iterator[WorkerPool]:
    """Connect to the Dask scheduler at ``address``, such as tcp://10.0.0.5:8786.

    If a worker is lost, another one plays its unit, which is counted once. Raises BenchmarkError if no
    scheduler answers, there are no workers, or all workers are lost; MissingLibraryError without the library.
    """
    with needs("--cluster"):
        from distributed import Client, KilledWorker
    connect: Callable[..., Any] = Client
    try:
        with _quiet():
            asyncio.run(_check_scheduler(address))
        client = connect(address, timeout=_CLUSTER_WAIT, set_as_default=False)
    except Exception as error:  # of any kind: what answers at a port may be anything
        raise BenchmarkError(
            f"no Dask scheduler answers at {address}: start one with `dask scheduler` and give the address "
            "that it prints"
        ) from error
    try:
        with _quiet(), client:
            yield WorkerPool(
                client.get_executor(), _threads(client, address), _cluster_check(client, address)
            )
    except CancelledError as error:
        raise BenchmarkError(f"the cluster at {address} has gone away: {_GO_ON}") from error
    except KilledWorker as error:
        raise BenchmarkError(
            f"the cluster at {address} lost several workers over the same games, perhaps because memory "
            f"ran out: {_GO_ON}"
        ) from error


async def _check_scheduler(address: str) -> None:
    """Raise an error unless a Dask scheduler answers at ``address``.

    A client that finds something else there tries for ever, and its threads keep the program from ending.
    """
    from distributed import Security, rpc

    connect, security = cast(Callable[..., Any], rpc), cast(Callable[[], Any], Security)
    settings = security().get_connection_args("client")  # of the user's Dask, for TLS
    async with connect(address, connection_args=settings) as scheduler:
        answer = await asyncio.wait_for(scheduler.identity(), _ANSWER_WAIT)
    if answer["type"] != "Scheduler":
        raise ValueError("it is not a scheduler")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's log messages inside the block, because our own error message says the same."""
    levels = {logging.getLogger(name): logging.getLogger(name).level for name in _LOGS}
    for log in levels:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in levels.items():
            log.setLevel(level)


def _threads(client: Any, address: str) -> int:
    """Wait for a worker, check that all have minebot; return how many units they play at once."""
    try:
        client.wait_for_workers(1, timeout=_CLUSTER_WAIT)
    except TimeoutError as error:
        raise BenchmarkError(
            f"the cluster at {address} has no workers: start some with `dask worker {address}`"
        ) from error
    for worker, found in client.run(find_spec, "bot.bench", on_error="return").items():
        if not isinstance(found, ModuleSpec):
            raise BenchmarkError(
                f"minebot is not installed on the worker {worker}: install it on all of them"
            )
    return sum(client.nthreads().values())


def _cluster_check(client: Any, address: str) -> Callable[[], None]:
    """Return a function that raises BenchmarkError if the scheduler is gone, or has no workers for long."""
    seen = time.monotonic()

    def check() -> None:
        nonlocal seen
        if client.status != "running":
            raise BenchmarkError(f"the cluster at {address} has gone away: {_GO_ON}")
        if client.scheduler_info()["workers"]:
            seen = time.monotonic()
        elif time.monotonic() - seen > _ABSENCE:
            raise BenchmarkError(f"the cluster at {address} has no workers any more: {_GO_ON}")

    return check
