"""All commands and the global options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

import bot
from bot.cli import Run
from bot.cli.bench import bench
from bot.cli.compile import compile_solver
from bot.cli.console import console
from bot.cli.doctor import doctor
from bot.cli.experience import learn_experience
from bot.cli.game import game
from bot.cli.hint import hint
from bot.cli.learn import learn
from bot.cli.panel import panel
from bot.cli.patterns import patterns
from bot.cli.play import play
from bot.cli.replay import replay
from bot.cli.solve import solve
from bot.cli.stats import stats
from bot.errors import UsageError

# click's error for wrong arguments; some versions of typer contain their own copy of click.
_WrongArguments = cast(type[typer.BadParameter], typer.BadParameter.__base__)

app = typer.Typer(
    name="minebot",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play")(play)
app.command("panel")(panel)
app.command("replay")(replay)
app.command("hint")(hint)
app.command("learn")(learn)
app.command("learn-experience")(learn_experience)
app.command("game")(game)
app.command("console")(console)
app.command("solve")(solve)
app.command("patterns")(patterns)
app.command("bench")(bench)
app.command("compile")(compile_solver)
app.command("stats")(stats)
app.command("doctor")(doctor)


def _note_debug(context: typer.Context, wanted: bool) -> None:
    if wanted:
        context.ensure_object(Run).debug = True


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minebot {bot.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            callback=_note_debug,
            is_eager=True,  # handled first, so that it also applies to errors in other options
            expose_value=False,
            help="Show where in the program an error arose.",
        ),
    ] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Play the real Windows Minesweeper by looking at the screen."""


def command(arguments: Sequence[str], run: Run) -> int:
    """Run the command that ``arguments`` name, or show the help without arguments; return the exit code.

    ``--debug`` is stored in ``run``. Raises UsageError for wrong arguments, and every error of the command
    itself.
    """
    program: Any = typer.main.get_command(app)
    debug = next(option for option in program.params if option.name == "_debug")
    for one in program.commands.values():
        one.params.append(debug)  # so that --debug is also accepted after the command
    try:
        code = program(arguments or ["--help"], prog_name="minebot", standalone_mode=False, obj=run)
    except _WrongArguments as error:
        path = error.ctx.command_path if error.ctx else "minebot"
        raise UsageError(f"{error.format_message().rstrip('.')}: see `{path} --help`") from error
    return code or 0
