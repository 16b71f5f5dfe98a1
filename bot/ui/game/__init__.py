"""The built-in Minesweeper: a window that is drawn here, for people and for the bot."""
