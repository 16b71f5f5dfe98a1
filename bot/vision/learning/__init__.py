"""Learning how the cells of a game look that no skin describes."""

from bot.vision.learning.eyes import Eyes
from bot.vision.learning.knowledge import Knowledge, Trust, Variant
from bot.vision.learning.past import NOTHING_DONE, Actions
from bot.vision.learning.skins import knowledge_of, skin_of

__all__ = [
    "NOTHING_DONE",
    "Actions",
    "Eyes",
    "Knowledge",
    "Trust",
    "Variant",
    "knowledge_of",
    "skin_of",
]
