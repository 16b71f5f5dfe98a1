"""One place where functions are compiled.

What a function takes and returns is declared by its annotations alone, so that each is compiled once, for
exactly these types: callers' small integers are widened. The result is kept on disk, in a folder that is
named after the sources of the whole kernel: compiled functions contain those that are `inlined`, and rely on
the types of all others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

import platformdirs
from numba.core import types
from numba.core.registry import cpu_target

from bot.solver.kernel.handles import handle
from bot.solver.kernel.kept import Kept, kept_files
from bot.solver.kernel.layout import (
    Bytes,
    Endgame,
    Floats,
    Ints,
    Mind,
    Position,
    Small,
    Topology,
    Work,
    endgame,
    mind,
    position,
    topology,
    work,
)
from bot.solver.kernel.separate import Declared, Part

Function = TypeVar("Function", bound=Callable[..., Any])

_TYPES: dict[Any, Any] = {
    int: types.int64,
    float: types.float64,
    bool: types.boolean,
    tuple[float, float, float]: types.UniTuple(types.float64, 3),
    type(None): types.none,
    Bytes: types.int8[::1],
    Small: types.int32[::1],
    Ints: types.int64[::1],
    Floats: types.float64[::1],
    Topology: handle(topology(1, 1)),
    Position: handle(position(1)),
    Work: handle(work(1, 1)),
    Endgame: handle(endgame(1, 1)),
    Mind: handle(mind(1, 1)),
}


def _sources() -> str:
    """Return what tells these sources of the kernel from all others."""
    sources = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


_SOURCES = _sources()
_FOLDER = platformdirs.user_cache_path("minebot", appauthor=False) / f"kernel-{_SOURCES}"


def _signature(function: Callable[..., Any]) -> Any:
    """Return what a function returns and takes by its annotations."""
    hints = get_type_hints(function, include_extras=True)
    returned = _TYPES[hints.pop("return")]
    return returned(*(_TYPES[hint] for hint in hints.values()))


def cache_folder() -> Path:
    """Return where the compiled functions of exactly these sources are kept."""
    return _FOLDER


def is_kept(module: str) -> bool:
    """Return whether functions of ``module`` were compiled before, by this Python and compiler, and kept."""
    return bool(kept_files(_FOLDER, f"{module}.*", cpu_target.target_context))


def compiled(function: Function) -> Function:
    """Compile ``function`` for the types of its annotations."""
    module = function.__module__.rpartition(".")[2]
    result = Declared(
        function, _signature(function), _SOURCES, Kept(_FOLDER, f"{module}.{function.__name__}")
    )
    result.make()
    return cast(Function, result)


def inlined(function: Function) -> Function:
    """Compile ``function`` into its callers, for the types of its annotations."""
    return cast(Function, Part(function, _signature(function), _SOURCES))
