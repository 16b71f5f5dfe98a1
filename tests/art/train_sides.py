"""Draw boards whose sides end in view, go on or are hidden, train the side reader, and write its weights.

Run from the repository root, in an environment as that of `art.train_reader`. Started again, it draws only
what is missing; each shard follows from its number alone:

    PYTHONPATH=.:tests python -m art.train_sides FOLDER --shards 50 --steps 3000

On two cores it takes an hour. The first shard is never trained on: it tells how far the training is.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from art.ink import Generator
from art.scenes import Scene, inside_of_window, random_scene
from art.train_reader import follow, layer, learn, recoloured, set_rate, shards_of, write_onnx
from bot.geometry import Grid, Pixels
from bot.vision.networks import ACROSS, ALONG, NO_CELL
from bot.vision.sides import side_patches

ENDS, GOES_ON, ENDED_BEFORE, UNSURE = 0, 1, 2, -1
SCENES, OF_SCENE = 60, 4  # in a shard
SEEN = 48  # channels: what the side looks like at one place
PLACES, BATCH = 3, 16  # places of a side in training, and boards in a batch
RATE = 1.5e-3
_LEAST, _DEEPEST = 4, 6  # rows or columns of a board in view at least, and hidden at a side at most
_EXACT = 0.045  # of a cell: nobody sees that so little is hidden
_DOUBTFUL = 0.12  # of a cell in the outermost row: nobody knows whether more of it is hidden
_SHOWN = 0.35  # of a side must be in view
_OUT = np.array([-1, -1, 1, 1])  # outward, by the order of the sides: top, left, bottom, right
# Orders of the sides in which opposite ones stay opposite.
_ORDERS = [[(start + turn * side) % 4 for side in range(4)] for start in range(4) for turn in (1, -1)]

Labels = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Shard = tuple[Pixels, Labels]


@dataclass
class View:
    """A board in a picture of which only ``box`` (top, left, bottom, right) is shown.

    By side: the rows of the board that are ``hidden``, and the part of the side that is ``in_view``.
    """

    pixels: Pixels
    grid: Grid
    box: npt.NDArray[np.int_]
    hidden: Floats
    in_view: Floats

    @property
    def edges(self) -> Floats:
        """The places of the sides."""
        return _edges(self.grid)

    @property
    def pitch(self) -> Floats:
        """The size of a cell across each side."""
        return np.array([self.grid.pitch_y, self.grid.pitch_x] * 2)

    def place(self, side: int, depth: float) -> int:
        """Return the pixel that lies ``depth`` cells inside a side."""
        return round(float(self.edges[side] - _OUT[side] * depth * self.pitch[side]))


def _edges(grid: Grid) -> Floats:
    return np.array([grid.y, grid.x, grid.y + grid.height, grid.x + grid.width])


def _some_sides(rng: Generator, most: int) -> list[int]:
    sides: list[int] = rng.permutation(4)[: int(rng.integers(1, most + 1))].tolist()
    return sides


def _at_edges(rng: Generator, view: View) -> None:
    """Let the picture end exactly where the board ends, or a few pixels beyond."""
    exact = rng.random() < 0.5
    for side in _some_sides(rng, 4):
        margin = 0 if exact else int(rng.integers(1, 13))
        view.box[side] = round(float(view.edges[side])) + _OUT[side] * margin


def _depths(rng: Generator, view: View) -> Iterator[tuple[int, int]]:
    """Yield one or two sides and the pixel up to which they are hidden."""
    for side in _some_sides(rng, 2):
        most = min(((view.grid.rows, view.grid.cols)[side % 2] - _LEAST) / 2, _DEEPEST)
        if most > 0.3:
            whole = rng.random() < 0.1
            depth = float(rng.integers(1, max(2, int(most) + 1)) if whole else rng.uniform(0.02, most))
            place = view.place(side, depth)
            view.hidden[side] = abs(place - view.edges[side]) / view.pitch[side]
            yield side, place


def _cut_by_picture(rng: Generator, view: View) -> None:
    for side, place in _depths(rng, view):
        view.box[side] = place


def _behind_window(rng: Generator, view: View) -> None:
    """Lay a window over one or two sides; it may be no longer than the side."""
    for side, place in _depths(rng, view):
        area = view.box.copy()
        area[(side + 2) % 4] = place
        for across in ((side + 1) % 4, (side + 3) % 4):
            if rng.random() < 0.4:
                area[across] = view.place(across, -float(rng.uniform(0, 3)))
        _draw_window(rng, view.pixels, area)


def _behind_corner(rng: Generator, view: View) -> None:
    """Lay a window over a corner: both sides stay in view in part."""
    ends = int(rng.integers(2)) * 2, int(rng.integers(2)) * 2 + 1
    shares = rng.uniform(0.05, 0.8, 2)
    area = view.box.copy()
    for side, share in zip(ends, shares, strict=True):
        area[(side + 2) % 4] = view.place(side, float(share) * (view.grid.rows, view.grid.cols)[side % 2])
    view.in_view[list(ends)] = 1 - shares[::-1]
    _draw_window(rng, view.pixels, area)


def _draw_window(rng: Generator, pixels: Pixels, area: npt.NDArray[np.int_]) -> None:
    top, left, low, right = np.clip(area, 0, [*pixels.shape[:2], *pixels.shape[:2]]).tolist()
    if low <= top or right <= left:
        return
    window = inside_of_window(rng, (low - top, right - left, 3))
    if rng.random() < 0.5:
        ink = tuple(int(value) for value in rng.integers(0, 256, 3))
        cv2.rectangle(window, (0, 0), (right - left - 1, low - top - 1), ink, int(rng.integers(1, 5)))
    if rng.random() < 0.3:  # a title bar
        window[: int(rng.integers(14, 34))] = rng.integers(0, 256, 3)
    pixels[top:low, left:right] = window


def _unchanged(rng: Generator, view: View) -> None:
    """Leave the picture as it is."""


_CHANCES: dict[Callable[[Generator, View], None], float] = {
    _unchanged: 0.3,
    _at_edges: 0.2,
    _cut_by_picture: 0.25,
    _behind_window: 0.16,
    _behind_corner: 0.09,
}


def samples(rng: Generator, scene: Scene, count: int) -> Iterator[tuple[Pixels, Labels]]:
    """Yield patches at the sides of a board's visible part, as `side_patches` cuts them, with their labels.

    The rows and columns are those that a search may find: sometimes one or two too few, or one too many.
    """
    for _ in range(count):
        board = scene.boards[int(rng.integers(len(scene.boards)))]
        box = np.array([0, 0, *scene.pixels.shape[:2]])
        view = View(scene.pixels.copy(), board.grid, box, np.zeros(4), np.ones(4))
        change = list(_CHANCES)[int(rng.choice(len(_CHANCES), p=list(_CHANCES.values())))]
        change(rng, view)
        top, left, low, right = np.clip(view.box, 0, [*box[2:], *box[2:]]).tolist()
        picture, grid = view.pixels[top:low, left:right], board.grid.moved(-left, -top)
        outside = (np.array([0, 0, *picture.shape[:2]]) - _edges(grid)) * -_OUT / view.pitch
        view.hidden = np.maximum(view.hidden, outside)
        outer = board.labels[0], board.labels[:, 0], board.labels[-1], board.labels[:, -1]
        labels, less = np.empty(4, np.int8), [0] * 4
        for side in range(4):
            in_view = view.in_view[side] >= _SHOWN and (outer[side] != NO_CELL).mean() >= 0.5
            labels[side], less[side] = _found(rng, float(view.hidden[side]), in_view)
        part = grid.part(less[0], less[1], grid.rows - less[2], grid.cols - less[3])
        if min(part.rows, part.cols) >= _LEAST and min(picture.shape[:2]) >= _LEAST * view.pitch.min():
            yield side_patches(picture, _shaken(rng, part)), labels


def _found(rng: Generator, hidden: float, in_view: bool) -> tuple[int, int]:
    """Return the label of a side of which ``hidden`` rows cannot be seen, and how many rows are left out."""
    more = rng.random()
    if hidden <= _EXACT:
        if more < 0.12:
            return GOES_ON, int(rng.integers(1, 3))
        label = ENDS if in_view else UNSURE
        return (ENDED_BEFORE if in_view else UNSURE, -1) if more < 0.22 else (label, 0)
    rows = math.floor(hidden)
    part = hidden - rows  # of the row that is cut
    less = rows + int(part >= rng.uniform(0.15, 0.45)) + int(more < 0.08)
    return (UNSURE if rows == 0 and part < _DOUBTFUL else GOES_ON), less


def _shaken(rng: Generator, grid: Grid) -> Grid:
    """Return the grid with the usual errors of a search."""
    x, y = rng.normal(0, 0.02, 2) * [grid.pitch_x, grid.pitch_y]
    wide, tall = 1 + rng.normal(0, 0.02, 2) / [grid.cols, grid.rows]
    pitch = grid.pitch_x * float(wide), grid.pitch_y * float(tall)
    return Grid(grid.x + float(x), grid.y + float(y), *pitch, grid.rows, grid.cols)


def write_shards(folder: Path, shards: int) -> None:
    """Draw the shards that are missing in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(shards):
        path = folder / f"{number:04}.npy"
        if path.exists():
            continue
        rng, drawn, scenes = np.random.default_rng((9, number)), list[tuple[Pixels, Labels]](), 0
        while scenes < SCENES:
            scene = random_scene(rng, rare=0.3)
            if scene.boards:
                scenes += 1
                drawn += samples(rng, scene, OF_SCENE)
        patches, labels = zip(*drawn, strict=True)
        np.save(path.with_suffix(".labels"), np.stack(labels))
        np.save(path.with_suffix(".part.npy"), np.stack(patches))
        path.with_suffix(".part.npy").replace(path)
        print(f"{path.name}: {len(drawn)} boards", flush=True)


def read_shards(folder: Path) -> list[Shard]:
    """Return the shards of a folder; their patches stay in the files until they are used."""
    paths = shards_of(folder)
    return [(np.load(path, mmap_mode="r"), np.load(path.with_suffix(".labels.npy"))) for path in paths]


def build() -> Any:
    """Return the network: (boards, 4, places, 4, ACROSS, ALONG) in 0 to 1, to (boards, 4, 3).

    Its parts `look` and `judge` are written apart; `bot.vision.networks.score_sides` stands between them.
    """
    import torch
    from torch import nn

    class SideReader(nn.Module):  # type: ignore[misc,unused-ignore]
        """Look at each place of each side; then judge a side beside the others."""

        def __init__(self) -> None:
            super().__init__()
            whole = nn.Conv2d(48, SEEN, (ACROSS // 8, ALONG // 8))
            self.look = nn.Sequential(
                *(layer(4, 12, 5, 2, 2), layer(12, 24, 3, 2), layer(24, 32, 3), nn.MaxPool2d(2)),
                *(layer(32, 48, 3), whole, nn.Flatten(), nn.ReLU()),
            )
            self.judge = nn.Sequential(
                nn.Linear(6 * SEEN, 96), nn.ReLU(), nn.Linear(96, 64), nn.ReLU(), nn.Linear(64, 3)
            )

        def forward(self, x: Any) -> Any:
            seen = self.look(x.flatten(0, 2)).view(*x.shape[:3], SEEN)
            own = torch.cat([seen.mean(2), seen.amax(2)], 2)
            others = (own.sum(1, keepdim=True) - own) / 3
            return self.judge(torch.cat([own, others, own[:, [2, 3, 0, 1]]], 2))

    return SideReader()


def train(folder: Path, steps: int, out: Path, threads: int) -> None:
    """Train the network and write it as ONNX."""
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    network, average = build(), build()
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-2)
    (held, *shards), rng, losses = read_shards(folder), np.random.default_rng(1), list[float]()
    for step in range(steps):
        set_rate(optimiser, RATE, step, step / steps)
        network.train()
        x, wanted = _batch(torch, rng, shards)
        loss = torch.nn.functional.cross_entropy(
            network(x).reshape(-1, 3), wanted.reshape(-1), ignore_index=UNSURE
        )
        learn(torch, network, optimiser, loss)
        losses.append(float(loss.detach()))
        follow(torch, average, network, min(0.995, (step + 1) / (step + 21)))
        if step % 200 == 199:
            print(f"step {step + 1}, loss {np.mean(losses[-200:]):.4f}, {report(torch, average, held)[1]}")
    temperature, words = report(torch, average, held)
    print(f"{words}, temperature {temperature}")
    export(average, out, temperature)


def _inputs(torch: Any, patches: Pixels) -> Any:
    return torch.from_numpy(np.ascontiguousarray(patches)).permute(0, 1, 2, 5, 3, 4).float() / 255


def _batch(torch: Any, rng: Generator, shards: Sequence[Shard]) -> tuple[Any, Any]:
    """Return boards, recoloured, turned and mirrored, and the labels of their sides."""
    patches, labels = [], []
    for _ in range(BATCH):
        cells, shown = shards[int(rng.integers(len(shards)))]
        board, order = int(rng.integers(len(shown))), _ORDERS[int(rng.integers(len(_ORDERS)))]
        seen = cells[board][order][:, np.sort(rng.choice(cells.shape[2], PLACES, replace=False))]
        seen = recoloured(rng, seen.reshape(1, -1, *seen.shape[-2:])).reshape(seen.shape)
        patches.append(seen[:, :, :, ::-1] if rng.random() < 0.5 else seen)
        labels.append(shown[board][order])
    return _inputs(torch, np.stack(patches)), torch.from_numpy(np.stack(labels).astype(np.int64))


def report(torch: Any, network: Any, held: Shard) -> tuple[float, str]:
    """Return the temperature that fits the labels of a held shard best, and how many are right, in words."""
    network.eval()
    patches, labels = held
    with torch.no_grad():
        parts = [network(_inputs(torch, patches[at : at + 8])) for at in range(0, len(patches), 8)]
    said, wanted = torch.cat(parts).reshape(-1, 3), torch.from_numpy(labels.astype(np.int64)).reshape(-1)
    said, wanted = said[wanted != UNSURE], wanted[wanted != UNSURE]
    losses = {t: float(torch.nn.functional.cross_entropy(said / t, wanted)) for t in np.arange(0.7, 2.1, 0.1)}
    table = [[int(((wanted == a) & (said.argmax(1) == b)).sum()) for b in range(3)] for a in range(3)]
    return min(losses, key=lambda t: losses[t]), f"true ends, goes on, ended before: {table}"


def export(network: Any, folder: Path, temperature: float) -> None:
    """Write the two parts of the network as ONNX; its scores are divided by ``temperature``."""
    import torch

    network.eval()
    with torch.no_grad():
        for values in network.judge[-1].parameters():
            values.div_(temperature)
    examples = {"look": torch.zeros(32, 4, ACROSS, ALONG), "judge": torch.zeros(4, 6 * SEEN)}
    for part, example in examples.items():
        write_onnx(getattr(network, part), example, folder / f"sides-{part}.onnx")


def main() -> None:
    """Draw, train and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, default=50)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("bot/vision/weights"))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    write_shards(options.folder, options.shards)
    train(options.folder, options.steps, options.out, options.threads)


if __name__ == "__main__":
    main()
