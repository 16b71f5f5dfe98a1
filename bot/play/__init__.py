"""The loop that plays a game on the screen: look, read, decide, click, check."""

from bot.play.evidence import Look
from bot.play.player import Player
from bot.play.results import GameResult, Round, Settings, Totals
from bot.play.watcher import BoardWatcher

__all__ = ["BoardWatcher", "GameResult", "Look", "Player", "Round", "Settings", "Totals"]
