"""The benchmark on a cluster: a scheduler and two workers on this machine, which start and stop."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

pytest.importorskip("distributed", reason="pip install distributed, to test clusters")

from conftest import PATIENCE, wait_for

ROOT = Path(__file__).parents[2]
GAMES = 160
ENDLESS = 100_000  # games that would take far longer than any test
ASKED = ("--level", "10x10/15", "--games", str(GAMES), "--strategy", "komarov", "--json")


@contextmanager
def started(*arguments: object, log: IO[str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """Run a Python module for the length of the block; ``log`` receives its error output."""
    command = [sys.executable, "-m", *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=pipe, stderr=log or pipe) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_while_running(process: subprocess.Popen[str], what: Callable[[], bool]) -> None:
    """Wait until ``what`` is true; if the process ends, it must be true by then."""
    assert wait_for(lambda: process.poll() is not None or what())
    assert what(), process.communicate()


@dataclass(frozen=True, slots=True)
class Machines:
    address: str
    scheduler: subprocess.Popen[str]
    workers: list[subprocess.Popen[str]]


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    """A scheduler and two workers."""
    file, quiet = tmp_path / "scheduler.json", ("--no-dashboard",)
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            started("dask", "scheduler", "--host", "127.0.0.1", "--port", 0, "--scheduler-file", file, *quiet)
        )
        wait_while_running(scheduler, lambda: file.exists() and file.read_text().endswith("}"))
        address = json.loads(file.read_text())["address"]
        options = (address, "--nthreads", 1, "--no-nanny", "--local-directory", tmp_path, *quiet)
        log = stack.enter_context((tmp_path / "workers").open("w+"))
        workers = [stack.enter_context(started("dask", "worker", *options, log=log)) for _ in range(2)]
        wait_while_running(
            workers[0], lambda: (tmp_path / "workers").read_text().count("Registered to:") == 2
        )
        yield Machines(address, scheduler, workers)


def units_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def test_a_killed_worker_loses_no_game_and_none_is_counted_twice(machines: Machines, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    with started("bot", "bench", *ASKED, "--cluster", machines.address, "--checkpoint", path) as run:
        wait_while_running(run, lambda: units_in(path) >= 2)
        machines.workers[0].kill()
        out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, err
    units = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    numbers = [one["start"] + place for one in units for place in range(len(one["played"]["won"]))]
    assert sorted(numbers) == [*range(GAMES)]
    with started("bot", "bench", *ASKED) as alone:
        expected, _ = alone.communicate(timeout=PATIENCE)
    assert json.loads(out)["outcomes"] == json.loads(expected)["outcomes"]


def test_a_cluster_that_goes_away(machines: Machines, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    endless = (*ASKED, "--games", ENDLESS)
    with started("bot", "bench", *endless, "--cluster", machines.address, "--checkpoint", path) as run:
        wait_while_running(run, lambda: units_in(path) >= 1)
        machines.scheduler.kill()
        out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 1
    assert err.splitlines()[-1].startswith(f"minebot: the cluster at {machines.address} has gone away")
    assert "Traceback" not in err
    assert 0 <= json.loads(out)["games"] < ENDLESS


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_cluster_is_reached_through_tls_with_the_settings_of_dask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {name: str(tmp_path / f"{name}.pem") for name in ("cert", "key")}
    made = ("-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost")
    command = ["openssl", "req", "-x509", *made, "-keyout", files["key"], "-out", files["cert"]]
    subprocess.run(command, check=True, capture_output=True)
    tls = {"ca-file": files["cert"], **dict.fromkeys(("scheduler", "worker", "client"), files)}
    (tmp_path / "dask.yaml").write_text(json.dumps({"distributed": {"comm": {"tls": tls}}}), "utf-8")
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path))
    file, quiet = tmp_path / "scheduler.json", ("--no-dashboard",)
    place = ("--host", "tls://127.0.0.1", "--protocol", "tls", "--port", 0, "--scheduler-file", file)
    with started("dask", "scheduler", *place, *quiet) as scheduler:
        wait_while_running(scheduler, lambda: file.exists() and file.read_text().endswith("}"))
        address = json.loads(file.read_text("utf-8"))["address"]
        with (
            started("dask", "worker", address, "--no-nanny", "--local-directory", tmp_path, *quiet),
            started("bot", "bench", *ASKED, "--cluster", address) as run,
        ):
            out, err = run.communicate(timeout=PATIENCE)
            monkeypatch.delenv("DASK_CONFIG")
            is_told_of(address)  # without the certificate
    assert (run.returncode, err) == (0, "")
    assert address.startswith("tls://")
    assert json.loads(out)["games"] == GAMES


@pytest.fixture
def elsewhere() -> Iterator[Callable[[bytes], str]]:
    """Return a function that opens a port at which something else answers, and returns its address."""
    with ExitStack() as stack:

        def listen(greeting: bytes) -> str:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            threading.Thread(target=greet, args=(server, greeting), daemon=True).start()
            return f"tcp://127.0.0.1:{server.getsockname()[1]}"

        def greet(server: socket.socket, greeting: bytes) -> None:
            with suppress(OSError):  # the server is closed
                while True:
                    stack.enter_context(server.accept()[0]).sendall(greeting)

        yield listen


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.2p1\r\n", b"\xff" * 100_000])
def test_a_port_that_is_not_of_dask(greeting: bytes, elsewhere: Callable[[bytes], str]) -> None:
    is_told_of(elsewhere(greeting))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "tls://127.0.0.1:1", "xx://1"])
def test_a_cluster_that_is_not_there(address: str) -> None:
    is_told_of(address)


def is_told_of(address: str) -> None:
    with started("bot", "bench", *ASKED, "--cluster", address) as run:
        _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 1
    assert err.startswith(f"minebot: no Dask scheduler answers at {address}")
    assert err.count("\n") == 1
