"""``minebot learn-experience``: play games in memory, and learn which choices are good."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from string import ascii_letters
from typing import Annotated

import typer

from bot.bench.plan import boards_of
from bot.board import Board, Cell, FirstClick
from bot.cli.options import NONE, FirstOption, RuleOption, experience_file, one_of, prepare_kernel
from bot.cli.output import note, progress, say
from bot.errors import UsageError
from bot.levels import OLD_LEVELS
from bot.solver import STRATEGIES
from bot.solver.published.korlyakova import FIRST_SEED, TEACHERS, Experience, NewGame, Progress, train

_LEVELS = (str(OLD_LEVELS["beginner"]), "beginner", "10x10/20", "intermediate", "expert")
ME = "me"  # the teacher is the user, who is asked at the terminal
_PAUSE = 15.0  # seconds between two saves while learning goes on


def learn_experience(
    level: Annotated[
        list[str] | None,
        typer.Option(
            help="beginner, intermediate, expert or ROWSxCOLS/MINES; several take turns. "
            f"Default: {', '.join(_LEVELS)}."
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
    steps = _asked(kinds, games, before) if teacher == ME else _taught(teacher, kinds, games, before)
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


def _asked(kinds: Sequence[NewGame], games: int, before: Experience) -> Iterator[Progress]:
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
