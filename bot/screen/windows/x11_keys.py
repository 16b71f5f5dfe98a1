"""The key that stops the bot, on X11."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from Xlib import XK
from Xlib.ext import xinput

from bot.screen.windows.x11_api import Api

_RAW_EVENT = struct.Struct("=HII")  # device, time, keycode: how the body of an XInput 2 raw event begins


class StopKey:
    """Esc on the keyboards of a display, whichever window has them.

    Presses between two calls are seen by the raw events of XInput 2; a server without it leaves us with
    looking at the key itself.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        self._code = api.display.keysym_to_keycode(XK.XK_Escape)
        if api.display.has_extension(xinput.extname):
            api.ask(api.display.xinput_query_version)
            api.ask(api.root.xinput_select_events, [(xinput.AllMasterDevices, xinput.RawKeyPressMask)])
            api.ask(api.display.sync)

    def pressed(self) -> bool:
        """Return whether the key is down, or was pressed since the last call."""
        keys = self._api.ask(self._api.display.query_keymap)
        down = bool(keys and keys[self._code // 8] >> self._code % 8 & 1)
        return self._code in list(self._presses()) or down  # the whole queue: old presses must not stay

    def _presses(self) -> Iterator[int]:
        """Iterate over the key codes that were pressed since the last call."""
        while self._api.ask(self._api.display.pending_events):
            event: Any = self._api.ask(self._api.display.next_event)
            if getattr(event, "evtype", None) == xinput.RawKeyPress:
                yield _RAW_EVENT.unpack_from(event.data)[2]
