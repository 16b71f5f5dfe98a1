from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

import fakes
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Clock, Desktop, Visibility, Window
from bot.errors import StoppedError, StuckError, UsageError, WindowError
from bot.geometry import Point, Rect
from bot.levels import BEGINNER, EXPERT, INTERMEDIATE, Level
from bot.play.dialogs import Keys, dismiss_popups, set_level
from bot.targets.catalogue import UNKNOWN, find_game, find_target, parse_level, target_of_skin
from conftest import StartGame, wait_for

WINEMINE, WINMINE, CLONE = (find_target(name) for name in ("winemine", "winmine", "clone"))
HERE = Rect(0, 0, 100, 100)


@dataclass
class FakeDesktop:
    """Windows in a list; ``owned`` says which are dialogs of which."""

    listed: list[Window]
    owned: dict[int, list[Window]] = field(default_factory=dict)
    raised: list[int] = field(default_factory=list)
    keyboard: bool = True
    stop_key: str = "Esc"
    frame_time: float = 0.0
    polite: bool = False  # its dialogs close when they are asked to

    def windows(self) -> list[Window]:
        return self.listed

    def refresh(self, window: Window) -> Window | None:
        return window

    def visibility(self, window: Window, area: Rect) -> Visibility:  # noqa: ARG002 - as the protocol
        return Visibility.VISIBLE

    def raise_window(self, window: Window) -> None:
        self.raised.append(window.handle)

    def ask_to_close(self, window: Window) -> None:
        for dialogs in self.owned.values() if self.polite else ():
            dialogs[:] = [dialog for dialog in dialogs if dialog.handle != window.handle]

    def popups(self, window: Window) -> list[Window]:
        return self.owned.get(window.handle, [])

    def rival(self, window: Window) -> Window | None:  # noqa: ARG002 - as the protocol
        return None

    def has_keyboard(self, window: Window) -> bool:  # noqa: ARG002 - as the protocol
        return self.keyboard

    def takes(self, window: Window, point: Point) -> bool:  # noqa: ARG002 - as the protocol
        return True

    def stop_pressed(self) -> bool:
        return False

    def close(self) -> None: ...


class Keyboard(fakes.FakeMouse):
    """A mouse whose keys are written down as words; ``react`` sees every press."""

    def __init__(self, react: Callable[[tuple[str, ...]], object] = lambda _keys: None) -> None:
        super().__init__(fakes.FakeClock())
        self.words, self.react = list[str](), react

    def press(self, *keys: str, **_: object) -> None:
        self.words.append("+".join(keys))
        self.react(keys)


def window(handle: int, title: str = "", class_name: str = "", process: str = "") -> Window:
    return Window(handle, title, class_name, process, HERE)


def menu(handle: int) -> Window:
    return replace(window(handle), is_menu=True)


def with_menu() -> FakeDesktop:
    """Return a desktop on which the menu of window 1 is open."""
    return FakeDesktop([], {1: [menu(2)]})


@pytest.mark.parametrize(
    ("found", "name"),
    [
        (window(1, "", "", "winemine.exe"), "winemine"),
        (window(1, "WineMine", "winemine.exe", ""), "winemine"),
        (window(1, "whatever", "扫雷", "renamed.exe"), "winmine"),
        (window(1, "Сапёр", "Сапёр", "winmine.exe"), "winmine"),
        (window(1, "Minesweeper", "Minesweeper", "minesweeper.exe"), "windows7"),
        (window(1, "Сапёр", "Minesweeper", "minesweeper.exe"), "windows7"),
        (window(1, "Microsoft Minesweeper", "ApplicationFrameWindow", "applicationframehost.exe"), "store"),
        (window(1, "Minesweeper Arbiter ", "TMain", "arbiter.exe"), "clone"),
        (window(1, "Minesweeper X", "", ""), "clone"),
        (window(1, "Mines", "Gnome-mines", "gnome-mines"), "gnome-mines"),
        (window(1, "KMines", "kmines", "kmines"), "kmines"),
        (window(1, "xdémineur", "XDémineur", ""), "xdemineur"),
        (window(1, "Mines (minebot)", "minebot-game", "python"), "builtin"),
        (window(1, "Mines (minebot)", "Qt6113QWindowIcon", "python.exe"), "builtin"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.title,
)
def test_finds_a_game(found: Window, name: str) -> None:
    desktop = FakeDesktop([window(7, "Editor", "Editor", "edit.exe"), found])
    assert find_game(desktop) == (find_target(name), found)
    assert find_game(desktop, name) == (find_target(name), found)


@pytest.mark.parametrize(
    "title",
    [
        "Minesweeper - Wikipedia",
        "minesweeper.py - Editor",
        "minesweeper",
        "Minesweeper ",
        "Minesweeper Arbiter",
        "",
    ],
)
def test_a_part_of_a_title_proves_nothing(title: str) -> None:
    assert find_game(FakeDesktop([window(1, title, "TMain", "editor.exe")])) is None


@pytest.mark.parametrize(
    "program", ["explorer.exe", "windowsterminal.exe", "notepad.exe", "msedge.exe", "xterm", "nautilus"]
)
@pytest.mark.parametrize("name", ["auto", "winmine"])
def test_a_program_that_shows_anything_is_no_game(program: str, name: str) -> None:
    assert find_game(FakeDesktop([window(1, "Minesweeper", "Minesweeper", program)]), name) is None


@pytest.mark.parametrize(
    "found",
    [
        window(1, "Minesweeper", "TMain", "my-clone.exe"),
        window(1, "Minesweeper", "TMain", ""),
        window(1, "Minesweeper", "TMain", "minesweeper.exe"),
    ],
    ids=lambda found: found.process or "no process",
)
def test_a_title_alone_tells_no_rules(found: Window) -> None:
    desktop = FakeDesktop([found])
    assert find_game(desktop) == (UNKNOWN, found)
    assert find_game(desktop, "winmine") == (WINMINE, found)  # the user says so


@pytest.mark.parametrize("name", ["winmine", "winemine", "clone"])
def test_a_program_known_to_be_one_game_is_no_other(name: str) -> None:
    assert find_game(FakeDesktop([window(1, "Minesweeper", "Minesweeper", "minesweeper.exe")]), name) is None


@pytest.mark.parametrize("title", ["Calculator", "Minesweeper"])
def test_another_app_of_the_store_is_no_game(title: str) -> None:
    app = window(1, title, "ApplicationFrameWindow", "applicationframehost.exe")
    assert find_game(FakeDesktop([app])) is None
    assert find_game(FakeDesktop([app]), "store") is None


def test_better_evidence_wins_and_then_the_topmost() -> None:
    folder = window(1, "Minesweeper", "CabinetWClass", "explorer.exe")
    upper, lower = (window(handle, "Minesweeper", "Minesweeper", "winmine.exe") for handle in (2, 3))
    assert find_game(FakeDesktop([folder, upper, lower])) == (WINMINE, upper)
    assert find_game(FakeDesktop([folder, lower, upper])) == (WINMINE, lower)


def test_a_dialog_of_the_game_is_not_the_game() -> None:
    dialog, game = window(1, "Custom Game", "", "winemine.exe"), window(2, "WineMine", "", "winemine.exe")
    assert find_game(FakeDesktop([dialog, game], {2: [dialog]})) == (WINEMINE, game)


def test_only_the_named_target_is_found() -> None:
    desktop = FakeDesktop([window(1, "WineMine", "", "winemine.exe")])
    assert find_game(desktop, "winmine") is None
    with pytest.raises(UsageError, match="choose auto or one of winemine, winmine, windows7, store"):
        find_game(desktop, "solitaire")


def test_a_skin_tells_the_likeliest_target() -> None:
    names = ["winemine", "winmine", "kmines", "unknown"]
    assert [target_of_skin(skin).name for skin in (*names[:3], "other")] == names


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("beginner", BEGINNER),
        ("intermediate", INTERMEDIATE),
        ("expert", EXPERT),
        ("16x30/99", EXPERT),
        ("9x9/10", BEGINNER),
        ("24x30/667", Level(24, 30, 667)),
        ("10x12/99", Level(10, 12, 99)),
    ],
)
def test_parses_levels(text: str, level: Level) -> None:
    assert parse_level(text, WINEMINE) == level
    assert parse_level(str(level), WINMINE) == level


@pytest.mark.parametrize(
    "text",
    [
        "",
        *[
            "easy",
            "9x9",
            "9x9/",
            "-9x9/10",
            "8x9/10",
            "9x8/10",
            "9x9/9",
            "9x9/65",
            "25x30/99",
            "24x31/99",
            "٩x9/10",
        ],
    ],
)
def test_refuses_levels(text: str) -> None:
    with pytest.raises(UsageError, match="choose beginner"):
        parse_level(text, WINEMINE)


def test_clones_have_a_beginner_of_their_own() -> None:
    assert parse_level("beginner", CLONE) == Level(8, 8, 10)
    assert parse_level("8x8/10", CLONE) == Level(8, 8, 10)
    for text in ("9x9/10", "12x12/20"):
        with pytest.raises(UsageError, match=r"beginner \(8x8/10\), intermediate \(16x16/40\), expert"):
            parse_level(text, CLONE)


def test_a_level_that_cannot_be_set_is_one_clear_error() -> None:
    mouse = Keyboard()
    for target in (CLONE, UNKNOWN):
        with pytest.raises(UsageError, match="set it to 16x30/99 by hand"):
            set_level(EXPERT, target, Keys(window(1), FakeDesktop([]), mouse, mouse.clock))
    assert mouse.words == []


def test_a_dialog_is_no_menu() -> None:
    mouse, desktop = Keyboard(), FakeDesktop([], {1: [window(2, "New Best Time")]})
    with pytest.raises(StuckError, match="menu of the game does not open: set the level by hand"):
        set_level(EXPERT, WINMINE, Keys(window(1), desktop, mouse, mouse.clock))
    assert "enter" not in mouse.words


def test_a_dialog_that_does_not_open_is_one_clear_error() -> None:
    mouse = Keyboard()
    with pytest.raises(StuckError, match="does not open its dialog"):
        set_level(Level(10, 10, 20), WINEMINE, Keys(window(1), with_menu(), mouse, mouse.clock))
    assert mouse.words[-1] == "enter"  # nothing was typed into whatever has the keyboard


def test_no_key_is_pressed_while_another_program_has_the_keyboard() -> None:
    mouse, desktop = Keyboard(), FakeDesktop([], keyboard=False)
    keys = Keys(window(1, "Game"), desktop, mouse, mouse.clock)
    with pytest.raises(WindowError, match="another window has the keyboard"):
        set_level(EXPERT, WINEMINE, keys)
    with pytest.raises(WindowError, match="another window has the keyboard"):
        keys.press(*WINEMINE.new_game)
    assert mouse.words == []


def test_the_user_is_heeded_before_every_key() -> None:
    mouse = Keyboard()
    stop = fakes.stop_key(lambda: len(mouse.words) == 3)
    with pytest.raises(StoppedError):
        set_level(EXPERT, WINEMINE, Keys(window(1), with_menu(), mouse, mouse.clock, stop))
    assert mouse.words == ["f10", "down", "down"]


def test_dialogs_are_answered_one_after_the_other() -> None:
    game, name, times = window(1, "Game"), window(2, "Congratulations!"), window(3, "Times")
    dialogs = [menu(4), name, times]
    desktop = FakeDesktop([game], {1: dialogs})
    mouse = Keyboard(react=lambda _keys: dialogs.pop(0))
    assert dismiss_popups(Keys(game, desktop, mouse, mouse.clock)) == 3
    assert mouse.words == ["alt", "enter", "enter"]
    assert desktop.raised == [2, 3, 1]


def test_a_dialog_whose_default_button_leads_in_a_circle_is_closed() -> None:
    game, times = window(1, "Game"), window(2, "Fastest Times")
    desktop, questions = FakeDesktop([game], {1: [times]}), iter(range(10, 20))

    def react(keys: tuple[str, ...]) -> None:
        dialogs = desktop.owned[1]
        if keys == ("alt", "f4") or dialogs[0] is not times:
            dialogs.pop(0)
        else:
            dialogs.insert(0, window(next(questions), "Reset Results"))

    mouse = Keyboard(react=react)
    assert dismiss_popups(Keys(game, desktop, mouse, mouse.clock)) == 3
    assert mouse.words == ["enter"] * 4 + ["alt+f4"]


def test_a_dialog_that_heeds_no_key_is_asked_to_close() -> None:
    game, mouse = window(1, "Game"), Keyboard()
    desktop = FakeDesktop([game], {1: [window(2, "Congratulations!")]}, polite=True)
    assert dismiss_popups(Keys(game, desktop, mouse, mouse.clock)) == 1
    assert mouse.words == ["enter", "enter", "alt+f4"]
    assert desktop.popups(game) == []


def test_a_dialog_whose_default_button_may_lose_something_is_closed_at_once() -> None:
    game, mouse = window(1, "Game"), Keyboard()
    desktop = FakeDesktop([game], {1: [window(2, "Reset the game?")]}, polite=True)
    assert dismiss_popups(Keys(game, desktop, mouse, mouse.clock, answers=False)) == 1
    assert mouse.words == []
    assert desktop.popups(game) == []


def test_a_dialog_without_a_caption_is_no_menu() -> None:
    """The name dialog of winmine.exe, after the first win of a level, has none."""
    game, desktop = window(1, "Game"), FakeDesktop([], {1: [window(2, "", "#32770")]})
    mouse = Keyboard(react=lambda keys: desktop.owned[1].clear() if keys == ("enter",) else None)
    assert dismiss_popups(Keys(game, desktop, mouse, mouse.clock)) == 1
    assert mouse.words == ["enter"]


def test_dialogs_without_an_end_are_one_clear_error() -> None:
    numbers, game = itertools.count(3), window(1, "Game")
    desktop = FakeDesktop([], {1: [window(2, "Error")]})
    mouse = Keyboard(react=lambda _: desktop.owned.update({1: [window(next(numbers), "Error")]}))
    with pytest.raises(StuckError, match="'Error' does not close, or comes again"):
        dismiss_popups(Keys(game, desktop, mouse, mouse.clock))


def test_a_menu_that_stays_counts_as_none() -> None:
    mouse, desktop = Keyboard(), with_menu()
    assert dismiss_popups(Keys(window(1), desktop, mouse, mouse.clock)) == 0
    assert mouse.words == ["alt"]


def test_a_dialog_that_stays_is_one_clear_error() -> None:
    mouse, desktop = Keyboard(), FakeDesktop([], {1: [window(2, "Error")]})
    with pytest.raises(StuckError, match="'Error' does not close"):
        dismiss_popups(Keys(window(1), desktop, mouse, mouse.clock))
    desktop = FakeDesktop([], {1: [window(2)]})
    with pytest.raises(StuckError, match="a dialog without a title does not close"):
        dismiss_popups(Keys(window(1), desktop, mouse, mouse.clock))


# on the real game


def size_of(level: Level) -> tuple[int, int]:
    """Return the width and height of WineMine's client area with the menu, in pixels."""
    return 10 + 16 * level.cols, 57 + 16 * level.rows


def shows(desktop: Desktop, game: Window, level: Level) -> bool:
    now = desktop.refresh(game)
    return now is not None and (now.client.width, now.client.height) == size_of(level)


def test_real_levels(desktop: Desktop, mouse: ScreenMouse, start_winemine: StartGame) -> None:
    game = start_winemine(EXPERT)
    assert wait_for(partial(shows, desktop, game, EXPERT))
    assert find_game(desktop) == (WINEMINE, desktop.refresh(game))
    desktop.raise_window(game)
    levels = [BEGINNER, Level(24, 30, 667), INTERMEDIATE, EXPERT, Level(9, 30, 10), BEGINNER]
    for level in levels:
        set_level(level, WINEMINE, Keys(game, desktop, mouse, Clock()))
        assert wait_for(partial(shows, desktop, game, level)), level
        assert wait_for(lambda: not desktop.popups(game))
        desktop.raise_window(game)


@pytest.mark.parametrize(
    ("keys", "titled"),
    [
        (["down"], False),  # the menu itself
        ([*["down"] * 7, "enter"], True),  # the best times
        (["right", "down", "enter"], True),  # About
    ],
    ids=["menu", "times", "about"],
)
def test_real_dialogs(
    desktop: Desktop, mouse: ScreenMouse, start_winemine: StartGame, keys: list[str], titled: bool
) -> None:
    game = start_winemine()
    desktop.raise_window(game)
    for key in ["f10", *keys]:
        mouse.press(key)
    assert wait_for(lambda: [bool(popup.title) for popup in desktop.popups(game)] == [titled])
    board = Rect(game.client.x + 5, game.client.y + 52, 144, 144)
    assert wait_for(lambda: desktop.visibility(game, board) is Visibility.COVERED)
    assert dismiss_popups(Keys(game, desktop, mouse, Clock())) == 1
    assert desktop.popups(game) == []
    assert desktop.visibility(game, board) is Visibility.VISIBLE
    # The keyboard is back at the game
    set_level(INTERMEDIATE, WINEMINE, Keys(game, desktop, mouse, Clock()))
    assert wait_for(lambda: shows(desktop, game, INTERMEDIATE))


@pytest.mark.parametrize(
    ("title", "class_name", "process", "label"),
    [
        ("Mines", "mines", "mines.exe", "the window 'Mines'"),
        ("", "mines", "mines.exe", "the window of mines.exe"),
        ("", "mines", "", "the window of mines"),
        ("", "", "", "the window without a title"),
    ],
)
def test_a_message_names_a_window_by_the_best_it_has(
    title: str, class_name: str, process: str, label: str
) -> None:
    assert Window(7, title, class_name, process, HERE).label == label
