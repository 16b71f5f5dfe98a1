"""Compiling the kernel before it is needed: with a bar, or in the background."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from importlib import import_module, metadata
from pathlib import Path
from textwrap import shorten

from bot.errors import CompilerError

# Those with compiled functions, in the order in which they need each other.
_MODULES = ("layout", "analysis", "solutions", "endgame", "guess", "winmine", "play", "playouts")
COMPILER = "numba>=0.61,<0.69"  # as the package requires it
_MONTH = 30 * 24 * 3600  # seconds


class Purpose(Enum):
    """What the kernel is compiled for: the module that is compiled last for that."""

    DECIDING = "winmine"
    PLAYING = "play"  # whole games inside it
    THINKING = "playouts"


def _modules(purpose: Purpose) -> tuple[str, ...]:
    return _MODULES[: _MODULES.index(purpose.value) + 1]


@contextmanager
def _explained() -> Iterator[None]:
    """Turn whatever the compiler raises into words about its version."""
    try:
        yield
    except Exception as error:
        raise CompilerError(
            f"the solver cannot be compiled {_compiler()} ({type(error).__name__}: {_start(error)}): run "
            f"pip install '{COMPILER}', or choose --strategy exact, which needs no compiler"
        ) from error


def _compiler() -> str:
    try:
        return f"by numba {metadata.version('numba')}"
    except metadata.PackageNotFoundError:
        return "without numba"


def _start(error: Exception) -> str:
    """Return what an error says, as one short line."""
    return shorten(str(error), 200, placeholder="...")


def kernel_compiled(purpose: Purpose = Purpose.DECIDING) -> bool:
    """Return whether the kernel was compiled before, by this Python and compiler, and is on disk.

    Raises CompilerError if the compiler is not there, or is none that the kernel can do with.
    """
    with _explained():
        from bot.solver.kernel.compiled import is_cached  # loads the compiler, which takes half a second

        return all(map(is_cached, _modules(purpose))) and can_keep_kernel()


def compile_kernel(progress: Callable[[int, int], None], purpose: Purpose = Purpose.DECIDING) -> None:
    """Compile the kernel as far as ``purpose`` needs it, or load it where that was done before.

    ``progress`` is called with how many of its modules are done, and how many there are: first with none.
    Kernels that other versions of it left on disk a month ago are removed. Raises CompilerError as
    `kernel_compiled` does.
    """
    modules = _modules(purpose)
    for done, module in enumerate(modules):
        progress(done, len(modules))
        with _explained():
            import_module(f"bot.solver.kernel.{module}")
    progress(len(modules), len(modules))
    remove_old(kernel_folder())


class BackgroundCompilation:
    """A process that compiles the kernel while this program goes on.

    It ends by itself; if this program ends before, the kernel is compiled for the next one.
    """

    def __init__(self, purpose: Purpose) -> None:
        self._purpose, self._loaded = purpose, False
        command = [sys.executable, "-m", "bot", "compile", "--for", purpose.name.lower()]
        silent, flags = subprocess.DEVNULL, 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW
        self._process = subprocess.Popen(
            command,
            stdin=silent,
            stdout=silent,
            stderr=silent,
            creationflags=flags,
            start_new_session=True,  # Ctrl+C in this terminal is not meant for it
        )

    def done(self) -> bool:
        """Return whether the kernel can be used, and load it as soon as the process has ended.

        What the process could not compile is compiled here. Raises CompilerError as `kernel_compiled` does.
        """
        if not self._loaded and self._process.poll() is not None:
            compile_kernel(lambda _done, _total: None, self._purpose)
            self._loaded = True
        return self._loaded


def can_keep_kernel() -> bool:
    """Return whether there is a folder to write a compiled kernel to; numba reads from no other."""
    from bot.solver.kernel.compiled import can_write

    return can_write(kernel_folder())


def kernel_folder() -> Path:
    """Return where the compiled kernel is stored."""
    from bot.solver.kernel.compiled import cache_folder

    return cache_folder()


def remove_old(current: Path) -> None:
    """Remove the kernels beside the folder ``current`` that were last written a month before that one.

    What cannot be read or removed is left for another time.
    """
    with suppress(OSError):
        newest = _last_written(current)
        for folder in current.parent.glob("kernel-*"):
            if newest - _last_written(folder) > _MONTH:
                shutil.rmtree(folder, ignore_errors=True)


def _last_written(folder: Path) -> float:
    """Return when a folder or a file in it was last written, in seconds since 1970."""
    return max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
