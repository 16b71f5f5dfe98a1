"""The report of a record in a real browser, without a network and without scripts, and the film."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.errors import LaunchError
from bot.geometry import Pixels
from bot.record.film import LAST, write_film
from bot.record.lines import Record, load_record
from bot.record.report import write_report
from bot.vision import load_picture
from browser import browser, served
from conftest import wait_for

RECORDS = Path(__file__).parent.parent.parent / "fixtures" / "records"
PANEL = 48  # rows at the top of a picture where no marks are drawn
OPTIONS = (
    "--headless",
    "--force-device-scale-factor=1",
    "--window-size=1200,1000",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # there is no network
)

FILM = """<video src="film.mp4" muted></video><script>
const film = document.querySelector("video"), tell = (words) => fetch("/", { method: "POST", body: words });
film.onloadeddata = () => { film.currentTime = film.duration - 0.5; };
film.onseeked = () => tell([film.videoWidth, film.videoHeight, film.duration].join());
film.onerror = () => tell(film.error.message);
</script>"""
Show = Callable[..., bytes]


@pytest.fixture(scope="module")
def record() -> Record:
    return load_record(RECORDS / "winemine-chords")


@pytest.fixture
def show(record: Record, tmp_path: Path) -> Show:
    """Return a function that opens the report at a round and returns the output of the browser."""
    try:
        started = browser(tmp_path, *OPTIONS, "--virtual-time-budget=20000")
    except LaunchError as missing:
        pytest.skip(str(missing))
    page = tmp_path / "report.html"
    write_report(record, page)

    def opened(place: str, *options: str, page: Path = page) -> bytes:
        line = [*started, *options, f"{page.as_uri()}#{place}"]
        return subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300).stdout

    return opened


def shows(screen: Pixels, picture: Pixels) -> bool:
    """Return whether the top of a picture, at twice its size, is somewhere on the screen."""
    panel = np.repeat(np.repeat(picture[:PANEL], 2, axis=0), 2, axis=1)
    return bool(cv2.matchTemplate(screen, panel, cv2.TM_SQDIFF_NORMED).min() < 1e-4)


@pytest.mark.parametrize(("game", "number"), [(1, 1), (1, 12), (2, 9)])
def test_the_page_shows_the_picture_of_a_round(
    record: Record, show: Show, tmp_path: Path, game: int, number: int
) -> None:
    show(f"game={game}&round={number}", f"--screenshot={tmp_path / 'page.png'}")
    turn = record.games[game - 1].rounds[number - 1]
    assert shows(load_picture(tmp_path / "page.png"), record.picture(turn.seen))


def test_the_page_tells_why(show: Show) -> None:
    page = show("game=2&round=5", "--dump-dom").decode()
    assert 'data-shown="2/5"' in page
    words = re.search(r'<div id="words"[^>]*>(.*?)</div>', page)
    assert words is not None
    assert "is safe: the " in words[1]
    assert 'id="where">round 5 of ' in page


def test_keys_go_through_the_rounds(record: Record, show: Show, tmp_path: Path) -> None:
    keys = """<script>setTimeout(() => { for (const key of ["End", "PageUp", "ArrowLeft", "ArrowRight"])
    document.dispatchEvent(new KeyboardEvent("keydown", { key })); }, 3000)</script>"""
    page = tmp_path / "keys.html"
    page.write_text((tmp_path / "report.html").read_text(encoding="utf-8") + keys, encoding="utf-8")
    shown = show("game=1&round=1", "--dump-dom", page=page).decode()
    assert f'data-shown="1/{len(list(record.games[0].looks)) - 10}"' in shown


def test_the_legend_shows_each_mark_as_it_is_drawn(show: Show, tmp_path: Path) -> None:
    count = """<script>setTimeout(() => {
    const images = [...document.querySelectorAll(".legend img")].filter((one) => one.naturalWidth === 40);
    const samples = images.map((one) => one.src);
    document.body.dataset.samples = `${samples.length}/${new Set(samples).size}`; }, 3000)</script>"""
    page = tmp_path / "legend.html"
    page.write_text((tmp_path / "report.html").read_text(encoding="utf-8") + count, encoding="utf-8")
    assert 'data-samples="7/7"' in show("game=1&round=1", "--dump-dom", page=page).decode()


def test_the_page_tells_from_what_an_end_was_concluded(record: Record, show: Show, tmp_path: Path) -> None:
    first, last = record.games
    unseen = replace(last, result={**(last.result or {}), "concluded": "something covers the board"})
    write_report(replace(record, games=(first, unseen)), tmp_path / "unseen.html")
    page = show(f"game=2&round={len(last.rounds) + 1}", "--dump-dom", page=tmp_path / "unseen.html").decode()
    words = re.search(r'<div id="words"[^>]*>(.*?)</div>', page)
    assert words is not None
    assert "something covers the board" in words[1]


def test_a_browser_without_scripts_sees_the_summary(show: Show, tmp_path: Path) -> None:
    """The page is in a frame without scripts; only there the note for such browsers has a red line."""
    frame = tmp_path / "frame.html"
    frame.write_text('<iframe sandbox src="report.html" width="1150" height="950"></iframe>')
    together = "--disable-features=IsolateSandboxedIframes"  # else it may paint too late
    show("", together, f"--screenshot={tmp_path / 'page.png'}", page=frame)
    screen = load_picture(tmp_path / "page.png")
    assert coloured(screen, "#c8553d") > 50
    assert coloured(screen, "#0072b2") > 100  # the charts
    show("", f"--screenshot={tmp_path / 'page.png'}")
    assert coloured(load_picture(tmp_path / "page.png"), "#c8553d") < 50


def test_the_page_and_its_charts_follow_the_dark_mode(show: Show, tmp_path: Path) -> None:
    dark = "--blink-settings=preferredColorScheme=0"
    show("game=1&round=1", dark, "--window-size=1200,2400", f"--screenshot={tmp_path / 'page.png'}")
    screen = load_picture(tmp_path / "page.png")
    assert screen[-1, 0].max() < 60
    assert coloured(screen, "#56b4e9") > 100
    assert not coloured(screen, "#0072b2")


def coloured(screen: Pixels, colour: str) -> int:
    """Return the number of pixels with a colour, given as #rrggbb."""
    blue_green_red = list(reversed(bytes.fromhex(colour[1:])))
    return int((screen == np.array(blue_green_red, np.uint8)).all(axis=2).sum())


def test_a_film_plays_to_its_end(record: Record, tmp_path: Path) -> None:
    told = list[str]()
    write_film(record, tmp_path / "film.mp4", record.games[:1], 0.1)
    (tmp_path / "film.html").write_text(FILM)
    with served(tmp_path, told.append) as address:
        try:
            line = browser(tmp_path, "--headless", "--remote-debugging-port=0", f"{address}/film.html")
        except LaunchError as missing:
            pytest.skip(str(missing))
        with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                assert wait_for(lambda: told)
            finally:
                process.terminate()
    width, height, seconds = map(float, told[0].split(","))
    rows, cols = record.picture(record.games[0].rounds[0].seen).shape[:2]
    assert (width, height) == (2 * cols, 2 * rows)
    assert seconds == pytest.approx(0.1 * len(record.games[0].rounds) + LAST, abs=0.05)
