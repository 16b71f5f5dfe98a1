"""What stands beside the board: the mine counter, a face; and how far the game is.

A skin tells where its counter is (`known`). Beside other boards numbers are looked for (`ink`, `numbers`),
and the board says which of them counts the mines (`counter`).
"""

from bot.vision.panel.buttons import find_box_button, find_buttons
from bot.vision.panel.counter import (
    Counter,
    Counting,
    counted,
    find_counter,
    with_counter,
)
from bot.vision.panel.face import read_face, with_face
from bot.vision.panel.known import counter_hidden, counter_place, counter_visible, read_counter
from bot.vision.panel.numbers import Number, read_numbers
from bot.vision.panel.sign import (
    Busy,
    Sign,
    Surroundings,
    also_changed,
    changed_signs,
    never_changed,
    recoloured,
)

__all__ = [
    "Busy",
    "Counter",
    "Counting",
    "Number",
    "Sign",
    "Surroundings",
    "also_changed",
    "changed_signs",
    "counted",
    "counter_hidden",
    "counter_place",
    "counter_visible",
    "find_box_button",
    "find_buttons",
    "find_counter",
    "never_changed",
    "read_counter",
    "read_face",
    "read_numbers",
    "recoloured",
    "with_counter",
    "with_face",
]
