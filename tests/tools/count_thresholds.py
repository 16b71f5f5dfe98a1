"""Count the numeric literals in a folder of source on which a comparison or a score depends.

Run from the repository root: ``PYTHONPATH=.:tests python tests/tools/count_thresholds.py bot/vision --list``.
It follows the syntax tree of each module, and the same rules hold for every folder and version.

A literal, an int or a float with its sign, counts once where it is written, wherever that is: in a comparison
or arithmetic, in an argument of a call, as a default, in a constant of a module or class, in a tuple, a dict
or an array. These do not count:

1. 0, 1, 2 and -1, whether int or float; True and False.
2. 255 and 256, the range of a byte; what is nearer to 0 than 0.0001, a guard against a division by zero.
3. What stands in an index or a slice, in an annotation, a decorator, an assert, a raise or a formatted text.
4. Shapes, axes and types: the arguments ``shape``, ``axis``, ``dtype``, ``ndmin``, ``ndim`` and ``keepdims``,
   the shape given to `zeros`, `ones`, `empty`, `full`, `reshape` and `broadcast_to`, and comparisons with
   ``.ndim``, ``.shape`` or an element of a shape.
5. 8 and 9, as int, in a comparison, in `range` or `arange`: the largest number of a cell; 0.5 that is added
   or subtracted: the middle of a cell or pixel; operands of ``<<`` and ``>>``.
6. Values of the members of an Enum.
7. What is painted for people: functions that call a painting function of OpenCV (`line`, `rectangle`,
   `circle`, `putText` ...), and tuples of three ints up to 255, which are colours.
8. Formats of files: hexadecimal literals, arguments of `struct`, ``from_bytes`` and ``to_bytes``, and modules
   that import `struct` or `zlib`.
9. A constant of a module or class whose name is used in the whole folder only where rules 3 to 8 hold, or
   nowhere.

A module is a file of Python that is not empty; its lines are all lines, as `wc -l` counts them.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.table import Table

FREE = frozenset({0, 1, 2, -1, 255, 256})
GUARD = 1e-4
LARGEST = frozenset({8, 9})  # of the numbers of cells, and one more, where a range ends
SHAPES = frozenset({"shape", "axis", "dtype", "ndmin", "ndim", "keepdims"})
SHAPED = frozenset({"zeros", "ones", "empty", "full"})  # their first argument is a shape
PAINTING = frozenset(
    {
        "line",
        "arrowedLine",
        "rectangle",
        "circle",
        "ellipse",
        "polylines",
        "drawMarker",
        "putText",
        "getTextSize",
    }
)
FORMATS = frozenset({"from_bytes", "to_bytes"})
_ENUMS = frozenset({"Enum", "IntEnum", "Flag", "IntFlag", "StrEnum"})
_HEXADECIMAL = re.compile(r"0[xX]")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal that counts: its module, line, text, its line of source, and whether a constant holds it."""

    module: str
    line: int
    text: str
    source: str
    constant: bool


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its path in the folder, its lines, its syntax tree, and which node each node stands in."""

    name: str
    lines: list[str]
    tree: ast.Module
    parents: Mapping[ast.AST, ast.AST]

    @classmethod
    def of(cls, name: str, text: str) -> Module:
        """Return the module of that source. Raises SyntaxError if it is no Python."""
        tree = ast.parse(text)
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        return cls(name, text.splitlines(), tree, parents)

    def above(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Yield each node around ``node`` with the part of it that ``node`` is in, from the inside out."""
        while node in self.parents:
            parent = self.parents[node]
            yield parent, node
            node = parent

    @property
    def of_a_format(self) -> bool:
        """Whether it reads or writes a format of files."""
        imported = [node for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name for node in imported if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in imported if isinstance(node, ast.ImportFrom)}
        return bool(names & {"struct", "zlib"})


def modules(folder: Path) -> list[Module]:
    """Return the modules in a folder and in those inside it."""
    paths = sorted(folder.rglob("*.py"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return [Module.of(str(path.relative_to(folder)), text) for path, text in texts.items() if text.strip()]


def literals(everything: Iterable[Module]) -> list[Literal]:
    """Return all literals that count in the modules of a folder."""
    there = list(everything)
    used = _used_names(there)
    found = []
    for module in there:
        for node in [] if module.of_a_format else ast.walk(module.tree):
            text = _text(module, node)
            if text is None or _exempt(module, node):
                continue
            names = _constants(module, node)
            if names is None or names & used:
                line = node.lineno  # type: ignore[attr-defined]
                found.append(
                    Literal(module.name, line, text, module.lines[line - 1].strip(), names is not None)
                )
    return sorted(found, key=lambda literal: (literal.module, literal.line))


def _text(module: Module, node: ast.AST) -> str | None:
    """Return a numeric literal as it is written; None if the node is none, or one that never counts."""
    value = _value(node)
    if not isinstance(node, ast.Constant) or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    written = module.lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()
    parent = module.parents[node]
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
        value, written = -value, f"-{written}"
    free = value in FREE or abs(value) < GUARD or _HEXADECIMAL.match(written.lstrip("-"))
    return None if free else written


def _exempt(module: Module, node: ast.AST) -> bool:
    """Return whether a literal or the use of a name stands where rules 3 to 8 hold."""
    return any(_exempts(parent, part, node) for parent, part in module.above(node))


def _exempts(parent: ast.AST, part: ast.AST, node: ast.AST) -> bool:
    """Return whether a node does not count since ``part`` of ``parent`` is around it."""
    match parent:
        case ast.Subscript():
            return part is parent.slice
        case ast.AnnAssign() | ast.arg():
            return part is parent.annotation
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return part is parent.returns or part in parent.decorator_list or _paints(parent)
        case ast.Assert() | ast.Raise() | ast.JoinedStr():
            return True
        case ast.keyword():
            return parent.arg in SHAPES
        case ast.Compare():
            return _is_largest(node) or any(_is_shape(side) for side in (parent.left, *parent.comparators))
        case ast.BinOp():
            middle = isinstance(parent.op, ast.Add | ast.Sub) and part is node and _value(node) == 0.5
            return middle or isinstance(parent.op, ast.LShift | ast.RShift)
        case ast.Tuple():
            return part is node and _is_colour(parent)
        case ast.ClassDef():
            return part in parent.decorator_list or any(_name(base) in _ENUMS for base in parent.bases)
        case ast.Call():
            return _exempts_argument(parent, part, node)
    return False


def _exempts_argument(call: ast.Call, part: ast.AST, node: ast.AST) -> bool:
    name, owner = _name(call.func), _name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if part is call.func:
        return False
    if name in FORMATS or owner == "struct" or (name in ("range", "arange") and _is_largest(node)):
        return True
    place = call.args.index(part) if isinstance(part, ast.expr) and part in call.args else -1
    if name in SHAPED:
        return place == 0
    if name == "reshape":
        return place >= (1 if owner == "np" else 0)
    return name == "broadcast_to" and place == 1


@cache
def _paints(function: _Function) -> bool:
    return any(isinstance(node, ast.Call) and _name(node.func) in PAINTING for node in ast.walk(function))


def _value(node: ast.AST) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _is_largest(node: ast.AST) -> bool:
    value = _value(node)
    return type(value) is int and value in LARGEST


def _is_colour(node: ast.Tuple) -> bool:
    values = [_value(part) for part in node.elts]
    return len(values) == 3 and all(type(value) is int and 0 <= value <= 255 for value in values)


def _is_shape(node: ast.AST) -> bool:
    while isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Attribute) and node.attr in ("ndim", "shape")


def _name(node: ast.AST) -> str:
    """Return the last part of a name, "" if the node is none."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _constants(module: Module, node: ast.AST) -> set[str] | None:
    """Return the names of the constants whose value a literal is a part of; None if it is in a function."""
    names = None
    for parent, part in module.above(node):
        if isinstance(parent, _Function | ast.Lambda):
            return None
        if isinstance(parent, ast.Assign) and part is parent.value:
            names = {name for target in parent.targets for name in _targets(target)}
        elif isinstance(parent, ast.AnnAssign) and part is parent.value:
            names = set(_targets(parent.target))
    return names


def _targets(target: ast.AST) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id


def _used_names(there: Iterable[Module]) -> set[str]:
    """Return the names that are read somewhere in a folder where they may decide something."""
    return {
        name
        for module in there
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
        if (name := _name(node)) and not _exempt(module, node)
    }


def table(folder: str, there: Iterable[Module], found: Sequence[Literal]) -> Table:
    """Return a table with a row a module and the sums."""
    constants = Counter(literal.module for literal in found if literal.constant)
    others = Counter(literal.module for literal in found if not literal.constant)
    drawn = Table(title=f"numeric literals that decide, in {folder}")
    drawn.add_column("module")
    for heading in ("in constants", "elsewhere", "literals", "lines"):
        drawn.add_column(heading, justify="right")
    lines = {module.name: len(module.lines) for module in there}
    for name, length in lines.items():
        row = constants[name], others[name], constants[name] + others[name], length
        drawn.add_row(name, *map(str, row))
    drawn.add_section()
    sums = constants.total(), others.total(), constants.total() + others.total(), sum(lines.values())
    drawn.add_row(f"{len(lines)} modules", *map(str, sums))
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[Path("bot/vision")])
    parser.add_argument("--list", action="store_true", help="print each literal with its line of source, too")
    options = parser.parse_args()
    console = Console(width=140, highlight=False)
    for folder in options.folders:
        there = modules(folder)
        found = literals(there)
        for literal in found if options.list else ():
            console.print(
                f"{literal.module}:{literal.line}: {literal.text}  in  {literal.source}", markup=False
            )
        console.print(table(str(folder), there, found))


if __name__ == "__main__":
    main()
