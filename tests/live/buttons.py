"""Every press of a mouse button on an X display, whichever window it falls on, by the RECORD extension."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from Xlib import X
from Xlib.display import Display
from Xlib.ext import record
from Xlib.protocol import rq

from bot.errors import CaptureError

NAMES = {1: "left", 2: "middle", 3: "right"}
_TURN, _SLACK = 1 << 32, 1000  # milliseconds
_PATIENCE = 15.0  # seconds


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button that went down: when by the X server (milliseconds) and by `time.monotonic`, and where."""

    time: int
    at: float
    button: str
    x: int
    y: int


class ButtonWatch:
    """Keeps all presses on the display that DISPLAY names, for as long as the block lasts."""

    def __init__(self) -> None:
        self.presses: list[ButtonPress] = []
        self._control, self._source = Display(), Display()
        events = {"device_events": (X.ButtonPress, X.ButtonPress)}
        nothing = dict.fromkeys(("core_requests", "core_replies", "delivered_events", "errors"), (0, 0))
        extensions = dict.fromkeys(("ext_requests", "ext_replies"), (0, 0, 0, 0))
        wanted = {**nothing, **extensions, **events, "client_started": False, "client_died": False}
        self._context = self._source.record_create_context(0, [record.AllClients], [wanted])
        self._source.sync()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._listening.wait(_PATIENCE):
            raise CaptureError("the X server records nothing: has it the RECORD extension?")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._control.record_disable_context(self._context)
        self._control.flush()
        self._thread.join(_PATIENCE)
        for display in (self._source, self._control):
            display.close()

    def down(self) -> list[str]:
        """Return the buttons that are down now."""
        with closing(Display()) as display:
            mask = int(display.screen().root.query_pointer().mask)
        return [name for number, name in NAMES.items() if mask & X.Button1Mask << number - 1]

    def _listen(self) -> None:
        self._source.record_enable_context(self._context, self._take)

    def _take(self, reply: Any) -> None:
        if reply.category == record.StartOfData:
            self._listening.set()
        if reply.category != record.FromServer or reply.client_swapped:
            return
        data = reply.data
        while len(data):
            event, data = rq.EventField(None).parse_binary_value(data, self._source.display, None, None)
            if event.type == X.ButtonPress:
                name = NAMES.get(event.detail, str(event.detail))
                press = ButtonPress(event.time, _at(event.time), name, event.root_x, event.root_y)
                self.presses.append(press)


def _at(milliseconds: int) -> float:
    """Return a time of the X server, which counts as `time.monotonic` does but turns over, in seconds."""
    now = time.monotonic()
    return now - ((int(1000 * now) - milliseconds + _SLACK) % _TURN - _SLACK) / 1000
