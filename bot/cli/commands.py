"""All commands and the global options."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pkgutil import resolve_name
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

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
    "stats": ("bot.cli.replay:stats", _LOOK, "Sum up recorded runs."),
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


EXAMPLES = {  # the first thing in the help of a command; "" is minebot itself
    "": (
        "minebot play",
        "minebot play --dry-run",
        "minebot hint shot.png --overlay marks.png",
        "minebot game",
    ),
    "play": (
        "minebot play --games 10 --level expert --speed max",
        "minebot play --dry-run",
        "minebot play --launch --target winemine",
    ),
    "hint": ("minebot hint", "minebot hint shot.png --overlay marks.png", "minebot hint --cell 3,4"),
    "game": ("minebot game --level expert --dark", "minebot game --rule no-guess"),
    "console": ("minebot console", "minebot console 16 30 99"),
    "replay": (
        "minebot replay shot.png --overlay marks.png",
        "minebot replay run",
        "minebot replay run --check",
    ),
    "stats": ("minebot stats run", "minebot stats run other --plot stats.svg"),
    "learn": ("minebot learn my-game shot.png", "minebot learn my-game --watch"),
    "bench": ("minebot bench --games 2000 --plot bench.svg",),
    "solve": ("minebot solve board.txt --second",),
    "patterns": ("minebot patterns --verify",),
    "learn-experience": ("minebot learn-experience --games 500 --level 8x8/10",),
}
_GENERAL = ("_version", "_debug", "install_completion", "show_completion", "help")  # options of all commands
_VALUES = {"int": "N", "integer": "N", "float": "N", "file": "FILE", "path": "FILE", "directory": "FOLDER"}


def _write_help(
    command: Any,
    context: Any,
    formatter: Any,
    examples: Sequence[str],
    groups: dict[str, list[tuple[str, str]]],
) -> None:
    """Write a help that begins with ``examples``; ``groups`` of names come before the groups of options."""
    command.format_usage(context, formatter)
    if examples:
        with formatter.section("Examples"):
            formatter.write("".join(f"  {line}\n" for line in examples))
    command.format_help_text(context, formatter)
    general = list[tuple[str, str]]()
    for param in command.get_params(context):
        group = "Arguments" if param.param_type_name == "argument" else param.rich_help_panel or "Options"
        if (record := param.get_help_record(context)) is not None:
            own = param.name not in _GENERAL
            (groups.setdefault(group, []) if own else general).append(record)
    for title, records in {**groups, "General": general}.items():
        with formatter.section(title):
            formatter.write_dl(records)


class _Command(TyperCommand):
    """A command whose help begins with examples."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        _write_help(self, ctx, formatter, EXAMPLES.get(str(self.name), ()), {})


class _Commands(TyperGroup):
    """The commands by name; the code of a command is imported when it is run, since it takes a while."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the commands by groups."""
        groups = dict[str, list[tuple[str, str]]]()
        for name, (_, group, summary) in COMMANDS.items():
            if group:
                groups.setdefault(group, []).append((name, summary))
        _write_help(self, ctx, formatter, EXAMPLES[""], groups)

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
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
app = typer.Typer(name="minebot", cls=_Commands, **_SETTINGS)
for _name, (_, _group, _summary) in COMMANDS.items():
    app.command(_name, help=_summary, rich_help_panel=_group, hidden=_group == _HIDDEN)(lambda: None)


def command_named(name: str) -> Any:
    """Import a command, and return it with its options, whose values have plain names in the help."""
    alone = typer.Typer(add_completion=False, **_SETTINGS)
    alone.command(name, cls=_Command)(resolve_name(COMMANDS[name][0]))
    command: Any = typer.main.get_command(alone)
    for param in command.params:
        if param.param_type_name == "option" and not param.is_flag and not hasattr(param.type, "choices"):
            param.metavar = param.metavar or _VALUES.get(param.type.name.split()[0], "NAME")
    return command


def _note_debug(context: typer.Context, wanted: bool) -> None:
    if wanted:
        context.ensure_object(Run).debug = True


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minebot {bot.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
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
