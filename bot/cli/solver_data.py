"""The commands that make what strategies use: ``minebot compile``, ``learn-experience`` and ``patterns``."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from string import ascii_letters
from typing import Annotated

import typer
from filelock import FileLock

from bot.bench.plan import boards_of
from bot.board import Board, Cell, FirstClick
from bot.cli.options import (
    NONE,
    FirstOption,
    RuleOption,
    compile_with_bar,
    experience_file,
    one_of,
    patterns_file,
    prepare_kernel,
)
from bot.cli.terminal import complain, note, progress, say
from bot.errors import UsageError
from bot.files import PRIVATE, PUBLIC, append_to, private_folder, refused_as_usage, replace_file
from bot.levels import OLD_LEVELS
from bot.solver import STRATEGIES
from bot.solver.kernel.build.compilation import compiled_folder, kernel_compiled, kernel_folder
from bot.solver.published.korlyakova import FIRST_SEED, TEACHERS, Experience, NewGame, Progress, train
from bot.solver.published.novitsky import HEADER, HIGHEST, Pattern, learner, load, shipped, written
from bot.solver.published.synthesis import MOST, WINDOWS, synthesised
from bot.words import counted

_NICENESS = 10  # added to the Unix niceness: other programs have priority
_LEVELS = (str(OLD_LEVELS["beginner"]), "beginner", "10x10/20", "intermediate", "expert")
ME = "me"  # the teacher is the user, who is asked at the terminal
_PAUSE = 15.0  # seconds between two saves while learning goes on
_OUTPUT = Path("patterns.txt")


def compile_solver() -> None:
    """Compile the solver now, once; otherwise it is compiled in the background when it is first needed.

    If several minebot processes run this at the same time, the others wait for the first.
    """
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    folder = kernel_folder()
    with ExitStack() as locked:
        if not kernel_compiled():
            with suppress(OSError):  # the folder cannot be written; compile_with_bar reports that
                private_folder(folder.parent)
                locked.enter_context(FileLock(folder.with_suffix(".lock"), mode=PRIVATE))
        compile_with_bar()
    if kernel_compiled():
        say(f"the solver is compiled, and stored in\n{compiled_folder()}")


def learn_experience(
    level: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL",
            help="beginner, intermediate, expert or ROWSxCOLS/MINES; several take turns. "
            f"Default: {', '.join(_LEVELS)}.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games to learn from.")] = 2000,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the first game; each of the next has one more.")
    ] = FIRST_SEED,
    teacher: Annotated[
        str,
        typer.Option(
            help="Who teaches: game (tells whether cells are mines), solver (tells their exact risks), "
            f"choices (no teacher: only the opened cells), {ME} (you choose between equally good cells)."
        ),
    ] = "solver",
    first: FirstOption = None,
    rule: RuleOption = FirstClick.SAFE,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget all that was learned before.")] = False,
    least_times: Annotated[
        int, typer.Option(min=1, help="At the end, delete neighbourhoods seen fewer times than this.")
    ] = 1,
    learned: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Where experience is kept. Default: with your data.")
    ] = None,
) -> None:
    """Learn experience for the strategy korlyakova by playing games in memory.

    New experience is added to your own, or at first to the shipped one. The
    same games on the same experience always give the same result. Ctrl+C keeps
    what was learned so far.
    """
    one_of("--teacher", teacher, (*TEACHERS, ME))
    if learned == NONE:
        raise UsageError(f"--learned {NONE}: give the folder in which to save the experience")
    path = experience_file(learned)
    before = Experience.none() if fresh else Experience.load(path)
    kinds = [boards.game for boards in boards_of(level or _LEVELS, None, first, rule, seed)]
    experience, kept = before, time.monotonic()
    steps = _taught_by_user(kinds, games, before) if teacher == ME else _taught(teacher, kinds, games, before)
    try:
        with suppress(EOFError):  # the user, who teaches, has ended the input
            for step in steps:
                experience = step.experience
                if time.monotonic() - kept > _PAUSE:
                    experience.save(path)
                    kept = time.monotonic()
    finally:  # also after Ctrl+C
        if experience is not before:
            experience = experience.often(least_times)
            experience.save(path)
    note(f"{len(experience.keys)} neighbourhoods from {experience.games} games: {path}")


def _taught(teacher: str, kinds: Sequence[NewGame], games: int, before: Experience) -> Iterator[Progress]:
    """Learn with the teacher of that name; show a progress bar with the share of games won."""
    if teacher == "solver":
        prepare_kernel([STRATEGIES["fast"]])  # it contains the code that computes the risks
    with progress() as bar:
        task = bar.add_task("learning", total=games)
        for step in train(kinds, games, TEACHERS[teacher], before):
            won = f"won {100 * step.wins / step.games:.1f} %, {len(step.experience.keys)} neighbourhoods"
            bar.update(task, completed=step.games, description=won)
            yield step


def _taught_by_user(kinds: Sequence[NewGame], games: int, before: Experience) -> Iterator[Progress]:
    """Learn from games in which the user chooses among equally good cells. Raises EOFError without input."""
    wins = 0
    for step in train(kinds, games, TEACHERS["choices"], before, lump=1, ask=_ask):
        say(f"game {step.games}: {'won' if step.wins > wins else 'lost'}")
        wins = step.wins
        yield step


def _ask(board: Board, cells: Sequence[Cell]) -> Cell:
    """Show the board and ask until the user names one of ``cells`` to open. Raises EOFError without input."""
    named = dict(zip(ascii_letters, cells, strict=False))
    marks = {cell: letter for letter, cell in named.items()}
    for row, line in enumerate(board.lines()):
        say(" ".join(marks.get(Cell(row, col), what) for col, what in enumerate(line)))
    while True:
        said = input(f"These cells are equally good: {' '.join(named)}. Which one should be opened? ").strip()
        if said in named:
            return named[said]
        say(f"{said!r} is not one of the letters on the board: type one of them")


def patterns(
    output: Annotated[Path, typer.Option(help="File to write the patterns to.", dir_okay=False)] = _OUTPUT,
    window: Annotated[
        int, typer.Option(min=WINDOWS[0], max=WINDOWS[-1], help="Rows and columns of the mini-fields.")
    ] = WINDOWS[-1],
    orders: Annotated[
        int, typer.Option(min=1, max=HIGHEST, help="How deep a proof may nest assumptions; 1: counting only.")
    ] = HIGHEST,
    numbers: Annotated[
        int, typer.Option(min=1, max=len(MOST), help="How many numbers a pattern may have.")
    ] = len(MOST),
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Instead, check a library with all placements of mines."),
    ] = False,
    library: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The library for --verify. Default: the shipped one and the learned patterns.",
        ),
    ] = None,
) -> None:
    """Find the patterns of the strategy novitsky from the basic rules alone; this takes minutes.

    A pattern is a small field whose numbers prove some of its cells safe or mines. It also holds rotated and
    mirrored, and with known mines around it. The shipped library was made by this command.
    """
    if library is not None and not verify:
        raise UsageError("--library is only for --verify: add that")
    if verify:
        patterns = load(library) if library else learner(patterns_file(), note, complain).patterns
        for pattern in patterns:
            pattern.check()
        say(f"{_pattern_counts(patterns)}: each is true for all placements of mines")
        return
    _check_output(output)
    with progress() as bar:
        new = synthesised(
            window, orders, MOST[:numbers], lambda work: bar.track(work, description="finding patterns")
        )
    text = written(new)
    with refused_as_usage(f"--output {output}: cannot write there", "file"):
        replace_file(output, text.encode(), PUBLIC)
    same = ", the same as the shipped ones" if text == written(shipped().patterns) else ""
    say(f"{_pattern_counts(new)}{same}, written to {output}")


def _check_output(output: Path) -> None:
    """Raise UsageError unless ``output`` can be written and is new, empty or a library of patterns."""
    refused = refused_as_usage(f"--output {output}: cannot write there", "file")
    with refused, append_to(output, "a+b") as file:
        file.seek(0)
        begins = file.read(len(HEADER)).decode(errors="replace")
    if begins not in ("", HEADER):
        raise UsageError(
            f"--output {output}: it is not a library of patterns, so it is not overwritten: give another file"
        )


def _pattern_counts(patterns: Sequence[Pattern]) -> str:
    orders = sorted(Counter(pattern.order for pattern in patterns).items())
    each = ", ".join(f"{number} of order {order or f'above {HIGHEST}'}" for order, number in orders)
    return f"{counted(len(patterns), 'pattern')} ({each})"
