"""Playing all units of a run through an executor: here, on processes, or on a cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from threading import Thread
from typing import Any

from bot.bench.plan import Played, Unit
from bot.bench.playing import play_unit
from bot.errors import BenchmarkError

_AHEAD = 3  # units that wait for each process, so that none waits for the next
_PATIENCE = 1.0  # seconds after which is looked whether there is still somebody who plays


@dataclass(frozen=True, slots=True)
class Crew:
    """Those who play: an executor, and how many units it plays at once.

    ``check`` raises an error when nothing will come back from it any more.
    """

    executor: Executor
    width: int
    check: Callable[[], None] | None = None


class Here(Executor):
    """Plays at once, in this process."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Call the function and return a future that is done."""
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **options))
        return future


def play_all(units: Iterable[Unit], crew: Crew, done: Callable[[Unit, Played], None]) -> None:
    """Play ``units`` and hand each to ``done`` when it comes back, in any order.

    Only a few for each player are on their way at a time. Raises BenchmarkError if the players are gone.
    """
    waiting, left = dict[Future[Played], Unit](), iter(units)
    try:
        while True:
            for unit in islice(left, crew.width * _AHEAD - len(waiting)):
                waiting[crew.executor.submit(play_unit, unit)] = unit
            if not waiting:
                return
            finished, _ = wait(waiting, _PATIENCE, FIRST_COMPLETED)
            if not finished and crew.check is not None:
                crew.check()
            for future in finished:
                done(waiting.pop(future), future.result())
    except BrokenProcessPool as error:
        raise BenchmarkError(
            "a process that played games was ended from outside, perhaps for want of memory: start again "
            "with fewer --jobs, and with the same --checkpoint to go on from here"
        ) from error


@contextmanager
def local(jobs: int) -> Iterator[Crew]:
    """Return ``jobs`` processes; for 1 this process alone. What is left at the end is dropped."""
    if jobs == 1:
        yield Crew(Here(), 1)
        return
    spawn = multiprocessing.get_context("spawn")  # as on Windows; threads and forks do not go together
    pool = ProcessPoolExecutor(jobs, spawn, initializer=_obey_parent)
    try:
        yield Crew(pool, jobs)
    finally:
        pool.shutdown(cancel_futures=True)


def _obey_parent() -> None:
    """Leave Ctrl+C to the parent, which ends all, and end if it was killed and could not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
