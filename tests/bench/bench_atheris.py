"""Let Atheris search for input that crashes a reader of minebot, guided by the code that each input reaches.

Run from the repository root, on Linux, after ``pip install atheris``:
``python tests/bench atheris record --runs 1000000``. The formats are the lines of a record, ``skin.toml``,
texts of boards, the choices of the panel, events of ``play --control``, and pictures. A reader may refuse its
input with an error of minebot alone; anything else is a crash. So is a run of more than 60 seconds or 2 GB.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]
import cv2

with atheris.instrument_imports(include=["bot"]):
    from bot.errors import BotError
    from bot.game.board_files import read_board, text_of
    from bot.picture_files import load_picture
    from bot.record.lines import load_record
    from bot.ui.panel_run import RunStatus, SavedPanel
    from bot.vision import load_skins, read_picture
    from bot.vision.skin import load_skin

ROOT = Path(__file__).parents[2]
FIXTURES, TEMPLATES = ROOT / "fixtures", ROOT / "templates"
EVENTS = (
    b'{"event": "round", "game": 1, "round": 2, "reason": "counting, safe", "risk": 0.0}',
    b'{"event": "position", "hint": {"words": "Row 1, column 2 is safe"}}',
    b'{"event": "game", "outcome": "won", "bbbv_per_second": 3.25}',
)

Reader = Callable[[bytes], object]


def readers(folder: Path) -> dict[str, tuple[Reader, Iterable[bytes]]]:
    """Return for each format what reads it, and good examples; files are written in ``folder``."""
    skins, status = load_skins(), RunStatus()
    shutil.copytree(TEMPLATES / "winmine", folder / "skin")

    def by_file(name: str, read: Callable[[Path], object]) -> Reader:
        def write_and_read(data: bytes) -> None:
            (folder / name).write_bytes(data)
            read(folder / name)

        return write_and_read

    def see_panel(path: Path) -> None:
        try:
            SavedPanel(path.parent).read()
        finally:
            for aside in folder.glob("panel.*.json"):  # where a damaged file is put
                aside.unlink()

    def see(path: Path) -> None:
        read_picture(load_picture(path), skins, first_sight=True)

    records = (path.read_bytes()[:20_000] for path in FIXTURES.glob("records/*/record.jsonl"))
    # Small boards, and formats without sums, so that damage changes pixels too
    board = load_picture(FIXTURES / "winemine-beginner-running.png")[:128, :100]
    pictures = [cv2.imencode(kind, board)[1].tobytes() for kind in (".png", ".ppm", ".bmp", ".jpg")]
    return {
        "record": (by_file("record.jsonl", lambda path: load_record(path.parent)), records),
        "skin": (
            by_file("skin/skin.toml", lambda path: load_skin(path.parent)),
            (path.read_bytes() for path in TEMPLATES.glob("*/skin.toml")),
        ),
        "board": (
            lambda data: read_board(text_of(data)),
            [*(path.read_bytes() for path in FIXTURES.glob("*.txt")), b"1..\n...\n", b"2 2 1\n1 .\n. .\n"],
        ),
        "panel": (
            by_file("panel.json", see_panel),
            [b'{"version": 1, "speed": "20", "games": 3, "place": [3, 4], "layers": ["safe"]}'],
        ),
        "event": (lambda data: status.hear(data.decode(errors="replace")), EVENTS),
        "picture": (by_file("picture.png", see), pictures),
    }


def main() -> None:
    """Search, and keep the input of a crash in the current folder, as libFuzzer does."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("format", choices=("record", "skin", "board", "panel", "event", "picture"))
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--longest", type=int, default=65_536, help="bytes of an input (default: 65536)")
    given = parser.parse_args()
    memory = Path("/dev/shm")  # a disk would be waited for at each run
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        folder, corpus = Path(name, "read"), Path(name, "corpus")
        for new in (folder, corpus):
            new.mkdir()
        read, examples = readers(folder)[given.format]
        for number, example in enumerate(examples):
            (corpus / f"{number}").write_bytes(example)

        def read_one(data: bytes) -> None:
            with suppress(BotError):
                read(data)

        limits = ["-timeout=60", "-rss_limit_mb=2048", f"-max_len={given.longest}"]
        atheris.Setup([sys.argv[0], str(corpus), f"-runs={given.runs}", *limits], read_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
