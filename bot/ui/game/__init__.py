"""The built-in Minesweeper: a game window for people and for the bot."""
