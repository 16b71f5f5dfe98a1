"""The players of a Dask cluster, as an executor like that of local processes."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

from bot.bench.running import Crew
from bot.errors import BenchmarkError

_PATIENCE = 30  # seconds for a scheduler to answer, and for workers to be there
_ABSENCE = 60.0  # seconds without any worker after which none is expected to come back
_LOGS = ("distributed", "distributed.client", "distributed.core", "tornado.application")


@contextmanager
def cluster(address: str) -> Iterator[Crew]:
    """Connect to the scheduler at ``address``, such as tcp://10.0.0.5:8786.

    A unit whose worker goes away is played by another one, and comes back once. Raises BenchmarkError if
    the library is not installed, nobody answers, there are no workers, or all of them go away.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.addressing import get_address_host_port
    except ImportError as error:
        raise BenchmarkError(
            "--cluster needs the library distributed: pip install 'minebot[cluster]'"
        ) from error
    connect: Callable[..., Any] = Client
    place: Callable[[str], tuple[str, int]] = get_address_host_port
    try:
        # A client that cannot connect tries for long, and complains at the end of the program.
        socket.create_connection(place(address), _PATIENCE).close()
        client = connect(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise BenchmarkError(
            f"no Dask scheduler answers at {address}: start one with `dask scheduler` and give the address "
            "that it prints"
        ) from error
    try:
        with _quiet(), client:
            yield Crew(client.get_executor(), _threads(client, address), _Watch(client, address))
    except CancelledError as error:
        raise BenchmarkError(f"the cluster at {address} has gone away: {_GO_ON}") from error
    except KilledWorker as error:
        raise BenchmarkError(
            f"the cluster at {address} lost several workers over the same games, perhaps for want of memory: "
            f"{_GO_ON}"
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library from logging what is told in an error of ours."""
    logs = [logging.getLogger(name) for name in _LOGS]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


def _threads(client: Any, address: str) -> int:
    """Return how many units the workers play at once, once there is one and all can play."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
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


class _Watch:
    """Raises BenchmarkError when the scheduler is gone, or has been without workers for a while."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._seen = time.monotonic()

    def __call__(self) -> None:
        if self._client.status != "running":
            raise BenchmarkError(f"the cluster at {self._address} has gone away: {_GO_ON}")
        if self._client.scheduler_info()["workers"]:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > _ABSENCE:
            raise BenchmarkError(f"the cluster at {self._address} has no workers any more: {_GO_ON}")


_GO_ON = "what came back is in the --checkpoint, if one was given, and the same command goes on from there"
