"""The real games that the bot can play: their properties, how to find them, and their keys."""

from bot.targets.catalogue import (
    TARGETS,
    UNKNOWN,
    Target,
    find_game,
    find_target,
    parse_level,
    target_of_skin,
)
from bot.targets.keys import Keys, dismiss_popups, parse_stop_key, set_level

__all__ = [
    "TARGETS",
    "UNKNOWN",
    "Keys",
    "Target",
    "dismiss_popups",
    "find_game",
    "find_target",
    "parse_level",
    "parse_stop_key",
    "set_level",
    "target_of_skin",
]
