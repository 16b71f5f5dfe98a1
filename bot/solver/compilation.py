"""Compiling the kernel before it is needed, to say so meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from importlib import import_module

# In the order in which they need each other.
_MODULES = (
    "rules", "groups", "sweep", "combine", "analysis", "solutions", "endgame", "guess", "winmine",
    "play", "sampling", "playouts",
)  # fmt: skip


class Purpose(Enum):
    """What the kernel is compiled for: the module and the function that are compiled last for that."""

    DECIDING = ("winmine", "choose_moved")
    PLAYING = ("play", "play_many")  # whole games inside it
    THINKING = ("playouts", "compare")


def kernel_compiled(purpose: Purpose = Purpose.DECIDING) -> bool:
    """Return whether the kernel was compiled before, by this Python and this compiler."""
    from bot.solver.kernel.compiled import cache_folder  # loads the compiler, which takes half a second

    module, function = purpose.value
    return any(cache_folder().rglob(f"{module}.{function}-*.nbi"))


def compile_kernel(progress: Callable[[int, int], None], purpose: Purpose = Purpose.DECIDING) -> None:
    """Compile the kernel as far as ``purpose`` needs it, or load it where that was done before.

    ``progress`` is called with how many of its modules are done, and how many there are: first with none.
    """
    modules = _MODULES[: _MODULES.index(purpose.value[0]) + 1]
    for done, module in enumerate(modules):
        progress(done, len(modules))
        import_module(f"bot.solver.kernel.{module}")
    progress(len(modules), len(modules))
