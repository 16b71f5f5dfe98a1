"""The keys that may stop the bot."""

from __future__ import annotations

import pytest

from bot.desktop.protocols import ALONE, ESC, KEYS, MODIFIERS, Shortcut, parse_shortcut
from bot.errors import UsageError
from bot.targets.catalogue import parse_stop_key


@pytest.mark.parametrize(
    ("text", "found", "name"),
    [
        ("esc", ESC, "Esc"),
        ("Escape", ESC, "Esc"),
        ("pause", Shortcut("pause"), "Pause"),
        ("F12", Shortcut("f12"), "F12"),
        ("scroll_lock", Shortcut("scrolllock"), "ScrollLock"),
        ("alt+ctrl+s", Shortcut("s", ("ctrl", "alt")), "Ctrl+Alt+S"),
        (" Control + Super + PageUp ", Shortcut("pageup", ("ctrl", "win")), "Ctrl+Win+PageUp"),
        ("shift+f12", Shortcut("f12", ("shift",)), "Shift+F12"),
    ],
)
def test_keys_by_their_names(text: str, found: Shortcut, name: str) -> None:
    assert parse_shortcut(text) == found
    assert str(found) == name
    assert parse_shortcut(name) == found


@pytest.mark.parametrize(
    "text", ["", "+", "ctrl+", "hyper+s", "ctrl+ctrl+s", "ctrl+ö", "f13", "ctrl+alt", "esc+s"]
)
def test_keys_that_there_are_not(text: str) -> None:
    with pytest.raises(UsageError, match=r"use one of esc, pause, .* as in ctrl\+alt\+s"):
        parse_shortcut(text)


@pytest.mark.parametrize("text", ["s", "shift+s", "space", "delete", "shift+home"])
def test_keys_with_which_one_writes(text: str) -> None:
    with pytest.raises(UsageError, match="this key is used in typing"):
        parse_shortcut(text)


@pytest.mark.parametrize("text", ["f2", "f10", "f4", "alt+f4", "ctrl+n", "ctrl+r"])
def test_keys_that_the_bot_presses_itself(text: str) -> None:
    with pytest.raises(UsageError, match="the bot itself presses that in games"):
        parse_stop_key(text)


def test_every_key_has_its_code_on_both_systems() -> None:
    from bot.desktop.win32_api import _key_code

    codes = {_key_code(Shortcut(key)) for key in KEYS}
    assert len(codes) == len(KEYS)
    assert set(ALONE) < set(KEYS)
    assert not set(KEYS) & set(MODIFIERS)
