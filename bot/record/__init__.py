"""The record of a run: written round by round while the bot plays, and read back later."""

from bot.record.lines import (
    Record,
    RecordedGame,
    RecordedLook,
    RecordedRound,
    RunInfo,
    SentInput,
    is_record,
    load_record,
)

__all__ = [
    "Record",
    "RecordedGame",
    "RecordedLook",
    "RecordedRound",
    "RunInfo",
    "SentInput",
    "is_record",
    "load_record",
]
