"""A run of the bot as a record: written round by round, and read back."""

from bot.record.lines import (
    About,
    Planned,
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
    "Planned",
    "Record",
    "RecordedGame",
    "RecordedRound",
    "Seen",
    "Sent",
    "is_record",
    "load_record",
]
