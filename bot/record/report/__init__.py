"""A record as one page for a browser, which needs no network and no other file."""

from bot.record.report.page import write_report

__all__ = ["write_report"]
