"""A film of a record in a real player: Chromium goes to its end, and tells what it has decoded."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.errors import LaunchError
from bot.record import load_record
from bot.record.film import LAST, write_film
from browser import browser, served
from conftest import wait_for

RECORD = Path(__file__).parent.parent.parent / "fixtures" / "records" / "winemine-chords"
PAGE = """<video src="film.mp4" muted></video><script>
const film = document.querySelector("video"), tell = (words) => fetch("/", { method: "POST", body: words });
film.onloadeddata = () => { film.currentTime = film.duration - 0.5; };
film.onseeked = () => tell([film.videoWidth, film.videoHeight, film.duration].join());
film.onerror = () => tell(film.error.message);
</script>"""


def test_a_film_plays_in_a_browser(tmp_path: Path) -> None:
    record, told = load_record(RECORD), list[str]()
    write_film(record, tmp_path / "film.mp4", record.games[:1], 0.1)
    (tmp_path / "film.html").write_text(PAGE)
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
