"""The shapes of what is drawn, of our own design, as points in small squares; nothing of Qt.

A cell is 16 x 16 units with a line of 1 on its left and top when it is open, so its middle is (8.5, 8.5).
A digit of a counter is 13 x 23 units. The face is drawn in 24 x 24.
"""

from __future__ import annotations

Points = tuple[tuple[float, float], ...]

# Each number as lines that are drawn with a broad pen, so that they stay sharp at scale 1.
NUMBER_PEN = 2.5
NUMBERS: dict[int, tuple[Points, ...]] = {
    1: (((5.5, 6.5), (8.75, 4.25), (8.75, 12.75)), ((5.5, 12.75), (12, 12.75))),
    2: (((5.25, 6.5), (5.25, 5.25), (6.25, 4.25), (10.75, 4.25), (11.75, 5.25), (11.75, 7),
         (5.5, 12), (5.5, 12.75), (13, 12.75)),),
    3: (((4, 4.25), (10.75, 4.25), (11.75, 5.25), (11.75, 7.5), (10.75, 8.5), (6.5, 8.5)),
        ((10.75, 8.5), (11.75, 9.5), (11.75, 11.75), (10.75, 12.75), (4, 12.75))),
    4: (((6.75, 3), (5.25, 8.75), (13, 8.75)), ((10.75, 3), (10.75, 14))),
    5: (((13, 4.25), (5.25, 4.25), (5.25, 8.25), (10.75, 8.25), (11.75, 9.25), (11.75, 11.75),
         (10.75, 12.75), (4, 12.75)),),
    6: (((12.5, 4.25), (6.25, 4.25), (5.25, 5.25), (5.25, 11.75), (6.25, 12.75), (10.75, 12.75),
         (11.75, 11.75), (11.75, 9.25), (10.75, 8.25), (5.25, 8.25)),),
    7: (((4, 4.25), (11.75, 4.25), (11.75, 6), (8.25, 14)),),
    8: (((6.25, 4.25), (10.75, 4.25), (11.75, 5.25), (11.75, 7.5), (10.75, 8.5), (11.75, 9.5), (11.75, 11.75),
         (10.75, 12.75), (6.25, 12.75), (5.25, 11.75), (5.25, 9.5), (6.25, 8.5), (5.25, 7.5), (5.25, 5.25),
         (6.25, 4.25), (7, 4.25)), ((6.25, 8.5), (10.75, 8.5))),
}  # fmt: skip

QUESTION: tuple[Points, ...] = (
    ((5.5, 6), (5.5, 5), (6.5, 4), (9.5, 4), (10.5, 5), (10.5, 7), (8, 8.75), (8, 10.5)),
)
QUESTION_DOT = (7.0, 12.0, 2.0, 2.0)  # x, y, width, height
QUESTION_PEN = 2.0

FLAG: Points = ((9, 3), (9, 9), (3.5, 6))
FLAG_POLE = ((8, 3, 1, 9), (6, 11, 5, 1), (4, 12, 9, 2))  # rectangles: x, y, width, height

MINE_BODY = 4.3  # radius
MINE_SPIKES = ((8.5, 2, 8.5, 15), (2, 8.5, 15, 8.5), (4, 4, 13, 13), (13, 4, 4, 13))  # lines: from, to
MINE_GLINT = (6, 6, 2, 2)
CROSS: tuple[Points, ...] = (((2.5, 3), (14.5, 14)), ((14.5, 3), (2.5, 14)))

SEGMENTS: dict[str, Points] = {
    "a": ((2, 1), (11, 1), (8, 4), (5, 4)),
    "b": ((12, 2), (12, 11), (11.5, 11), (9, 9), (9, 5)),
    "c": ((12, 12), (12, 21), (9, 18), (9, 14), (11.5, 12)),
    "d": ((2, 22), (5, 19), (8, 19), (11, 22)),
    "e": ((1, 12), (1.5, 12), (4, 14), (4, 18), (1, 21)),
    "f": ((1, 2), (4, 5), (4, 9), (1.5, 11), (1, 11)),
    "g": ((2, 11.5), (4, 10), (9, 10), (11, 11.5), (9, 13), (4, 13)),
}
STROKES = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg",
    "6": "acdefg", "7": "abc", "8": "abcdefg", "9": "abcdfg", "-": "g", " ": "",
}  # fmt: skip


def counter_text(number: int, digits: int) -> str:
    """Return ``number`` as a counter of so many digits shows it, with a minus sign below 0."""
    if number < 0:
        return f"-{min(-number, 10 ** (digits - 1) - 1):0{digits - 1}d}"
    return f"{min(number, 10**digits - 1):0{digits}d}"
