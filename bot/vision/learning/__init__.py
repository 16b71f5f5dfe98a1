"""Learning how the cells of a game look that no skin describes."""

from bot.vision.learning.looks import LearnedLooks, Trust, Variant
from bot.vision.learning.past import NOTHING_DONE, Actions
from bot.vision.learning.skin_learner import SkinLearner
from bot.vision.learning.skins import looks_of, skin_of

__all__ = [
    "NOTHING_DONE",
    "Actions",
    "LearnedLooks",
    "SkinLearner",
    "Trust",
    "Variant",
    "looks_of",
    "skin_of",
]
