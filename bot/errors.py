"""The errors that are reported to the user as one clear line.

The exit code is 2 for a UsageError (also for a file that is not there), 3 for a GameNotFoundError, 4 for a
StoppedError and 1 for all others. (5 is no error: `bot.cli.play` has lost a record or a picture.) The message
says what is wrong and what to do about it; `bot.cli` prints only this message.
"""


class BotError(Exception):
    """Base class of all errors that are reported to the user as one line."""

    exit_code = 1


class UsageError(BotError):
    """An option or argument of a command has a value that cannot be used."""

    exit_code = 2


class GameNotFoundError(BotError):
    """No Minesweeper game was found on the screen or in the picture."""

    exit_code = 3


class NotInTimeError(GameNotFoundError):
    """The search of a picture was ended after a fixed amount of work that had led to no board."""


class StoppedError(BotError):
    """The user moved the mouse, pressed the stop key, or ordered the bot to stop."""

    exit_code = 4


class TakenOverError(StoppedError):
    """The user moved the mouse or switched to another window; play under ``--control`` pauses instead."""


class CaptureError(BotError):
    """The screen cannot be captured: there is no display, or a grab fails."""


class PictureError(BotError):
    """A file is not a complete picture, or a picture cannot be read or written."""


class SkinError(BotError):
    """A skin folder is missing, damaged, or cannot be written."""


class BoardFormatError(BotError):
    """A text does not describe a position."""


class ContradictionError(BotError):
    """No placement of mines fits the position."""


class NothingToOpenError(BotError):
    """No cell is left on the board that can be opened."""


class WindowError(BotError):
    """The game's window is closed, minimised, covered, or partly off the screen."""


IN_THE_WAY = "something came in the way of a click"
NO_KEYBOARD = "another window has the keyboard"


class WindowClosedError(WindowError):
    """The game's window was closed."""


class ViewChangedError(WindowError):
    """The game's window changed while the bot clicked (for example it moved); the player looks again."""


class StuckError(BotError):
    """The game does not react to clicks."""


class BusyError(BotError):
    """Another minebot already plays on this display and uses its mouse."""


class LaunchError(BotError):
    """A program that minebot must start is missing, does not start, or crashes."""


class MissingLibraryError(BotError):
    """A command needs a library that is not installed, because few commands need it."""


class OverlayError(BotError):
    """The process that shows marks over the game has ended or does not answer."""


class CompilerError(BotError):
    """The compiler for the solver's core is missing or does not work with it."""


class BenchmarkError(BotError):
    """The games of a benchmark cannot be played or added up: a wrong checkpoint file, a lost cluster."""


class NoGuessError(BotError):
    """No board was found that can be solved without a guess: too many mines or too little room."""


class SettingsError(BotError):
    """A file with settings or best times is damaged, or cannot be read or written."""


class PatternError(BotError):
    """A file is not a library of patterns, is damaged or contains a wrong pattern, or cannot be written."""


class PlacementError(BotError):
    """The search for a placement of all mines exceeded its time, or the constraint solver is missing."""


class ExperienceError(BotError):
    """A file is not an experience file, is damaged, or cannot be read or written."""


class RecordError(BotError):
    """A record of a run is invalid, of another version, incomplete for the request, or cannot be written."""
