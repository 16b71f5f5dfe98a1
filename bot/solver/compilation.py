"""Compiling the kernel before it is needed, to say so meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

# In the order in which they need each other.
_BASE = ("rules", "groups", "sweep", "combine", "analysis", "solutions", "endgame")
# What decisions end with, and whole games: their last functions are compiled last of all.
_DECIDING, _PLAYING = ("guess", "choose"), ("play", "play_many")


def kernel_compiled(*, games: bool = False) -> bool:
    """Return whether the kernel was compiled before, by this Python and this compiler.

    With ``games``, so was what plays whole games inside it.
    """
    from bot.solver.kernel.compiled import cache_folder  # loads the compiler, which takes half a second

    module, function = _PLAYING if games else _DECIDING
    return any(cache_folder().rglob(f"{module}.{function}-*.nbi"))


def compile_kernel(progress: Callable[[int, int], None], *, games: bool = False) -> None:
    """Compile the kernel, with ``games`` to play whole games too, or load it where that was done before.

    ``progress`` is called with how many of its modules are done, and how many there are: first with none.
    """
    modules = (*_BASE, _DECIDING[0], *(_PLAYING[:1] if games else ()))
    for done, module in enumerate(modules):
        progress(done, len(modules))
        import_module(f"bot.solver.kernel.{module}")
    progress(len(modules), len(modules))
