"""Draw samples of scenes, train the cell reader on them, and write its weights. PyTorch is needed to train.

Run from the repository root, PyTorch (2.4 or newer) and onnx in an environment of its own beside numpy,
opencv-python and Pillow; the fonts are those of the tests and fonts-noto-color-emoji:

    PYTHONPATH=.:tests python -m art.train_reader samples FOLDER --shards 160 --seed 1
    PYTHONPATH=.:tests python -m art.train_reader train FOLDER --hours 3
    PYTHONPATH=.:tests python -m art.train_reader export FOLDER --of first.pt second.pt

``samples`` skips the shards that are there; each follows from its number and the seed alone. ``train`` writes
FOLDER/checkpoint.pt every few minutes and goes on from it when it is started again; it takes new shards in
while they are being drawn. ``export`` writes the mean of checkpoints that were copied aside, each after the
rate had fallen. A core draws a shard of 110 MB in 5 s; 6 GB of them are in memory at a time.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from art.scenes import UNSURE, WINDOW, random_scene, samples
from bot.geometry import Pixels
from bot.vision.networks import LABELS, NO_CELL, OWN, SIDE, SUMS

SHARD = 512  # samples in a file
OF_SCENE = 4  # samples of one scene
BATCH, FILES = 48, 8  # samples in a batch, and shards that they are taken from
IN_MEMORY, STAY = 48, 12  # shards that are in memory at a time, and steps after which one makes room
HELD = 1  # shards, the first ones, that are never trained on: they tell how far it is
RATE = 2e-3
OFFSET_WEIGHT = 0.5
_SAVED = 180  # seconds between checkpoints

Labels = npt.NDArray[np.int8]
Offsets = npt.NDArray[np.float32]
Shard = tuple[Pixels, Labels, Offsets]


def write_samples(folder: Path, first: int, shards: int, seed: int) -> None:
    """Write the shards that are missing in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + shards):
        path = folder / f"{number:04}.npy"
        if path.exists():
            continue
        rng, start = np.random.default_rng((seed, number)), time.monotonic()
        cells = np.empty((SHARD, WINDOW * SIDE, WINDOW * SIDE, 4), np.uint8)
        labels = np.empty((SHARD, WINDOW, WINDOW), np.int8)
        offsets = np.empty((SHARD, WINDOW, WINDOW, 2), np.float32)
        done = 0
        while done < SHARD:
            for sample in samples(rng, random_scene(rng), min(OF_SCENE, SHARD - done)):
                cells[done], labels[done], offsets[done] = sample
                done += 1
        np.savez(path.with_suffix(".npz"), labels=labels, offsets=offsets)
        np.save(path.with_suffix(".part.npy"), cells)
        path.with_suffix(".part.npy").replace(path)
        print(f"{path.name} in {time.monotonic() - start:.0f} s", flush=True)


def shards_of(folder: Path) -> list[Path]:
    """Return the finished shards of a folder."""
    return sorted(path for path in folder.glob("[0-9]*.npy") if path.stem.isdigit())


def read_shard(path: Path) -> Shard:
    """Return the samples of a shard, their labels and offsets."""
    truth = np.load(path.with_suffix(".npz"))
    return np.load(path), truth["labels"], truth["offsets"]


def recoloured(rng: np.random.Generator, cells: Pixels) -> Pixels:
    """Return samples (n, height, width, 4), some of them in other colours."""
    table = np.empty((len(cells), 3, 256), np.uint8)
    order = np.tile(np.arange(3), (len(cells), 1))
    ramp = np.arange(256, dtype=np.float32)
    for index in range(len(cells)):
        gain, shift = np.ones(3), np.zeros(3)
        if rng.random() < 0.3:
            gain, shift = np.full(3, rng.uniform(0.6, 1.3)), np.full(3, rng.uniform(-30, 30))
        if rng.random() < 0.2:
            gain = gain * rng.uniform(0.7, 1.1, 3)
        if rng.random() < 0.1:  # light is dark
            gain, shift = -gain, 255 - shift
        if rng.random() < 0.12:
            order[index] = rng.permutation(3)
        for channel in range(3):
            table[index, channel] = np.clip(ramp * gain[channel] + shift[channel], 0, 255)
    out = np.empty_like(cells)
    for index, sample in enumerate(cells):
        for channel in range(3):
            out[index, ..., channel] = table[index, channel][sample[..., order[index, channel]]]
        out[index, ..., 3] = sample[..., 3]
        out[index][sample[..., 3] == 0] = 0
    return out


def build() -> Any:
    """Return the network: (n, 4, rows * SIDE, cols * SIDE) in 0 to 1, to (n, LABELS + 4, rows, cols).

    Those are the scores of the labels, then cosine and sine of the offset across and down, in turns. Its
    parts `look` and `judge` are written apart; between them stands `bot.vision.networks.summary`.
    """
    import torch
    from torch import nn

    def layer(inner: int, outer: int, kernel: int, stride: int = 1, pad: int = 1) -> Any:
        convolution = nn.Conv2d(inner, outer, kernel, stride, pad, bias=False)
        return nn.Sequential(convolution, nn.BatchNorm2d(outer), nn.ReLU(inplace=True))

    class Look(nn.Module):  # type: ignore[misc,unused-ignore]
        """See each cell with its margin: what it looks like, what it adds to the summary, and how much."""

        def __init__(self) -> None:
            super().__init__()
            self.seen = nn.Sequential(
                layer(4, 24, 5, 2, 2),
                layer(24, 40, 3, 2),
                layer(40, 64, 3),
                nn.MaxPool2d(2),
                layer(64, 96, 3),
                layer(96, OWN, 3, 3, 0),
            )
            self.sums, self.gate = layer(OWN, SUMS, 1, pad=0), nn.Conv2d(OWN, 1, 1)

        def forward(self, x: Any) -> Any:
            own = self.seen(x)
            return torch.cat([own, self.sums(own), self.gate(own)], 1)

    class Judge(nn.Module):  # type: ignore[misc,unused-ignore]
        """Look at each cell again, among its neighbours, knowing the summary of all."""

        def __init__(self) -> None:
            super().__init__()
            self.joined = layer(OWN + 2 * SUMS, 160, 1, pad=0)
            self.around, self.again = layer(160, 128, 3), layer(128, 128, 3)
            self.first, self.second = nn.Conv2d(160, LABELS + 4, 1), nn.Conv2d(128, LABELS + 4, 1)

        def forward(self, x: Any) -> Any:
            own = self.joined(x)
            around = self.around(own)
            return self.first(own) + self.second(around + self.again(around))

    class Reader(nn.Module):  # type: ignore[misc,unused-ignore]
        """Both parts, and the summary between them: the mean and the most of what looks like cells."""

        def __init__(self) -> None:
            super().__init__()
            self.look, self.judge = Look(), Judge()

        def forward(self, x: Any) -> Any:
            own, sums, gate = torch.split(self.look(x), [OWN, SUMS, 1], 1)
            gate = torch.sigmoid(gate)
            mean = (gate * sums).mean((2, 3), keepdim=True) / (gate.mean((2, 3), keepdim=True) + 0.01)
            most = torch.amax(gate * sums, (2, 3), keepdim=True)
            summary = torch.cat([mean, most], 1).expand(-1, -1, *own.shape[2:])
            return self.judge(torch.cat([own, summary], 1))

    return Reader()


def train(folder: Path, hours: float, seed: int, out: Path, threads: int) -> None:
    """Train for ``hours`` in all, over restarts, and write the network."""
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    network = build().to(memory_format=torch.channels_last)
    average = build()
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-2)
    step, spent = 0, 0.0
    checkpoint = folder / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["spent"]
    rng, start, saved, losses = np.random.default_rng((seed, step)), time.monotonic(), time.monotonic(), []
    shards = deque[Shard](maxlen=IN_MEMORY)
    while spent + time.monotonic() - start < 3600 * hours:
        if step % STAY == 0 or not shards:
            paths = shards_of(folder)[HELD:]
            for _ in range(1 if shards else min(len(paths), IN_MEMORY)):
                shards.append(read_shard(paths[int(rng.integers(len(paths)))]))
        cells, labels, offsets = _batch(rng, shards)
        done = (spent + time.monotonic() - start) / (3600 * hours)
        rate = (
            RATE * min(1, (step + 1) / 200) * (0.02 + 0.98 * (0.5 + 0.5 * math.cos(math.pi * min(1, done))))
        )
        for group in optimiser.param_groups:
            group["lr"] = rate
        network.train()
        x = _inputs(torch, recoloured(rng, cells))
        with torch.autocast("cpu", torch.bfloat16):  # half the time, where the processor can
            said = network(x).float()
        wanted = torch.from_numpy(labels.astype(np.int64))
        loss = torch.nn.functional.cross_entropy(said[:, :LABELS], wanted, ignore_index=UNSURE)
        loss = loss + OFFSET_WEIGHT * offset_loss(torch, said[:, LABELS:], offsets)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        step += 1
        _follow(torch, average, network, min(0.998, step / (step + 20)))
        losses.append(float(loss.detach()))
        if step % 50 == 0:
            print(f"step {step}, {100 * done:.1f} %, loss {np.mean(losses[-50:]):.4f}", flush=True)
        if time.monotonic() - saved > _SAVED:
            saved = time.monotonic()
            state = {"network": network.state_dict(), "average": average.state_dict(), "step": step}
            state |= {"optimiser": optimiser.state_dict(), "spent": spent + time.monotonic() - start}
            torch.save(state, checkpoint.with_suffix(".part"))
            checkpoint.with_suffix(".part").replace(checkpoint)
            report(torch, average, shards_of(folder)[:HELD])
    export(average, out, report(torch, average, shards_of(folder)[:HELD]))


def offset_loss(torch: Any, turned: Any, offsets: Offsets) -> Any:
    """Return how far cosines and sines (n, 4, rows, cols) are from those of the offsets, mean square."""
    known = torch.from_numpy(~np.isnan(offsets[..., 0]))
    turns = torch.from_numpy(np.nan_to_num(2 * np.pi * offsets))
    wanted = torch.stack(
        [turns[..., 0].cos(), turns[..., 0].sin(), turns[..., 1].cos(), turns[..., 1].sin()], 1
    )
    squares = ((turned - wanted) ** 2).mean(1) * known
    return squares.sum() / (known.sum() + 1)


def _batch(rng: np.random.Generator, shards: Sequence[Shard]) -> Shard:
    """Return a batch from a few shards: samples that follow each other are of one scene."""
    chosen = [shards[int(index)] for index in rng.integers(0, len(shards), FILES)]
    places = [rng.choice(SHARD, BATCH // FILES, replace=False) for _ in chosen]
    parts = zip(
        *((part[np.sort(at)] for part in one) for one, at in zip(chosen, places, strict=True)), strict=True
    )
    cells, labels, offsets = (np.concatenate(part) for part in parts)
    return cells, labels, offsets


def _inputs(torch: Any, cells: Pixels) -> Any:
    x = torch.from_numpy(np.ascontiguousarray(cells)).permute(0, 3, 1, 2)
    return x.to(memory_format=torch.channels_last).float() / 255


def _follow(torch: Any, average: Any, network: Any, keep: float) -> None:
    with torch.no_grad():
        theirs = network.state_dict()
        for name, value in average.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(keep).add_(theirs[name].float(), alpha=1 - keep)
            else:
                value.copy_(theirs[name])


def report(torch: Any, network: Any, shards: list[Path]) -> float:
    """Print what the network does on held shards; return the temperature that fits their labels best."""
    network.eval()
    scores, labels, off = [], [], []
    with torch.no_grad():
        for path in shards:
            cells, shown, offsets = read_shard(path)
            for at in range(0, SHARD, 32):
                out = network(_inputs(torch, cells[at : at + 32]))
                scores.append(out[:, :LABELS])
                off.append(float(offset_loss(torch, out[:, LABELS:], offsets[at : at + 32])))
                labels.append(torch.from_numpy(shown[at : at + 32].astype(np.int64)))
    flat, wanted = torch.cat(scores).permute(0, 2, 3, 1).reshape(-1, LABELS), torch.cat(labels).reshape(-1)
    flat, wanted = flat[wanted != UNSURE], wanted[wanted != UNSURE]
    chosen = flat.argmax(1)
    cell, said = wanted != NO_CELL, chosen != NO_CELL
    figures = {
        "states right": (chosen == wanted)[cell].float().mean(),
        "cells missed": (~said)[cell].float().mean(),
        "cells invented": said[~cell].float().mean(),
    }
    losses = {t: float(torch.nn.functional.cross_entropy(flat / t, wanted)) for t in np.arange(0.6, 2.5, 0.1)}
    best = min(losses, key=lambda t: losses[t])
    each = " ".join(f"{float((chosen == wanted)[wanted == n].float().mean()):.3f}" for n in range(LABELS))
    words = ", ".join(f"{name} {float(value):.5f}" for name, value in figures.items())
    fit = f"offsets {np.mean(off):.4f}, loss {losses[best]:.4f} at temperature {best:.1f}"
    print(f"held shards: {words}, {fit}; each: {each}", flush=True)
    return float(best)


def export(network: Any, folder: Path, temperature: float) -> None:
    """Write the two parts of the network as ONNX; its scores are divided by ``temperature``."""
    import torch

    network.eval()
    with torch.no_grad():
        for last in (network.judge.first, network.judge.second):
            last.weight[:LABELS].div_(temperature)
            last.bias[:LABELS].div_(temperature)
    examples = {"look": torch.zeros(1, 4, 6 * SIDE, 8 * SIDE), "judge": torch.zeros(1, OWN + 2 * SUMS, 6, 8)}
    axes = {"in": {2: "height", 3: "width"}, "out": {2: "rows", 3: "cols"}}
    for name, example in examples.items():
        part, path = getattr(network, name), folder / f"reader-{name}.onnx"
        words = {"input_names": ["in"], "output_names": ["out"], "dynamic_axes": axes}
        torch.onnx.export(part, (example,), str(path), dynamo=False, **words)
        print(f"{path}: {path.stat().st_size} bytes", flush=True)


def export_mean(checkpoints: Sequence[Path], held: list[Path], out: Path) -> None:
    """Write the mean of the networks of some checkpoints, which reads new art better than each of them."""
    import torch

    states = [torch.load(path)["average"] for path in checkpoints]
    mean = dict(states[-1])
    for name, value in mean.items():
        if value.dtype.is_floating_point:
            mean[name] = torch.stack([state[name] for state in states]).mean(0)
    network = build()
    network.load_state_dict(mean)
    export(network, out, report(torch, network, held))


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["samples", "train", "export"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0, help="shard")
    parser.add_argument("--shards", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hours", type=float, default=3.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("bot/vision/weights"))
    parser.add_argument("--of", type=Path, nargs="+", help="checkpoints to export the mean of")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.command == "samples":
        write_samples(options.folder, options.first, options.shards, options.seed)
    elif options.command == "train":
        train(options.folder, options.hours, options.seed, options.out, options.threads)
    else:
        checkpoints = options.of or [options.folder / "checkpoint.pt"]
        export_mean(checkpoints, shards_of(options.folder)[:HELD], options.out)


if __name__ == "__main__":
    main()
