"""Draw the pictures of ``.github/docs/vision.md``: the steps from a screenshot to a reading.

Run from the repository root: ``PYTHONPATH=.:tests python tests/tools/draw_vision.py``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from bot.board import CHARACTERS
from bot.geometry import Grid, Pixels, Rect
from bot.vision import load_picture, save_picture
from bot.vision.clusters import find_clusters, grounds_of
from bot.vision.judgement import judge
from bot.vision.locate import MARGIN, Located, align, best_rectangle, boards_in
from bot.vision.networks import score_cells
from bot.vision.reading import Side
from bot.vision.seeds import find_seeds
from bot.vision.sides import settled
from fixture_boards import FIXTURES

SCREENSHOT = FIXTURES / "programs" / "gnome-mines-small-running.png"
FOLDER = Path(".github/pictures")
RED, GREEN, BLUE = (40, 40, 230), (60, 170, 40), (230, 120, 30)


def with_grid(pixels: Pixels, grid: Grid, colour: tuple[int, int, int]) -> Pixels:
    """Return the picture with the lines of a grid drawn on it."""
    drawn = pixels.copy()
    for row in range(grid.rows + 1):
        y = round(grid.y + row * grid.pitch_y)
        cv2.line(drawn, (round(grid.x), y), (round(grid.x + grid.width), y), colour, 1)
    for col in range(grid.cols + 1):
        x = round(grid.x + col * grid.pitch_x)
        cv2.line(drawn, (x, round(grid.y)), (x, round(grid.y + grid.height)), colour, 1)
    return drawn


def seeds(pixels: Pixels) -> Pixels:
    """Return the picture with the windows whose content repeats most regularly."""
    drawn = pixels.copy()
    for seed in find_seeds(pixels)[:5]:
        window = seed.window
        cv2.rectangle(drawn, (window.x, window.y), (window.right, window.bottom), BLUE, 2)
    return drawn


def first_board(pixels: Pixels) -> Located:
    """Return the clearest board in a picture. Raises SystemExit if there is none."""
    board = next(boards_in(pixels), None)
    if board is None:
        raise SystemExit("no board was found")
    return board


def lattice(pixels: Pixels) -> Pixels:
    """Return the picture with the grid of a seed (red) and the grid to which the reader moves it (green)."""
    start = find_seeds(pixels)[0].grid
    aligned, _ = align(start, score_cells(pixels, start))
    return with_grid(with_grid(pixels, start, RED), aligned, GREEN)


def evidence(pixels: Pixels) -> Pixels:
    """Return the picture coloured by the evidence for cells, with the rectangle that has the most of it."""
    board = first_board(pixels)
    around = board.grid.part(-MARGIN, -MARGIN, board.grid.rows + MARGIN, board.grid.cols + MARGIN)
    cells = np.clip(score_cells(pixels, around).cells, -4, 4)
    drawn = pixels.copy()
    for row, col in np.ndindex(*cells.shape):
        x, y = around.x + col * around.pitch_x, around.y + row * around.pitch_y
        place = drawn[
            max(0, round(y)) : round(y + around.pitch_y), max(0, round(x)) : round(x + around.pitch_x)
        ]
        tint = np.array(GREEN if cells[row, col] > 0 else RED) * abs(cells[row, col]) / 4
        place[:] = (place * (1 - 0.5 * abs(cells[row, col]) / 4) + 0.5 * tint).astype(np.uint8)
    (top, left, bottom, right), _ = best_rectangle(cells)
    found = around.part(top, left, bottom, right).rect
    cv2.rectangle(drawn, (found.x, found.y), (found.right, found.bottom), BLUE, 3)
    return drawn


def states(pixels: Pixels) -> Pixels:
    """Return the picture with the most likely state of each cell."""
    board = first_board(pixels)
    clusters, grounds = find_clusters(pixels, board.grid), grounds_of(pixels, board.grid)
    shown = judge(board.scores.labels, clusters, grounds).labels
    drawn = cv2.addWeighted(pixels, 0.5, np.full_like(pixels, 255), 0.5, 0)
    for row, col in np.ndindex(board.grid.rows, board.grid.cols):
        label = int(shown[row, col])
        x, y = (
            board.grid.x + (col + 0.3) * board.grid.pitch_x,
            board.grid.y + (row + 0.7) * board.grid.pitch_y,
        )
        cv2.putText(
            drawn, CHARACTERS[label], (round(x), round(y)), 0, board.grid.pitch_y / 40, (0, 0, 0), 2, 16
        )
    return np.asarray(drawn, np.uint8)


def sides(pixels: Pixels) -> Pixels:
    """Return a board four times: whole, without its surroundings, cut, and behind a window, with its odds."""
    whole = first_board(pixels)
    rect, size = whole.grid.rect, round(whole.grid.pitch_x)
    around = rect.grown(2 * size).cut(pixels)
    covered = around.copy()
    cut = Rect(rect.x - 2 * size, rect.y - 2 * size, rect.width - size // 2, rect.height + 4 * size)
    covered[:, -5 * size - size // 3 :] = (70, 50, 40)
    drawn = [_with_odds(each) for each in (around, rect.cut(pixels), cut.cut(pixels), covered)]
    height, width = (max(side) for side in zip(*(each.shape[:2] for each in drawn), strict=True))
    filled = [
        cv2.copyMakeBorder(
            each, 0, height - each.shape[0] + 12, 0, width - each.shape[1] + 12, 0, value=(255, 255, 255)
        )
        for each in drawn
    ]
    return np.asarray(np.vstack([np.hstack(filled[:2]), np.hstack(filled[2:])]), np.uint8)


def _with_odds(pixels: Pixels) -> Pixels:
    """Return the picture with the visible part of its board, and the odds at each side, in nats."""
    pixels = np.ascontiguousarray(pixels)
    found = first_board(pixels)
    board, odds = settled(pixels, found)
    drawn, rect = pixels.copy(), board.grid.rect
    cv2.rectangle(drawn, (rect.x, rect.y), (rect.right - 1, rect.bottom - 1), BLUE, 2)
    places = {
        Side.TOP: (rect.centre.x, rect.y + 20),
        Side.LEFT: (rect.x + 6, rect.centre.y),
        Side.BOTTOM: (rect.centre.x, rect.bottom - 10),
        Side.RIGHT: (rect.right - 70, rect.centre.y),
    }
    for side, (x, y) in places.items():
        ink = RED if odds[side] > 0 else GREEN
        for colour, width in (((255, 255, 255), 6), (ink, 2)):
            cv2.putText(drawn, f"{odds[side]:+.1f}", (x, y), 0, 0.6, colour, width, 16)
    return drawn


def main() -> None:
    """Save the four steps as one picture, and the evidence at the sides as another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--screenshot", type=Path, default=SCREENSHOT)
    parser.add_argument("--out", type=Path, default=FOLDER / "vision-steps.png")
    options = parser.parse_args()
    pixels = load_picture(options.screenshot)
    steps = [step(pixels) for step in (seeds, lattice, evidence, states)]
    rows = np.hstack(steps[:2]), np.hstack(steps[2:])
    save_picture(options.out, np.asarray(np.vstack(rows), np.uint8))
    save_picture(options.out.with_name("vision-sides.png"), sides(pixels))
    print(f"written: {options.out} and vision-sides.png beside it")


if __name__ == "__main__":
    main()
