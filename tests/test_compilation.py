"""Compiling the kernel: said only where it is still to be done, each once, whatever the disk does."""

from __future__ import annotations

import ctypes
import doctest
import errno
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, cast
from unittest.mock import Mock

import numpy as np
import pytest
from numba import types

from bot.cli.options import compiled_meanwhile, prepare_kernel
from bot.errors import CompilerError
from bot.game.board_files import read_board
from bot.solver import BEST, EXACT, STRATEGIES, decide
from bot.solver.kernel.build import functions
from bot.solver.kernel.build.compilation import (
    BackgroundCompilation,
    compile_kernel,
    kernel_compiled,
    remove_old,
)
from bot.solver.kernel.build.functions import compiled
from bot.solver.kernel.build.object_code import OWN_FOLDER, can_keep, is_stored, load_or_compile
from bot.solver.kernel.layout import CountingBuffers, Position, take
from bot.solver.strategies import CompilingStrategy, while_compiling
from conftest import PATIENCE, Run
from played_screen import Screen

BUILD = "bot.solver.kernel.build"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the cache cannot be moved elsewhere")
def test_a_new_machine_gets_a_hint_at_once_and_the_compiled_solver_later(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    position = tmp_path / "position.txt"
    position.write_text("1 x 5 / 2\n.1.1.\n")

    def minebot(*arguments: str) -> tuple[str, str]:
        command = [sys.executable, "-m", "bot", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout, done.stderr

    first, told = minebot("hint", str(position))
    assert "until then, --strategy exact decides" in told
    assert not list(tmp_path.rglob("winmine*"))  # nothing that decides was compiled by then
    minebot("compile")  # waits for the process in the background
    assert minebot("hint", str(position)) == (first, "")


class Compilation(BackgroundCompilation):
    """A compilation that ends when it is told to."""

    def __init__(self) -> None:
        self.ended = False

    def done(self) -> bool:
        return self.ended


def test_the_plain_solver_decides_until_the_kernel_is_compiled() -> None:
    board, compilation = read_board("3 x 3 / 2\n...\n.2.\n...").board, Compilation()
    strategy = CompilingStrategy(BEST, compilation)
    assert decide(board, strategy=strategy) == decide(board, strategy=EXACT)
    compilation.ended = True
    assert decide(board, strategy=strategy) == decide(board, strategy=BEST)
    assert decide(board, strategy=BEST) != decide(board, strategy=EXACT)


@dataclass
class Process:
    """A process that has ended with a code, or runs on while that is None."""

    returncode: int | None

    def poll(self) -> int | None:
        return self.returncode


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Process:
    """The process of a compilation in the background, which says one line about errors; it runs."""
    process = Process(None)

    def start(*_: str, errors: BinaryIO) -> Process:
        errors.write(b"a bar\nminebot: numba 0 cannot compile the solver\n")
        return process

    monkeypatch.setattr(f"{BUILD}.compilation.start_minebot", start)
    return process


@pytest.mark.usefixtures("kernel")
def test_the_kernel_is_used_once_the_process_has_compiled_it(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, loaded = list[str](), Mock()
    monkeypatch.setattr(f"{BUILD}.compilation.compile_kernel", loaded)
    compilation = BackgroundCompilation(told.append)
    assert not compilation.done()
    process.returncode = 0
    assert [compilation.done() for _ in range(3)] == [True] * 3
    assert (loaded.call_count, told) == (1, [])


@pytest.mark.parametrize("code", [0, 1, -9])
def test_what_the_process_did_not_compile_is_not_compiled_here(
    process: Process, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    monkeypatch.setattr(f"{BUILD}.compilation.kernel_compiled", lambda: False)
    monkeypatch.setattr(f"{BUILD}.compilation.compile_kernel", Mock(side_effect=AssertionError))
    strategy = while_compiling(BEST, told.append)
    assert isinstance(strategy, CompilingStrategy)
    assert (strategy.ready(), told) == (EXACT, [])
    process.returncode = code
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda _: strategy.ready(), range(20))) == [EXACT] * 20
    [line] = told
    assert "(numba 0 cannot compile the solver): --strategy exact goes on deciding" in line


def test_a_process_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()
    monkeypatch.setattr(f"{BUILD}.compilation.start_minebot", Mock(side_effect=OSError("no memory")))
    strategy = while_compiling(BEST, told.append)
    assert isinstance(strategy, CompilingStrategy)
    assert strategy.ready() == EXACT
    assert "(no memory): --strategy exact goes on deciding" in told[0]


def test_a_game_is_played_to_its_end_though_the_solver_is_not_compiled(
    there: Screen, play: Run, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.options.kernel_compiled", lambda: False)
    monkeypatch.setattr(f"{BUILD}.compilation.kernel_compiled", lambda: False)
    process.returncode = 1
    code, _, err = play("--games", "2")
    assert (code, bool(there.clicks)) == (0, True)
    begun, failed, *games = err.splitlines()
    assert begun.startswith("compiling the solver in the background, once")
    assert failed.startswith(
        "compiling the solver in the background failed (numba 0 cannot compile the solver)"
    )
    assert [game.split(":")[0] for game in games] == ["game 1", "game 2"]


KILLED = "import os; os.kill(os.getpid(), 9)"
FAILED = "import sys; sys.exit('minebot: there is no room')"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the cache cannot be moved elsewhere")
@pytest.mark.parametrize(
    ("process", "why"), [(KILLED, "it was ended by signal 9"), (FAILED, "there is no room")]
)
def test_on_a_new_machine_nothing_is_compiled_here_though_the_process_dies(
    tmp_path: Path, process: str, why: str
) -> None:
    program = f"""
import sys, time, numba
from bot import installation
from bot.board import Board
from bot.solver import BEST, EXACT, decide
from bot.solver.strategies import while_compiling

numba.cfunc = None  # nothing can be compiled
installation.minebot_command = lambda *_: [sys.executable, "-c", {process!r}]
told, board = [], Board.covered(3, 3, 2)
strategy, end = while_compiling(BEST, told.append), time.monotonic() + {PATIENCE}
while not told and time.monotonic() < end:
    assert strategy.ready() is EXACT
assert decide(board, strategy=strategy) == decide(board, strategy=EXACT)
print(*told, sep="\\n")
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1
    assert f"({why}): --strategy exact goes on deciding" in done.stdout
    assert not list(tmp_path.rglob("*.code"))


def test_compiling_tells_how_far_it_is_and_is_done_once() -> None:
    told: list[tuple[int, int]] = []
    compile_kernel(lambda done, total: told.append((done, total)))
    total = told[0][1]
    assert told == [(done, total) for done in range(total + 1)]
    assert kernel_compiled()


def test_a_bar_is_shown_only_where_something_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiled = Mock()
    monkeypatch.setattr("bot.cli.options.kernel_compiled", lambda: compiled.called)
    monkeypatch.setattr("bot.cli.options.compile_kernel", compiled)
    prepare_kernel([STRATEGIES["counting"], STRATEGIES["komarov"], STRATEGIES["exact"]])
    assert (compiled.called, capsys.readouterr().err) == (False, "")
    prepare_kernel([STRATEGIES["komarov"], STRATEGIES["best"]])
    prepare_kernel([STRATEGIES["deep"]])
    assert compiled.call_count == 1
    assert capsys.readouterr().err.count("compiling the solver, once") == 1


def test_that_nothing_can_be_kept_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.cli.options.kernel_compiled", lambda: False)
    monkeypatch.setattr("bot.cli.options.compile_kernel", lambda _progress: None)
    monkeypatch.setattr("bot.cli.options.kernel_folder", lambda: Path("/full/[disk]"))
    prepare_kernel([STRATEGIES["best"]])
    assert f"cannot be stored in {Path('/full/[disk]')}, to which only you" in capsys.readouterr().err


def test_where_nothing_can_be_kept_a_hint_does_not_wait_for_the_compiler(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.cli.options.kernel_compiled", lambda: False)
    monkeypatch.setattr("bot.solver.strategies.can_keep_kernel", lambda: False)
    assert compiled_meanwhile(STRATEGIES["best"]) == EXACT
    assert compiled_meanwhile(STRATEGIES["komarov"]) == STRATEGIES["komarov"]
    assert capsys.readouterr().err.endswith(
        "to which only you must be able to write: --strategy exact decides\n"
    )


def third(number: int) -> float:
    return number / 3


def compiled_third(folder: Path) -> tuple[float, bool]:
    """Return what the function gives for 1, and whether it was compiled: it was on disk otherwise."""
    address, found = load_or_compile(third, types.float64(types.int64), [folder] if can_keep(folder) else [])
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(address)(1), not found


def others_may_write(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)


def belongs_to_another(folder: Path) -> None:
    folder.mkdir(parents=True)
    if os.getuid():
        pytest.skip("only root can give a folder to another user")
    os.chown(folder, 65534, -1)


def is_a_link(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    (folder.parent / "elsewhere").mkdir()
    folder.symlink_to(folder.parent / "elsewhere")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets no other user write there")
@pytest.mark.parametrize("made", [others_may_write, belongs_to_another, is_a_link])
def test_code_is_loaded_only_from_a_folder_that_nobody_else_can_write(
    tmp_path: Path, made: Callable[[Path], None]
) -> None:
    good, bad = tmp_path / "new" / "good", tmp_path / "cache" / "kernel"
    assert [compiled_third(good), compiled_third(good)] == [(1 / 3, True), (1 / 3, False)]
    assert stat.S_IMODE(good.parent.stat().st_mode) == 0o700
    made(bad)
    for path in good.rglob("*"):  # code that another user may have put there
        if path.is_file():
            (bad / path.relative_to(good)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, bad / path.relative_to(good))
    assert compiled_third(bad) == (1 / 3, True)
    assert compiled_third(bad) == (1 / 3, True)


def file_of_another(file: Path) -> None:
    if os.getuid():
        pytest.skip("only root can give a file to another user")
    os.chown(file, 65534, -1)


def writable_file(file: Path) -> None:
    file.chmod(0o666)


def link(file: Path) -> None:
    file.symlink_to(file.rename(file.parent.parent / "elsewhere"))


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def folder_of_another(file: Path) -> None:
    """Let the folder change after it was checked."""
    file_of_another(file.parent)


def folder_as_link(file: Path) -> None:
    file.parent.symlink_to(file.parent.rename(file.parent.parent / "elsewhere"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets no other user write there")
@pytest.mark.parametrize(
    "change", [file_of_another, writable_file, link, pipe, folder_of_another, folder_as_link]
)
def test_code_that_another_user_may_have_written_is_not_loaded(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    folder = tmp_path / "kernel"
    assert compiled_third(folder) == (1 / 3, True)
    [file] = folder.iterdir()
    change(file)
    _, stored = load_or_compile(third, types.float64(types.int64), [folder])
    assert not stored


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def changed(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def emptied(_content: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [halved, changed, emptied])
def test_a_damaged_file_is_compiled_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    assert compiled_third(tmp_path) == (1 / 3, True)
    assert compiled_third(tmp_path) == (1 / 3, False)
    file = max(tmp_path.rglob("*.*"), key=lambda path: path.stat().st_size)  # the machine code
    file.write_bytes(damage(file.read_bytes()))
    assert compiled_third(tmp_path) == (1 / 3, True)
    assert compiled_third(tmp_path) == (1 / 3, False)


def test_what_cannot_be_stored_runs_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "file"
    folder.write_text("not a folder")
    assert compiled_third(folder) == (1 / 3, True)
    assert compiled_third(folder / "below") == (1 / 3, True)
    assert folder.read_text() == "not a folder"
    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(errno.ENOSPC, "the disk is full")))
    assert compiled_third(tmp_path / "full") == (1 / 3, True)
    assert compiled_third(tmp_path / "full") == (1 / 3, True)


@pytest.mark.usefixtures("kernel")
def test_a_module_is_stored_only_if_all_its_functions_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Path(shutil.copytree(OWN_FOLDER, tmp_path / "kernel"))
    monkeypatch.setattr(f"{BUILD}.object_code.folders", lambda: [tmp_path / "empty", here])
    assert is_stored(["layout", "analysis"])
    (here / "analysis.combine.code").write_bytes(changed((here / "analysis.combine.code").read_bytes()))
    assert (is_stored(["layout"]), is_stored(["layout", "analysis"])) == (True, False)
    (here / "layout.take.code").unlink()
    assert not is_stored(["layout"])


def test_the_example_on_the_page_runs_and_leaves_no_code_behind() -> None:
    page = Path(functions.__file__).with_name("README.md")
    before = sorted(OWN_FOLDER.iterdir())
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8") == (0, 7)
    assert sorted(OWN_FOLDER.iterdir()) == before


def test_only_one_thread_compiles_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling, names = Lock(), list[str]()

    def compile_slowly(function: Callable[[int], int], *_: object) -> tuple[int, bool]:
        assert compiling.acquire(blocking=False)
        time.sleep(0.01)
        compiling.release()
        names.append(function.__name__)
        return 1, True

    monkeypatch.setattr(f"{BUILD}.functions.load_or_compile", compile_slowly)

    def named(name: str) -> Callable[[int], float]:
        space: dict[str, Any] = {"__name__": "elsewhere"}
        exec(f"def {name}(number: int) -> float: ...", space)
        return cast(Callable[[int], float], compiled(space[name]))

    with ThreadPoolExecutor(8) as threads:
        assert len(list(threads.map(named, "abcdefgh"))) == len(names) == 8


def test_compiled_functions_take_nothing_else_than_they_declare() -> None:
    here, buffers, shown = Position(2, 2), CountingBuffers(4), np.zeros(4, np.int8)
    assert take(here, buffers, shown, 0)
    for wrong in (None, (1, 2), np.zeros(4), np.zeros(8, np.int8)[::2], here):
        with pytest.raises(TypeError):
            take(here, buffers, wrong, 0)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            take(wrong if wrong is not here else buffers, buffers, shown, 0)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            here.left = wrong  # type: ignore[assignment]


def test_a_compiler_that_is_not_there_is_told_in_one_line() -> None:
    program = "import sys; sys.modules['numba'] = None; from bot.cli import main; main()"
    command = [sys.executable, "-c", program, "bench", "--games", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == CompilerError.exit_code
    assert done.stderr.startswith("minebot: numba ")
    assert "install minebot again, or use --strategy exact" in done.stderr
    assert done.stderr.count("\n") == 1


def test_old_kernels_go_though_a_file_has_such_a_name(tmp_path: Path) -> None:
    now = time.time()
    for name, days in (
        ("kernel-a", 40),
        ("kernel-b.lock", 40),
        ("kernel-c", 40),
        ("kernel-d", 20),
        ("kernel-e", 0),
    ):
        path = tmp_path / name
        path.touch() if path.suffix else path.mkdir()
        os.utime(path, (now - days * 24 * 3600,) * 2)
    remove_old(tmp_path / "kernel-e")
    assert {path.name for path in tmp_path.iterdir()} == {"kernel-b.lock", "kernel-d", "kernel-e"}
