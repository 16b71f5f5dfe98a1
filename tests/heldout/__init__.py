"""Drawn screenshots of Minesweeper programs that no reader was made for, with their truth.

Nothing here shares art or fonts with what readers are made and trained on, so that a reader that does
well here has not merely learned its own examples.
"""

from heldout.screens import TAGS, new_scene, scene
from heldout.sides import SIDE_TAGS, sides_scene

__all__ = ["SIDE_TAGS", "TAGS", "new_scene", "scene", "sides_scene"]
