"""Compilation of the kernel before it is needed, with a progress bar or in the background."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module, metadata
from pathlib import Path
from tempfile import TemporaryFile
from textwrap import shorten
from threading import Lock

from bot.errors import CompilerError
from bot.installation import repair_words, start_minebot

# The kernel's modules with compiled functions; each one needs only modules before it.
_MODULES = (
    *("layout", "groups", "sweep", "analysis", "solutions", "winmine", "rivals"),
    *("endgame", "look_ahead", "judgement", "guess", "play", "playouts", "contest"),
)
_MONTH = 30 * 24 * 3600  # seconds


@contextmanager
def _explained() -> Iterator[None]:
    """Turn any exception into a CompilerError that names the compiler's version and what to do."""
    try:
        yield
    except Exception as error:
        words = shorten(str(error), 200, placeholder="...")
        raise CompilerError(
            f"{_compiler()} ({type(error).__name__}: {words}): {repair_words()}, "
            "or use --strategy exact, which needs no compiler"
        ) from error


def _compiler() -> str:
    try:
        return f"numba {metadata.version('numba')} cannot compile the solver"
    except metadata.PackageNotFoundError:
        return "the solver needs numba, which is not installed"


def kernel_compiled() -> bool:
    """Return whether a kernel compiled by this Python and compiler is on disk and can be used.

    Raises CompilerError if the compiler is missing, or if the kernel does not work with its version.
    """
    with _explained():
        # this loads the compiler, which takes half a second
        from bot.solver.kernel.build.object_code import is_stored

        return is_stored(_MODULES)


def compile_kernel(progress: Callable[[int, int], None]) -> None:
    """Compile the modules of the kernel, or load them if they are compiled already.

    ``progress`` is called with the number of modules done (from 0 on) and the number of all. Old kernels are
    removed from disk (see `remove_old`). Raises CompilerError if the compiler is missing, or if the kernel
    does not work with its version.
    """
    for done, module in enumerate(_MODULES):
        progress(done, len(_MODULES))
        with _explained():
            import_module(f"bot.solver.kernel.{module}")
    progress(len(_MODULES), len(_MODULES))
    remove_old(kernel_folder())


class BackgroundCompilation:
    """A process that compiles the kernel while this program continues.

    If this program ends first, the process still finishes, and the next program can use the kernel. If the
    process fails, ``tell`` is called once, with a line that says why and what to do. Any thread may use this.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._lock = tell, Lock()
        self._usable: bool | None = None  # whether the kernel can be used, None while the process runs
        self._printed = TemporaryFile()  # noqa: SIM115 - the process writes to it
        try:
            self._process = start_minebot("compile", errors=self._printed)
        except OSError as error:
            self._printed.close()
            self._give_up(str(error))

    def done(self) -> bool:
        """Return whether the kernel is stored and loaded: False while the process runs, or if it has failed.

        The first call after the process has ended loads the kernel. This never compiles, and never raises.
        """
        with self._lock:
            if self._usable is None and self._process.poll() is not None:
                self._load()
            return self._usable is True

    def _load(self) -> None:
        with self._printed as printed:
            printed.seek(0)
            lines = printed.read().decode(errors="replace").strip().splitlines()
        try:
            if kernel_compiled():
                compile_kernel(lambda _done, _total: None)
                self._usable = True
        except CompilerError as error:
            lines.append(str(error))
        if not self._usable:
            code = self._process.returncode
            ended = f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"
            self._give_up(lines[-1] if lines else ended)

    def _give_up(self, reason: str) -> None:
        self._usable = False
        self._tell(
            f"compiling the solver in the background failed ({reason.removeprefix('minebot: ')}): "
            "--strategy exact goes on deciding; minebot compile tries again"
        )


def can_keep_kernel() -> bool:
    """Return whether the kernel can be stored in its folder: writable, and by the user alone."""
    from bot.solver.kernel.build.object_code import can_keep

    return can_keep(kernel_folder())


def kernel_folder() -> Path:
    """Return the user's folder for the compiled kernel."""
    from bot.solver.kernel.build.object_code import OWN_FOLDER

    return OWN_FOLDER


def compiled_folder() -> Path:
    """Return the folder from which the compiled kernel is loaded: a built program brings one of its own."""
    from bot.solver.kernel.build.object_code import folders

    return folders()[0]


def remove_old(current: Path) -> None:
    """Remove kernels in folders next to ``current`` that were last written over 30 days before it was.

    Folders that cannot be read or removed are left; this raises no OSError.
    """
    for folder in current.parent.glob("kernel-*"):
        with suppress(OSError):  # also of a file with such a name
            if _last_written(current) - _last_written(folder) > _MONTH:
                shutil.rmtree(folder, ignore_errors=True)


def _last_written(folder: Path) -> float:
    """Return the time of the last change of ``folder`` or a file in it, in seconds since 1970."""
    return max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
