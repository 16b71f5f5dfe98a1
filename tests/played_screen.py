"""A simulated screen that ``minebot play`` finds where it looks for the real one."""

from __future__ import annotations

from dataclasses import replace

from bot.desktop.protocols import Window
from bot.vision import load_skins
from fakes import FakeClock
from simulated import SimulatedScreen

SKINS = {skin.name: skin for skin in load_skins()}


class Screen(SimulatedScreen):
    """A screen whose window belongs to ``process``; Esc is pressed after five seconds without a click."""

    process = "winemine.exe"
    patience = 5.0

    @property
    def window(self) -> Window:
        return replace(super().window, process=self.process)

    def stop_pressed(self) -> bool:
        return not self.clicks and self.clock.time > self.patience


def played_screen() -> Screen:
    """Return a screen on which WineMine stands, with a clock of its own."""
    return Screen(SKINS["winemine"], FakeClock(step=1e-4))
