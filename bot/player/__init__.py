"""Look, read, decide, click, check: the loop that plays a game on the screen."""

from bot.player.look import Look
from bot.player.player import Player
from bot.player.results import GameResult, Round, Totals
from bot.player.settings import Settings
from bot.player.sight import Sight

__all__ = ["GameResult", "Look", "Player", "Round", "Settings", "Sight", "Totals"]
