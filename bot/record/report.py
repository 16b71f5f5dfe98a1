"""Write a record as one HTML page, which needs no network and no other file.

The summary works without scripts; a script shows the games round by round.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.json import encode

from bot.errors import ContradictionError, RecordError
from bot.files import PUBLIC, replacing
from bot.record.check import decide_again
from bot.record.lines import Record, RecordedGame, RecordedRound, RunInfo
from bot.record.stats import RunStatistics, charts_of, statistics_of
from bot.solver import STRATEGIES
from bot.solver.decision import Reason
from bot.solver.explain.hints import Hint, explain
from bot.words import counted, measure_name, measure_words

_NONE = "–"
_COLUMNS = (  # keys in a result
    *("outcome", "seconds", "bbbv", "bbbv_per_second", "clicks", "ioe", "guesses", "misreads", "retries"),
)


def write_report(
    record: Record, path: Path, progress: Callable[[], None] = lambda: None, mode: int = PUBLIC
) -> None:
    """Write ``record`` as an HTML page with permissions ``mode``; ``progress`` is called after each game.

    Raises RecordError if the file cannot be written.
    """
    try:
        with replacing(path, mode) as file:
            for part in _page(record, progress):
                file.write(part.encode())
    except OSError as error:
        raise RecordError(f"the report {path} cannot be written: {error.strerror}") from error


def _page(record: Record, progress: Callable[[], None]) -> Iterator[str]:
    """Yield the parts of the page; one game at a time, because a record may have many."""
    before, after = (files("bot.record") / "report.html").read_text(encoding="utf-8").split("<!-- data -->")
    sums = statistics_of(record)
    parts = {
        "title": escape(f"{record.about.target}, {_day(record.about.began)}"),
        "summary": _summary(record, sums),
        "charts": "".join(charts_of([sums])),
        "games": _games_table(record),
    }
    for name, content in parts.items():
        before = before.replace(f"<!-- {name} -->", content)
    yield before
    for game in record.games:
        packed = base64.b64encode(zlib.compress(encode(_game_data(record, game)), 9)).decode("ascii")
        marks = f'data-number="{game.number}" data-outcome="{escape(_outcome(game))}"'
        yield f'<script type="text/plain" class="game" {marks}>{packed}</script>\n'
        progress()
    yield after


def _summary(record: Record, sums: RunStatistics) -> str:
    about = record.about
    settings = (_setting(name, value) for name, value in about.settings.items() if value is not None)
    rows = {
        "game": about.target,
        "begun": _day(about.began),
        "strategy": about.strategy,
        "settings": ", ".join(filter(None, settings)) or _NONE,
        "program": f"minebot {about.program}",
        "games": f"{len(record.games)}, with {counted(sums.rounds, 'round')}",
        "won": _share(sums),
        "ended": record.ended or "cut off",
    }
    missing = "".join(f'<p class="missing">{escape(words)}</p>' for words in record.missing)
    table = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f'{missing}<table class="about">{table}</table>'


def _day(began: str) -> str:
    """Return a time in ISO 8601 as people write it: "22 November 2026, 06:10"; other texts as they are."""
    try:
        time = datetime.fromisoformat(began)
    except ValueError:
        return began
    return f"{time.day} {time:%B %Y, %H:%M}"


def _setting(name: str, value: object) -> str:
    """Return an option as it was given: "flags chord", "dry run", "no guess"; "" for one that is off."""
    words = name.replace("_", " ")
    if isinstance(value, bool):
        return words if value and name != "guess" else "no guess" if name == "guess" and not value else ""
    return f"{words} {value}"


def _share(sums: RunStatistics) -> str:
    if not sums.known:
        return _NONE
    rate = sums.rate
    return f"{sums.wins} of {sums.known}, {rate.value:.1%} (95 %: {rate.low:.1%} to {rate.high:.1%})"


def _games_table(record: Record) -> str:
    head = "".join(f"<th>{measure_name(name)}</th>" for name in _COLUMNS)
    rows = "".join(map(_game_row, record.games))
    return f"<table class='games'><tr><th>game</th><th>rounds</th>{head}</tr>{rows}</table>"


def _game_row(game: RecordedGame) -> str:
    result = game.result or {"outcome": _outcome(game)}
    cells = [f'<a href="#game={game.number}">{game.number}</a>', str(len(game.rounds))]
    cells += [escape(measure_words(name, result.get(name), _NONE)) for name in _COLUMNS]
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{escape(_outcome(game))}">{row}</tr>'


def _outcome(game: RecordedGame) -> str:
    return "cut off" if game.result is None else str(game.result["outcome"])


def _game_data(record: Record, game: RecordedGame) -> dict[str, Any]:
    """Return everything about a game that the page shows: values of the record, pictures, explanations."""
    pictures = record.pictures
    chains = {chain.start: chain for seen in game.looks if (chain := pictures.needed(seen.picture))}
    return {
        "number": game.number,
        "result": game.result,
        "rounds": [_round_data(record, turn) for turn in game.rounds],
        "final": game.final,
        "pictures": {number: pictures.layers[number] for chain in chains.values() for number in chain},
    }


def _round_data(record: Record, turn: RecordedRound) -> dict[str, Any]:
    hint, move = _hint_for_round(record.about, turn), next(iter(turn.decision.moves), None)
    return {
        "number": turn.number,
        **to_builtins(turn.seen),
        "sent": turn.sent,
        "short": turn.decision.words_for(move) if move else turn.decision.reason.value,
        "others": [turn.decision.words_for(one) for one in turn.decision.alternatives],
        "why": "" if hint is None else hint.sentence,
        "numbers": [] if hint is None else list(hint.numbers),
    }


def _hint_for_round(about: RunInfo, turn: RecordedRound) -> Hint | None:
    """Explain the first move of a round: the numbers that prove that it is safe, or the guess.

    A record does not contain proofs, so the same strategy finds them again. Return None if it cannot.
    """
    if turn.decision.reason in (Reason.GUESS, Reason.FIRST_CLICK):
        return explain(turn.seen.board, turn.decision)
    try:
        decision = decide_again(about, turn.seen, STRATEGIES[about.strategy])
    except ContradictionError:
        return None
    safe = {move.cell for move in decision.moves}
    again = replace(decision, moves=tuple(move for move in turn.decision.moves if move.cell in safe))
    return explain(turn.seen.board, again, first=True) if again.moves else None
