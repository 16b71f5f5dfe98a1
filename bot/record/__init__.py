"""The record of a run: written round by round while the bot plays, and read back later."""

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
