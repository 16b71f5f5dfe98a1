"""A run of the bot as a record: written round by round, and read back."""

from bot.record.lines import (
    About,
    Record,
    RecordedGame,
    RecordedRound,
    Seen,
    Sent,
    is_record,
    load_record,
)

__all__ = [
    "About",
    "Record",
    "RecordedGame",
    "RecordedRound",
    "Seen",
    "Sent",
    "is_record",
    "load_record",
]
