"""The page itself: a summary that needs no script, and games to go through round by round."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from bot.errors import RecordError
from bot.record.film import END, SIGNATURE, FilmFrame, chunk, header
from bot.record.forms import decision_as_json, planned_as_json, seen_as_json, sent_as_json
from bot.record.reasons import in_short, why
from bot.record.record import Record, RecordedGame, RecordedRound
from bot.record.report.charts import shares_chart, times_chart, wins_chart
from bot.record.stats import Sums, sums_of

_NONE = "–"


@dataclass(frozen=True, slots=True)
class _Column:
    heading: str
    name: str
    form: str = ""


_COLUMNS = (
    _Column("result", "outcome"),
    _Column("seconds", "seconds", ".2f"),
    _Column("3BV", "bbbv"),
    _Column("3BV/s", "bbbv_per_second", ".1f"),
    _Column("clicks", "clicks"),
    _Column("IOE", "ioe", ".2f"),
    _Column("guesses", "guesses"),
    _Column("misreads", "misreads"),
    _Column("sent again", "retries"),
)


def write_report(record: Record, path: Path, told: Callable[[], None] = lambda: None) -> None:
    """Write ``record`` as a page of HTML; ``told`` is called after each game.

    Raises RecordError if the file cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for part in _page(record, told):
                file.write(part)
    except OSError as error:
        raise RecordError(f"the report {path} cannot be written: {error.strerror}") from error


def _page(record: Record, told: Callable[[], None]) -> Iterator[str]:
    """Iterate over the parts of the page; games are many, and made one at a time."""
    page = Template(_asset("page.html"))
    about, sums = record.about, sums_of(record)
    whole = page.substitute(
        title=escape(f"{about.target}, {about.began}"),
        style=_asset("page.css"),
        script=_asset("page.js"),
        summary=_summary(record, sums),
        charts=_charts(record, sums),
        games=_games_table(record),
        data="\0",
    )
    before, after = whole.split("\0")
    yield before
    for game in record.games:
        packed = base64.b64encode(_deflated(_game_data(record, game))).decode("ascii")
        marks = f'data-number="{game.number}" data-outcome="{escape(_outcome(game))}"'
        yield f'<script type="text/plain" class="game" {marks}>{packed}</script>\n'
        told()
    yield after


def _asset(name: str) -> str:
    return (files("bot.record.report") / name).read_text(encoding="utf-8")


def _deflated(values: Mapping[str, Any]) -> bytes:
    """Return values as a browser's DecompressionStream("deflate") unpacks them."""
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode(), 9)


def _summary(record: Record, sums: Sums) -> str:
    about = record.about
    settings = (f"{name} {value}" for name, value in about.settings.items() if value not in (None, False))
    rows = {
        "game": about.target,
        "begun": about.began,
        "strategy": about.strategy,
        "settings": ", ".join(settings) or _NONE,
        "program": f"minebot {about.program}",
        "games": f"{len(record.games)}, {sums.rounds} rounds",
        "won": _share(sums),
        "ended": record.ended or "cut off",
    }
    missing = "".join(f'<p class="missing">{escape(words)}</p>' for words in record.missing)
    told = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f'{missing}<table class="about">{told}</table>'


def _share(sums: Sums) -> str:
    if not sums.known:
        return _NONE
    rate = sums.rate
    return f"{sums.wins} of {sums.known}, {rate.value:.1%} (95 %: {rate.low:.1%} to {rate.high:.1%})"


def _charts(record: Record, sums: Sums) -> str:
    charts = list[str]()
    if sums.games:
        won = [result["won"] for result in sums.results]
        times = times_chart([float(result["seconds"]) for result in sums.results], won)
        charts += [wins_chart(sums.ends), times]
    decisions = [turn.decision for game in record.games for turn in game.rounds]
    if decisions:
        reasons = Counter(decision.reason.value for decision in decisions)
        charts.append(shares_chart("Rounds by what decided them", reasons.most_common()))
    return "".join(charts)


def _games_table(record: Record) -> str:
    head = "".join(f"<th>{column.heading}</th>" for column in _COLUMNS)
    rows = "".join(map(_game_row, record.games))
    return f"<table class='games'><tr><th>game</th><th>rounds</th>{head}</tr>{rows}</table>"


def _outcome(game: RecordedGame) -> str:
    return "cut off" if game.result is None else str(game.result["outcome"])


def _game_row(game: RecordedGame) -> str:
    result = game.result or {"outcome": "cut off"}
    cells = "".join(f"<td>{escape(_cell(result, column))}</td>" for column in _COLUMNS)
    link = f'<a href="#game={game.number}">{game.number}</a>'
    return f'<tr class="{escape(_outcome(game))}"><td>{link}</td><td>{len(game.rounds)}</td>{cells}</tr>'


def _cell(result: Mapping[str, Any], column: _Column) -> str:
    value = result.get(column.name)
    return _NONE if value is None else format(value, column.form)


def _game_data(record: Record, game: RecordedGame) -> dict[str, Any]:
    """Return all of a game that the page shows, in the forms of the record, with pictures and words."""
    films = {seen.shot.film: None for seen in game.looks}
    return {
        "number": game.number,
        "result": game.result,
        "rounds": [_round_data(record, turn) for turn in game.rounds],
        "final": None if game.final is None else seen_as_json(game.final),
        "films": {name: [_layer(frame) for frame in _frames(record, name)] for name in films},
    }


def _frames(record: Record, film: str) -> tuple[FilmFrame, ...]:
    try:
        return record.film(film).frames
    except RecordError:  # the page says that the picture is missing
        return ()


def _layer(frame: FilmFrame) -> list[Any]:
    """Return a frame as its place and a PNG of its own."""
    box = frame.box
    png = SIGNATURE + header(box.width, box.height) + chunk(b"IDAT", frame.packed) + END
    return [box.x, box.y, box.width, box.height, base64.b64encode(png).decode("ascii")]


def _round_data(record: Record, turn: RecordedRound) -> dict[str, Any]:
    hint = why(record.about, turn)
    return {
        "number": turn.number,
        **seen_as_json(turn.seen),
        "decided": turn.decided,
        "decision": decision_as_json(turn.decision),
        "clicks": [planned_as_json(click) for click in turn.clicks],
        "sent": [sent_as_json(sent) for sent in turn.sent],
        "short": in_short(turn.decision),
        "why": "" if hint is None else hint.sentence,
        "numbers": [] if hint is None else list(hint.numbers),
    }
