"""The command line: the only part that prints, and the only one that catches errors for good."""

from __future__ import annotations

import signal
import sys
import traceback
from types import FrameType
from typing import Annotated, NoReturn

import typer

import bot
from bot.cli.doctor import doctor
from bot.cli.output import complain
from bot.cli.play import play
from bot.cli.replay import replay
from bot.errors import BotError, StoppedError

app = typer.Typer(
    name="minebot",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play")(play)
app.command("replay")(replay)
app.command("doctor")(doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minebot {bot.__version__}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show where in the program an error arose.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Play the real Windows Minesweeper by looking at the screen."""


def main() -> NoReturn:
    """Run the command line and exit with its code; every error becomes one line on standard error."""
    debug = "--debug" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]  # it may stand anywhere
    code = 0
    interrupt = signal.signal(signal.SIGINT, _stop)
    try:
        app(arguments)
    except BotError as error:
        code = _report(error, debug)
    except BrokenPipeError:  # the reader of our output has gone, as in `minebot replay ... | head`
        code = 1
    except Exception as error:
        code = _report(error, debug)
    finally:
        signal.signal(signal.SIGINT, interrupt)
    sys.exit(code)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise StoppedError("stopped: Ctrl+C was pressed")


def _report(error: BaseException, debug: bool) -> int:
    if debug:
        traceback.print_exception(error)
    if isinstance(error, BotError):
        complain(str(error))
        return error.exit_code
    complain(f"internal error, please report it: {type(error).__name__}: {error} (--debug shows where)")
    return 1
