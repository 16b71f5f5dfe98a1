"""Picture files of every kind, whole and broken."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from bot.errors import PictureError, UsageError
from bot.geometry import Pixels
from bot.vision import load_picture, load_skins, read_picture, save_picture
from fixture_boards import FIXTURES, fixture_boards
from picture_changes import mistakes

NAME = "winemine-beginner-running"
PATH = FIXTURES / f"{NAME}.png"
BOARD = fixture_boards(NAME)[0].board.lines()
SKINS = load_skins()
RED, BLUE = (255, 0, 0), (0, 0, 255)
WAYS: dict[str, tuple[str, dict[str, Any]]] = {  # mode, and how it is written
    "palette.png": ("P", {}),
    "plain.bmp": ("RGB", {}),
    "palette.gif": ("P", {}),
    "opaque.webp": ("RGBA", {"lossless": True}),
    "opaque.tif": ("RGBA", {}),
    "good.jpg": ("RGB", {"quality": 95}),
}


Refused = Callable[[Path], str]


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Refused:
    """Return a function that returns in which words a picture is refused; libraries must print nothing."""

    def words(path: Path) -> str:
        with pytest.raises(PictureError) as raised:
            load_picture(path)
        assert capfd.readouterr() == ("", "")
        assert "\n" not in str(raised.value)
        return str(raised.value)

    return words


def fixture() -> Image.Image:
    return Image.open(PATH).convert("RGB")


def bgr(picture: Image.Image) -> Pixels:
    return np.asarray(picture.convert("RGB"))[..., ::-1]


@pytest.mark.parametrize("name", WAYS)
def test_boards_are_read_from_every_kind_of_file(tmp_path: Path, name: str) -> None:
    mode, options = WAYS[name]
    fixture().convert(mode).save(tmp_path / name, **options)
    (reading,) = read_picture(load_picture(tmp_path / name), SKINS)
    wrong, unreadable = mistakes(reading.board.lines(), BOARD)
    assert wrong == 0
    assert unreadable <= (2 if name == "good.jpg" else 0)


def test_sixteen_bits_a_channel_become_eight(tmp_path: Path) -> None:
    pixels = bgr(fixture()).astype(np.uint16) * 257
    for name in ("deep.png", "deep.tif"):
        cv2.imwrite(str(tmp_path / name), pixels)
        assert (load_picture(tmp_path / name) == bgr(fixture())).all()


@pytest.mark.parametrize("suffix", [".png", ".webp", ".tif"])
def test_what_is_transparent_is_seen_over_white(tmp_path: Path, suffix: str) -> None:
    picture = Image.new("RGBA", (3, 1))
    for x, opacity in enumerate((0, 128, 255)):
        picture.putpixel((x, 0), (200, 100, 0, opacity))
    path = tmp_path / f"glass{suffix}"
    options: dict[str, Any] = {"lossless": True, "exact": True} if suffix == ".webp" else {}
    picture.save(path, **options)
    nothing, half, all_of_it = load_picture(path)[0].astype(int)
    assert nothing.tolist() == [255, 255, 255]
    assert np.abs(half - [127, 177, 227]).max() <= 2
    assert all_of_it.tolist() == [0, 100, 200]


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".tif"])
def test_a_turned_picture_is_turned_back(tmp_path: Path, suffix: str) -> None:
    picture = Image.new("RGB", (40, 20), RED)
    picture.paste(BLUE, (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x112] = 6  # to be turned clockwise: what was left is on top
    picture.save(tmp_path / f"turned{suffix}", exif=exif)
    loaded = load_picture(tmp_path / f"turned{suffix}")
    assert loaded.shape == (40, 20, 3)
    assert np.abs(loaded[5, 10].astype(int) - BLUE[::-1]).max() < 30
    assert np.abs(loaded[35, 10].astype(int) - RED[::-1]).max() < 30


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.bmp", "a.gif", "a.webp", "a.tif", "lzw.tif"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.97])
def test_a_cut_file_is_told_in_one_line(refused: Refused, tmp_path: Path, name: str, share: float) -> None:
    path = tmp_path / name
    options = {"compression": "tiff_lzw"} if name == "lzw.tif" else {}
    fixture().convert("P" if name == "a.gif" else "RGB").save(path, **options)
    data = path.read_bytes()
    path.write_bytes(data[: max(1, round(share * len(data)))])
    assert str(path) in refused(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF",
        b"text",
        b"%PDF-1.7",
        b"<svg/>",
        b"MZ" * 99,
        bytes(100),
        b"RIFF....WAVEfmt ",
    ],
)
def test_files_that_are_no_pictures(refused: Refused, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "thing.png"
    path.write_bytes(data)
    assert "is not a picture in a supported format" in refused(path)


def test_missing_files_and_folders(refused: Refused, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no picture"):
        load_picture(tmp_path / "missing.png")
    assert "it is a folder" in refused(tmp_path)
    beneath = tmp_path / "file.png"
    beneath.write_bytes(b"x")
    assert "cannot be opened" in refused(beneath / "below.png")


@pytest.mark.parametrize("name", ["сапёр поле.png", "扫雷.png", "mine – ✓ é.png"])
def test_names_may_have_any_letters(refused: Refused, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(PATH.read_bytes())
    assert (load_picture(path) == bgr(fixture())).all()
    path.write_bytes(b"text")
    assert name in refused(path)


def test_a_small_file_that_promises_a_huge_picture_is_refused(refused: Refused, tmp_path: Path) -> None:
    path, side = tmp_path / "huge.bmp", 60_000
    path.write_bytes(b"BM" + struct.pack("<IHHIIiiHH", 54, 0, 0, 54, 40, side, -side, 1, 24) + bytes(24))
    words = refused(path)
    assert "too large" in words or "incomplete, damaged, or" in words


def test_a_picture_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "marks.png"
    save_picture(path, np.zeros((4, 4, 3), np.uint8))
    before = path.read_bytes()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_picture(path, np.full((4, 4, 3), 255, np.uint8))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp"])
def test_pictures_go_to_files_and_back(tmp_path: Path, suffix: str) -> None:
    save_picture(tmp_path / f"picture{suffix}", bgr(fixture()))
    loaded = load_picture(tmp_path / f"picture{suffix}")
    assert np.abs(loaded.astype(int) - bgr(fixture())).mean() < 20


def test_pictures_that_cannot_be_written(tmp_path: Path) -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    with pytest.raises(PictureError, match="must end in"):
        save_picture(tmp_path / "picture.what", picture)
    with pytest.raises(PictureError, match="cannot be written"):
        save_picture(tmp_path / "nowhere" / "picture.png", picture)


def test_standard_error_stays_after_pictures_were_decoded_in_threads() -> None:
    program = (
        "import os; from concurrent.futures import ThreadPoolExecutor\n"
        "from bot.picture_files import decoded\n"
        "def decode(_):\n"
        "    try: decoded(b'no picture', 1)\n"
        "    except ValueError: pass\n"
        "with ThreadPoolExecutor(8) as threads: list(threads.map(decode, range(2000)))\n"
        "os.write(2, b'still there')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    assert done.stderr == b"still there"
