"""A run of the bot as a record: written round by round, and read back."""

from bot.session.about import About
from bot.session.forms import Planned, Seen, Sent, Shot
from bot.session.record import Record, RecordedGame, RecordedRound, is_record, load_record

__all__ = [
    "About",
    "Planned",
    "Record",
    "RecordedGame",
    "RecordedRound",
    "Seen",
    "Sent",
    "Shot",
    "is_record",
    "load_record",
]
