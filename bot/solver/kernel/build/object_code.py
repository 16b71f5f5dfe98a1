"""Machine code of compiled functions, stored on disk as object files of LLVM.

numba compiles a function, which takes a second. LLVM turns the result into an object file, which is stored
and loaded again in a millisecond. The page beside this module says where, and when it is compiled again.

Only one thread at a time may load or compile; `functions` takes care of that.
"""

from __future__ import annotations

import re
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import platformdirs

from bot.files import is_own, private_folder, read_own_file, replace_file

# Code for this level runs on nearly every 64-bit PC since 2015, and as fast as code for the very processor.
_LEVEL = "x86-64-v3"
_FEATURES_OF_LEVEL = frozenset(
    ("avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse4.2", "xsave")
)
_KERNEL = Path(__file__).parents[1]  # the folder with all sources of the kernel
_SUFFIX = ".code"
_COMPILED = re.compile(r"^@compiled\ndef (\w+)", re.MULTILINE)
_DIGEST = sha256().digest_size  # bytes


def _processor() -> tuple[str, str]:
    """Return the processor to compile for, and its features, in the words of LLVM."""
    try:
        host = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM knows no features of some processors
        return llvm.get_host_cpu_name(), ""
    if all(host.get(feature) for feature in _FEATURES_OF_LEVEL):
        return _LEVEL, ""
    return llvm.get_host_cpu_name(), host.flatten()


_config: Any = numba.config
_config.CPU_NAME, _config.CPU_FEATURES = _PROCESSOR, _FEATURES = _processor()


def _target() -> str:
    """Return a hash of the kernel's sources, the Python and compiler versions, and the processor."""
    target = sha256()
    for path in sorted(_KERNEL.rglob("*.py")):
        target.update(path.relative_to(_KERNEL).as_posix().encode() + path.read_bytes())
    python = f"{sys.implementation.cache_tag} {getattr(sys, 'abiflags', '')} {sys.platform}"
    versions = f"{numba.__version__} {llvmlite.__version__}"
    target.update(f"{python} {versions} {_PROCESSOR} {_FEATURES}".encode())
    return target.hexdigest()[:16]


_NAME = f"kernel-{_target()}"
OWN_FOLDER = platformdirs.user_cache_path("minebot", appauthor=False) / _NAME  # the user's, for these sources
_BUILT_IN = _KERNEL / _NAME  # only in a program that is built for people without Python


def folders() -> list[Path]:
    """Return the folders from which code may be loaded; new code is stored in the last."""
    return [*([_BUILT_IN] if _BUILT_IN.is_dir() else []), *([OWN_FOLDER] if can_keep(OWN_FOLDER) else [])]


def is_stored(modules: Sequence[str]) -> bool:
    """Return whether undamaged code of every compiled function of ``modules`` is stored on disk."""
    places = folders()
    return all(
        _stored(f"{module}.{function}", places)
        for module in modules
        for function in _COMPILED.findall((_KERNEL / f"{module}.py").read_text(encoding="utf-8"))
    )


def can_keep(folder: Path) -> bool:
    """Create ``folder`` if it is missing; return whether code can be stored there and loaded from there.

    It must be the user's own, no link to another folder, and no other user may write to it: they could put
    their code there.
    """
    try:
        private_folder(folder)
        NamedTemporaryFile(dir=folder).close()  # it can be written
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and is_own(found)


def symbol_of(function: Callable[..., Any]) -> str:
    """Return the name by which compiled code calls ``function``."""
    return f"{function.__module__}.{function.__name__}"


def load_or_compile(function: Callable[..., Any], types: Any, places: Sequence[Path]) -> tuple[int, bool]:
    """Return the address of ``function`` as a C function of these ``types``, and whether it was stored.

    Load it from the first of ``places`` that has it; else compile it, and store it in the last. From then on,
    compiled code can call it by its symbol. Raises errors of the compiler.
    """
    symbol = symbol_of(function)
    name = ".".join(symbol.split(".")[-2:])
    code = _stored(name, places)
    if code and (address := _load(symbol, code)):
        return address, True
    code = _compile(function, symbol, types)
    if places:
        with suppress(OSError):  # the disk is full
            replace_file(places[-1] / (name + _SUFFIX), sha256(code).digest() + code)
    address = _load(symbol, code)
    if not address:
        raise RuntimeError(f"the code of {name} refers to a function that is not there")
    return address, False


def _stored(name: str, places: Sequence[Path]) -> bytes:
    """Return the code stored as ``name`` in the first of ``places`` where it is not damaged, else nothing."""
    for place in places:
        with suppress(OSError):
            path = place / (name + _SUFFIX)
            # a built program's own folder is as safe as the program
            content = path.read_bytes() if place == _BUILT_IN else read_own_file(path)
            if sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
                return content[_DIGEST:]
    return b""


def _compile(function: Callable[..., Any], symbol: str, types: Any) -> bytes:
    """Compile ``function``; return a line with the names that it refers to, then its code.

    numba names the C function itself, and loads a copy that is never called. A function that calls itself is
    declared under its symbol, which must have some address for that copy; then the definition gets this name.
    """
    llvm.add_symbol(symbol, 1)
    result = numba.cfunc(types, error_model="numpy")(function)
    declared = re.compile(rf'^declare .*@"?{re.escape(symbol)}"?\(.*$', re.MULTILINE)
    module = llvm.parse_assembly(declared.sub("", result.inspect_llvm()).replace(result.native_name, symbol))
    outside = (*module.functions, *module.global_variables)
    needed = (one.name for one in outside if one.is_declaration and not one.name.startswith("llvm."))
    return " ".join(needed).encode() + b"\n" + _machine().emit_object(module)


def _load(symbol: str, code: bytes) -> int:
    """Load what `_compile` returned; return the address of its function, 0 if it refers to unknown names."""
    engine = _engine()
    names, _, machine_code = code.partition(b"\n")
    if not all(map(llvm.address_of_symbol, names.decode().split())):  # LLVM would end the program
        return 0
    engine.add_object_file(llvm.ObjectFileRef.from_data(machine_code))
    engine.finalize_object()
    address = int(engine.get_function_address(symbol))
    llvm.add_symbol(symbol, address)
    return address


@cache
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    fixed = "static" if target.name.startswith("x86") else "default"  # LLVM loads only such code on x86
    return target.create_target_machine(cpu=_PROCESSOR, features=_FEATURES, opt=3, reloc=fixed, jit=True)


@cache
def _engine() -> Any:
    numba.njit(lambda: None)  # at the first use of this, numba tells LLVM the addresses of its functions in C
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
