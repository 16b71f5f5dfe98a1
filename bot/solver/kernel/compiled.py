"""Decorators that compile functions with numba and store the results on disk.

A `compiled` function becomes a C function with the types of its annotations. Other functions call it by its
address, which is stored in `structs.TABLE`. A `helper` is inlined into each compiled function that calls it.
A `callback` stays a Python function that compiled functions can call.

numba stores its results on disk. A compiled function contains its helpers and depends on the layout of all
structs, so a change to any source of the kernel may make a stored result wrong. The name of the folder is
therefore a hash of all sources of the kernel, of the Python and compiler versions, and of the processor.

numba would fail on a damaged file, or even run its content. So a checksum is stored beside the files of each
function, and files that do not match it are removed before numba reads them.
"""

from __future__ import annotations

import ctypes
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from inspect import Signature
from operator import index
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar, cast, get_type_hints

import llvmlite
import numba
import platformdirs
from llvmlite import ir
from llvmlite.binding import get_host_cpu_name
from numba.extending import lower_builtin, type_callable

from bot.solver.kernel.structs import CALLED, TABLE, address_of, load_constant, struct_at, type_of

Function = TypeVar("Function", bound=Callable[..., Any])

_C_TYPES: dict[Any, Any] = {
    int: ctypes.c_int64,
    bool: ctypes.c_int64,
    float: ctypes.c_double,
    type(None): None,
}


def _target() -> str:
    """Return a hash of the kernel's sources, the Python and compiler versions, and the processor.

    It includes the places and times of the sources, since numba uses stored code only for the same files: two
    installations would compile in turns.
    """
    target = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        target.update(f"{path} {path.stat().st_mtime}".encode() + path.read_bytes())
    python = f"{sys.implementation.cache_tag} {getattr(sys, 'abiflags', '')}"
    target.update(f"{python} {numba.__version__} {llvmlite.__version__} {get_host_cpu_name()}".encode())
    return target.hexdigest()[:16]


_FOLDER = platformdirs.user_cache_path("minebot", appauthor=False) / f"kernel-{_target()}"


def cache_folder() -> Path:
    """Return the folder in which the compiled functions of exactly these sources are stored."""
    return _FOLDER


def is_cached(module: str) -> bool:
    """Return whether compiled functions of ``module`` are stored on disk."""
    return any(_FOLDER.glob(f"{module}.*.sum"))


def can_keep(folder: Path) -> bool:
    """Create ``folder`` if needed; return whether compiled code can be stored there and loaded from there.

    It must be writable, since numba reads from no other folder. It must be the user's own, no link to another
    folder, and no other user may write to it: they could put their code there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with NamedTemporaryFile(dir=folder) as file:
            user = Path(file.name).stat().st_uid
        found = folder.lstat()
    except OSError:
        return False
    if sys.platform == "win32":  # only the user and administrators may write to the user's folders
        return stat.S_ISDIR(found.st_mode)
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == user
    return own and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


class CachedFunction:
    """The stored files of one compiled function in ``folder``, and their checksum."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._sum = folder / f"{name}.sum"

    def _files(self) -> list[Path]:
        return sorted(self._folder.rglob(f"{self._name}-*.nb?"))

    def _checksum(self) -> bytes:
        return sha256(b"".join(path.read_bytes() for path in self._files())).digest()

    def check(self) -> bool:
        """Remove damaged files; return whether compiled code can be loaded from the folder."""
        if not can_keep(self._folder):
            return False
        try:
            if not self._sum.exists() or self._sum.read_bytes() != self._checksum():
                for path in self._files():
                    path.unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def write_checksum(self) -> None:
        """Store the checksum of the files as they are now; do nothing if it cannot be written."""
        with suppress(OSError):
            self._sum.write_bytes(self._checksum())


def compile_cached(function: Callable[..., Any], types: Any, folder: Path) -> tuple[Any, bool]:
    """Return ``function`` as a C function made by numba, and whether it was loaded from ``folder``."""
    cached = CachedFunction(folder, f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}")
    if cached.check():
        config: Any = numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            result = numba.cfunc(types, cache=True, error_model="numpy")(function)
        except OSError:  # the disk is full
            pass
        else:
            if not result.cache_hits:
                cached.write_checksum()
            return result, result.cache_hits > 0
        finally:
            config.CACHE_DIR = before
    return numba.cfunc(types, error_model="numpy")(function), False


class _Declared:
    """A function with the types of its annotations, which compiled functions call by its address in `TABLE`.

    To be called so, it needs a struct as its first argument: a struct begins with the address of `TABLE`.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        hints = get_type_hints(function, include_extras=True)
        self._returned = hints.pop("return")
        self._kinds = list(hints.values())
        self.types = _c_type(self._returned)(*map(_c_type, self._kinds))
        arguments = [_C_TYPES.get(kind, ctypes.c_void_p) for kind in self._kinds]
        self._prototype = ctypes.CFUNCTYPE(_C_TYPES[self._returned], *arguments)
        self._place = CALLED.index(function.__name__) if function.__name__ in CALLED else None
        if self._place is not None:
            function.__globals__[function.__name__] = self  # so that a function can call itself
            self._let_compiled_call(function, self._place)

    def _set_address(self, address: int) -> None:
        if self._place is not None:
            TABLE[self._place] = address

    def _let_compiled_call(self, function: Callable[..., Any], place: int) -> None:
        def typer(*_: Any) -> Any:
            return self.types

        typer.__signature__ = Signature.from_callable(function)  # type: ignore[attr-defined]
        called: Any = self  # Any, because only subclasses have __call__
        type_callable(called)(lambda _context: typer)

        @lower_builtin(called, *self.types.args)
        def call(context: Any, builder: Any, types: Any, args: Any) -> Any:
            word = ir.IntType(64)
            table = load_constant(builder, builder.bitcast(args[0], word.as_pointer().as_pointer()))
            address = load_constant(builder, builder.gep(table, [word(place)]))
            returned = context.get_value_type(types.return_type)
            kind = ir.FunctionType(returned, [context.get_value_type(each) for each in types.args])
            result = builder.call(builder.inttoptr(address, kind.as_pointer()), args)
            return context.get_dummy_value() if self._returned is type(None) else result


def _c_type(kind: Any) -> Any:
    return type_of(int if kind is bool else kind)  # C has no boolean of one bit


class Compiled(_Declared):
    """A compiled function that Python and other compiled functions can call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._function, _ = compile_cached(function, self.types, _FOLDER)
        self._set_address(self._function.address)
        self._call = self._prototype(self._function.address)

    def __call__(self, *args: Any) -> Any:
        """Call the function. Raises TypeError or ValueError if the arguments do not match the annotations."""
        result = self._call(*(_given(*each) for each in zip(args, self._kinds, strict=True)))
        return bool(result) if self._returned is bool else result


def _given(value: Any, kind: Any) -> Any:
    """Convert an argument to what the C function takes: a number or an address."""
    if kind is float:
        return float(value)
    return index(value) if kind in _C_TYPES else address_of(value, kind)


class Callback(_Declared):
    """A Python function that compiled functions can call; its only argument is a struct."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        super().__init__(function)
        self._callback = self._prototype(lambda address: function(struct_at(address)))
        self._set_address(ctypes.cast(self._callback, ctypes.c_void_p).value or 0)

    def __call__(self, *args: Any) -> Any:
        """Call the function."""
        return self._function(*args)


def compiled(function: Function) -> Function:
    """Compile ``function`` for the types of its annotations."""
    return cast(Function, Compiled(function))


def callback(function: Function) -> Function:
    """Let compiled functions call ``function``, which stays a Python function."""
    return cast(Function, Callback(function))


def helper(function: Function) -> Function:
    """Inline ``function`` into the compiled functions that call it."""
    return cast(Function, numba.njit(inline="always", error_model="numpy")(function))
