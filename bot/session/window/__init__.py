"""A record as a film in a window. Its process knows no OpenCV, which brings a Qt of its own."""

from bot.session.window.app import show_record

__all__ = ["show_record"]
