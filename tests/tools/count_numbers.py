"""Count the numbers on which a comparison or a score depends, wherever they are written.

Run from the repository root: ``python tests/tools/count_numbers.py --against HEAD~5 --list``. It reads the
source with `ast` and runs nothing. A number counts once at every place where it is written: in a constant, a
table, an expression, a default or an argument. So moving it into another kind of place changes nothing; only
a number that is no longer there, or is written once in place of twice, lowers the count. These do not count:

- 0, 1, 2, -1 and -2, also written as 1.0, which count things or say "none" and "all";
- 255 and 256, the range of a byte, and 10 ** n, which converts a unit;
- up to 4 where they say how an array is built: in an index or slice, as a shape or an axis (the arguments
  of `LAYOUT`), in a test whether ``shape`` or ``ndim`` equals something;
- numbers in annotations of types, and the arguments ``maxsize`` of a cache and ``connectivity`` of pixels.

A number that moves to another folder leaves the count of this one: count both folders then.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

FOLDER = "bot/vision"
USUAL = frozenset({-2, -1, 0, 1, 2, 255, 256})
DIMENSIONS = 4  # most dimensions and channels of an array
LAYOUT = re.compile(
    r"slice|np\.(zeros|ones|empty|eye)|.+\.(reshape|transpose|mean|var|sum|min|max|any|all)", re.DOTALL
)
SHAPES = frozenset({"shape", "ndim"})
SETTINGS = frozenset({"maxsize", "connectivity"})  # arguments that no comparison can depend on


@dataclass(frozen=True, slots=True)
class Number:
    """A number that counts: its line in the file, and its value as it is written."""

    line: int
    written: str


def numbers_in(source: str) -> list[Number]:
    """Return the numbers that count in the source text of a module, in the order of their lines."""
    return sorted(_found(ast.parse(source), False), key=lambda number: number.line)


def counts(value: float, layout: bool) -> bool:
    """Return whether a number counts; ``layout``: it is written where it may say how an array is built."""
    return value not in USUAL and not (layout and isinstance(value, int) and abs(value) <= DIMENSIONS)


def _found(node: ast.AST, layout: bool) -> Iterator[Number]:
    """Find the numbers that count below ``node``."""
    value = _value(node)
    if value is not None:
        if counts(value, layout):
            yield Number(getattr(node, "lineno", 0), ast.unparse(node))
        return
    if isinstance(node, ast.keyword) and node.arg in SETTINGS:
        return
    for name, child in _parts(node):
        if name not in ("annotation", "returns") and not _is_power_of_ten(child):
            yield from _found(child, _lays_out(node, name, layout))


def _parts(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield name, child


def _lays_out(node: ast.AST, name: str, layout: bool) -> bool:
    """Return whether numbers in the field ``name`` of ``node`` may say how an array is built.

    ``layout`` is the same for ``node`` itself.
    """
    if isinstance(node, ast.Subscript):
        return name == "slice" or layout
    if isinstance(node, ast.keyword):
        return node.arg in ("axis", "shape")
    if isinstance(node, ast.Call):
        return name == "args" and LAYOUT.fullmatch(ast.unparse(node.func)) is not None
    if isinstance(node, ast.Compare):
        equal = all(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops)
        return equal and any(_name(part) in SHAPES for part in ast.walk(node))
    return layout


def _value(node: ast.AST) -> float | None:
    """Return the number that ``node`` writes, with its sign; None if it is something else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        unsigned = _value(node.operand)
        return None if unsigned is None else -unsigned
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_power_of_ten(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _value(node.left) == 10


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def modules(folder: str, revision: str | None) -> dict[str, str]:
    """Return the source of each Python file below ``folder``, now or in a git revision, by its path."""
    if revision is None:
        return {str(path): path.read_text("utf-8") for path in sorted(Path(folder).rglob("*.py"))}
    listed = _git("ls-tree", "-r", "--name-only", "-z", revision, "--", folder).split("\0")
    return {path: _git("show", f"{revision}:./{path}") for path in listed if path.endswith(".py")}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, encoding="utf-8").stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", default=[FOLDER], help=f"of Python files (default: {FOLDER})")
    parser.add_argument("--against", metavar="REV", help="show the count in a git revision beside it")
    parser.add_argument("--list", action="store_true", help="print every number that counts, with its line")
    given = parser.parse_args()
    revisions = [None] if given.against is None else [given.against, None]
    columns = []
    for revision in revisions:
        sources = {path: text for one in given.folders for path, text in modules(one, revision).items()}
        columns.append({path: (text.splitlines(), numbers_in(text)) for path, text in sources.items()})
    table = Table("file", *(revision or "now" for revision in revisions))
    for path in sorted({path for column in columns for path in column}):
        table.add_row(path, *(str(len(column[path][1])) if path in column else "-" for column in columns))
    totals = [sum(len(found) for _, found in column.values()) for column in columns]
    table.add_section()
    table.add_row("all", *map(str, totals))
    console = Console(width=110)
    console.print(table)
    if given.list:
        for path, (lines, found) in columns[-1].items():
            for number in found:
                print(f"{path}:{number.line}: {number.written}: {lines[number.line - 1].strip()}")


if __name__ == "__main__":
    main()
