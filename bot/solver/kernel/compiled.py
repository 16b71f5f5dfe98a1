"""One place where functions are compiled.

What a function takes and returns is declared by its annotations alone, so that each is compiled once, for
exactly these types: callers' small integers are widened. The result is kept on disk, in a folder that is
named after the sources of the whole kernel: the compiler itself looks at each function's own file only, but
compiled functions contain those that are `inlined`, and rely on the types of all others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import numba
import platformdirs
from numba import njit, types

from bot.solver.kernel.handles import handle
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
from bot.solver.kernel.separate import separate_compiler

Function = TypeVar("Function", bound=Callable[..., Any])

_TYPES: dict[Any, Any] = {
    int: types.int64,
    float: types.float64,
    bool: types.boolean,
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


def cache_folder() -> Path:
    """Return where the compiled functions of exactly these sources are kept."""
    return platformdirs.user_cache_path("minebot", appauthor=False) / f"kernel-{_sources()}"


numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]

# Nothing is allocated in the kernel, so that nothing has to be counted either: half of the time went there.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}
_APART: dict[str, Any] = {
    "cache": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": separate_compiler(_sources()),
}


def compiled(function: Function) -> Function:
    """Compile ``function`` for the types of its annotations."""
    hints = get_type_hints(function, include_extras=True)
    returned = _TYPES[hints.pop("return")]
    signature = returned(*(_TYPES[hint] for hint in hints.values()))
    result: Function = njit(signature, **_OPTIONS, **_APART)(function)
    return result


def inlined(function: Function) -> Function:
    """Compile ``function`` into its callers: handing over all arrays costs more than a small function."""
    result: Function = njit(**_OPTIONS, inline="always")(function)
    return result
