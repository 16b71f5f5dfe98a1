"""Who may import whom: read from the source with ast, so that nothing is run."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "bot").rglob("*.py"))

# What a part of the package may import from the package itself, without "bot."; the longest prefix decides. A
# package that is not named here may import nothing.
ALLOWED = {
    "bot": "board interface",
    "bot.interface": "board errors game.board_files geometry solver vision",
    "bot.__main__": "cli installation",
    "bot.errors": "",
    "bot.installation": "errors",
    "bot.counting_rules": "",
    "bot.stop": "errors",
    "bot.words": "",
    "bot.board": "errors counting_rules words",
    "bot.geometry": "board errors",
    "bot.files": "errors",
    "bot.picture_files": "errors files geometry",
    "bot.signals": "errors",
    "bot.levels": "board errors",
    "bot.verdict": "board counting_rules",
    "bot.solver": "board errors installation counting_rules solver stop words",
    "bot.solver.kernel.build": "errors files installation solver.kernel.build",
    "bot.solver.published": "board errors installation files counting_rules solver stop words",
    "bot.solver.published.korlyakova": "board counting_rules errors files game.simulation solver",
    "bot.game": "board errors files game levels counting_rules words",
    "bot.game.noguess": "board errors game levels solver words",
    "bot.game.round": "board errors game levels solver.decision verdict",
    "bot.charts": "errors files words",
    "bot.bench": "bench board charts errors files installation game levels counting_rules solver",
    "bot.ui": "errors installation signals ui",
    "bot.ui.game": "board errors files game geometry levels marks solver ui.game verdict words",
    "bot.ui.overlay": "board desktop errors geometry installation marks stop ui",
    "bot.ui.overlay_windows": "desktop geometry marks",
    "bot.ui.panel": "errors installation levels ui.game.drawing ui.panel_run",
    "bot.ui.panel_run": ("clicker.style errors files installation levels marks solver targets words"),
    "bot.vision": "board errors files geometry levels counting_rules picture_files stop verdict vision words",
    "bot.marks": "board geometry solver.decision words",
    "bot.record": (
        "bench.statistics board charts clicker desktop.protocols errors files geometry "
        "installation marks picture_files record solver verdict words"
    ),
    "bot.record.check": "board errors game.simulation record counting_rules solver vision words",
    "bot.capture": "desktop errors geometry installation stop",
    "bot.desktop": "desktop errors geometry signals stop",
    "bot.targets": "board desktop errors files levels signals stop targets installation",
    "bot.record.film": "errors files installation geometry marks record solver.decision vision",
    "bot.record.recorder": "desktop.protocols errors files geometry play record",
    "bot.clicker": (
        "board clicker counting_rules desktop.protocols errors game.metrics geometry solver.constraints "
        "solver.decision stop targets"
    ),
    "bot.play": (
        "board capture clicker desktop.protocols errors game.metrics game.simulation geometry levels "
        "play counting_rules solver stop targets verdict vision words"
    ),
    "bot.cli": "*",  # it joins them all
}
# The modules that compile, and the one of them that knows where to keep that.
COMPILER = tuple(f"bot.solver.kernel.build.{module}" for module in ("functions", "object_code"))
# The module that hands what is hard to a kept constraint solver.
CONSTRAINTS = "bot.solver.published.urbas"
# The modules that declare what our own files hold, or the lines that our own processes exchange.
FORMATS = (
    *("bot.files", "bot.record", "bot.bench.results"),
    *("bot.ui.game.saved", "bot.ui.overlay", "bot.ui.overlay_windows", "bot.ui.panel_run"),
    "bot.vision.skin",
)
# Libraries that only these parts may import.
HOMES = {
    "av": ("bot.record.film",),
    "cv2": ("bot.picture_files", "bot.vision", "bot.record.pictures"),
    "mss": ("bot.capture",),
    "msgspec": FORMATS,
    "pyautogui": ("bot.desktop.portable",),
    "Xlib": ("bot.desktop",),
    "filelock": ("bot.cli.files", "bot.cli.solver_data", "bot.targets.launch"),
    "typer": ("bot.cli",),
    "rich": ("bot.cli",),
    "distributed": ("bot.bench.running",),
    "PySide6": (
        "bot.ui.application",
        "bot.ui.game",
        "bot.ui.overlay_windows",
        "bot.ui.panel",
        "bot.ui.panel_run",
    ),
    "numba": COMPILER,
    "llvmlite": COMPILER,
    "ortools": (CONSTRAINTS,),
}
# The order in which these come matters on Windows, pyautogui wants a display, and av takes a while.
LAZY = {"av", "mss", "pyautogui"}
PLATFORM = ("bot.desktop.x11", "bot.desktop.win32")  # beginnings of one system's modules
# No library but numpy in these, see COMPILER, CONSTRAINTS and FORMATS.
PURE = (
    "bot.board", "bot.geometry", "bot.levels", "bot.counting_rules", "bot.errors", "bot.files", "bot.signals",
    "bot.stop", "bot.solver", "bot.game", "bot.verdict",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Import:
    importer: str
    imported: str
    line: int
    lazy: bool
    typing: bool  # for type checkers alone

    def __str__(self) -> str:
        return f"{self.importer}, line {self.line}: imports {self.imported}"


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path) for path in MODULES}


def within(name: str, part: str) -> bool:
    return name == part or name.startswith(part + ".")


def imports(path: Path) -> Iterator[Import]:
    """Find the imports of a module; one inside a function or under TYPE_CHECKING is lazy."""
    importer = module_name(path)

    def walk(node: ast.AST, lazy: bool, typing: bool) -> Iterator[Import]:
        unread = typing or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        inside = lazy or unread or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.Import):
            yield from (Import(importer, alias.name, node.lineno, lazy, typing) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = absolute(path, node)
            for alias in node.names:
                member = f"{base}.{alias.name}"
                yield Import(importer, member if member in NAMES else base, node.lineno, lazy, typing)
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inside, unread)

    return walk(ast.parse(path.read_text(encoding="utf-8")), False, False)


def absolute(path: Path, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = path.relative_to(ROOT).parent.parts
    return ".".join([*package[: len(package) - node.level + 1], *(node.module or "").split(".")]).strip(".")


ALL = [found for path in MODULES for found in imports(path)]


def longest_prefix(name: str) -> str:
    return max((part for part in ALLOWED if within(name, part)), key=len)


def test_the_whole_package_was_read() -> None:
    assert {"bot.board", "bot.solver.strategies", "bot.desktop.protocols"} <= NAMES
    assert len(ALL) > 2 * len(NAMES)


def test_dependencies_point_one_way() -> None:
    wrong = []
    for found in ALL:
        if within(found.imported, "bot") and found.imported != "bot":
            may = ALLOWED[longest_prefix(found.importer)].split()
            allowed = may == ["*"] or any(within(found.imported, f"bot.{other}") for other in may)
            wrong += [] if allowed else [str(found)]
    assert not wrong


def test_the_pure_parts_know_no_library_but_numpy() -> None:
    wrong = [
        str(found)
        for found in ALL
        if any(within(found.importer, part) for part in PURE)
        and found.importer not in (*COMPILER, CONSTRAINTS, *FORMATS)
        and found.imported.split(".")[0] not in {*sys.stdlib_module_names, "bot", "numpy"}
    ]
    assert not wrong


@pytest.mark.parametrize("library", HOMES)
def test_a_library_stays_at_home(library: str) -> None:
    users = [found for found in ALL if within(found.imported, library)]
    strangers = [f for f in users if not any(within(f.importer, home) for home in HOMES[library])]
    assert not [str(found) for found in strangers]
    if library in LAZY:
        assert not [str(found) for found in users if not found.lazy]


def test_platform_modules_are_chosen_at_run_time() -> None:
    wrong = [
        str(found)
        for found in ALL
        if found.imported.startswith(PLATFORM) and not found.importer.startswith(PLATFORM) and not found.lazy
    ]
    assert not wrong


def test_the_solver_has_no_clock_and_no_chance() -> None:
    forbidden = {"time", "random", "datetime", "os"}
    solver = [found for found in ALL if within(found.importer, "bot.solver")]
    assert not [str(found) for found in solver if found.imported.split(".")[0] in forbidden]


def test_a_picture_is_read_without_the_solver() -> None:
    needed = {name for name in NAMES if within(name, "bot.vision")}
    while more := {found.imported for found in ALL if found.importer in needed} & NAMES - needed - {"bot"}:
        needed |= more
    assert not {name for name in needed if within(name, "bot.solver")}


def test_no_module_imports_itself_in_a_circle() -> None:
    graph: dict[str, set[str]] = {name: set() for name in NAMES}
    for found in ALL:
        if found.imported in NAMES and not found.typing and found.imported != found.importer:
            graph[found.importer].add(found.imported)
    # A package's __init__ gathers what its modules offer, so it stands for nothing of its own.
    packages = {module_name(path) for path in MODULES if path.name == "__init__.py"}
    waiting = {name: needs - packages for name, needs in graph.items() if name not in packages}
    while ready := {name for name, needs in waiting.items() if not needs}:
        waiting = {name: needs - ready for name, needs in waiting.items() if name not in ready}
    assert not waiting


def test_each_class_has_a_name_of_its_own() -> None:
    """Only what is written once for each system has the same name there."""
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        name = module_name(path)
        if not name.startswith(PLATFORM):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    homes.setdefault(node.name, []).append(name)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_only_the_command_line_prints() -> None:
    printing = [
        f"{module_name(path)}, line {node.lineno}"
        for path in MODULES
        if not within(module_name(path), "bot.cli")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not printing


def test_the_pages_about_the_code_name_what_is_there() -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "docs").glob("*.md")}
    for path, text in pages.items():
        for named in re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py)`", text):
            assert any((ROOT / folder / named).exists() for folder in ("", "bot")), (path.name, named)
    packages = {path.parent.name for path in (ROOT / "bot").glob("*/__init__.py")}
    house = pages[ROOT / ".github" / "docs" / "architecture.md"]
    assert {name for name in packages if f"| `{name}` |" not in house} == set()


def test_opencv_gets_bytes_and_no_paths() -> None:
    """On Windows, OpenCV cannot open a path with characters outside of the system's code page."""
    takes_path = re.compile(
        r"(im(read|write|count)|haveImage|Video(Capture|Writer)|FileStorage|FontFace|createFreeType|readNet|.*Model)"
    )
    calls = [
        (path.name, node.func.attr, ast.unparse(node.args[0]) if node.args else "")
        for path in (ROOT / "bot").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if ast.unparse(node.func).startswith("cv2.") and takes_path.match(node.func.attr)
    ]
    assert calls == [("networks.py", "readNetFromONNX", "np.frombuffer(content, np.uint8)")]
