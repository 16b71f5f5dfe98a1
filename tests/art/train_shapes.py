"""Train the networks of `bot.vision.unknown.shapes` and write their weights.

It needs PyTorch, which the project itself does not: ``pip install torch`` into an environment of its own
that also has numpy, opencv-python and pillow, and the fonts that `art.fonts` names: ``.ci/packages test``
installs them.

    python tests/art/train_shapes.py samples FOLDER --kind shapes --shards 100
    python tests/art/train_shapes.py samples FOLDER --kind shapes --shards 8 --held-out
    python tests/art/train_shapes.py train FOLDER --kind shapes --minutes 30
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from art.digit_samples import digit_samples  # noqa: E402  (runs as a script, outside the test session)
from art.samples import style_samples  # noqa: E402
from bot.vision.unknown.shapes import WEIGHTS, prepared  # noqa: E402

SAMPLERS = {"shapes": style_samples, "digits": digit_samples}
CLASSES = {"shapes": 16, "digits": 12}
GROUPS = 90  # boards in a shard
BATCH = 10  # boards in a step
NONE_WEIGHT = 0.5  # of samples that are no state or digit: there are more of them than of any other class

Group = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]


def write_samples(folder: Path, kind: str, shards: int, held_out: bool, seed: int) -> None:
    """Write shards of samples: cells (GROUPS, n, 24, 24, 3) and labels (GROUPS, n)."""
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(shards):
        rng = np.random.default_rng([seed, shard, held_out])
        groups: list[Group] = []
        while len(groups) < GROUPS:
            groups += SAMPLERS[kind](rng, held_out)
        path = folder / f"{kind}-{'held' if held_out else 'train'}-{shard:04d}.npz"
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb") as file:
            np.savez(file, cells=np.stack([g[0] for g in groups]), labels=np.stack([g[1] for g in groups]))
        unfinished.rename(path)  # training may already be reading the folder


def read_shards(paths: list[Path]) -> Group:
    """Return the groups of all shards."""
    parts = [np.load(path) for path in paths]
    return np.concatenate([part["cells"] for part in parts]), np.concatenate(
        [part["labels"] for part in parts]
    )


class Trainer:
    """A network in PyTorch, layer by layer the one that `bot.vision.unknown.shapes` runs in numpy."""

    def __init__(self, classes: int, seed: int) -> None:
        self.torch: Any = importlib.import_module("torch")
        self.torch.manual_seed(seed)
        self.classes = classes
        shapes = {
            "conv1": (20, 4, 5, 5),
            "conv2": (32, 20, 3, 3),
            "conv3": (64, 32, 3, 3),
            "own": (96, 64 * 9),
            "others": (48, 2 * 96),
            "joined": (64, 96 + 48),
            "out": (classes, 64),
        }
        self.weights: dict[str, Any] = {}
        for name, shape in shapes.items():
            spread = (2 / np.prod(shape[1:])) ** 0.5
            self.weights[name] = (self.torch.randn(*shape) * spread).requires_grad_()
            self.weights[f"{name}_bias"] = self.torch.zeros(shape[0]).requires_grad_()

    def logits(self, inputs: Any, context: Any) -> Any:
        """Return the scores (groups, n, classes) of ``inputs`` (groups, n, 4, 24, 24).

        ``context`` (groups, n) is 1 for the cells that the others are seen beside.
        """
        functional, weights = self.torch.nn.functional, self.weights
        groups, count = inputs.shape[:2]
        x = inputs.flatten(0, 1)
        x = functional.relu(
            functional.conv2d(x, weights["conv1"], weights["conv1_bias"], stride=2, padding=2)
        )
        x = functional.relu(functional.conv2d(x, weights["conv2"], weights["conv2_bias"], padding=1))
        x = functional.max_pool2d(x, 2)
        x = functional.relu(functional.conv2d(x, weights["conv3"], weights["conv3_bias"], padding=1))
        own = self._dense("own", functional.max_pool2d(x, 2).flatten(1)).reshape(groups, count, -1)
        seen = own * context[..., None]
        mean = seen.sum(1) / context.sum(1, keepdim=True)
        others = self._dense("others", self.torch.cat([mean, seen.amax(1)], 1))
        both = self.torch.cat([own, others[:, None].expand(-1, count, -1)], 2)
        last = self._dense("joined", both)
        return functional.linear(last, weights["out"], weights["out_bias"])

    def _dense(self, name: str, x: Any) -> Any:
        linear = self.torch.nn.functional.linear(x, self.weights[name], self.weights[f"{name}_bias"])
        return self.torch.relu(linear)

    def arrays(self, temperature: float) -> dict[str, npt.NDArray[np.float16]]:
        """Return the weights in the order that numpy wants: channels last; scores over ``temperature``."""
        arrays = {name: weight.detach().numpy() for name, weight in self.weights.items()}
        for name in ("conv1", "conv2", "conv3"):
            arrays[name] = arrays[name].transpose(2, 3, 1, 0)
        own = arrays["own"].reshape(96, 64, 3, 3).transpose(2, 3, 1, 0)
        arrays["own"] = own.reshape(-1, 96)
        for name in ("others", "joined", "out"):
            arrays[name] = arrays[name].T
        arrays["out"], arrays["out_bias"] = arrays["out"] / temperature, arrays["out_bias"] / temperature
        return {name: np.ascontiguousarray(array).astype(np.float16) for name, array in arrays.items()}

    def resume(self, arrays: Mapping[str, npt.NDArray[np.float16]]) -> None:
        """Take over weights that `arrays` gave."""
        found = {name: array.astype(np.float32) for name, array in arrays.items()}
        for name in ("conv1", "conv2", "conv3"):
            found[name] = found[name].transpose(3, 2, 0, 1)
        found["own"] = found["own"].reshape(3, 3, 64, 96).transpose(3, 2, 0, 1).reshape(96, -1)
        for name in ("others", "joined", "out"):
            found[name] = found[name].T
        for name, array in found.items():
            self.weights[name] = self.torch.from_numpy(np.ascontiguousarray(array)).requires_grad_()


def inputs_of(trainer: Trainer, cells: npt.NDArray[np.uint8]) -> Any:
    """Return groups of cells as the network takes them, (groups, n, 4, 24, 24), channels last in memory."""
    flat = prepared(cells.reshape(-1, *cells.shape[2:])).reshape(*cells.shape[:4], 4)
    return trainer.torch.from_numpy(flat).permute(0, 1, 4, 2, 3)


def recoloured(rng: np.random.Generator, cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return groups of cells, some in other colours: channels exchanged, negative, lighter or darker."""
    cells = cells.copy()
    for group in range(len(cells)):
        if rng.random() < 0.3:
            cells[group] = cells[group][..., rng.permutation(3)]
        if rng.random() < 0.15:
            cells[group] = 255 - cells[group]
        if rng.random() < 0.3:
            table = np.clip(np.arange(256) * rng.uniform(0.6, 1.1) + rng.uniform(-10, 30), 0, 255)
            cells[group] = table.astype(np.uint8)[cells[group]]
    return cells


def batches(folder: Path, kind: str, rng: np.random.Generator) -> Iterator[Group]:
    """Yield batches of groups for ever, from the shards that there are by then."""
    while True:
        paths = sorted(folder.glob(f"{kind}-train-*.npz"))
        chosen = rng.choice(len(paths), min(len(paths), 6), replace=False)
        cells, labels = read_shards([paths[index] for index in chosen])
        order = rng.permutation(len(cells))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            part = order[start : start + BATCH]
            yield recoloured(rng, cells[part]), labels[part]


def contexts(rng: np.random.Generator, labels: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Return which cells stand for the board in each group: any number of them, at least one."""
    groups, count = labels.shape
    share = rng.uniform(0, 1, (groups, 1))
    chosen = rng.random((groups, count)) < share
    chosen[np.arange(groups), rng.integers(0, count, groups)] = True
    return chosen.astype(np.float32)


def train(
    folder: Path, kind: str, minutes: float, seed: int, out: Path, resume: Path | None, rate: float
) -> None:
    """Train for a number of minutes and write the weights, again and again as they get better."""
    trainer, rng = Trainer(CLASSES[kind], seed), np.random.default_rng(seed)
    if resume is not None:
        trainer.resume(dict(np.load(resume)))
    torch = trainer.torch
    torch.set_num_threads(1)
    counts = torch.ones(CLASSES[kind])
    counts[-1] = NONE_WEIGHT
    optimiser = torch.optim.AdamW(trainer.weights.values(), lr=rate, weight_decay=1e-3)
    start = saved = time.monotonic()
    for step, (cells, labels) in enumerate(batches(folder, kind, rng), 1):
        done = (time.monotonic() - start) / (60 * minutes)
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * min(1, done)))
        context = torch.from_numpy(contexts(rng, labels))
        with torch.autocast("cpu", torch.bfloat16):  # half the time, where the processor can
            scores = trainer.logits(inputs_of(trainer, cells), context).float().flatten(0, 1)
        wanted = torch.from_numpy(labels.astype(np.int64)).flatten()
        loss = torch.nn.functional.cross_entropy(scores, wanted, counts, ignore_index=-1)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 50 == 0:
            print(f"step {step}, {100 * done:.0f} %, loss {float(loss.detach()):.3f}", flush=True)
        if time.monotonic() - saved > 120 or done >= 1:
            saved = time.monotonic()
            np.savez_compressed(out, **trainer.arrays(report(trainer, folder, kind)))  # type: ignore[arg-type]
        if done >= 1:
            return


def report(trainer: Trainer, folder: Path, kind: str) -> float:
    """Print what the network does on held-out styles and return the temperature that fits them best."""
    torch = trainer.torch
    cells, labels = read_shards(sorted(folder.glob(f"{kind}-held-*.npz"))[:3])
    with torch.no_grad():
        parts = [
            trainer.logits(inputs_of(trainer, cells[at : at + 10]), torch.ones(labels[at : at + 10].shape))
            for at in range(0, len(cells), 10)
        ]
    scores, wanted = torch.cat(parts).flatten(0, 1), torch.from_numpy(labels.astype(np.int64)).flatten()
    known = wanted >= 0
    scores, wanted = scores[known], wanted[known]
    right = scores.argmax(1) == wanted
    each = [float(right[wanted == label].float().mean()) for label in range(trainer.classes)]
    print("held out:", round(float(right.float().mean()), 4), *(f"{part:.3f}" for part in each))
    losses = {t: float(torch.nn.functional.cross_entropy(scores / t, wanted)) for t in np.arange(0.7, 3, 0.1)}
    best = min(losses, key=lambda t: losses[t])
    print(f"loss {losses[best]:.4f} at temperature {best:.1f}", flush=True)
    return float(best)


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["samples", "train"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kind", choices=list(SAMPLERS), default="shapes")
    parser.add_argument("--shards", type=int, default=100)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--rate", type=float, default=2e-3)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.command == "samples":
        write_samples(options.folder, options.kind, options.shards, options.held_out, options.seed)
    else:
        out = options.out or WEIGHTS / f"{options.kind}.npz"
        train(options.folder, options.kind, options.minutes, options.seed, out, options.resume, options.rate)


if __name__ == "__main__":
    main()
