"""What stands beside the board: the mine counter; and how far the game is.

A skin tells where its counter is (`known`). Beside other boards numbers are looked for (`ink`, `numbers`),
and the board says which of them counts the mines (`counter`).
"""

from bot.vision.panel.known import counter_hidden, counter_visible, read_counter
from bot.vision.panel.state import game_state, total_mines, with_total

__all__ = ["counter_hidden", "counter_visible", "game_state", "read_counter", "total_mines", "with_total"]
