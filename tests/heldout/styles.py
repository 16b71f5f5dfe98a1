"""Every style by its name: a function that returns the look of one program, with random measures."""

from __future__ import annotations

from collections.abc import Callable

from heldout import matter_styles, program_styles
from heldout.canvas import Rng
from heldout.looks import Look

Style = Callable[[Rng, int], Look]  # takes the size of a cell in pixels of the screen

_STYLES: tuple[Style, ...] = (
    program_styles.classic,
    program_styles.monochrome,
    program_styles.toolkit,
    program_styles.aero,
    program_styles.immediate,
    program_styles.sheet,
    program_styles.lawn,
    program_styles.material,
    program_styles.soft,
    program_styles.heat,
    program_styles.keycaps,
    program_styles.discs,
    program_styles.flat_night,
    program_styles.minimal,
    program_styles.neon,
    program_styles.phosphor,
    program_styles.terminal,
    program_styles.high_contrast,
    matter_styles.paper,
    matter_styles.wood,
    matter_styles.console,
    matter_styles.dominoes,
    matter_styles.blueprint,
    matter_styles.starry,
    matter_styles.gems,
    matter_styles.recessed,
)
STYLES = {style.__name__.replace("_", " "): style for style in _STYLES}
LEAST_CELLS = {  # pixels below which the art of a style can no longer be told apart
    "dominoes": 20, "paper": 18, "neon": 16, "soft": 16,
    "discs": 16, "blueprint": 16, "starry": 16, "phosphor": 14, "keycaps": 14,
    "immediate": 16, "terminal": 14, "gems": 14, "material": 14,
}  # fmt: skip
