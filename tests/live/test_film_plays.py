"""A film of a record in a real player: Chromium goes to its end, and tells what it has decoded."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bot.errors import LaunchError
from bot.record import load_record
from bot.record.film import LAST, write_film
from bot.targets.launch import find_program
from conftest import wait_for

RECORD = Path(__file__).parent.parent.parent / "fixtures" / "records" / "winemine-chords"
PAGE = """<video src="film.mp4" muted></video><script>
const film = document.querySelector("video"), tell = (words) => fetch("told?" + words, { method: "POST" });
film.onloadeddata = () => { film.currentTime = film.duration - 0.5; };
film.onseeked = () => tell([film.videoWidth, film.videoHeight, film.duration].join());
film.onerror = () => tell(film.error.message);
</script>"""


class Server(ThreadingHTTPServer):
    """Serves a folder, and keeps what a page tells."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.told: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(SimpleHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.told.append(self.path.partition("?")[2])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield served
        served.shutdown()
        thread.join()


def test_a_film_plays_in_a_browser(server: Server, tmp_path: Path) -> None:
    try:
        browser = find_program("chromium", "chromium")
    except LaunchError as missing:
        pytest.skip(str(missing))
    record = load_record(RECORD)
    write_film(record, tmp_path / "film.mp4", record.games[:1], 0.1)
    (tmp_path / "film.html").write_text(PAGE)
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    own = f"--user-data-dir={tmp_path / 'browser'}"
    line = [browser, *quiet, own, "--remote-debugging-port=0", f"{server.address}/film.html"]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            assert wait_for(lambda: server.told)
        finally:
            process.terminate()
    width, height, seconds = map(float, server.told[0].split(","))
    rows, cols = record.picture(record.games[0].rounds[0].seen).shape[:2]
    assert (width, height) == (2 * cols, 2 * rows)
    assert seconds == pytest.approx(0.1 * len(record.games[0].rounds) + LAST, abs=0.05)
