"""``minebot play --record``: what a run looked like, round by round, for later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

import bot
from bot.cli.output import complain
from bot.errors import BotError
from bot.play import Look, Round
from bot.play.dryrun import Suggestion
from bot.record import About
from bot.record.recorder import Recorder
from bot.solver import Strategy
from bot.targets import Target
from bot.vision import GameState

RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="DIR",
        file_okay=False,
        help="Keep each round in this new folder: picture, reading, decision, clicks, times. `minebot "
        "replay DIR` shows it.",
    ),
]


@contextmanager
def recording(
    folder: Path | None,
    target: Target,
    strategy: Strategy,
    settings: dict[str, Any],
    now: Callable[[], float],
) -> Iterator[Recorder | None]:
    """Keep a record of a run in ``folder`` for as long as the block lasts; None for none.

    Raises UsageError if the folder cannot be used. What ends the block is told in the record.
    """
    if folder is None:
        yield None
        return
    began = datetime.now().astimezone().isoformat(timespec="seconds")
    about = About(bot.__version__, began, target.name, target.first_click.value, strategy.name, settings)
    recorder, why = Recorder(folder, about, now, complain), "done"
    try:
        yield recorder
    except BaseException as error:
        why = str(error) if isinstance(error, BotError) else f"stopped: {type(error).__name__}"
        raise
    finally:
        recorder.close(why)


def recorded(keep: Callable[[Look], str], recorder: Recorder | None) -> Callable[[Look], str]:
    """Return ``keep``, for looks that are not believed, so that they are in the record as well."""
    if recorder is None:
        return keep

    def kept(look: Look) -> str:
        recorder.unclear(look)
        return keep(look)

    return kept


class Watched:
    """Keeps what a dry run has suggested as rounds without clicks; a fresh board begins another game."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._game, self._number, self._over = 1, 0, False

    def take(self, suggestion: Suggestion) -> None:
        """Take in a suggestion, the end of a game, or a look that was not believed."""
        look, decision = suggestion.look, suggestion.decision
        if look is None:
            return
        if look.reading.state.over:
            self._over = True
            self._recorder.end(None, look)
        elif decision is None:
            self._recorder.unclear(look)
        elif decision.moves:
            if self._over or (self._number and look.reading.state is GameState.NEW):
                self._game, self._number, self._over = self._game + 1, 0, False
            self._number += 1
            self._recorder.round(Round(self._game, self._number, look, decision, ()))
