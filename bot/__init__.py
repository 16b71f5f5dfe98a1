"""A bot that plays the real Windows Minesweeper by looking at the screen."""

__version__ = "0.1.0"
