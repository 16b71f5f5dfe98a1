"""Draw glyphs of counters, train the network that tells their digits, and write its weights.

Run from the repository root, with PyTorch in the environment that `art.train_reader` describes:

    PYTHONPATH=.:tests python -m art.train_digits samples FOLDER --shards 100
    PYTHONPATH=.:tests python -m art.train_digits samples FOLDER --shards 8 --held-out
    PYTHONPATH=.:tests python -m art.train_digits train FOLDER --minutes 30
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from art.boards import damaged
from art.fonts import Lettering, letter, random_font
from art.ink import Canvas, Colour, Generator, Mask, apart, mixed, paint, random_colour, readable_on
from art.marks import FLAGS, MINES, Mark, draw_mark
from bot.geometry import Pixels
from bot.vision.networks import WEIGHTS, prepared

SIDE = 24  # pixels of a sample
COUNT = 48
TEXTS = (*"0123456789", "-")
MINUS, NO_DIGIT = 10, 11  # labels besides the digits
LABELS = 12
_FONTS = ("segments", "segments", "file", "file", "bitmap")
_LARGE = 64  # pixels of the canvas on which a glyph is drawn
_OTHER = "ACDEFGHJKLMNPQRTUVWXYaabcdeeefghkmnprtuvwxyz:/%+=#,.()"
GROUPS = 90  # counters in a shard
BATCH = 10  # counters in a step
NONE_WEIGHT = 0.5  # of samples that are no digit: there are more of them than of any other label
OWN, OTHERS = 96, 48  # channels: what a glyph looks like, and what the others add

Labels = npt.NDArray[np.int8]
Group = tuple[Pixels, Labels]


# Samples: displays of segments and text, cut glyph by glyph


def digit_samples(rng: Generator, held_out: bool = False) -> tuple[Pixels, Labels]:
    """Return the glyphs of one counter, uint8 (48, 24, 24, 3), and what they are, int8 (48,).

    Labels 0 to 9 are digits, 10 a minus sign, 11 none of them: nothing lit, a letter, an
    icon, a part of a digit, or two.
    """
    font = random_font(rng, held_out, () if rng.random() < 0.15 else _FONTS)
    ground = random_colour(rng, (0, 1), (0, 1)) if rng.random() < 0.5 else (0.0, 0.0, 0.0)
    ink = (
        (0.0, 0.0, 255.0)
        if rng.random() < 0.3 and apart((0, 0, 255), ground) > 40
        else readable_on(rng, ground)
    )
    ghost = (
        mixed(ground, ink, float(rng.uniform(0.1, 0.4)))
        if font.kind == "segments" and rng.random() < 0.5
        else None
    )
    slant = float(rng.uniform(0, 0.2)) if rng.random() < 0.25 else 0.0
    lettering = Lettering(font, 0.7, squeeze=float(rng.uniform(0.75, 1.25)), slant=slant)
    height = int(np.exp(rng.uniform(np.log(6), np.log(40))))
    cells, labels = [], []
    words = float(rng.uniform(0, 0.4))  # how much of the line is no number
    for _ in range(COUNT):
        label = NO_DIGIT if rng.random() < words else int(rng.integers(0, 12))
        canvas, mask = _drawn(rng, lettering, label, ground, ink, ghost)
        cells.append(_cut(rng, canvas, mask, height, label == 10))
        labels.append(label)
    sheet = damaged(rng, np.vstack(cells))
    return sheet.reshape(COUNT, SIDE, SIDE, 3), np.array(labels, np.int8)


def _drawn(
    rng: Generator, lettering: Lettering, label: int, ground: Colour, ink: Colour, ghost: Colour | None
) -> tuple[Canvas, Mask]:
    """Return a canvas with the glyph and the mask of the part that is to be cut out."""
    canvas = np.empty((_LARGE, _LARGE, 3), np.float32)
    canvas[:] = ground
    if label == NO_DIGIT:
        if rng.random() < 0.25:  # a place without a digit, or one whose segments are all off
            whole = letter(lettering, "8", _LARGE)
            paint(canvas, whole, ghost or ground)
            return canvas, whole
        return _no_digit(rng, canvas, lettering, ink)
    mask = letter(lettering, TEXTS[label], _LARGE)
    if ghost is None:
        paint(canvas, mask, ink)
        return canvas, mask
    whole = letter(lettering, "8", _LARGE)
    paint(canvas, whole, ghost)
    if label == 1:  # on a display it stands at the right; here both stand in the middle
        right = np.flatnonzero(whole.any(axis=0))[-1] - np.flatnonzero(mask.any(axis=0))[-1]
        mask = np.asarray(np.roll(mask, int(right), axis=1), dtype=np.float32)
    paint(canvas, mask, ink)
    return canvas, whole if rng.random() < 0.8 else mask


def _no_digit(rng: Generator, canvas: Canvas, lettering: Lettering, ink: Colour) -> tuple[Canvas, Mask]:
    kind = int(rng.integers(9))
    if kind == 0:
        mark = Mark(str(rng.choice([*FLAGS, *MINES])), 0.7, 0, 0, ink, random_colour(rng), random_colour(rng))
        draw_mark(canvas, mark)
        return canvas, _box(rng, canvas)
    if kind == 1:
        canvas[:] = cv2.resize(
            rng.uniform(0, 255, (6, 6, 3)), (_LARGE, _LARGE), interpolation=cv2.INTER_CUBIC
        )
        return canvas, _box(rng, canvas)
    if kind == 2:  # two digits at once
        mask = np.zeros((_LARGE, _LARGE), np.float32)
        for shift in (-14, 14):
            mask = np.maximum(mask, np.roll(letter(lettering, str(rng.integers(10)), _LARGE), shift, axis=1))
    elif kind == 3:  # a part of a digit
        mask = letter(lettering, "02568"[int(rng.integers(5))], _LARGE)
        mask[: int(rng.integers(28, 40))] = 0
    else:
        mask = _word_letter(rng, lettering)
    paint(canvas, mask, ink)
    return canvas, mask


def _word_letter(rng: Generator, lettering: Lettering) -> Mask:
    """Return a letter of the counter's font, if that has letters, or else of any other."""
    font = lettering.font
    if font.kind not in ("file", "bitmap", "hershey"):
        font = random_font(rng, False, ("file", "hershey"))
    text = _OTHER[int(rng.integers(len(_OTHER)))]
    return letter(replace(lettering, font=font), text, _LARGE)


def _box(rng: Generator, canvas: Canvas) -> Mask:
    edge = int(rng.integers(6, 16))
    mask = np.zeros(canvas.shape[:2], np.float32)
    mask[edge:-edge, edge:-edge] = 1
    return mask


def _cut(rng: Generator, canvas: Canvas, mask: Mask, height: int, flat: bool) -> Pixels:
    """Return the glyph cut at its edges with a margin, seen ``height`` pixels high, on a square of 24."""
    rows, cols = (np.flatnonzero(mask.max(axis=axis) > 0.3) for axis in (1, 0))
    if not len(rows):
        rows = cols = np.arange(20, 44)
    room = int(rng.integers(0, 8))
    side = 2 * room + (max(len(rows), len(cols)) if not flat or rng.random() < 0.5 else 44)
    middle = ((rows[0] + rows[-1] + 1) / 2, (cols[0] + cols[-1] + 1) / 2)
    top, left = (round(at - side / 2) for at in middle)
    padded = np.pad(canvas, ((_LARGE, _LARGE), (_LARGE, _LARGE), (0, 0)), mode="edge")
    square = padded[_LARGE + top : _LARGE + top + side, _LARGE + left : _LARGE + left + side]
    seen = cv2.resize(square, (height, height), interpolation=cv2.INTER_AREA)
    method = cv2.INTER_AREA if height > SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(seen, (SIDE, SIDE), interpolation=method)).clip(0, 255).astype(np.uint8)


# Training


def write_samples(folder: Path, shards: int, held_out: bool, seed: int) -> None:
    """Write shards of samples: glyphs (GROUPS, n, 24, 24, 3) and labels (GROUPS, n)."""
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(shards):
        rng = np.random.default_rng([seed, shard, held_out])
        groups = [digit_samples(rng, held_out) for _ in range(GROUPS)]
        path = folder / f"{'held' if held_out else 'train'}-{shard:04d}.npz"
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb") as file:
            np.savez(file, glyphs=np.stack([g[0] for g in groups]), labels=np.stack([g[1] for g in groups]))
        unfinished.rename(path)  # training may already be reading the folder


def read_shards(paths: list[Path]) -> Group:
    """Return the groups of all shards."""
    parts = [np.load(path) for path in paths]
    glyphs = np.concatenate([part["glyphs"] for part in parts])
    return glyphs, np.concatenate([part["labels"] for part in parts])


def build() -> tuple[Any, Any]:
    """Return the two parts of the network, as `bot.vision.networks` runs them.

    The first turns glyphs (n, 4, 24, 24) into what each looks like (n, OWN), the second that and the mean and
    maximum over the counter (n, 3 * OWN) into scores (n, LABELS).
    """
    import torch
    from torch import nn

    look = nn.Sequential(
        *(nn.Conv2d(4, 20, 5, 2, 2), nn.ReLU()),
        *(nn.Conv2d(20, 32, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(32, 64, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(64, OWN, 3), nn.ReLU(), nn.Flatten()),
    )

    class Judge(nn.Module):  # type: ignore[misc,unused-ignore]
        """Tell what each glyph is, beside the others."""

        def __init__(self) -> None:
            super().__init__()
            self.others, self.joined = nn.Linear(2 * OWN, OTHERS), nn.Linear(OWN + OTHERS, 64)
            self.out = nn.Linear(64, LABELS)

        def forward(self, x: Any) -> Any:
            own, together = torch.split(x, [OWN, 2 * OWN], 1)
            others = torch.relu(self.others(together))
            return self.out(torch.relu(self.joined(torch.cat([own, others], 1))))

    return look, Judge()


def scores_of(parts: tuple[Any, Any], glyphs: npt.NDArray[np.uint8], context: npt.NDArray[np.float32]) -> Any:
    """Return the scores (groups * n, LABELS) of glyphs (groups, n, 24, 24, 3).

    ``context`` (groups, n) is 1 for the glyphs that the others are seen beside.
    """
    import torch

    groups, count = context.shape
    flat = torch.from_numpy(prepared(glyphs.reshape(-1, *glyphs.shape[2:]))).permute(0, 3, 1, 2)
    own = parts[0](flat).reshape(groups, count, -1)
    weight = torch.from_numpy(context)[..., None]
    mean = (own * weight).sum(1) / weight.sum(1)
    together = torch.cat([mean, (own * weight).amax(1)], 1)[:, None].expand(-1, count, -1)
    return parts[1](torch.cat([own, together], 2).flatten(0, 1))


def recoloured(rng: np.random.Generator, glyphs: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return groups of glyphs, some in other colours: channels exchanged, negative, lighter or darker."""
    glyphs = glyphs.copy()
    for group in range(len(glyphs)):
        if rng.random() < 0.3:
            glyphs[group] = glyphs[group][..., rng.permutation(3)]
        if rng.random() < 0.15:
            glyphs[group] = 255 - glyphs[group]
        if rng.random() < 0.3:
            lighter = glyphs[group] * rng.uniform(0.6, 1.2) + rng.uniform(-20, 20)
            glyphs[group] = np.clip(lighter, 0, 255).astype(np.uint8)
    return glyphs


def batches(folder: Path, rng: np.random.Generator) -> Iterator[Group]:
    """Yield batches from a few shards at a time, without end."""
    while True:
        paths = sorted(folder.glob("train-*.npz"))
        chosen = rng.choice(len(paths), min(len(paths), 6), replace=False)
        glyphs, labels = read_shards([paths[index] for index in chosen])
        order = rng.permutation(len(glyphs))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            part = order[start : start + BATCH]
            yield recoloured(rng, glyphs[part]), labels[part]


def contexts(rng: np.random.Generator, labels: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Return which glyphs stand for the counter in each group: any number of them, at least one."""
    groups, count = labels.shape
    chosen = rng.random((groups, count)) < rng.uniform(0, 1, (groups, 1))
    chosen[np.arange(groups), rng.integers(0, count, groups)] = True
    return chosen.astype(np.float32)


def train(folder: Path, minutes: float, seed: int, rate: float) -> None:
    """Train for a number of minutes and write the weights."""
    import torch

    torch.manual_seed(seed)
    parts, rng = build(), np.random.default_rng(seed)
    weights = torch.ones(LABELS)
    weights[-1] = NONE_WEIGHT
    optimiser = torch.optim.AdamW(
        [*parts[0].parameters(), *parts[1].parameters()], lr=rate, weight_decay=1e-3
    )
    start = time.monotonic()
    for step, (glyphs, labels) in enumerate(batches(folder, rng), 1):
        done = (time.monotonic() - start) / (60 * minutes)
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * min(1, done)))
        scores = scores_of(parts, glyphs, contexts(rng, labels))
        wanted = torch.from_numpy(labels.astype(np.int64)).flatten()
        loss = torch.nn.functional.cross_entropy(scores, wanted, weights, ignore_index=-1)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 50 == 0:
            print(f"step {step}, {100 * done:.0f} %, loss {float(loss.detach()):.3f}", flush=True)
        if done >= 1:
            export(parts, report(parts, folder))
            return


def report(parts: tuple[Any, Any], folder: Path) -> float:
    """Print what the network does on held-out fonts and return the temperature that fits them best."""
    import torch

    glyphs, labels = read_shards(sorted(folder.glob("held-*.npz"))[:3])
    with torch.no_grad():
        scores = scores_of(parts, glyphs, np.ones(labels.shape, np.float32))
    wanted = torch.from_numpy(labels.astype(np.int64)).flatten()
    scores, wanted = scores[wanted >= 0], wanted[wanted >= 0]
    losses = {t: float(torch.nn.functional.cross_entropy(scores / t, wanted)) for t in np.arange(0.7, 3, 0.1)}
    best = min(losses, key=lambda t: losses[t])
    right = float((scores.argmax(1) == wanted).float().mean())
    print(f"held out: {right:.4f} right, loss {losses[best]:.4f} at temperature {best:.1f}", flush=True)
    return float(best)


def export(parts: tuple[Any, Any], temperature: float) -> None:
    """Write both parts as ONNX; the scores are divided by ``temperature``."""
    import torch

    with torch.no_grad():
        parts[1].out.weight.div_(temperature)
        parts[1].out.bias.div_(temperature)
    examples = torch.zeros(3, 4, 24, 24), torch.zeros(3, 3 * OWN)
    for name, part, example in zip(("look", "judge"), parts, examples, strict=True):
        words = {"input_names": ["in"], "output_names": ["out"]}
        axes = {"in": {0: "n"}, "out": {0: "n"}}
        path = str(WEIGHTS / f"digits-{name}.onnx")
        torch.onnx.export(part.eval(), (example,), path, dynamic_axes=axes, dynamo=False, **words)


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["samples", "train"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, default=100)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.command == "samples":
        write_samples(options.folder, options.shards, options.held_out, options.seed)
    else:
        train(options.folder, options.minutes, options.seed, options.rate)


if __name__ == "__main__":
    main()
