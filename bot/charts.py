"""Charts as SVG, which every browser shows; their text has the colour of the page around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from pathlib import Path

from bot.errors import PictureError
from bot.files import PUBLIC, replacing
from bot.words import one_line

Point = tuple[float, float]
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 18, 26, 36  # the margins of a chart, in pixels
# Colours that colour-blind people can tell apart, those of Okabe and Ito (2008); a page may set its own.
_COLOURS = {
    "blue": "var(--blue, #0072b2)",
    "red": "var(--red, #d55e00)",
    "green": "var(--green, #009e73)",
    "pink": "var(--pink, #cc79a7)",
    "orange": "var(--orange, #e69f00)",
    "grey": "var(--grey, #8c8c8c)",
}
LOOKS = _COLOURS | {f"{name} dashed": colour for name, colour in _COLOURS.items()}  # colours of lines
_STYLE = """<style>
:root { font-family: sans-serif; color: #000; background: #fff }
@media (prefers-color-scheme: dark) { :root { color: #ddd; background: #1b1b1b; --blue: #56b4e9 } }
</style>"""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a chart: from ``low`` up to ``high``, with round numbers, or ``whole`` ones, beside it.

    ``names`` are the words at places on the axis, instead of numbers.
    """

    low: float
    high: float
    whole: bool = False
    names: Mapping[float, str] | None = None

    def ticks(self) -> Mapping[float, str]:
        """Return the names, or about five numbers, by their places on the axis."""
        if self.names is not None:
            return self.names
        span = self.high - self.low
        power = 10 ** floor(log10(span / 5))
        step = next(step * power for step in (1, 2, 5, 10) if step * power * 5.5 >= span)
        step = max(step, 1) if self.whole else step
        numbers = range(ceil(self.low / step), floor(self.high / step) + 1)
        return {value: f"{value:g}" for value in (round(number * step, 10) for number in numbers)}


class Chart:
    """A chart with a title, a ``label`` below its horizontal axis, and a ``size`` in pixels.

    Points are values on its two axes. A look is one of `LOOKS`.
    """

    def __init__(self, title: str, x: Axis, y: Axis, label: str, size: tuple[int, int] = (360, 240)) -> None:
        self.size, self._x, self._y = size, x, y
        self._left = _LEFT + 50 * bool(y.names)
        self._parts = [f"<title>{escape(title)}</title>"]
        middle = (self._left + size[0] - _RIGHT) / 2
        self.text(middle, 14, title, "middle", size=13)
        self.text(middle, size[1] - 4, label, "middle")
        for value, words in x.ticks().items():
            across, down = self.place(value, y.low)
            self.line([(value, y.low), (value, y.high)], "grey", width=0.5, opacity=0.4)
            self.text(across, down + 14, words, "middle")
        for value, words in y.ticks().items():
            across, down = self.place(x.low, value)
            if not y.names:
                self.line([(x.low, value), (x.high, value)], "grey", width=0.5, opacity=0.4)
            self.text(across - 6, down + 4, words, "end")

    def svg(self, x: float = 0, y: float = 0) -> str:
        """Return the chart as an SVG element at a place of the picture around it."""
        width, height = self.size
        place = f'x="{x}" y="{y}" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        return f'<svg role="img" {place}>{"".join(self._parts)}</svg>'

    def place(self, x: float, y: float) -> Point:
        """Return where a point is drawn, in pixels."""
        width, height = self.size[0] - self._left - _RIGHT, self.size[1] - _TOP - _BOTTOM
        across = (x - self._x.low) / (self._x.high - self._x.low)
        up = (y - self._y.low) / (self._y.high - self._y.low)
        return round(self._left + width * across, 1), round(_TOP + height * (1 - up), 1)

    def text(self, x: float, y: float, words: str, anchor: str = "start", size: int = 11) -> None:
        """Write words at a place in pixels."""
        look = f'font-size="{size}" fill="currentColor" text-anchor="{anchor}"'
        shown = escape(one_line(words))  # SVG allows no control characters
        self._parts.append(f'<text x="{x:g}" y="{y:g}" {look}>{shown}</text>')

    def line(
        self, points: Iterable[Point], look: str, name: str = "", width: float = 1.5, opacity: float = 1
    ) -> None:
        """Draw a line through points; a browser shows its name below the pointer."""
        style = f"fill:none;{_stroke(look)};stroke-width:{width};opacity:{opacity}"
        title = f"<title>{escape(name)}</title>" if name else ""
        self._parts.append(f'<polyline points="{self._listed(points)}" style="{style}">{title}</polyline>')

    def area(self, points: Iterable[Point], look: str, opacity: float = 0.6) -> None:
        """Fill the area between points."""
        style = f"fill:{LOOKS[look]};opacity:{opacity}"
        self._parts.append(f'<polygon points="{self._listed(points)}" style="{style}"/>')

    def bar(self, x: Point, y: Point, look: str) -> None:
        """Draw a bar between two values of each axis."""
        self.area([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], look)

    def dots(self, points: Iterable[Point], look: str) -> None:
        """Draw a dot at each point."""
        path = "".join("M{:g} {:g}h0".format(*self.place(*point)) for point in points)
        style = f"stroke:{LOOKS[look]};stroke-width:6;stroke-linecap:round"
        self._parts.append(f'<path d="{path}" style="{style}"/>')

    def legend(self, entries: Iterable[tuple[str, str]]) -> None:
        """Write what each look means, on a line of its own, in the top right corner; "" is no look."""
        right = self.size[0] - _RIGHT - 4
        for number, (look, words) in enumerate(entries):
            y = _TOP + 12 + 14 * number
            self.text(right - 18, y, words, "end")
            if look:
                ends = f'x1="{right - 14}" x2="{right}" y1="{y - 4}" y2="{y - 4}"'
                self._parts.append(f'<line {ends} style="{_stroke(look)};stroke-width:4"/>')

    def _listed(self, points: Iterable[Point]) -> str:
        return " ".join("{:g},{:g}".format(*self.place(*point)) for point in points)


def save_charts(path: Path, charts: Sequence[Chart], columns: int) -> None:
    """Write charts of one size into an SVG file, in rows of ``columns``; it is light or dark as its viewer.

    Raises PictureError if the file cannot be written.
    """
    width, height = charts[0].size
    drawn = (chart.svg(width * (at % columns), height * (at // columns)) for at, chart in enumerate(charts))
    box = f"0 0 {width * columns} {height * ceil(len(charts) / columns)}"
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{_STYLE}{"".join(drawn)}</svg>\n'
    try:
        with replacing(path, PUBLIC) as file:
            file.write(text.encode())
    except OSError as error:
        raise PictureError(f"the plot {path} cannot be written: {error.strerror}") from error


def _stroke(look: str) -> str:
    return f"stroke:{LOOKS[look]}" + ";stroke-dasharray:5 4" * look.endswith("dashed")
