"""Compiling the kernel before it is needed, to say so meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from importlib import import_module
from pathlib import Path

# In the order in which they need each other.
_MODULES = (
    "rules", "groups", "numbers", "forget", "sweep", "back", "combine", "analysis", "solutions", "endgame",
    "guess", "winmine", "play", "sampling", "playouts",
)  # fmt: skip


class Purpose(Enum):
    """What the kernel is compiled for: the module that is compiled last for that."""

    DECIDING = "winmine"
    PLAYING = "play"  # whole games inside it
    THINKING = "playouts"


def _modules(purpose: Purpose) -> tuple[str, ...]:
    return _MODULES[: _MODULES.index(purpose.value) + 1]


def kernel_compiled(purpose: Purpose = Purpose.DECIDING) -> bool:
    """Return whether the kernel was compiled before, by this Python and compiler, and kept on disk."""
    from bot.solver.kernel.compiled import is_kept  # loads the compiler, which takes half a second

    return all(map(is_kept, _modules(purpose)))


def compile_kernel(progress: Callable[[int, int], None], purpose: Purpose = Purpose.DECIDING) -> None:
    """Compile the kernel as far as ``purpose`` needs it, or load it where that was done before.

    ``progress`` is called with how many of its modules are done, and how many there are: first with none.
    """
    modules = _modules(purpose)
    for done, module in enumerate(modules):
        progress(done, len(modules))
        import_module(f"bot.solver.kernel.{module}")
    progress(len(modules), len(modules))


def kernel_folder() -> Path:
    """Return where the compiled kernel is kept."""
    from bot.solver.kernel.compiled import cache_folder

    return cache_folder()
