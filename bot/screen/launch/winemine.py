"""WineMine, the Minesweeper that comes with Wine, started at a level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from bot.levels import BEGINNER, EXPERT, INTERMEDIATE, Level
from bot.screen.launch.wait import no_window_left, wait_for_window, windows_that
from bot.screen.launch.wine import Wine, writing
from bot.screen.protocols import Window
from bot.screen.targets import find_target

_DIFFICULTIES = {BEGINNER: 0, INTERMEDIATE: 1, EXPERT: 2}
_CUSTOM = 3
_KEY = r"HKEY_CURRENT_USER\Software\Microsoft\WinMine"
_PLACE = (60, 60)  # of the game's window on the screen; its dialogs fit in below and to the right


@contextmanager
def winemine(wine: Wine, level: Level = BEGINNER, best_time: int = 0) -> Iterator[Window]:
    """Start WineMine at ``level`` and yield its window once it is there.

    ``best_time`` is the record of every level in seconds: 0 can never be beaten, so no dialog comes up after
    a win; 999 lets every win be a record. Raises LaunchError if no window comes.
    """
    _write_registry(wine, _settings(level, best_time))
    with no_window_left(_game_windows) as known, wine.running("winemine") as program:
        yield wait_for_window(program, "WineMine", known, _game_windows)


def _game_windows() -> list[Window]:
    processes = find_target("winemine").processes
    return windows_that(lambda window: window.process in processes)


def _settings(level: Level, best_time: int) -> dict[str, int]:
    """Return the game's registry values."""
    return {
        "Difficulty": _DIFFICULTIES.get(level, _CUSTOM),
        "Height": level.rows,
        "Width": level.cols,
        "Mines": level.mines,
        "Xpos": _PLACE[0],
        "Ypos": _PLACE[1],
        **{f"Time{number}": best_time for number in (1, 2, 3)},
    }


def _write_registry(wine: Wine, settings: Mapping[str, int]) -> None:
    values = [f'"{name}"=dword:{value:08x}' for name, value in settings.items()]
    text = "\r\n".join(["REGEDIT4", "", f"[{_KEY}]", *values, ""])
    file = wine.prefix / "drive_c" / "winemine.reg"
    with writing(file):
        file.write_text(text, encoding="ascii", newline="")
    wine.run("regedit", "/S", r"C:\winemine.reg")
