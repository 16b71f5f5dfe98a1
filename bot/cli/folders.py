"""Where minebot keeps what is the user's own: skins, patterns, experience, best times, pictures of runs."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path


def data_folder(wanted: Path | str | None = None) -> Path:
    """Return the folder ``wanted``, or the user's own if that is None. It may not exist yet."""
    return user_data_path("minebot", appauthor=False) if wanted is None else Path(wanted)
