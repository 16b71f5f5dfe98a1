"""The scripts of a release: the names and contents of its files, their licences, its pins and its notes."""

from __future__ import annotations

import marshal
import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from importlib.metadata import distribution
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch
from zipfile import ZipFile

import pytest
import rich
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot import __version__

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / ".github" / "program"
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PINNED = {
    "libraries.txt": SETTINGS["project"]["dependencies"],
    "tools.txt": SETTINGS["dependency-groups"]["release"],
}
RELEASE_PYTHONS = [("linux", "posix", "3.11"), ("win32", "nt", "3.13")]


def script(name: str) -> ModuleType:
    spec = spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    path, modules = [str(SCRIPTS), *sys.path], {name: module}  # where a dataclass looks its module up
    with patch.object(sys, "path", path), patch.dict(sys.modules, modules):
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("win32", "AMD64", "minebot-1.2.0-windows-x86_64.zip"),
        ("linux", "x86_64", "minebot-1.2.0-linux-x86_64.zip"),
        ("darwin", "arm64", "minebot-1.2.0-macos-arm64.zip"),
    ],
)
def test_the_zip_tells_version_system_and_processor(system: str, machine: str, name: str) -> None:
    assert script("build").zip_name("1.2.0", system, machine) == name


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither such permissions nor such links")
def test_a_zip_keeps_programs_and_links(tmp_path: Path) -> None:
    folder = tmp_path / "minebot"
    (folder / "inner").mkdir(parents=True)
    (folder / "minebot").write_bytes(b"#!/bin/sh\n")
    (folder / "minebot").chmod(0o755)
    (folder / "inner" / "library.so.1").write_bytes(bytes(1000))
    (folder / "inner" / "library.so").symlink_to("library.so.1")
    build = script("build")
    build.zip_folder(folder, tmp_path / "all.zip")
    with ZipFile(tmp_path / "all.zip") as zipped:
        modes = {entry.filename: entry.external_attr >> 16 for entry in zipped.infolist()}
        assert zipped.read("minebot/inner/library.so") == b"library.so.1"
    assert modes["minebot/minebot"] & 0o111
    assert modes["minebot/inner/library.so"] & 0o170000 == 0o120000
    assert build.megabytes(*folder.rglob("*")) < 0.0012


def test_the_readme_of_the_zips_answers_the_first_questions() -> None:
    text = (
        (SCRIPTS / "README.txt").read_text(encoding="utf-8").format(version="1.2.0", address="https://there")
    )
    assert text.startswith("minebot 1.2.0\n")
    for told in (
        "Double-click minebot-panel.exe",
        "Windows protected your PC",
        "not yet on a real Windows",
        "Move the mouse, press Esc",
        "delete the folder to remove the program",
        r"%LOCALAPPDATA%\minebot",
        "https://there",
        "licenses/README.txt",
    ):
        assert told in " ".join(text.split()), told


def test_the_manifest_for_winget_names_the_zip_and_its_checksum(tmp_path: Path) -> None:
    archive, url = tmp_path / "minebot-1.2.0-windows-x86_64.zip", "https://example.org/minebot.zip"
    archive.write_bytes(b"zip")
    command = [sys.executable, str(SCRIPTS / "winget.py"), str(archive), url, str(tmp_path / "winget")]
    subprocess.run(command, check=True)
    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "winget").iterdir()}
    name = "minebot.minebot"
    assert files.keys() == {f"{name}.yaml", f"{name}.installer.yaml", f"{name}.locale.en-US.yaml"}
    assert all('PackageVersion: "1.2.0"' in text and "{" not in text for text in files.values())
    installer = files[f"{name}.installer.yaml"]
    assert f'InstallerUrl: "{url}"' in installer
    assert f'InstallerSha256: "{sha256(b"zip").hexdigest().upper()}"' in installer
    zipped = script("build").zip_name("1.2.0", "win32", "AMD64")
    assert zipped == archive.name
    assert "minebot\\minebot.exe" in installer  # where the zip has it


def test_the_notes_of_a_release_are_those_of_the_changelog() -> None:
    command = [sys.executable, str(SCRIPTS / "notes.py")]
    done = subprocess.run([*command, f"v{__version__}"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("- ")
    assert "\n## " not in done.stdout
    done = subprocess.run([*command, "99.0"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "CHANGELOG.md has no section 99.0: add one before the release\n"


@pytest.mark.parametrize(
    "name", ["LICENSE", "LICENCE.md", "COPYING.txt", "license-3RD.txt", "dragon4_LICENSE.txt"]
)
def test_a_licence_is_known_by_its_name(name: str) -> None:
    assert script("licenses").is_licence(name)


@pytest.mark.parametrize("name", ["license.py", "licensed.txt", "README.md", "LICENSES.cpython-311.pyc"])
def test_other_files_are_no_licence(name: str) -> None:
    assert not script("licenses").is_licence(name)


def test_a_library_comes_with_the_texts_of_its_distribution() -> None:
    part = script("licenses").distribution_part(distribution("Pygments"))
    assert (part.name, part.version) == ("pygments", distribution("pygments").version)
    assert part.licence.startswith("BSD")
    assert [text.name for text in part.texts] == ["AUTHORS", "LICENSE"]


def test_qt_comes_with_the_lgpl_though_its_wheel_has_no_text() -> None:
    part = script("licenses").distribution_part(distribution("PySide6-Essentials"))
    [first, second] = [text.read_text("utf-8").split() for text in part.texts]
    assert first[:4] == ["GNU", "GENERAL", "PUBLIC", "LICENSE"]
    assert second[:5] == ["GNU", "LESSER", "GENERAL", "PUBLIC", "LICENSE"]


def collected(*sources: Path) -> list[Any]:
    licenses = script("licenses")
    # PyInstaller, which builds programs, is not needed for tests
    with patch.object(licenses, "distribution", lambda _: distribution("pluggy")):
        parts: list[Any] = licenses.collect(sources, "1.2.0")
    return parts


def test_each_file_of_a_program_leads_to_the_licence_of_its_part() -> None:
    parts = collected(ROOT / "bot" / "board.py", Path(str(rich.__file__)), Path(str(re.__file__)))
    assert [part.name for part in parts if not part.name.startswith("debian-")] == [
        "minebot",
        "pluggy",
        "python",
        "rich",
    ]
    assert all(part.texts for part in parts)


def test_a_file_of_unknown_origin_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "strange.so").touch()
    with pytest.raises(Exception, match=r"no known licence: .*strange\.so"):
        collected(ROOT / "bot" / "board.py", tmp_path / "strange.so")


def test_a_distribution_without_a_text_stops_the_build() -> None:
    licenses = script("licenses")
    silent = licenses.Part("silent", "1.0", "", ())
    with (
        patch.object(licenses, "distribution", lambda _: distribution("pluggy")),
        patch.object(licenses, "distribution_part", lambda _: silent),
        pytest.raises(licenses.UnknownLicenceError, match="no licence text: silent"),
    ):
        licenses.collect([], "1.2.0")


def test_all_texts_are_written_and_listed(tmp_path: Path) -> None:
    licenses = script("licenses")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "LICENSE").write_text(f"the text of {name}", "utf-8")
    texts = (tmp_path / "one" / "LICENSE", tmp_path / "two" / "LICENSE")
    licenses.write([licenses.Part("both", "1.2", "MIT", texts)], tmp_path / "all", "https://example.org")
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "all" / "both").iterdir()}
    assert written == {"LICENSE.txt": "the text of one", "two-LICENSE.txt": "the text of two"}
    index = (tmp_path / "all" / "README.txt").read_text("utf-8")
    assert "\nboth  1.2  MIT\n" in index
    assert "linked\ndynamically" in index
    assert "https://example.org" in index


def test_the_check_finds_what_has_no_licence_in_a_program(tmp_path: Path) -> None:
    (tmp_path / "_internal" / "numpy").mkdir(parents=True)
    modules = [(name, (0, 0, 0)) for name in ("rich", "rich.console", "typer", "Xlib.display")]
    (tmp_path / "minebot").write_bytes(b"code" + marshal.dumps(modules))
    for name in ("python", "pyinstaller", "typer"):
        (tmp_path / "licenses" / name).mkdir(parents=True)
        (tmp_path / "licenses" / name / "LICENSE.txt").write_text("a text " * 20, "utf-8")
    check = script("check")
    assert check.unlicensed(tmp_path) == ["numpy", "rich"]
    (tmp_path / "licenses" / "typer" / "LICENSE.txt").write_text("", "utf-8")
    assert check.unlicensed(tmp_path) == ["numpy", "rich", "typer"]


@pytest.mark.parametrize("file", PINNED)
@pytest.mark.parametrize(("system", "kind", "python"), RELEASE_PYTHONS)
def test_a_release_pins_what_the_project_needs(file: str, system: str, kind: str, python: str) -> None:
    environment = {
        "sys_platform": system,
        "os_name": kind,
        "python_version": python,
        "python_full_version": f"{python}.7",
    }
    text = (SCRIPTS / file).read_text("utf-8")
    pins = [Requirement(line) for line in re.findall(r"(?m)^([a-z].*) \\$", text)]
    pinned = {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins
        if pin.marker is None or pin.marker.evaluate(environment)
    }
    for wanted in map(Requirement, PINNED[file]):
        if wanted.marker is None or wanted.marker.evaluate(environment):
            assert pinned[canonicalize_name(wanted.name)] in wanted.specifier, wanted


@pytest.mark.parametrize("file", PINNED)
def test_every_pin_has_hashes(file: str) -> None:
    text = (SCRIPTS / file).read_text("utf-8")
    pins = re.split(r"(?m)^(?=[a-z])", text)[1:]
    assert len(pins) > 10
    assert all("--hash=sha256:" in pin for pin in pins)
