"""Charts of a run as SVG, so that they show in any browser, with or without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from bot.bench.statistics import win_rate

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 16, 28  # room around what is drawn
_BAR = 22  # height of a bar that lies


@dataclass(frozen=True, slots=True)
class _Axes:
    """Where values are drawn: from 0 to ``most`` upwards, ``count`` games from left to right."""

    count: int
    most: float

    def x(self, place: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * place / max(1, self.count)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.most

    def drawn(self, unit: str) -> Iterator[str]:
        for part in (0, 0.25, 0.5, 0.75, 1):
            y, value = self.y(part * self.most), f"{part * self.most:.3g}{unit}"
            yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
        yield f'<text x="{LEFT}" y="{HEIGHT - 8}">game 1</text>'
        if self.count > 1:
            yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{self.count}</text>'


def wins_chart(won: Sequence[bool]) -> str:
    """Return a chart of the share of games won so far, with its 95 % interval."""
    axes = _Axes(len(won), 100.0)
    upper, middle, lower = list[str](), list[str](), list[str]()
    for games, wins in enumerate(accumulate(map(int, won)), 1):
        x = axes.x(games - 0.5)
        rate = win_rate(wins, games)
        middle.append(f"{x:.1f},{axes.y(100 * rate.value):.1f}")
        upper.append(f"{x:.1f},{axes.y(100 * rate.high):.1f}")
        lower.append(f"{x:.1f},{axes.y(100 * rate.low):.1f}")
    band = " ".join((*upper, *reversed(lower)))
    shapes = [
        f'<polygon class="band" points="{band}"/>',
        f'<polyline class="line" points="{" ".join(middle)}"/>',
    ]
    return _svg("Games won so far, %", HEIGHT, (*axes.drawn(""), *shapes))


def times_chart(seconds: Sequence[float], won: Sequence[bool | None]) -> str:
    """Return a chart of how long each game took; those that were won stand out, None is an unknown end."""
    axes = _Axes(len(seconds), max([*seconds, 1e-3]))
    width = max(1.0, axes.x(1) - axes.x(0) - 2)
    bars = []
    for number, (value, was_won) in enumerate(zip(seconds, won, strict=True)):
        y, kind = axes.y(value), {True: "won", False: "lost", None: "unknown"}[was_won]
        title = f"<title>game {number + 1}, {kind}: {value:.2f} s</title>"
        place = f'x="{axes.x(number) + 1:.1f}" y="{y:.1f}" width="{width:.1f}" height="{axes.y(0) - y:.1f}"'
        bars.append(f'<rect class="{kind}" {place}>{title}</rect>')
    return _svg("Seconds a game", HEIGHT, (*axes.drawn(" s"), *bars))


def shares_chart(title: str, counts: Sequence[tuple[str, int]]) -> str:
    """Return a chart of how often each of some things was."""
    most = max([count for _, count in counts], default=1)
    room, parts = WIDTH - 220, list[str]()
    for number, (name, count) in enumerate(counts):
        y = TOP + number * _BAR
        parts.append(f'<text x="150" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect class="bar" x="158" y="{y + 2}" width="{room * count / most:.1f}" height="16"/>')
        parts.append(f'<text x="{164 + room * count / most:.1f}" y="{y + 14}">{count}</text>')
    return _svg(title, TOP + _BAR * len(counts) + 4, parts)


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
    return f"<figure><figcaption>{escape(title)}</figcaption>{head}{''.join(parts)}</svg></figure>"
