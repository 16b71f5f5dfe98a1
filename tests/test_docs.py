"""The documentation: what it mentions exists."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bot.cli.commands import COMMANDS, command_named

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / ".github").rglob("*.md"))]
CODE = re.compile(r"`([^`\n]+)`|^ {4}(\S.*)$", re.MULTILINE)
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
    return [parts[1] for parts in found if len(parts) == 2 and re.match(r"[a-z-]+( |$)", parts[1])]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page: Path) -> None:
    for line in commands_in(page):
        name, *words = re.split(r"\s+[|#>]", line, maxsplit=1)[0].split()
        assert name in COMMANDS, line
        used = {word.split("=")[0].strip("[],.;") for word in words if word.startswith("--")}
        assert used <= options(name), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_mentioned_alone_exist(page: Path) -> None:
    every = frozenset().union(*map(options, COMMANDS)) | {"--debug", "--version"}
    text = page.read_text(encoding="utf-8")
    alone = (one for one, _ in CODE.findall(text) if one.startswith("--"))
    for code in alone:
        assert code.split()[0].split("=")[0] in every, code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_resolve(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://", "#")):
            assert (page.parent / target.split("#")[0]).exists(), target


def test_issue_forms_ask_for_the_picture_and_for_doctor() -> None:
    forms = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".github").rglob("*.yml")}
    assert "The picture" in forms["wrong-reading"]
    assert "minebot replay PICTURE.png --json" in forms["wrong-reading"]
    assert all("minebot doctor" in forms[name] for name in ("wrong-reading", "problem"))
