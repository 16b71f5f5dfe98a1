"""Everything that can go wrong and that a user should hear about in one clear line.

The exit code of each is 1, but 2 of a UsageError, 3 of a GameNotFoundError, 4 of a StoppedError. The message
says what is wrong and what to do about it; ``cli`` prints it and nothing else.
"""


class BotError(Exception):
    """Root of all errors that are reported to the user as one line."""

    exit_code = 1


class UsageError(BotError):
    """The command was given something it cannot use."""

    exit_code = 2


class GameNotFoundError(BotError):
    """No Minesweeper was found where we looked."""

    exit_code = 3


class StoppedError(BotError):
    """The user took the mouse, pressed the stop key, or asked to stop."""

    exit_code = 4


class TakenOverError(StoppedError):
    """The user took the mouse, or went to another window; play that can be ordered to go on may pause."""


class CaptureError(BotError):
    """The screen cannot be seen: no display, or a grab that fails."""


class PictureError(BotError):
    """A file that is no picture, or only part of one."""


class SkinError(BotError):
    """A skin folder that is damaged."""


class BoardFormatError(BotError):
    """Text that is no position."""


class ContradictionError(BotError):
    """A position that no placement of mines can explain."""


class NothingToOpenError(BotError):
    """A board on which no cell is left that could be opened."""


class WindowError(BotError):
    """The game's window is closed, minimised, covered or cut off."""


IN_THE_WAY = "something came in the way of a click"


class ViewChangedError(WindowError):
    """The window has moved, or opened a dialog, while we clicked; the player looks again."""


class StuckError(BotError):
    """The game does not answer to clicks."""


class BusyError(BotError):
    """Another minebot plays on this display: it has the mouse."""


class LaunchError(BotError):
    """A program that we start is missing, does not start, or crashes."""


class OverlayError(BotError):
    """The process that shows marks over the game has ended, or does not answer."""


class CompilerError(BotError):
    """The compiler of the solver's core is missing, or is none that the core can do with."""


class BenchmarkError(BotError):
    """Games that cannot be played or counted together: another run's file, a cluster that is gone."""


class NoGuessError(BotError):
    """No board that needs no guess was found: too many mines, or too little room."""


class BestTimesError(BotError):
    """The file of the best times is damaged, or cannot be read or written."""


class SettingsError(BotError):
    """The file of the settings of the built-in game is damaged, or cannot be read or written."""


class PatternError(BotError):
    """A library of patterns that is damaged, is none, or cannot be written."""


class PlacementError(BotError):
    """The search for a placement of all mines ran out of time, or the constraint solver is missing."""


class ExperienceError(BotError):
    """A file of experience that is damaged, is none, or cannot be read or written."""


class RecordError(BotError):
    """A record of a run that is none, is of another version, or lacks what is asked of it."""
