"""How marks look: readable on any ground and in any size, and told apart by colour-blind people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Cell
from bot.geometry import Grid, Pixels
from bot.marks import SCALE, Colour, Kind, Mark, Picture, colours_of, draw_boards, draw_marks, picture_of
from bot.vision import load_skins
from fixture_boards import fixture_picture

Numbers = npt.NDArray[np.float64]
SIZES = (12, 16, 20, 24.4, 33, 48, 90)
RISKS = [risk for risk, *_ in SCALE]
GROUNDS = (  # WineMine, and pages in three themes
    *("winemine-beginner-running", "winemine-expert-lost", "programs/page-light-1-running"),
    *("programs/page-light-15-lost", "programs/page-dark-1-running", "programs/page-dark-125-lost"),
    "programs/page-classic-2-running",
)


def linear(colours: npt.ArrayLike) -> Numbers:
    """Return colours of sRGB, 0 to 255, as amounts of light, 0 to 1."""
    shares = np.asarray(colours, np.float64) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def contrast(one: npt.ArrayLike, other: npt.ArrayLike) -> Numbers:
    """Return the contrast ratio of colours (red, green, blue), by the rules of WCAG 2.1: 1 to 21."""
    lights = [linear(colours) @ (0.2126, 0.7152, 0.0722) + 0.05 for colours in (one, other)]
    return np.asarray(np.maximum(*lights) / np.minimum(*lights))


def drawn(mark: Mark, size: float) -> Picture:
    """Return the picture of a mark on the only cell of a board."""
    return picture_of(Grid(0, 0, size, size, 1, 1), [mark])


def grounds_of(cells: Sequence[Pixels]) -> set[Colour]:
    """Return the commonest colour of each cell."""
    found = set[Colour]()
    for cell in cells:
        colours, counts = np.unique(cell.reshape(-1, 3), axis=0, return_counts=True)
        blue, green, red = map(int, colours[counts.argmax()])
        found.add((red, green, blue))
    return found


@pytest.fixture(scope="module", params=[*GROUNDS, *(f"skin {skin.name}" for skin in load_skins())])
def grounds(request: pytest.FixtureRequest) -> set[Colour]:
    """The grounds of the cells in a picture or skin."""
    if request.param not in GROUNDS:
        skin = next(skin for skin in load_skins() if f"skin {skin.name}" == request.param)
        return grounds_of([np.asarray(skin.template(state)) for state in skin.shown])
    pixels, truth = fixture_picture(request.param)
    cells = (Cell(*map(int, cell)) for cell in np.ndindex(*truth.board.shape))
    return grounds_of([truth.grid.cell_box(cell).cut(pixels) for cell in cells])


def test_the_outline_of_every_mark_is_seen_on_every_ground(grounds: set[Colour]) -> None:
    assert grounds
    for mark in (Mark(Cell(0, 0), kind, risk=risk) for kind in Kind for risk in RISKS):
        text = "?" if mark.kind is Kind.UNREAD else ""
        for size in (16, 33):
            picture = drawn(Mark(mark.cell, mark.kind, text, mark.risk), size)
            there = picture[..., 3] > 0
            for ground in grounds:
                seen = there & (contrast(picture[..., 2::-1], ground) >= 3)
                half = size // 2 if mark.kind not in (Kind.PLAIN, Kind.UNREAD) else size
                for rows, cols in np.ndindex(size // half, size // half):
                    part = slice(half * rows, half * (rows + 1)), slice(half * cols, half * (cols + 1))
                    assert seen[part].sum() >= there[part].sum() / 4, (mark, ground)


@pytest.mark.parametrize("size", SIZES)
def test_texts_stand_on_a_plate_of_their_own(size: float) -> None:
    marks = [Mark(Cell(0, 0), Kind.PLAIN, text, risk) for risk in RISKS for text in ("1", "28", "48%")]
    for mark in (*marks, Mark(Cell(0, 0), Kind.UNREAD, "?")):
        picture, line = drawn(mark, size), max(1, round(size / 20))
        there = picture[..., 3] > 0
        height, width = there.any(axis=1).sum(), there.any(axis=0).sum()
        assert there[:height, :width].all()
        plate = picture[line : height - line, line : width - line, 2::-1]
        colour, ink = colours_of(mark)
        assert contrast(colour, ink) >= 4.5
        assert (contrast(plate, colour) >= 4.5).sum() >= 6  # enough of the text
        assert (plate == colour).all(axis=2).sum() >= 6
        assert (plate[0] == colour).all()  # around the text
        assert (plate[:, -1] == colour).all()


@pytest.mark.parametrize("size", SIZES)
def test_no_digit_looks_like_another(size: float) -> None:
    pictures = {digit: drawn(Mark(Cell(0, 0), Kind.PLAIN, digit), size)[..., :3] for digit in "0123456789"}
    for one, other in combinations(pictures, 2):
        clear = contrast(pictures[one][..., ::-1], pictures[other][..., ::-1]) >= 3
        assert clear.sum() >= 3, (one, other)


def test_no_text_leaves_its_cell() -> None:
    for size, text in ((size, text) for size in SIZES for text in ("8", "48", "488", "48%", "?")):
        picture = drawn(Mark(Cell(0, 0), Kind.PLAIN, text), size)
        line = max(1, round(size / 20))
        cols = np.flatnonzero(picture[..., 3].max(axis=0))
        edge = picture[: round(size / 4), cols[-1] - line + 1 : cols[-1] + 1, :3]
        assert not edge.any(), (size, text)  # the right edge of the plate is there, in black


# Simulated colour blindness, in linear RGB: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A
# physiologically-based model for simulation of color vision deficiency", IEEE Transactions on Visualization
# and Computer Graphics 15 (6), 2009, table of severity 1.0.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
# Linear RGB to CIE XYZ, IEC 61966-2-1; then to CIE L*a*b* with the white of D65.
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
TOLD_APART = 15  # difference in L*a*b*; 2.3 is just noticeable side by side


def lab(light: Numbers) -> Numbers:
    x, y, z = np.cbrt(TO_XYZ @ np.clip(light, 0, 1) / TO_XYZ.sum(axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("name", BLINDNESS)
def test_the_colours_are_told_apart(name: str) -> None:
    colours = [colour for _, colour, _ in SCALE]
    seen = [lab(BLINDNESS[name] @ linear(colour)) for colour in colours]
    for one, other in combinations(range(len(colours)), 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= TOLD_APART, (colours[one], colours[other])
    lightness = [light for light, _, _ in seen[1:]]
    assert lightness == sorted(lightness, reverse=True)  # the higher the risk, the darker


# Pictures


@pytest.mark.parametrize("size", [(1, 1), (2, 400), (400, 2), (5, 5)])
@pytest.mark.parametrize("kind", Kind)
def test_a_cell_of_any_size_has_its_mark(size: tuple[int, int], kind: Kind) -> None:
    grid = Grid(0, 0, *size, 1, 1)
    for text in ("", "7", "100%"):
        picture = picture_of(grid, [Mark(Cell(0, 0), kind, text, 0.3)])
        assert picture.shape == (size[1], size[0], 4)
        assert picture[..., 3].any() or not text


def test_a_picture_is_enlarged_until_marks_can_be_read() -> None:
    pixels = np.arange(60 * 60 * 3, dtype=np.uint8).reshape(60, 60, 3)
    large = Grid(0, 0, 100, 100, 4, 4)
    for pitch, factor in ((12.0, 3), (16.0, 2), (29.5, 2), (30.0, 1), (80.0, 1)):
        grid = Grid(5, 3.5, pitch, pitch + 1, 4, 4)
        larger = draw_boards(pixels, [(large, ()), (grid, ())])
        assert np.array_equal(larger, pixels.repeat(factor, axis=0).repeat(factor, axis=1))
        marks = [Mark(Cell(1, 1), Kind.SAFE)]
        marked = draw_boards(pixels, [(grid, marks)]) != draw_boards(pixels, [(grid, ())])
        box = grid.enlarged(factor).cell_box(Cell(1, 1))
        assert box.cut(marked.any(axis=2)).sum() == marked.any(axis=2).sum() > 0 or pitch > 60
    assert draw_boards(pixels, []).shape == pixels.shape
    screen = np.broadcast_to(pixels[:1, :1], (4320, 7680, 3))  # one of 8K would take 400 MB
    assert draw_boards(screen, [(Grid(0, 0, 16, 16, 9, 9), ())]).shape == screen.shape


def test_a_board_that_a_picture_cuts_off_is_marked_where_it_is_seen() -> None:
    pixels = np.full((70, 90, 3), 128, np.uint8)
    marks = [Mark(Cell(row, col), Kind.NEXT, "1") for row in range(5) for col in range(5)]
    for x, y in ((-20.5, -33), (40, 30.2), (200, 200)):
        grid = Grid(x, y, 20, 20, 5, 5)
        wide = draw_marks(np.full((400, 400, 3), 128, np.uint8), Grid(x + 100, y + 100, 20, 20, 5, 5), marks)
        assert np.array_equal(draw_marks(pixels, grid, marks), wide[100:170, 100:190])
    assert (pixels == 128).all()
