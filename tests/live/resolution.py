"""The size of a virtual screen, changed as a user does it in the settings of the desktop: by RANDR."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from Xlib.display import Display
from Xlib.ext import randr

_DOTS = 3.78  # a millimetre, at 96 an inch


def resize_screen(width: int, height: int) -> None:
    """Give the display that DISPLAY names another size in pixels, none larger than it was at first."""
    with closing(Display()) as display:
        root = display.screen().root
        resources = root.xrandr_get_screen_resources()
        (output,), (controller,) = resources.outputs, resources.crtcs
        mode = _mode(display, root, resources, output, (width, height))
        stamp = root.xrandr_get_screen_resources().config_timestamp
        display.xrandr_set_crtc_config(controller, stamp, 0, 0, 0, randr.Rotate_0, [])
        root.xrandr_set_screen_size(width, height, round(width / _DOTS), round(height / _DOTS))
        display.xrandr_set_crtc_config(controller, stamp, 0, 0, mode, randr.Rotate_0, [output])
        display.sync()


def _mode(display: Any, root: Any, resources: Any, output: int, size: tuple[int, int]) -> int:
    """Return the mode of that size, made if there is none."""
    for mode in resources.modes:
        if (mode.width, mode.height) == size:
            return int(mode.id)
    name = "{}x{}".format(*size)
    made = root.xrandr_create_mode((0, *size, 0, 0, 0, 0, 0, 0, 0, 0, len(name), 0), name).mode
    display.xrandr_add_output_mode(output, made)
    display.sync()
    return int(made)
