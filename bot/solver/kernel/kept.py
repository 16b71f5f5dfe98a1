"""Keeping compiled functions on disk.

The compiler can do that too, but a damaged file then stops the program, or worse, is run.

What is written are the parts into which numba takes a compiled function for its own files, `_reduce`, and
`_rebuild` puts together again. Another numba may make other parts of it: so its version is in the name of the
file, as are that of LLVM, of Python and the kind of processor.
"""

from __future__ import annotations

import pickle
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import llvmlite
import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

_DIGEST = 32  # bytes at the beginning of a file that are computed from the others


def _compiled_for(context: Any) -> str:
    """Return what tells this Python, compiler and processor from all others."""
    python = f"{sys.implementation.cache_tag} {getattr(sys, 'abiflags', '')}"
    target = f"{python} {numba.__version__} {llvmlite.__version__} {context.codegen().magic_tuple()}"
    return sha256(target.encode()).hexdigest()[:12]


def kept_files(folder: Path, name: str, context: Any) -> list[Path]:
    """Return the files in ``folder`` of functions compiled in ``context``; ``name`` may have wildcards."""
    return list(folder.glob(f"{name}-{_compiled_for(context)}.bin"))


class Kept(NullCache):
    """A function in a file of ``folder``; whatever cannot be read or written is as if it were not there."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def _file(self, context: Any) -> Path:
        return self._folder / f"{self._name}-{_compiled_for(context)}.bin"

    def load_overload(self, _signature: Any, context: Any) -> Any:
        """Return the compiled function, None if it is not there or not whole."""
        with suppress(OSError):
            content = self._file(context).read_bytes()
            if sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
                return CompileResult._rebuild(context, *pickle.loads(content[_DIGEST:]))
        return None

    def save_overload(self, _signature: Any, result: Any) -> None:
        """Keep a compiled function, if there is room."""
        content = dumps(result._replace(type_annotation="")._reduce())
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write(sha256(content).digest() + content, self._file(result.target_context))

    def _write(self, content: bytes, path: Path) -> None:
        """Write a file in one go, since others may do so meanwhile, or read it."""
        with NamedTemporaryFile(dir=self._folder, delete=False) as unfinished:
            there = Path(unfinished.name)
            try:
                unfinished.write(content)
                unfinished.close()
                there.replace(path)
            except OSError:
                there.unlink(missing_ok=True)
                raise
