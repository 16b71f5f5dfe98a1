"""What is made of a record: a page, a film, sums; without a browser or a player."""

from __future__ import annotations

import base64
import io
import json
import re
import sys
import zlib
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import av
import numpy as np
import pytest
from PIL import Image

from bot.bench.statistics import win_rate
from bot.board import Cell, State
from bot.errors import RecordError, UsageError
from bot.geometry import Grid, Pixels
from bot.marks import Kind, Mark, picture_of
from bot.record.film import LAST, write_film
from bot.record.lines import Record, RecordedLook, load_record
from bot.record.report import write_report
from bot.record.stats import Guess, RunStatistics, charts_of, guesses_of, statistics_of
from bot.words import short_risk
from conftest import Run
from recorded import without_pictures

RECORDS = Path(__file__).parent.parent.parent / "fixtures" / "records"


class Page(HTMLParser):
    """A page without its scripts: its text, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.links, self.open, self.charts = "", list[str](), list[str](), 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [] if tag in ("meta", "input", "img") else [tag]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        self.charts += ("role", "img") in attrs

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
    assert f"{len(record.games)}, with {rounds} rounds" in page.text
    assert page.charts == 6
    for words in record.missing:
        assert words in page.text
    for game in record.games:
        if game.result:
            assert f"{game.result['seconds']:.2f}" in page.text


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    text = reported("winemine-beginner", tmp_path)
    page = Page(text)
    assert page.links
    assert all(link.startswith(("#game=", "data:image/png;base64,")) for link in page.links)
    assert "http" not in text.replace("http-equiv", "")
    assert "import" not in re.sub(r"[A-Za-z0-9+/=]{60,}", "", text)


def test_every_font_has_the_letters_of_the_page(tmp_path: Path) -> None:
    """Arrows and flags are drawn: as letters, they are in few fonts, or are coloured pictures there."""
    text = reported("winemine-beginner", tmp_path)
    assert {letter for letter in text if ord(letter) > 0xFF} <= {"–"}
    for key in ("Home", "ArrowLeft", "ArrowRight", "End"):
        assert re.search(rf'<button data-key="{key}"[^>]*aria-label="[^"]+"><svg ', text)


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
            if one["decision"]["reason"] not in ("guess", "first click"):
                row, col = one["decision"]["moves"][0][:2]
                assert one["why"].startswith(f"Row {row + 1}, column {col + 1} is safe")
            assert one["short"].startswith(one["decision"]["reason"])
            assert len(one["others"]) == len(one["decision"].get("alternatives", []))
        assert any(one["marks"]["proof"] for one in told["rounds"])


def test_the_marks_of_the_page_are_those_of_the_renderer(tmp_path: Path) -> None:
    record, page = load_record(RECORDS / "winemine-beginner"), reported("winemine-beginner", tmp_path)
    found = re.search(r'<script type="text/plain" id="stamps">(.*?)</script>', page)
    assert found is not None
    stamps = [Image.open(io.BytesIO(base64.b64decode(png))) for png in json.loads(found[1])]
    turn, told = record.games[1].rounds[1], games_of(page)[1]["rounds"][1]  # a guess
    (click,) = turn.clicks
    ((row, col, number),) = told["marks"]["moves"]
    guess = Mark(Cell(0, 0), Kind.NEXT, short_risk(click.move.risk), click.move.risk)
    assert (row, col) == click.move.cell
    size = 2 * turn.seen.grid.pitch_x
    drawn = picture_of(Grid(0, 0, size, size, 1, 1), [guess])
    assert np.array_equal(np.asarray(stamps[number]), drawn[..., [2, 1, 0, 3]])
    assert len(told["marks"]["risks"]) == len(turn.decision.risks) - len(turn.seen.board.cells(State.FLAG))
    assert 0 < len({number for _, _, number in told["marks"]["risks"]}) < 10  # alike ones are dots


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
    assert (code, "the name must end in one of .html, .htm" in err) == (2, True)
    code, _, err = run("replay", RECORDS / "winemine-killed", "--report", tmp_path / f"{'x' * 300}.html")
    assert (code, ".html cannot be written: File name too long" in err) == (1, True)
    both = (RECORDS / "winemine-killed", RECORDS / "winemine-chords")
    code, _, err = run("replay", *both, "--report", tmp_path / "report.html")
    assert (code, "takes one record at a time" in err) == (2, True)


def test_a_record_is_shown_in_the_browser(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("DISPLAY", ":1")
    monkeypatch.setattr("bot.cli.files.user_data_path", lambda *_, **__: tmp_path / "data")
    for path in (RECORDS / "winemine-killed").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "report.html").symlink_to(tmp_path / "mine")
    (tmp_path / "mine").write_text("mine")
    code, out, err = run("replay", tmp_path)
    (page,) = (tmp_path / "data" / "pages").iterdir()
    assert (code, out.startswith(f"{page}: 2 games, ")) == (0, True)
    assert (tmp_path / "mine").read_text() == "mine"
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


# Films of a record: what they show, for how long, and what cannot be filmed

TOP = 40  # rows of a picture on which nothing is drawn


@pytest.fixture
def record() -> Record:
    return load_record(RECORDS / "winemine-beginner")


def played(path: Path) -> tuple[list[float], list[Pixels]]:
    """Return when each picture of a film is shown, and the pictures."""
    with av.open(str(path)) as film:
        frames = list(film.decode(video=0))
    return [float(frame.time or 0) for frame in frames], [
        np.asarray(frame.to_ndarray(format="bgr24"), np.uint8) for frame in frames
    ]


def looks_of(record: Record, game: int) -> list[RecordedLook]:
    return list(record.games[game - 1].looks)


def test_a_film_shows_every_round(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    shown = list[int]()
    write_film(record, path, record.games[:1], 0.5, lambda: shown.append(1))
    times, pictures = played(path)
    looks = looks_of(record, 1)
    assert len(shown) == len(looks)
    assert len(pictures) == len(looks) + 1  # the last one twice, since the end of a film is that of its last
    assert times[:-1] == pytest.approx([0.5 * number for number in range(len(looks))])
    assert times[-1] - times[-2] == pytest.approx(LAST, abs=0.02)
    for seen, picture in zip(looks, pictures, strict=False):
        there = record.picture(seen)[:TOP].repeat(2, axis=0).repeat(2, axis=1).astype(int)
        part = picture[: 2 * TOP, : there.shape[1]]
        assert np.abs(part - there).mean() < 3
    assert np.abs(pictures[3].astype(int) - pictures[2]).max() > 100


def test_what_was_decided_is_drawn(record: Record, tmp_path: Path) -> None:
    write_film(record, tmp_path / "film.mp4", record.games[:1])
    _, pictures = played(tmp_path / "film.mp4")
    turn = record.games[0].rounds[1]
    x, y = turn.seen.grid.centre(turn.clicks[0].move.cell)
    plain = record.picture(turn.seen)
    around = (slice(int(y) - 6, int(y) + 6), slice(int(x) - 6, int(x) + 6))
    drawn = pictures[1][::2, ::2][: plain.shape[0], : plain.shape[1]]
    assert np.abs(drawn[around].astype(int) - plain[around]).mean() > 10


def test_rounds_may_be_shown_for_as_long_as_they_took(record: Record, tmp_path: Path) -> None:
    write_film(record, tmp_path / "film.mp4", record.games[1:], None)
    times, _ = played(tmp_path / "film.mp4")
    looks = looks_of(record, 2)
    began = looks[0].time
    assert times[:-1] == pytest.approx([max(0.0, seen.time - began) for seen in looks], abs=0.05)


def test_pictures_that_are_missing_are_left_out(tmp_path: Path) -> None:
    without_pictures(RECORDS / "winemine-beginner", tmp_path, 1)
    record = load_record(tmp_path)
    write_film(record, tmp_path / "film.mp4", record.games)
    assert len(played(tmp_path / "film.mp4")[1]) == len(looks_of(record, 2)) + 1
    with pytest.raises(RecordError, match="has no picture of these games"):
        write_film(record, tmp_path / "film.mp4", record.games[:1])


def test_places_and_names_that_cannot_be_written(record: Record, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        write_film(record, tmp_path / "none" / "film.mp4", record.games[:1])
    with pytest.raises(RecordError, match=r"x\.mp4 cannot be written: File name too long"):
        write_film(record, tmp_path / f"{'x' * 300}.mp4", record.games[:1])
    with pytest.raises(UsageError, match=r"the name must end in \.mp4"):
        write_film(record, tmp_path / "film.avi", record.games[:1])
    assert not list(tmp_path.iterdir())


def test_the_command_writes_films(run: Run, tmp_path: Path) -> None:
    folder, path = RECORDS / "winemine-beginner", tmp_path / "film.mp4"
    code, out, err = run("replay", folder, "--film", path, "--game", "2", "--as-played")
    assert (code, err) == (0, "")
    assert out.startswith(f"{path}: 1 game, 0.")
    code, _, err = run("replay", folder, "--film", path, "--game", "7")
    assert (code, err) == (2, f"minebot: --game 7: the record {folder} has 2 games\n")
    for seconds in ("0", "-1", "nan", "inf"):
        code, _, err = run("replay", folder, "--film", path, "--seconds", seconds)
        assert (code, "give at least 0.02, or --as-played" in err) == (2, True)
    assert run("replay", folder, "--film", tmp_path / "film.avi")[0] == 2


# ``minebot stats``: sums and plots of records

NAMES = sorted(path.name for path in RECORDS.iterdir())
SVG = "{http://www.w3.org/2000/svg}"


def sums(name: str) -> RunStatistics:
    return statistics_of(load_record(RECORDS / name))


@pytest.mark.parametrize("name", NAMES)
def test_sums_are_those_of_the_games(name: str) -> None:
    record, one = load_record(RECORDS / name), sums(name)
    results = [game.result for game in record.games if game.result]
    assert one.games == len(results) == (1 if name == "winemine-killed" else 2)
    assert one.wins == sum(result["won"] for result in results)
    assert one.rounds == sum(len(game.rounds) for game in record.games)
    assert one.values("clicks") == [result["clicks"] for result in results]
    assert one.rate == win_rate(one.wins, one.games)
    assert len(one.deciding) == one.rounds
    assert min(one.deciding) > 0


def test_a_game_with_an_unknown_end_is_none_that_was_lost() -> None:
    one = sums("builtin-flags")
    more = replace(one, results=(*one.results, {**one.results[0], "won": None, "outcome": "unknown"}))
    assert (more.games, more.known, more.wins) == (one.games + 1, one.games, one.wins)
    assert more.rate == one.rate
    assert more.as_json()["unknown"] == 1


def test_a_guess_is_lost_only_at_the_end_of_a_lost_game() -> None:
    record = load_record(RECORDS / "builtin-flags")
    game = next(game for game in record.games if list(guesses_of(game)))
    assert [guess.lost for guess in guesses_of(game)] == [False] * len(list(guesses_of(game)))
    cut = game.rounds[: next(n for n, turn in enumerate(game.rounds, 1) if turn.decision.risk)]
    lost = {**(game.result or {}), "won": False, "outcome": "lost"}
    told = list(guesses_of(type(game)(1, cut, game.final, lost)))
    assert told == [Guess(cut[-1].decision.risk, True)]
    assert not list(guesses_of(type(game)(1, cut)))


def test_the_command_prints_a_table(run: Run) -> None:
    code, out, err = run("stats", *(RECORDS / name for name in NAMES))
    assert code == 0
    assert err == f"{RECORDS / 'winemine-killed'}: the run was cut off in game 2, after round 6\n"
    rows = [line.split() for line in out.splitlines() if str(RECORDS) in line]
    assert [row[1] for row in rows] == ["2", "2", "2", "1"]
    assert next(line for line in out.splitlines() if line.strip().startswith("all ")).split()[1] == "7"
    assert "guesses with an exact risk" in out


def test_the_command_prints_json(run: Run) -> None:
    code, out, _ = run("stats", RECORDS / "winemine-beginner", "--json")
    first, last = map(json.loads, out.splitlines())
    assert code == 0
    assert {**first, "record": "all"} == last
    assert (first["games"], first["wins"], first["rounds"]) == (2, 2, 14)


@pytest.mark.parametrize("names", [["winemine-beginner"], NAMES], ids=["one", "several"])
def test_the_command_draws(names: list[str], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "stats.svg"
    assert run("stats", *(RECORDS / name for name in names), "--plot", path)[0] == 0
    picture = ElementTree.parse(path).getroot()
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert "Games won so far, % (95 %)" in texts
    assert [str(RECORDS / name) in texts for name in names] == [len(names) > 1] * len(names)
    code, _, err = run("stats", RECORDS / "winemine-beginner", "--plot", tmp_path / "stats.png")
    assert (code, "the name must end in .svg" in err) == (2, True)


def test_a_chart_has_a_dot_for_each_game_and_says_what_its_colours_mean() -> None:
    one = sums("winemine-beginner")
    won, lost, unknown = (
        {**one.results[0], "won": end, "seconds": seconds}
        for end, seconds in ((True, 2), (False, 3), (None, 4))
    )
    chart = ElementTree.fromstring(charts_of([replace(one, results=(won, won, lost, unknown))])[1].svg())
    dots = [path.get("d", "").count("M") for path in chart.iter("path")]
    assert dots == [2, 1, 1]
    assert {"won", "lost", "unknown"} <= {text.text for text in chart.iter("text")}


def test_charts_of_no_games_and_of_many_are_drawn() -> None:
    one = sums("winemine-beginner")
    assert len(charts_of([replace(one, results=(), guesses=(), reasons=Counter())])) == 6
    many = replace(one, results=one.results * 10_000)
    assert len(charts_of([many])[0].svg()) < 30_000  # a line has no more points than can be seen
    for chart in charts_of([many]):
        for number in map(float, re.findall(r'(?:x|y|cx|cy)="([-\d.]+)"', chart.svg())):
            assert 0 <= number <= 400


def test_no_name_of_a_record_damages_the_charts() -> None:
    names = ["<b>", "\x1b[2J"]
    charts = charts_of([replace(sums("winemine-beginner"), name=name) for name in names])
    texts = {text.text for text in ElementTree.fromstring(charts[0].svg()).iter("text")}
    assert {"<b>", "\\x1b[2J"} <= texts


def test_games_of_the_same_length_are_one_bar() -> None:
    one = sums("winemine-beginner")
    same = [{**one.results[0], "won": True, "seconds": 2.0}] * 3
    chart = ElementTree.fromstring(charts_of([replace(one, results=tuple(same))])[3].svg())
    assert len(list(chart.iter("polygon"))) == 1
    assert [text.text for text in chart.iter("text")][-4:] == ["0", "1", "2", "3"]


def test_axes_have_round_numbers() -> None:
    one = sums("winemine-beginner")
    first, second = ({**one.results[0], "won": True, "seconds": seconds} for seconds in (0.87, 1.02))
    charts = charts_of([replace(one, results=(first, second))])
    numbers = [re.findall(r">([\d.]+)</text>", chart.svg()) for chart in charts]
    assert numbers[0] == ["1", "2", "0", "20", "40", "60", "80", "100"]
    assert numbers[3] == ["0.9", "0.95", "1", "0", "1"]  # seconds; games are counted


def test_what_is_no_record_is_told_and_the_rest_is_summed_up(run: Run, tmp_path: Path) -> None:
    code, out, err = run("stats", tmp_path, RECORDS / "winemine-beginner")
    assert (code, err.count("\n")) == (2, 1)
    assert "there is no record in" in err
    assert "winemine-beginner" in out
    assert run("stats", tmp_path)[:2] == (2, "")
