"""Collect the licences of everything that a built program contains.

PyInstaller tells which files it has put into the program. Each of them belongs to minebot, to an installed
distribution, to a package of Debian, or to Python; and each of those must have at least one licence text.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INDEX = "README.txt"

LICENCE_NAME = re.compile(r"(?i)(licen[cs]es?|copying|notices?)([._-].*)?|.*[_-]licen[cs]e(\.\w+)?")
# The LGPL adds permissions to the GPL, so it comes with that. The wheels of Qt for Python hold neither.
LGPL_TEXTS = (HERE / "licenses" / "LGPL-3.txt", HERE / "licenses" / "GPL-3.txt")
MISSING_TEXTS = {"pyside6-essentials": LGPL_TEXTS, "shiboken6": LGPL_TEXTS}
DEBIAN_COMMON = "/usr/share/common-licenses"  # to which packages of Debian refer
COMMON_NAME = re.compile(DEBIAN_COMMON + r"/([\w.-]*\w)")

HEADING = "What this program contains, and under which licence. The folder of each part has the full texts."
NOTES = """\
Qt, PySide6 and Shiboken are used under the GNU Lesser General Public License, version 3. They are linked
dynamically: their libraries are files of their own in the folder _internal, and you may replace them by other
versions that fit. The same is true for the Qt and FFmpeg that OpenCV brings on Linux (see opencv-python).

The program begins with the start code of PyInstaller. An exception to its GPL allows that in programs under
any licence: see pyinstaller/COPYING.txt.

The sources of Qt and PySide6 are at https://download.qt.io/official_releases/QtForPython, those of packages
of Debian (debian-...) at https://snapshot.debian.org, and those of other libraries at https://pypi.org, in
the versions named above. The sources of minebot, with the script that builds this program, are at
{sources} - with them you can build it with other versions of all these libraries.
"""


@dataclass(frozen=True)
class Part:
    """A part of the program: its name, version, licence in a few words, and the files with the full texts."""

    name: str
    version: str
    licence: str
    texts: tuple[Path, ...]


class UnknownLicenceError(Exception):
    """The program contains something whose licence is not known; the message names it."""


def normalised(name: str) -> str:
    """Return the name of a distribution as package indexes compare them."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_licence(name: str) -> bool:
    """Return whether a file with this name holds a licence, and not code."""
    return LICENCE_NAME.fullmatch(name) is not None and not name.endswith((".py", ".pyc"))


def collect(sources: Iterable[Path], version: str) -> list[Part]:
    """Return the parts to which the files ``sources`` belong, and minebot (of ``version``) and Python.

    Raises UnknownLicenceError if a file belongs to nothing that is known, or a part has no licence text.
    """
    owners = {
        Path(str(installed.locate_file(file))).resolve(): installed
        for installed in distributions()
        for file in installed.files or []
    }
    found = {"pyinstaller": distribution("pyinstaller")}  # its start code is in every program
    rest = []
    for source in {path.resolve() for path in sources}:
        if source in owners:
            found[normalised(owners[source].name)] = owners[source]
        elif not source.is_relative_to(ROOT / "bot") and not source.is_relative_to(ROOT / "templates"):
            rest.append(source)
    found.pop("minesweeper-bot", None)
    packages = debian_packages(rest)
    strange = [path for path in rest if path not in packages and not _is_of_python(path)]
    if strange:
        raise UnknownLicenceError(f"no known licence: {', '.join(map(str, sorted(strange)))}")
    parts = [Part("minebot", version, "MIT", (ROOT / "LICENSE",)), python_part()]
    parts += map(distribution_part, found.values())
    parts += map(debian_part, set(packages.values()))
    parts += common_texts(parts)
    silent = [part.name for part in parts if not part.texts]
    if silent:
        raise UnknownLicenceError(f"no licence text: {', '.join(silent)}")
    return sorted(parts, key=lambda part: part.name)


def distribution_part(installed: Distribution) -> Part:
    """Return an installed distribution with the licence texts that it brings, or that are known here."""
    name = normalised(installed.name)
    files = installed.files or []
    texts = [file for file in files if is_licence(file.name)]
    if texts:  # which may say "see AUTHORS"
        texts += [file for file in files if file.stem == "AUTHORS"]
    paths = [Path(str(installed.locate_file(file))) for file in texts] or list(MISSING_TEXTS.get(name, []))
    texts_there = tuple(path for path in sorted(paths) if path.is_file())
    return Part(name, installed.version, _in_a_few_words(installed), texts_there)


def python_part() -> Part:
    """Return Python itself."""
    places = [Path(sys.base_prefix, "LICENSE.txt"), Path(sysconfig.get_path("stdlib"), "LICENSE.txt")]
    return Part("python", platform.python_version(), "PSF-2.0", tuple(filter(Path.is_file, places))[:1])


def debian_part(package: str) -> Part:
    """Return a package of Debian, whose file "copyright" names the licences."""
    command = ["dpkg-query", "--show", "--showformat=${Version}", package]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    name = package.partition(":")[0]  # without the processor
    text = Path("/usr/share/doc", name, "copyright")
    return Part(f"debian-{name}", version, "see copyright.txt", (text,) if text.is_file() else ())


def common_texts(parts: Iterable[Part]) -> list[Part]:
    """Return the texts to which packages of Debian refer, as one part; no part if there are none."""
    files = [text for part in parts for text in part.texts if text.name == "copyright"]
    names = {name for file in files for name in COMMON_NAME.findall(file.read_text(encoding="utf-8"))}
    texts = tuple(sorted(filter(Path.is_file, (Path(DEBIAN_COMMON, name) for name in names))))
    return [Part("debian-common-licenses", "", "named by packages of Debian", texts)] if texts else []


def debian_packages(files: Iterable[Path]) -> dict[Path, str]:
    """Return which of ``files`` belong to a package of Debian, and to which; none on other systems."""
    listed = {str(file): file for file in files if file.is_relative_to("/usr")}
    # a library may be listed below /lib, where it was before that became a link to /usr/lib
    listed |= {name.removeprefix("/usr"): file for name, file in listed.items()}
    if not listed or shutil.which("dpkg-query") is None:
        return {}
    # it fails if it does not know one of them, and prints the others
    done = subprocess.run(["dpkg-query", "--search", *listed], capture_output=True, text=True, check=False)
    lines = [line.rpartition(": ") for line in done.stdout.splitlines()]
    return {listed[path]: package.partition(", ")[0] for package, _, path in lines if path in listed}


def write(parts: Sequence[Part], folder: Path, sources: str) -> None:
    """Write the texts of ``parts`` and an index into ``folder``; ``sources`` is the address of minebot."""
    for part in parts:
        base = folder / part.name
        base.mkdir(parents=True)
        for text in part.texts:
            shutil.copyfile(text, _free_name(base, text))
    names = max(len(part.name) for part in parts)
    versions = max(len(part.version) for part in parts)
    rows = (f"{part.name:<{names}}  {part.version:<{versions}}  {part.licence}" for part in parts)
    index = "\n".join([HEADING, "", *rows, "", NOTES.format(sources=sources)])
    (folder / INDEX).write_text(index, encoding="utf-8")


def _is_of_python(path: Path) -> bool:
    libraries = Path(sysconfig.get_path("purelib")).resolve()
    return path.is_relative_to(Path(sys.base_prefix).resolve()) and not path.is_relative_to(libraries)


def _free_name(folder: Path, text: Path) -> Path:
    """Return where to copy ``text``: under its own name, or with its folder's before that if it is taken."""
    name = text.name if text.suffix in {".md", ".txt"} else f"{text.name}.txt"  # a double click opens it
    while (folder / name).exists():
        text = text.parent
        name = f"{text.name}-{name}"
    return folder / name


def _in_a_few_words(installed: Distribution) -> str:
    """Return the licence of a distribution as its metadata name it."""
    said = installed.metadata.json
    classifiers = [line for line in said.get("classifier", []) if line.startswith("License :: ")]
    words = ", ".join(line.rpartition(" :: ")[2] for line in classifiers)
    return str(said.get("license_expression") or words or said.get("license", "see the text")).split("\n")[0]
