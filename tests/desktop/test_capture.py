from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mss
import numpy as np
import pytest
from mss.exception import ScreenShotError

from bot.capture import ScreenCapture, clip, without_flicker
from bot.errors import CaptureError
from bot.geometry import Point, Rect
from bot.targets.launch import virtual_display

ROOT = Path(__file__).parents[2]
LEFT, MAIN = Rect(-1280, 100, 1280, 1024), Rect(0, 0, 1920, 1080)


class FakeScreen:
    """Stands in for mss: two monitors side by side, each pixel tells where it is; may fail a few times."""

    def __init__(self, failures: list[str]) -> None:
        self.failures = failures
        self.closed, self.shade = False, 7
        self.monitors = [
            {"left": r.x, "top": r.y, "width": r.width, "height": r.height}
            for r in (Rect(-1280, 0, 3200, 1124), LEFT, MAIN)
        ]

    def grab(self, area: dict[str, int]) -> Any:
        if self.failures:
            raise ScreenShotError(self.failures.pop(0))
        ys, xs = np.mgrid[: area["height"], : area["width"]]
        pixels = (
            np.stack([xs + area["left"], ys + area["top"], xs * 0 + self.shade, xs * 0 + 255], axis=2) % 256
        )
        raw = bytearray(pixels.astype(np.uint8).tobytes())
        return SimpleNamespace(raw=raw, width=area["width"], height=area["height"])

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def failures() -> list[str]:
    return []


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch, failures: list[str]) -> list[FakeScreen]:
    opened: list[FakeScreen] = []

    def make() -> FakeScreen:
        opened.append(FakeScreen(failures))
        return opened[-1]

    monkeypatch.setattr(mss, "MSS", make)
    monkeypatch.setenv("DISPLAY", ":fake")
    return opened


def test_a_library_that_mss_lacks_is_named(display: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    from mss.exception import ScreenShotError

    def fail() -> None:
        raise ScreenShotError("Library libxcb-render.so not found")

    monkeypatch.setattr("mss.MSS", fail)
    with pytest.raises(CaptureError, match=r"libxcb-render\.so not found.*apt-get install libgl1"):
        ScreenCapture()


def test_clip_refuses_what_is_on_no_monitor() -> None:
    with pytest.raises(CaptureError, match="onto a monitor"):
        clip(Rect(-500, 0, 400, 90), [LEFT, MAIN])  # inside the bounding box, above the left monitor


def test_grabs_at_negative_coordinates(screens: list[FakeScreen]) -> None:
    with closing(ScreenCapture()) as capture:
        frame = capture.grab(Rect(-1300, 1000, 30, 200))
    assert frame.rect == Rect(-1280, 1000, 10, 124)
    assert frame.pixels.dtype == np.uint8
    assert frame.pixels.flags.c_contiguous
    assert frame.pixels[0, 0].tolist() == [-1280 % 256, 1000 % 256, 7]
    assert frame.pixels[123, 9].tolist() == [-1271 % 256, 1123 % 256, 7]
    assert screens[0].closed


def test_pictures_share_their_pixels_only_where_they_are_the_same(screens: list[FakeScreen]) -> None:
    here = Rect(10, 10, 30, 20)
    with closing(ScreenCapture()) as capture:
        first, again = capture.grab(here), capture.grab(here)
        assert again.pixels is first.pixels
        assert again.time > first.time
        screens[0].shade = 9
        other = capture.grab(here)
        assert first.pixels[0, 0].tolist() == [10, 10, 7]
        assert other.pixels[0, 0].tolist() == [10, 10, 9]
        moved = capture.grab(here.moved(256, 0))  # it shows the same
        assert (moved.origin, moved.pixels.tolist()) == (Point(266, 10), other.pixels.tolist())


def test_a_failed_grab_is_tried_again_on_a_new_screen(screens: list[FakeScreen], failures: list[str]) -> None:
    with closing(ScreenCapture()) as capture:
        failures.append("monitor unplugged")
        assert capture.grab(Rect(0, 0, 5, 5)).rect == Rect(0, 0, 5, 5)
        assert [screen.closed for screen in screens] == [True, False]
        failures += ["locked", "still locked"]
        with pytest.raises(CaptureError, match="still locked"):
            capture.grab(None)


def test_monitors_that_have_grown_are_seen(
    screens: list[FakeScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.capture.MONITOR_INTERVAL", 0.0)
    with closing(ScreenCapture()) as capture:
        assert capture.grab(Rect(1900, 1000, 200, 100)).rect == Rect(1900, 1000, 20, 80)
        monkeypatch.setattr(f"{__name__}.MAIN", Rect(0, 0, 3840, 2160))
        assert capture.grab(Rect(1900, 1000, 200, 100)).rect == Rect(1900, 1000, 200, 100)
        opened = len(screens)
        capture.grab(Rect(1900, 1000, 200, 100))
        assert len(screens) == opened
        assert capture.grab().rect == Rect(-1280, 0, 5120, 2160)


def test_grabs_what_is_on_the_screen(capture: ScreenCapture, display: str) -> None:
    from Xlib import display as x11

    with closing(x11.Display(display)) as connection:
        root = connection.screen().root
        context = root.create_gc(foreground=0x102030)
        root.fill_rectangle(context, 1278, 40, 2, 3)
        connection.sync()
        frame = capture.grab(Rect(1270, 39, 100, 5))
        assert frame.origin == Point(1270, 39)
        assert frame.pixels.shape == (5, 10, 3)
        assert frame.pixels[1:4, 8:].reshape(-1, 3).tolist() == [[0x30, 0x20, 0x10]] * 6
        assert not frame.pixels[0].any()
        assert not frame.pixels[:, :8].any()
        root.clear_area(1278, 40, 2, 3)
        connection.sync()
        assert not capture.grab().pixels[40:43, 1278:].any()


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize(("depth", "error"), [(8, 0), (15, 4), (16, 4), (30, 1)])
def test_a_screen_of_another_depth_is_converted(depth: int, error: int) -> None:
    """A colour is as far from the wanted one as the depth makes it; a table of colours is exact."""
    from Xlib import display as x11

    colours = [(255, 255, 255), (192, 128, 0), (16, 32, 48), (0, 0, 255)]  # red, green, blue
    with virtual_display(320, 200, depth) as name, closing(x11.Display(name)) as connection:
        screen = connection.screen()
        with closing(ScreenCapture()) as capture:
            for x, colour in enumerate(colours):
                found = screen.default_colormap.alloc_color(*(each * 257 for each in colour))
                screen.root.fill_rectangle(screen.root.create_gc(foreground=found.pixel), 11 + x, 50, 1, 2)
            connection.sync()
            frame = capture.grab(Rect(10, 49, 5, 3))  # a row of it is filled up to four bytes
            assert capture.grab().pixels.shape == (200, 320, 3)
    assert frame.rect == Rect(10, 49, 5, 3)
    assert not frame.pixels[0].any()
    assert not frame.pixels[:, 0].any()
    wanted = np.array([colour[::-1] for colour in colours], int)
    assert np.abs(frame.pixels[1:, 1:] - wanted).max() <= error
    assert (frame.pixels[1:, 1] == 255).all()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is for Linux")
@pytest.mark.parametrize(
    ("masks", "pixels", "wanted"),
    [
        ((0x1F, 0x7E0, 0xF800), [0xF800, 0x1F, 0x8410], [(0, 0, 255), (255, 0, 0), (132, 130, 132)]),
        ((0x1F, 0x3E0, 0x7C00), [0x7C00, 0x3E0, 0x4210], [(0, 0, 255), (0, 255, 0), (132, 132, 132)]),
        ((0xC0, 0x38, 0x07), [0x07, 0x40, 0xFF], [(0, 0, 255), (85, 0, 0), (255, 255, 255)]),
        (
            (0x3FF, 0xFFC00, 0x3FF00000),
            [0x3FF00000, 0x200, 0x80401],
            [(0, 0, 255), (128, 0, 0), (0, 128, 0)],
        ),
    ],
    ids=["16", "15", "8", "30"],
)
def test_bits_of_a_pixel_are_scaled_to_bytes(
    masks: tuple[int, ...], pixels: list[int], wanted: list[tuple[int, ...]]
) -> None:
    from bot.desktop.x11 import bgra, ramp

    raw = bgra(np.array([pixels], np.uint32), [ramp(mask) for mask in masks])
    assert np.frombuffer(raw, np.uint8).reshape(-1, 4)[:, :3].tolist() == [list(each) for each in wanted]


def test_a_screen_that_cannot_be_converted_is_refused_in_words(
    display: str,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from Xlib.protocol.display import Display

    def fail() -> None:
        raise ScreenShotError("Only screens at 32 bpp are supported; got 24 bpp")

    started = Display.__init__

    def packed(self: Any, *arguments: Any) -> None:
        started(self, *arguments)
        for each in self.info.pixmap_formats:
            each["bits_per_pixel"] = 24

    monkeypatch.setattr(mss, "MSS", fail)
    monkeypatch.setattr(Display, "__init__", packed)
    with pytest.raises(CaptureError, match=r"24-bit colours in 24 bits a pixel cannot be read: set it to"):
        ScreenCapture()


def test_importing_the_modules_opens_nothing() -> None:
    names = "bot.capture, bot.clicker.clicks, bot.targets, bot.desktop, bot.targets.launch"
    code = f"import sys, {names}; print([m for m in ('mss', 'pyautogui', 'Xlib') if m in sys.modules])"
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_pointer_does_not_flicker_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    gdi = SimpleNamespace(CAPTUREBLT=0x40000000)
    monkeypatch.setitem(sys.modules, "mss.windows.gdi", gdi)
    without_flicker()
    assert gdi.CAPTUREBLT == 0
