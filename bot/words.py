"""Words for counts, lists, risks, measures and places of cells; people count rows and columns from 1."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

_MEASURES = {  # what players call the values of a game that have another name in JSON
    "outcome": "result",
    "bbbv": "3BV",
    "bbbv_per_second": "3BV/s",
    "ioe": "IOE",
    "rqp": "RQP",
    "retries": "sent again",
    "ms_to_decide": "ms to decide",
}
_FORMATS = {"bbbv": ".4g", "bbbv_per_second": ".1f", "clicks": ".4g", "ms_to_decide": ".1f"}
_LEAST = 0.0005  # smaller risks would be shown as 0.0 %, which is reserved for proven cells


def one_line(text: str) -> str:
    """Return ``text`` from elsewhere, such as from a file, with every character that cannot be seen escaped.

    A terminal would obey some of them, and a line break would begin a line that looks like one of ours.
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def counted(count: int, thing: str, things: str = "") -> str:
    """Return "1 click" or "3 clicks"; ``things`` is the plural of ``thing`` unless that just adds an s."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"


def mines_words(count: int, one: str = "1 mine") -> str:
    """Return "5 mines" for a ``count`` of 5; ``one`` for a count of 1."""
    return one if count == 1 else f"{count} mines"


def listed(words: Iterable[str], link: str = "and") -> str:
    """Return ``words`` as a list in one string: "a, b and c"; ``link`` stands before the last one."""
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last


def cell_words(cell: tuple[int, int]) -> str:
    """Return the place of ``cell``, its row and column from 0, in words: "row 3, column 1" for (2, 0)."""
    row, col = cell
    return f"row {row + 1}, column {col + 1}"


def cells_words(cells: Iterable[tuple[int, int]]) -> str:
    """Return the places of ``cells``, row by row: "row 1, columns 2 and 3, and row 4, column 5"."""
    rows = [
        (row + 1, [col + 1 for _, col in line]) for row, line in groupby(sorted(cells), lambda cell: cell[0])
    ]
    words = [f"row {row}, column{'s' * (len(cols) > 1)} {listed(map(str, cols))}" for row, cols in rows]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}, and {words[-1]}"


def risk_words(risk: float, exact: bool = True) -> str:
    """Return a risk in percent, with "about" if it is not ``exact``.

    Only a proven cell has "0.0%" or "100.0%"; a risk next to these is "under 0.1%" or "over 99.9%".
    """
    if 0 < risk < _LEAST:
        return "under 0.1%"
    if 1 - _LEAST < risk < 1:
        return "over 99.9%"
    return f"{'' if exact else 'about '}{risk:.1%}"


def often_words(score: float) -> str:
    """Return how often another choice wins in comparison: "as often", or the share that ``score`` is."""
    return "as often" if score >= 1 - _LEAST else f"{risk_words(score)} as often"


def short_risk(risk: float) -> str:
    """Return a risk in whole percent for a small mark: "0%" and "100%" only for a proven cell."""
    return f"{risk:.0%}" if risk in (0, 1) else f"{min(max(round(100 * risk), 1), 99)}%"


def measure_name(name: str) -> str:
    """Return what players call the value of a game that is called ``name`` in JSON, such as 3BV/s."""
    return _MEASURES.get(name, name)


def measure_words(name: str, value: float | str | None, none: str = "") -> str:
    """Return the value ``name`` of a game, or a mean of it, in words; ``none`` if it is None."""
    if isinstance(value, float):
        return format(value, _FORMATS.get(name, ".2f"))
    return none if value is None else str(value)
