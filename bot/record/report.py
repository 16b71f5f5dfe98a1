"""Write a record as one HTML page, which needs no network and no other file.

The summary works without scripts; a script shows the games round by round.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.json import encode

from bot.board import Cell
from bot.errors import ContradictionError, RecordError
from bot.files import PUBLIC, replacing
from bot.geometry import Grid
from bot.marks import Advice, Kind, Layer, Mark, marks_of, picture_of
from bot.record.check import decide_again
from bot.record.lines import Record, RecordedGame, RecordedRound, RunInfo
from bot.record.pictures import as_png
from bot.record.stats import RunStatistics, charts_of, statistics_of
from bot.solver import STRATEGIES
from bot.solver.decision import Action, Reason
from bot.solver.explain.hints import Hint, explain
from bot.words import counted, measure_name, measure_words, short_risk

_NONE = "–"
_STAMP = 2  # marks are drawn so many times as large as on the board: the page may show it doubled
_LAYERS = {"risks": Layer.RISK, "mines": Layer.MINES, "proof": Layer.WORDS, "moves": Layer.SAFE}
_Stamps = dict[tuple[int, int, Mark], int]  # marks, by width and height of their cell: their numbers
_SAMPLE = 40  # pixels: size of a cell in the legend
_SAMPLES = (  # the marks that the legend explains
    ("next", Mark(Cell(0, 0), Kind.NEXT, "1")),
    ("open", Mark(Cell(0, 0), Kind.SAFE, "2")),
    ("flag", Mark(Cell(0, 0), Kind.MINE, "3", 1.0)),
    ("guess", Mark(Cell(0, 0), Kind.NEXT, "20%", 0.2)),
    ("mine", Mark(Cell(0, 0), Kind.MINE, "", 1.0)),
    ("risk", Mark(Cell(0, 0), Kind.PLAIN, "30%", 0.3)),
    ("proof", Mark(Cell(0, 0), Kind.PROOF)),
)
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
        "charts": "".join(chart.svg() for chart in charts_of([sums])),
        "games": _games_table(record),
    }
    parts |= {
        f"sample {name}": f'<img alt="" src="data:image/png;base64,{_drawn(mark)}">'
        for name, mark in _SAMPLES
    }
    for name, content in parts.items():
        before = before.replace(f"<!-- {name} -->", content)
    yield before
    stamps: _Stamps = {}
    for game in record.games:
        packed = base64.b64encode(zlib.compress(encode(_game_data(record, game, stamps)), 9)).decode("ascii")
        marks = f'data-number="{game.number}" data-outcome="{escape(_outcome(game))}"'
        yield f'<script type="text/plain" class="game" {marks}>{packed}</script>\n'
        progress()
    drawn = [_drawn(mark, width, height) for width, height, mark in stamps]
    yield f'<script type="text/plain" id="stamps">{encode(drawn).decode()}</script>\n{after}'


def _drawn(mark: Mark, width: int = _SAMPLE, height: int = _SAMPLE) -> str:
    """Return a mark on a cell of this size in pixels, as a PNG in base64."""
    return as_png(picture_of(Grid(0, 0, width, height, 1, 1), [mark]))


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


def _game_data(record: Record, game: RecordedGame, stamps: _Stamps) -> dict[str, Any]:
    """Return everything about a game that the page shows: values of the record, pictures, explanations."""
    pictures = record.pictures
    chains = {chain.start: chain for seen in game.looks if (chain := pictures.needed(seen.picture))}
    return {
        "number": game.number,
        "result": game.result,
        "rounds": [_round_data(record, turn, stamps) for turn in game.rounds],
        "final": game.final,
        "pictures": {number: pictures.layers[number] for chain in chains.values() for number in chain},
    }


def _round_data(record: Record, turn: RecordedRound, stamps: _Stamps) -> dict[str, Any]:
    hint, move = _hint_for_round(record.about, turn), next(iter(turn.decision.moves), None)
    return {
        "number": turn.number,
        **to_builtins(turn.seen),
        "sent": turn.sent,
        "short": turn.decision.words_for(move) if move else turn.decision.reason.value,
        "others": [turn.decision.words_for(one) for one in turn.decision.alternatives],
        "why": "" if hint is None else hint.sentence,
        "marks": _marks(turn, () if hint is None else hint.numbers, stamps),
    }


def _marks(turn: RecordedRound, numbers: Sequence[Cell], stamps: _Stamps) -> dict[str, list[list[int]]]:
    """Return the marks of a round for each switch of the page, as row, column and number in ``stamps``.

    Every click is numbered, also flags and chords; a guess has its risk in place of a number.
    """
    seen, advice = turn.seen, Advice(turn.decision, None, numbers, turn.decision.risks)
    marks = {name: [*marks_of(seen.board, advice, [layer])] for name, layer in _LAYERS.items()}
    for number, move in enumerate((click.move for click in turn.clicks), 1):
        mine = move.action is Action.FLAG and move.risk > 0
        kind = Kind.MINE if mine else Kind.NEXT if number == 1 or move.risk else Kind.SAFE
        text = short_risk(move.risk) if move.risk and not mine else str(number)
        marks["moves"].append(Mark(move.cell, kind, text, move.risk))
    size = (_STAMP * round(seen.grid.pitch_x), _STAMP * round(seen.grid.pitch_y))

    def stamped(mark: Mark) -> list[int]:
        stamp = (*size, replace(mark, cell=Cell(0, 0), risk=round(mark.risk, 2)))
        return [*mark.cell, stamps.setdefault(stamp, len(stamps))]

    return {name: list(map(stamped, some)) for name, some in marks.items()}


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
