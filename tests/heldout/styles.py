"""Every style by its name: a function that returns the look of one program, with random measures."""

from __future__ import annotations

from collections.abc import Callable

from heldout import desktop_styles, glow_styles, matter_styles, page_styles
from heldout.canvas import Rng
from heldout.looks import Look

Style = Callable[[Rng, int], Look]  # takes the size of a cell in pixels of the screen

_STYLES: tuple[Style, ...] = (
    desktop_styles.classic,
    desktop_styles.monochrome,
    desktop_styles.toolkit,
    desktop_styles.forms,
    desktop_styles.aero,
    desktop_styles.aqua,
    desktop_styles.fusion,
    desktop_styles.immediate,
    desktop_styles.sheet,
    page_styles.lawn,
    page_styles.material,
    page_styles.soft,
    page_styles.bootstrap,
    page_styles.heat,
    page_styles.keycaps,
    page_styles.discs,
    page_styles.candy,
    page_styles.flat_night,
    page_styles.minimal,
    glow_styles.neon,
    glow_styles.phosphor,
    glow_styles.terminal,
    glow_styles.liquid,
    glow_styles.high_contrast,
    matter_styles.paper,
    matter_styles.chalk,
    matter_styles.wood,
    matter_styles.ice,
    matter_styles.sand,
    matter_styles.console,
    matter_styles.handheld,
    matter_styles.dominoes,
    matter_styles.keyboard,
    matter_styles.blueprint,
    matter_styles.newsprint,
    matter_styles.starry,
    matter_styles.gems,
    matter_styles.barracks,
    matter_styles.recessed,
)
STYLES = {style.__name__.replace("_", " "): style for style in _STYLES}
LEAST_CELLS = {  # pixels below which the art of a style can no longer be told apart
    "liquid": 20, "dominoes": 20, "chalk": 18, "paper": 18, "newsprint": 16, "neon": 16, "soft": 16,
    "discs": 16, "blueprint": 16, "barracks": 16, "starry": 16, "ice": 14, "phosphor": 14, "keycaps": 14,
    "bootstrap": 14, "immediate": 16, "terminal": 14, "candy": 14, "gems": 14, "keyboard": 14, "material": 14,
}  # fmt: skip
