"""The report: what is on the page, without a browser."""

from __future__ import annotations

import base64
import io
import json
import re
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bot.record import load_record
from bot.record.report import write_report
from conftest import Run
from recorded import without_pictures

RECORDS = Path(__file__).parent.parent.parent / "fixtures" / "records"


class Page(HTMLParser):
    """A page without its scripts: its text, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.links, self.open, self.images = "", list[str](), list[str](), 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [] if tag in ("meta", "input", "img") else [tag]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        self.images += tag == "img"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.text += f"{data} "

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing is left open."""


def reported(name: str, tmp_path: Path) -> str:
    write_report(load_record(RECORDS / name), tmp_path / "report.html")
    return (tmp_path / "report.html").read_text(encoding="utf-8")


def games_of(page: str) -> list[dict[str, Any]]:
    packed = re.findall(r'<script type="text/plain" class="game"[^>]*>(.*?)</script>', page)
    return [json.loads(zlib.decompress(base64.b64decode(one))) for one in packed]


@pytest.mark.parametrize("name", sorted(path.name for path in RECORDS.iterdir()))
def test_the_summary_stands_in_the_page_itself(name: str, tmp_path: Path) -> None:
    record = load_record(RECORDS / name)
    page = Page(reported(name, tmp_path))
    assert not page.open
    assert record.about.target in page.text
    assert record.about.strategy in page.text
    rounds = sum(len(game.rounds) for game in record.games)
    assert f"{len(record.games)}, {rounds} rounds" in page.text
    assert page.images == 1
    for words in record.missing:
        assert words in page.text
    for game in record.games:
        if game.result:
            assert f"{game.result['seconds']:.2f}" in page.text


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    text = reported("winemine-beginner", tmp_path)
    page = Page(text)
    assert page.links
    assert all(link.startswith(("#game=", "data:image/svg+xml;base64,")) for link in page.links)
    assert "http" not in text.replace("http-equiv", "")
    assert "import" not in re.sub(r"[A-Za-z0-9+/=]{60,}", "", text)


def test_each_round_and_each_picture_is_in_the_page(tmp_path: Path) -> None:
    record = load_record(RECORDS / "winemine-chords")
    games = games_of(reported("winemine-chords", tmp_path))
    assert [game["number"] for game in games] == [1, 2]
    for game, told in zip(record.games, games, strict=True):
        assert [one["number"] for one in told["rounds"]] == [turn.number for turn in game.rounds]
        assert told["result"] == game.result
        pixels = np.zeros(0)
        for look, one in zip(game.looks, [*told["rounds"], told["final"]], strict=True):
            layer = told["pictures"][str(one["picture"])]
            x, y, width, height = layer["box"]
            with Image.open(io.BytesIO(base64.b64decode(layer["png"]))) as image:
                drawn = np.asarray(image.convert("RGBA"))
            assert drawn.shape == (height, width, 4)
            pixels = np.zeros((height, width, 3), np.uint8) if layer["whole"] else pixels.copy()
            part = pixels[y : y + height, x : x + width]
            part[drawn[..., 3] > 0] = drawn[drawn[..., 3] > 0, :3]
            assert np.array_equal(pixels[..., ::-1], record.picture(look))
            assert one["cells"] == look.board.lines()
        for one in told["rounds"]:
            assert one["why"]
            assert one["short"].startswith(one["decision"]["reason"])
        assert any(one["numbers"] for one in told["rounds"])


def test_missing_pictures_leave_the_rest(tmp_path: Path) -> None:
    without_pictures(RECORDS / "winemine-beginner", tmp_path, 1)
    write_report(load_record(tmp_path), tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    first, second = games_of(text)
    assert first["pictures"] == {}
    assert first["rounds"]
    assert second["pictures"]
    assert "pictures are missing" in Page(text).text


def test_what_stands_in_a_record_is_no_markup(tmp_path: Path) -> None:
    record = load_record(RECORDS / "winemine-killed")
    object.__setattr__(record, "ended", "<b>stopped</b> & $done")
    write_report(record, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;stopped&lt;/b&gt; &amp; $done" in text


def test_the_command_writes_it(run: Run, tmp_path: Path) -> None:
    code, out, err = run("replay", RECORDS / "winemine-killed", "--report", tmp_path / "report.html")
    assert (code, out.startswith(f"{tmp_path / 'report.html'}: 2 games, ")) == (0, True)
    assert err.endswith("the run was cut off in game 2, after round 6\n")
    code, _, err = run("replay", RECORDS / "winemine-killed", "--report", tmp_path / "report.pdf")
    assert (code, "the name must end in .html" in err) == (2, True)
    code, _, err = run("replay", RECORDS / "winemine-killed", "--report", tmp_path / f"{'x' * 300}.html")
    assert (code, ".html cannot be written: File name too long" in err) == (1, True)
    both = (RECORDS / "winemine-killed", RECORDS / "winemine-chords")
    code, _, err = run("replay", *both, "--report", tmp_path / "report.html")
    assert (code, "takes one record at a time" in err) == (2, True)


def test_a_record_is_shown_in_the_browser(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("DISPLAY", ":1")
    for path in (RECORDS / "winemine-killed").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    page = tmp_path / "report.html"
    code, out, err = run("replay", tmp_path)
    assert (code, out.startswith(f"{page}: 2 games, ")) == (0, True)
    assert err.endswith("the run was cut off in game 2, after round 6\n")
    assert run("replay", tmp_path, "--game", "2")[0] == 0
    assert opened == [page.as_uri(), f"{page.as_uri()}#game=2"]
    assert run("replay", tmp_path, "--game", "9")[0] == 2
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert run("replay", tmp_path)[0] == 0
    assert len(opened) == (2 if sys.platform == "linux" else 3)


def test_a_page_without_a_folder_is_told_before_the_solver_is_compiled(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = list[str]()
    monkeypatch.setattr("bot.cli.replay.prepare_kernel", compiled.extend)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "none"):
        code, out, err = run("replay", RECORDS / "winemine-killed", "--report", folder / "report.html")
        assert (code, out, compiled) == (2, "", [])
        assert err == f"minebot: --report {folder / 'report.html'}: there is no folder {folder}\n"
