"""A player of a game on the screen, whatever program shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from bot.capture import ScreenCapture
from bot.clicker import RealClock, parse_speed
from bot.clicker.mouse import ScreenMouse
from bot.desktop import open_desktop
from bot.desktop.protocols import Mouse, Window
from bot.geometry import Point
from bot.play import BoardWatcher, Player, Settings
from bot.record.lines import Sent
from bot.record.recorder import RecordingMouse
from bot.targets import UNKNOWN, Target
from bot.vision import Skin

_SETTLED = 1.0  # seconds after which a window has taken the keyboard
_CORNER = 8  # pixels from the edges of a window: no cell and no button is there


def touch(window: Window, mouse: ScreenMouse) -> None:
    """Click into the corner of a window: where nothing manages windows, some take the keyboard only then."""
    mouse.click(Point(window.client.x + _CORNER, window.client.bottom - _CORNER))
    time.sleep(_SETTLED)


@contextmanager
def player_on(
    window: Window,
    settings: Settings,
    listeners: Mapping[str, Any],
    *,
    target: Target = UNKNOWN,
    skins: Sequence[Skin] = (),
    mines: int | None = None,
    speed: str = "20",
    on_sent: Callable[[Sent], None] | None = None,
) -> Iterator[Player]:
    """Yield a player of the game in a window; ``listeners`` are those of `Player`.

    ``mines`` is the total if the user gives one; ``on_sent`` hears of each click and key. A window of which
    nothing is known is touched first.
    """
    with closing(open_desktop()) as desktop, closing(ScreenCapture()) as capture:
        clock, hand = RealClock(), ScreenMouse()
        if not skins:
            touch(window, hand)
        mouse: Mouse = hand if on_sent is None else RecordingMouse(hand, clock.now, on_sent)
        watcher = BoardWatcher(capture, desktop, skins, clock, window, mines, mouse.position)
        yield Player(watcher, mouse, desktop, target, parse_speed(speed), clock, settings, **listeners)
