"""Drawn screenshots of Minesweeper programs that no reader was made for, with their truth.

Nothing here shares art or fonts with what readers are made and trained on, so that a reader that does
well here has not merely learned its own examples.
"""

from heldout.screens import TAGS, new_scene, scene

__all__ = ["TAGS", "new_scene", "scene"]
