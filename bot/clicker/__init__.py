"""Turn moves into clicks and send them: nearest first, at a pace, and none after the user stops the bot."""

from bot.clicker.clicks import Click, plan, tour
from bot.clicker.pace import HumanPace, MaxPace, Pace, SteadyPace, parse_speed
from bot.clicker.sending import Clicker
from bot.desktop.protocols import Clock, RealClock

__all__ = [
    "Click",
    "Clicker",
    "Clock",
    "HumanPace",
    "MaxPace",
    "Pace",
    "RealClock",
    "SteadyPace",
    "parse_speed",
    "plan",
    "tour",
]
