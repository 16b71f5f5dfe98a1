"""Whether an X server can show windows that are no rectangles, and let clicks through them."""

from __future__ import annotations

from contextlib import closing

from Xlib.ext import shape

from bot.errors import LaunchError
from bot.screen.windows.x11_api import Api

_INPUT_SHAPES = (1, 1)  # the version of the extension that knows them


def require_shapes(name: str | None = None) -> None:
    """Raise LaunchError if the display that ``name`` names (None: the environment's) cannot do that.

    Raises CaptureError if there is no display.
    """
    with closing(Api(name)) as api:
        display = api.display
        version = display.shape_query_version() if display.has_extension(shape.extname) else None
        if version is None or (version.major_version, version.minor_version) < _INPUT_SHAPES:
            raise LaunchError(
                "marks cannot be laid over the game: this display lacks the extension SHAPE 1.1, so they "
                "would hide it and take its clicks; use --no-overlay"
            )
