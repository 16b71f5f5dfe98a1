"""What is known of each real game, how to find it, and what its keys do."""

from bot.screen.targets.catalogue import (
    TARGETS,
    UNKNOWN,
    Target,
    find_target,
    parse_level,
    target_of_skin,
)
from bot.screen.targets.find import find_game
from bot.screen.targets.keys import Keys, dismiss_popups, set_level

__all__ = [
    "TARGETS",
    "UNKNOWN",
    "Keys",
    "Target",
    "dismiss_popups",
    "find_game",
    "find_target",
    "parse_level",
    "set_level",
    "target_of_skin",
]
