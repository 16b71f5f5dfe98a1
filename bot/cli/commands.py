"""All commands and the global options."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pkgutil import resolve_name
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

import bot
from bot.cli import Run
from bot.errors import UsageError
from bot.installation import is_built

# click's error for wrong arguments; some versions of typer contain their own copy of click.
_WrongArguments = cast(type[typer.BadParameter], typer.BadParameter.__base__)

_PLAY, _LOOK, _SOLVER, _HIDDEN = "Play", "Pictures and records", "Solver and computer", ""
COMMANDS = {  # name: where its function is, its group in the help, and what it does
    "play": ("bot.cli.play:play", _PLAY, "Find the Minesweeper on the screen and play it."),
    "panel": ("bot.cli.windows:panel", _PLAY, "Start, pause and stop play from a small window."),
    "hint": ("bot.cli.hint:hint", _PLAY, "Suggest the next move and say why."),
    "game": ("bot.cli.windows:game", _PLAY, "Play minebot's own Minesweeper in a window."),
    "console": ("bot.cli.console:console", _PLAY, "Play in the terminal."),
    "replay": ("bot.cli.replay:replay", _LOOK, "Read saved screenshots, or show a recorded run."),
    "stats": ("bot.cli.stats:stats", _LOOK, "Sum up recorded runs."),
    "learn": ("bot.cli.learn:learn", _LOOK, "Learn what a Minesweeper looks like."),
    "bench": ("bot.cli.bench:bench", _SOLVER, "Compare strategies over thousands of games."),
    "solve": ("bot.cli.solve:solve", _SOLVER, "Find the mines of a board in a file."),
    "patterns": ("bot.cli.solver_data:patterns", _SOLVER, "Find the patterns of the strategy novitsky."),
    "learn-experience": (
        "bot.cli.solver_data:learn_experience",
        _SOLVER,
        "Learn experience for the strategy korlyakova.",
    ),
    "compile": ("bot.cli.solver_data:compile_solver", _SOLVER, "Compile the solver now."),
    "doctor": ("bot.cli.doctor:doctor", _SOLVER, "Check what works on this computer."),
    "overlay": ("bot.cli.windows:overlay", _HIDDEN, "Show marks by orders; dry runs start this."),
}


class _Commands(TyperGroup):
    """The commands by name; the code of a command is imported when it is run, since it takes a while."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of the command to run, the command with its options, and its arguments."""
        name, _, rest = super().resolve_command(ctx, args)
        command = command_named(str(name))
        command.params += [option for option in self.params if option.name == "_debug"]  # also after the name
        if not gc.isenabled():  # `bot.__main__` disabled it; what is loaded by now is never garbage
            gc.freeze()
            gc.enable()
        return name, command, rest


_SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
app = typer.Typer(name="minebot", cls=_Commands, **_SETTINGS)
for _name, (_, _group, _summary) in COMMANDS.items():
    app.command(_name, help=_summary, rich_help_panel=_group, hidden=_group == _HIDDEN)(lambda: None)


def command_named(name: str) -> Any:
    """Import a command, and return it with its options."""
    alone = typer.Typer(**_SETTINGS)
    alone.command(name)(resolve_name(COMMANDS[name][0]))
    return typer.main.get_command(alone)


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
    """Run the command that ``arguments`` name; return the exit code.

    Without arguments, show the help, or the panel if this is a built program: a double click starts that.
    ``--debug`` is stored in ``run``. Raises UsageError for wrong arguments, and every error of the command
    itself.
    """
    program: Any = typer.main.get_command(app)
    words = arguments or ["panel" if is_built() else "--help"]
    try:
        code = program(words, prog_name="minebot", standalone_mode=False, obj=run)
    except _WrongArguments as error:
        path = error.ctx.command_path if error.ctx else "minebot"
        raise UsageError(f"{error.format_message().rstrip('.')}: see `{path} --help`") from error
    return code or 0
