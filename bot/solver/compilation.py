"""Compiling the kernel before it is needed, to say so meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

# In the order in which they need each other; the last function of the last one is compiled last of all.
_MODULES = ("rules", "groups", "sweep", "combine", "analysis", "solutions", "endgame")
_LAST_MODULE, _LAST_FUNCTION = "guess", "choose"


def kernel_compiled() -> bool:
    """Return whether the kernel was compiled before, by this Python and this compiler."""
    from bot.solver.kernel.compiled import cache_folder  # loads the compiler, which takes half a second

    return any(cache_folder().rglob(f"{_LAST_MODULE}.{_LAST_FUNCTION}-*.nbi"))


def compile_kernel(progress: Callable[[int, int], None]) -> None:
    """Compile the kernel, or load it where that was done before.

    ``progress`` is called with how many of its modules are done, and how many there are: first with none.
    """
    modules = (*_MODULES, _LAST_MODULE)
    for done, module in enumerate(modules):
        progress(done, len(modules))
        import_module(f"bot.solver.kernel.{module}")
    progress(len(modules), len(modules))
