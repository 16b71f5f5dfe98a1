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

from bot.bench.plan import OneGame, Unit, UnitResult, fingerprint, plays_in_kernel
from bot.board import Board, Cell
from bot.errors import BenchmarkError
from bot.installation import in_environment, needs
from bot.solver import Reason, decide

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
        from bot.bench.kernel_games import play_compiled  # compiles code that simpler strategies do not need

        games = play_compiled(unit)
    else:
        games = [play_one(unit, number) for number in range(unit.start, unit.stop)]
    return replace(UnitResult.of(games, against=options.against is not None), memory=peak_memory())


def play_one(unit: Unit, number: int) -> OneGame:
    """Play a game of ``unit`` move by move; without ``unit.options.guess`` only until a guess is needed."""
    game = unit.boards.game(number)
    ms, guesses, found = list[float](), 0, list[float | None]()
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
            found.append(_advantage(unit, game.board, decision.moves[0].cell, 1000 * number + guesses))
        for move in decision.moves:
            game.open(move.cell)
            if move.risk == 0 and game.lost:
                raise BenchmarkError(f"{unit.strategy} called a mine of board {number} safe: {move.cell}")
    return OneGame(game.won, ms, guesses, [gain for gain in found if gain is not None], not game.over)


def _advantage(unit: Unit, board: Board, cell: Cell, seed: int) -> float | None:
    """Return the advantage of a guess; None if not wanted, or if the other strategy opens the same cell."""
    if unit.options.against is None:
        return None
    from bot.bench.kernel_games import advantage  # compiles code, too

    return advantage(board, cell, unit.boards.rule, unit.options.against, seed)


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
    with needs("cluster", "--cluster"):
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
