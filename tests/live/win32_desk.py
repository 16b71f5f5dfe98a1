"""Run inside Windows Python, next to the bot: act on the desktop as a user would, and report all input.

Each input line is an order: a JSON list of a name and numbers. Each order is answered with a line once it is
done. A low-level hook also reports every press and release of a button or key, with the window under it, the
place of the game's window at that moment, and whether a program sent the input. With the argument
``unwatched`` there is no hook for the mouse: Wine holds input back until a hook has answered, and may then
handle the release of a click before its press. Times are those of `time.perf_counter`, which all programs in
one Windows share.
"""

from __future__ import annotations

import ctypes
import json
import sys
import threading
import time
from collections.abc import Callable
from ctypes import wintypes
from typing import Any

if sys.platform != "win32":
    raise SystemExit("this is for Windows Python")

user32, kernel32 = ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32")
_HOOK = ctypes.WINFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, wintypes.WPARAM, wintypes.LPARAM)
_KEYBOARD, _MOUSE = 13, 14  # WH_KEYBOARD_LL, WH_MOUSE_LL
_BUTTONS = {
    0x201: "left down",
    0x202: "left up",
    0x204: "right down",
    0x205: "right up",
    0x207: "middle down",
    0x208: "middle up",
}
_HELD = {"left": 1, "right": 2, "middle": 4, "Enter": 0x0D, "Esc": 0x1B, "F2": 0x71}
_KEYS = {0x100: "key down", 0x101: "key up", 0x104: "key down", 0x105: "key up"}
_ROOT = 2
_NO_SIZE, _NO_MOVE, _NO_ORDER, _NO_ACTIVATE, _SHOW = 1, 2, 4, 0x10, 0x40
_MINIMISE, _HIDE = 6, 0
_CLOSE, _COMMAND, _SYSTEM_COMMAND, _KEY_MENU = 0x10, 0x111, 0x112, 0xF100
_OVERLAPPED = 0x00CF0000
_TERMINATE = 1
_PATIENCE = 30.0


class _MouseEvent(ctypes.Structure):
    _fields_ = (
        ("point", wintypes.POINT),
        ("data", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("extra", ctypes.c_size_t),
    )


class _KeyEvent(ctypes.Structure):
    _fields_ = (
        ("key", wintypes.DWORD),
        ("scan", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("extra", ctypes.c_size_t),
    )


_HANDLE, _UINT, _INT, _TEXT = wintypes.HWND, wintypes.UINT, ctypes.c_int, wintypes.LPCWSTR
_MESSAGE = (_HANDLE, _UINT, wintypes.WPARAM, wintypes.LPARAM)
for _name, _result, *_arguments in (
    ("SetWindowsHookExW", wintypes.HANDLE, _INT, _HOOK, wintypes.HINSTANCE, wintypes.DWORD),
    ("CallNextHookEx", ctypes.c_ssize_t, wintypes.HANDLE, _INT, wintypes.WPARAM, wintypes.LPARAM),
    ("WindowFromPoint", _HANDLE, wintypes.POINT),
    ("GetAncestor", _HANDLE, _HANDLE, _UINT),
    ("GetForegroundWindow", _HANDLE),
    ("FindWindowExW", _HANDLE, _HANDLE, _HANDLE, _TEXT, _TEXT),
    (
        *("CreateWindowExW", _HANDLE, wintypes.DWORD, _TEXT, _TEXT, wintypes.DWORD),
        *([_INT] * 4 + [ctypes.c_void_p] * 4),
    ),
    ("SendMessageTimeoutW", wintypes.LPARAM, *_MESSAGE, _UINT, _UINT, ctypes.c_void_p),
    ("PostMessageW", wintypes.BOOL, *_MESSAGE),
):
    _call = getattr(user32, _name)
    _call.restype, _call.argtypes = _result, _arguments
kernel32.OpenProcess.restype = wintypes.HANDLE
kernel32.TerminateProcess.argtypes = (wintypes.HANDLE, wintypes.UINT)


def tell(**words: object) -> None:
    """Print a line of JSON."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def wait_until(condition: Callable[[], object], nap: float) -> None:
    """Wait until ``condition()`` is true, but no longer than `_PATIENCE`."""
    deadline = time.monotonic() + _PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(nap)


def process_of(handle: int) -> int:
    """Return the id of the process that owns a window."""
    process = wintypes.DWORD(0)
    user32.GetWindowThreadProcessId(wintypes.HWND(handle), ctypes.byref(process))
    return process.value


def class_of(handle: int) -> str:
    """Return the name of a window's class."""
    text = ctypes.create_unicode_buffer(64)
    user32.GetClassNameW(wintypes.HWND(handle), text, 64)
    return text.value


def games_shown() -> list[int]:
    """Return the handles of the visible windows of games."""
    shown, handle = list[int](), None
    while handle := user32.FindWindowExW(None, handle, "WineMine", None):
        shown += [handle] * bool(user32.IsWindowVisible(wintypes.HWND(handle)))
    return shown


class Desk:
    """The desktop with one game on it, and a window of no game that can cover it."""

    def __init__(self) -> None:
        self.game, self.process = 0, 0
        self.other = user32.CreateWindowExW(
            0, "STATIC", "another program", _OVERLAPPED, 0, 0, 100, 100, None, None, None, None
        )

    def client(self) -> list[int]:
        """Return the client area of the game (cells and panel): x, y, width, height in screen pixels.

        All are 0 once the game is closed.
        """
        rect = wintypes.RECT()
        there = user32.IsWindow(wintypes.HWND(self.game))
        if there and user32.GetClientRect(wintypes.HWND(self.game), ctypes.byref(rect)):
            user32.MapWindowPoints(wintypes.HWND(self.game), None, ctypes.byref(rect), 2)
        return [rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top]

    def owner(self, handle: int) -> str:
        """Return "game" for the game's window, "dialog" for another of its process, else the class name."""
        if handle == self.game:
            return "game"
        return "dialog" if process_of(handle) == self.process else class_of(handle)

    # orders

    def another(self, known: int) -> None:
        """Wait until more than ``known`` windows of games are visible."""
        wait_until(lambda: len(games_shown()) > known, 0.001)

    def watch(self) -> None:
        """Take the first window of a game as the game to play."""
        wait_until(lambda: user32.FindWindowExW(None, None, "WineMine", None), 0.02)
        self.game = user32.FindWindowExW(None, None, "WineMine", None) or 0
        self.process = process_of(self.game)

    def move(self, x: int, y: int) -> None:
        self._place(self.game, x, y, 0, 0, _NO_SIZE | _NO_ORDER | _NO_ACTIVATE)

    def cover(self, x: int, y: int, width: int, height: int) -> None:
        self._place(self.other, x, y, width, height, _NO_ACTIVATE | _SHOW)

    def uncover(self) -> None:
        user32.ShowWindow(wintypes.HWND(self.other), _HIDE)

    def switch(self, x: int, y: int, width: int, height: int) -> None:
        """Put the other window at a place, and give it the keyboard."""
        self._place(self.other, x, y, width, height, _SHOW)
        user32.SetForegroundWindow(wintypes.HWND(self.other))

    def minimise(self) -> None:
        user32.ShowWindow(wintypes.HWND(self.game), _MINIMISE)

    def close(self) -> None:
        user32.PostMessageW(self.game, _CLOSE, 0, 0)
        wait_until(lambda: not user32.IsWindow(wintypes.HWND(self.game)), 0.005)

    def command(self, number: int) -> None:
        """Choose an item of the game's menu by its number."""
        user32.PostMessageW(self.game, _COMMAND, number, 0)

    def menu(self) -> None:
        """Open the game's first menu."""
        user32.PostMessageW(self.game, _SYSTEM_COMMAND, _KEY_MENU, ord("g"))

    def kill(self, process: int) -> None:
        handle = kernel32.OpenProcess(_TERMINATE, False, process)
        kernel32.TerminateProcess(handle, 9)

    def held(self) -> dict[str, list[str]]:
        """Return the buttons and keys that are down; after a run there should be none."""
        down = [name for name, key in _HELD.items() if user32.GetAsyncKeyState(key) & 0x8000]
        return {"held": down}

    def settle(self) -> None:
        """Wait until the game has handled all earlier messages."""
        answer = ctypes.c_size_t(0)
        user32.SendMessageTimeoutW(wintypes.HWND(self.game), 0, 0, 0, 0, 2000, ctypes.byref(answer))

    def _place(self, handle: int, x: int, y: int, width: int, height: int, flags: int) -> None:
        user32.SetWindowPos(wintypes.HWND(handle), None, x, y, width, height, flags)


def watch_input(desk: Desk) -> list[Any]:
    """Report all input from now on, on the calling thread; return the objects that must be kept alive."""

    def on_mouse(code: int, kind: int, address: int) -> int:
        if code == 0 and kind in _BUTTONS:
            now = time.perf_counter()
            event = _MouseEvent.from_address(address)
            hit = user32.GetAncestor(user32.WindowFromPoint(event.point), _ROOT) or 0
            tell(
                at=now,
                what=_BUTTONS[kind],
                x=event.point.x,
                y=event.point.y,
                on=desk.owner(hit),
                client=desk.client(),
                sent=bool(event.flags & 1),
            )
        return int(user32.CallNextHookEx(None, code, kind, address))

    def on_key(code: int, kind: int, address: int) -> int:
        if code == 0 and kind in _KEYS:
            event = _KeyEvent.from_address(address)
            front = user32.GetForegroundWindow() or 0
            tell(
                at=time.perf_counter(),
                what=_KEYS[kind],
                key=event.key,
                on=desk.owner(front),
                sent=bool(event.flags & 0x10),
            )
        return int(user32.CallNextHookEx(None, code, kind, address))

    kept: list[Any] = []
    for hook, function in ((_KEYBOARD, on_key), (_MOUSE, on_mouse))[: 1 if "unwatched" in sys.argv else 2]:
        callback = _HOOK(function)
        kept += [callback, user32.SetWindowsHookExW(hook, callback, None, 0)]
    return kept


def obey(desk: Desk, finish: Callable[[], object]) -> None:
    """Carry out orders from standard input until it ends; then call ``finish``."""
    for line in sys.stdin:
        name, *numbers = json.loads(line)
        began = time.perf_counter()
        found = getattr(desk, name)(*numbers) or {}
        tell(done=name, at=began, until=time.perf_counter(), client=desk.client(), **found)
    finish()


def main() -> None:
    desk = Desk()
    kept = watch_input(desk)
    thread = kernel32.GetCurrentThreadId()
    threading.Thread(target=obey, args=(desk, lambda: user32.PostThreadMessageW(thread, 0x12, 0, 0))).start()
    tell(ready=all(kept))
    message = wintypes.MSG()
    while user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
        user32.TranslateMessage(ctypes.byref(message))
        user32.DispatchMessageW(ctypes.byref(message))


if __name__ == "__main__":
    main()
