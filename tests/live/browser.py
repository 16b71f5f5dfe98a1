"""Start Chromium with a profile of its own, and a local server that receives what its pages post."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from bot.targets.launch import find_program

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--test-type",  # otherwise a bar warns that there is no sandbox
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--password-store=basic",
)


def browser(home: Path | str, *options: str) -> list[str]:
    """Return the command that starts Chromium with its profile below ``home``.

    Raises LaunchError if Chromium is missing.
    """
    return [find_program("chromium", "chromium"), *_QUIET, f"--user-data-dir={home}/profile", *options]


@contextmanager
def served(folder: Path, hear: Callable[[str], None]) -> Iterator[str]:
    """Serve a folder during the block; yield its address. ``hear`` is called with what pages post."""

    class Handler(SimpleHTTPRequestHandler):
        def do_POST(self) -> None:
            hear(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
