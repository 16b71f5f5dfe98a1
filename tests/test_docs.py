"""The documentation: what it mentions exists."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest
import typer
from PIL import Image

from bot.cli.commands import COMMANDS, app, command_named
from bot.cli.doctor import CHECKS
from bot.installation import SYSTEM_PACKAGES
from bot.solver import STRATEGIES
from bot.targets.catalogue import TARGETS
from bot.vision import load_skins

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *(page for part in (".github", "bot") for page in sorted((ROOT / part).rglob("*.md"))),
]
DOCS = ROOT / ".github" / "docs"
EVENTS = ("started", "round", "position", "game", "paused", "playing", "refused", "sums")
FOR_ENGINEERS = ("find-the-door.md", "play.md", "vision.md")
CODE = re.compile(r"`([^`\n]+)`|^ {4,}(\S.*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@cache
def options(command: str) -> frozenset[str]:
    """Return all options of a command, with their negations."""
    known = (name for one in command_named(command).params for name in (*one.opts, *one.secondary_opts))
    return frozenset({*known, "--help", "-h"})


def commands_in(page: Path) -> list[str]:
    """Return the command lines of minebot in the code of a page, each from its command on."""
    code = (one or line for one, line in CODE.findall(page.read_text(encoding="utf-8")))
    found = (re.split(r"\bminebot ", words, maxsplit=1) for words in code)
    return [parts[1] for parts in found if len(parts) == 2 and re.match(r"[a-z][a-z-]*( |$)", parts[1])]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page: Path) -> None:
    for line in commands_in(page):
        name, *words = re.split(r"\s+[|#>]", line, maxsplit=1)[0].split()
        assert name in COMMANDS, line
        used = {word.split("=")[0].strip("[],.;") for word in words if word.startswith("--")}
        assert used <= options(name), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_mentioned_alone_exist(page: Path) -> None:
    general = {option for one in typer.main.get_command(app).params for option in one.opts}
    every = general.union(*map(options, COMMANDS))
    text = page.read_text(encoding="utf-8")
    alone = (one for one, _ in CODE.findall(text) if one.startswith("--"))
    for code in alone:
        assert code.split()[0].split("=")[0] in every, code


def anchors(page: Path) -> set[str]:
    """Return the names by which links reach the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_resolve(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        if target.endswith("releases/latest"):  # a page of GitHub, beside the one that shows the file
            shown = Path("/owner/name/blob/main", page.parent.relative_to(ROOT), target)
            assert os.path.normpath(shown) == "/owner/name/releases/latest"
            continue
        name, _, anchor = target.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_readme_takes_two_minutes_and_leads_to_every_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 120
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index, page
        assert page.name in ("README.md", *FOR_ENGINEERS) or f"docs/{page.name})" in text, page


def test_the_two_commands_at_the_top_of_the_readme_set_up_play_and_test() -> None:
    top = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## ", 1)[0]
    play, test = re.findall(r"^ {4}make (\w+)$", top, re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"^(\w+): setup\n((?:\t.*\n)+)", makefile, re.MULTILINE))
    assert "minebot play" in recipes[play]
    assert "pytest" in recipes[test]
    checked = re.search(r"^make (.+)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert checked is not None
    assert test in checked[1].split()


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "install.md"], ids=lambda page: page.name)
def test_what_installs_is_typed_in_an_environment(page: Path) -> None:
    """On Debian 12 and other systems, pip refuses to install anything elsewhere."""
    blocks = re.findall(r"(?:^ {4}.*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE)
    installing = [block for block in blocks if re.search(r"^ {4}pip install \.", block, re.MULTILINE)]
    assert installing
    for block in installing:
        make, activate, install, check = (line.strip() for line in block.splitlines())
        assert (make.split(maxsplit=1)[1], "activate" in activate) == ("-m venv .venv", True)
        assert (install, check) == ("pip install .", "minebot doctor")


def test_the_game_in_the_readme_moves_and_loads_fast() -> None:
    picture = ROOT / ".github" / "pictures" / "play.webp"
    assert f"(.github/pictures/{picture.name})" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert picture.stat().st_size <= 500_000
    with Image.open(picture) as opened:
        assert getattr(opened, "n_frames", 1) > 5


def test_every_picture_is_on_a_page() -> None:
    used = {Path(target).name for page in PAGES for target in LINK.findall(page.read_text(encoding="utf-8"))}
    assert {path.name for path in (ROOT / ".github" / "pictures").iterdir()} <= used


def test_every_command_and_option_has_its_place() -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    sections = {part.split("\n", 1)[0].strip("` "): part for part in text.split("\n## ")}
    for name in set(COMMANDS) - {"overlay"}:  # that one is not for people
        told = set(re.findall(r"--[a-z-]+", sections[name]))
        assert {option for option in options(name) if option.startswith("--")} - {"--help"} <= told, name


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("strategies.md", list(STRATEGIES)),
        ("games.md", [*(target.name for target in TARGETS), *(skin.name for skin in load_skins())]),
        ("troubleshooting.md", [what for what, _ in CHECKS]),
        ("protocols.md", ["pause", "go", "step", "speed", "layers", "stop", *EVENTS]),
    ],
)
def test_the_tables_of_a_page_leave_none_out(page: str, names: list[str]) -> None:
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    cells = " | ".join(line.strip("|") for line in lines if line.startswith("|"))
    told = set(re.split(r"[`|,() ]+", cells)) | {cell.strip() for cell in re.split(r"[|,]", cells)}
    assert [name for name in names if name not in told] == []


def test_the_packages_of_debian_are_those_of_the_set_up() -> None:
    needed = (ROOT / ".ci" / "packages").read_text(encoding="utf-8").split("\n)", 1)[0]
    assert set(re.findall(r"\blib[\w.-]+", needed)) == set(SYSTEM_PACKAGES.split())
    named = re.search(r"apt-get install (libgl1 .*)", (DOCS / "install.md").read_text(encoding="utf-8"))
    assert named is not None
    assert set(named[1].split()) < set(SYSTEM_PACKAGES.split())
