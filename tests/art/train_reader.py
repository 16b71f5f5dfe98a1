"""Draw samples of scenes, train the cell reader on them, and write its weights. PyTorch is needed to train.

Run from the repository root, PyTorch (2.4 or newer), onnx and msgspec in an environment of their own beside
numpy, opencv-python and Pillow; the fonts are those of the tests and fonts-noto-color-emoji. One command
draws, trains and writes the weights; started again, it goes on where it was:

    PYTHONPATH=.:tests python -m art.train_reader all FOLDER --hours 3

It draws with all processors but one while the network learns, on a GPU if there is one: ``--hours 0.15`` is
enough there with 16 processors. The same by parts:

    PYTHONPATH=.:tests python -m art.train_reader samples FOLDER --shards 160 --seed 1
    PYTHONPATH=.:tests python -m art.train_reader train FOLDER --hours 3
    PYTHONPATH=.:tests python -m art.train_reader export FOLDER

``samples`` skips the shards that are there; each follows from its number and the seed alone. ``train`` writes
FOLDER/checkpoint-SEED.pt every few minutes and goes on from it when it is started again; it takes new shards
in while they are being drawn. The first time it starts from the weights in ``--start``, those of the
repository unless told otherwise; ``--start none --rate 2e-3`` starts from nothing. ``export`` writes the mean
of the checkpoints of several seeds (or of files named with ``--of``), each after its rate had fallen, mixed
with the weights that training started from (``--kept``): these read common looks best, the trained ones rare
looks, and the mixture both nearly as well. A core draws a shard of 110 MB in 5 s.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import time
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
FILES = 8  # shards that the samples of a batch are taken from
# Shards, the first ones, that are never trained on: they tell how far it is; and their part of rare looks.
HELD = {"common looks": 0.0, "rare looks": 1.0}
RARE = 0.45  # part of rare looks in all other shards
RATE = 5e-4  # enough to learn more from trained weights
OFFSET_WEIGHT = 0.5
_SAVED, _REPORTED = 180, 1200  # seconds between checkpoints, and between reports

Labels = npt.NDArray[np.int8]
Offsets = npt.NDArray[np.float32]
Shard = tuple[Pixels, Labels, Offsets]


def write_samples(folder: Path, first: int, shards: int, seed: int, step: int = 1) -> None:
    """Write those of ``shards`` shards from ``first`` that are missing in ``folder``, every ``step``-th."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + shards, step):
        path = folder / f"{number:04}.npy"
        if path.exists():
            continue
        rng, start = np.random.default_rng((seed, number)), time.monotonic()
        rare = dict(enumerate(HELD.values())).get(number, RARE)
        cells = np.empty((SHARD, WINDOW * SIDE, WINDOW * SIDE, 4), np.uint8)
        labels = np.empty((SHARD, WINDOW, WINDOW), np.int8)
        offsets = np.empty((SHARD, WINDOW, WINDOW, 2), np.float32)
        done = 0
        while done < SHARD:
            for sample in samples(rng, random_scene(rng, rare), min(OF_SCENE, SHARD - done)):
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
    """Return the samples of a shard (they stay in the file until they are used), their labels and offsets."""
    truth = np.load(path.with_suffix(".npz"))
    return np.load(path, mmap_mode="r"), truth["labels"], truth["offsets"]


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


def layer(inner: int, outer: int, kernel: int, stride: int = 1, pad: int = 1) -> Any:
    """Return a convolution with its batch norm and ReLU."""
    from torch import nn

    convolution = nn.Conv2d(inner, outer, kernel, stride, pad, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outer), nn.ReLU(inplace=True))


def build() -> Any:
    """Return the network: (n, 4, rows * SIDE, cols * SIDE) in 0 to 1, to (n, LABELS + 4, rows, cols).

    Those are the scores of the labels, then cosine and sine of the offset across and down, in turns. Its
    parts `look` and `judge` are written apart; between them stands `bot.vision.networks.summary`.
    """
    import torch
    from torch import nn

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


def train(folder: Path, hours: float, options: argparse.Namespace) -> None:
    """Train for ``hours`` in all, over restarts, and write the network."""
    import torch

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    checkpoint, state, step, spent = folder / f"checkpoint-{options.seed}.pt", None, 0, 0.0
    rng, shards = np.random.default_rng((options.seed, 0)), dict[Path, Shard]()
    network, average, first = build(), build(), None
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=device)
        step, spent, first = state["step"], state["spent"], state["start"]
        rng = np.random.default_rng((options.seed, step))
    elif options.start.is_dir():
        paths = shards_of(folder)[len(HELD) :]
        parts = [recoloured(rng, _batch(rng, [read_shard(path)], 16)[0]) for path in paths[:FILES]]
        load_weights(torch, network, options.start, np.concatenate(parts))
        first = {name: value.clone() for name, value in network.state_dict().items()}
    average.load_state_dict(network.state_dict())
    network, average = (each.to(device, memory_format=torch.channels_last) for each in (network, average))
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    if state is not None:
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])

    def save(spent: float) -> None:
        state = {"network": network.state_dict(), "average": average.state_dict(), "start": first}
        state |= {"optimiser": optimiser.state_dict(), "step": step, "spent": spent}
        torch.save(state, checkpoint.with_suffix(".part"))
        checkpoint.with_suffix(".part").replace(checkpoint)

    # Trained weights keep the measures of their batch norms: small batches have others.
    norms = [part for part in network.modules() if isinstance(part, torch.nn.BatchNorm2d)]
    fixed = norms if options.start.is_dir() else []
    start = saved = reported = time.monotonic()
    losses: list[float] = []
    if state is None:
        report(torch, average, held_shards(folder))
    while spent + time.monotonic() - start < 3600 * hours:
        if step % 50 == 0 or not shards:
            paths = shards_of(folder)[len(HELD) :]
            shards |= {path: read_shard(path) for path in paths if path not in shards}
        cells, labels, offsets = _batch(rng, list(shards.values()), options.batch)
        done = (spent + time.monotonic() - start) / (3600 * hours)
        set_rate(optimiser, options.rate, step, done)
        network.train()
        for part in fixed:
            part.eval()
        x = _inputs(torch, recoloured(rng, cells), device)
        with torch.autocast(device.type, torch.bfloat16, enabled=_has_bfloat16(torch, device)):
            said = network(x)
        said = said.float()
        wanted = torch.from_numpy(labels.astype(np.int64)).to(device)
        loss = torch.nn.functional.cross_entropy(said[:, :LABELS], wanted, ignore_index=UNSURE)
        loss = loss + OFFSET_WEIGHT * offset_loss(torch, said[:, LABELS:], offsets)
        learn(torch, network, optimiser, loss)
        step += 1
        follow(torch, average, network, min(0.998, step / (step + 20)))
        losses.append(float(loss.detach()))
        if step % 50 == 0:
            print(f"step {step}, {100 * done:.1f} %, loss {np.mean(losses[-50:]):.4f}", flush=True)
        if time.monotonic() - saved > _SAVED:
            saved = time.monotonic()
            save(spent + saved - start)
        if time.monotonic() - reported > _REPORTED:
            reported = time.monotonic()
            report(torch, average, held_shards(folder))
    save(spent + time.monotonic() - start)
    export_mean([checkpoint], held_shards(folder), options.out, options.kept)


def load_weights(torch: Any, network: Any, folder: Path, cells: Pixels) -> None:
    """Load the weights that `export` wrote to ``folder`` into a network of `build`.

    The files have no batch norms any more: each becomes one that changes nothing on ``cells``, samples
    (n, height, width, 4) uint8.
    """
    import onnx
    from onnx import numpy_helper

    biases: dict[Any, Any] = {}
    with torch.no_grad():
        for name in ("look", "judge"):
            graph = onnx.load(str(folder / f"reader-{name}.onnx")).graph
            values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
            for node in (node for node in graph.node if node.op_type == "Conv"):
                convolution = getattr(network, name).get_submodule(node.output[0].split("/")[-2])
                convolution.weight.copy_(torch.from_numpy(values[node.input[1]].copy()))
                biases[convolution] = torch.from_numpy(values[node.input[2]].copy())
        for part in network.modules():
            if isinstance(part, torch.nn.Conv2d) and part.bias is not None:
                part.bias.copy_(biases[part])
        for layer in (part for part in network.modules() if isinstance(part, torch.nn.Sequential)):
            if isinstance(layer[0], torch.nn.Conv2d):
                layer[0].register_forward_hook(_calibrating(torch, layer[1], biases[layer[0]]))
        network.eval()(_inputs(torch, cells, torch.device("cpu")))
        for convolution in biases:
            convolution._forward_hooks.clear()


def _calibrating(torch: Any, norm: Any, bias: Any) -> Any:
    """Return a hook that makes a batch norm add ``bias`` to what it gets, and nothing else."""

    def calibrate(_: Any, __: Any, out: Any) -> None:
        var, mean = torch.var_mean(out, (0, 2, 3))
        norm.running_var.copy_(var)
        norm.running_mean.copy_(mean)
        norm.weight.copy_(torch.sqrt(var + norm.eps))
        norm.bias.copy_(mean + bias)

    return calibrate


def _has_bfloat16(torch: Any, device: Any) -> bool:
    """Return whether the half precision is faster: GPUs have it, and processors with AVX-512."""
    return device.type == "cuda" or "AVX512" in torch.backends.cpu.get_cpu_capability()


def offset_loss(torch: Any, turned: Any, offsets: Offsets) -> Any:
    """Return how far cosines and sines (n, 4, rows, cols) are from those of the offsets, mean square."""
    known = torch.from_numpy(~np.isnan(offsets[..., 0])).to(turned.device)
    turns = torch.from_numpy(np.nan_to_num(2 * np.pi * offsets)).to(turned.device)
    wanted = torch.stack(
        [turns[..., 0].cos(), turns[..., 0].sin(), turns[..., 1].cos(), turns[..., 1].sin()], 1
    )
    squares = ((turned - wanted) ** 2).mean(1) * known
    return squares.sum() / (known.sum() + 1)


def _batch(rng: np.random.Generator, shards: Sequence[Shard], size: int) -> Shard:
    """Return a batch from a few shards: samples that follow each other are of one scene."""
    chosen = [shards[int(index)] for index in rng.integers(0, len(shards), FILES)]
    places = [rng.choice(SHARD, size // FILES, replace=False) for _ in chosen]
    parts = zip(
        *((part[np.sort(at)] for part in one) for one, at in zip(chosen, places, strict=True)), strict=True
    )
    cells, labels, offsets = (np.concatenate(part) for part in parts)
    return cells, labels, offsets


def _inputs(torch: Any, cells: Pixels, device: Any) -> Any:
    x = torch.from_numpy(np.array(cells)).to(device).permute(0, 3, 1, 2)
    return x.to(memory_format=torch.channels_last).float() / 255


def set_rate(optimiser: Any, rate: float, step: int, done: float) -> None:
    """Set the rate, which rises to ``rate`` in the first steps and falls until all is ``done``, 0 to 1."""
    falling = 0.02 + 0.98 * (0.5 + 0.5 * math.cos(math.pi * min(1, done)))
    for group in optimiser.param_groups:
        group["lr"] = rate * min(1, (step + 1) / 100) * falling


def learn(torch: Any, network: Any, optimiser: Any, loss: Any) -> None:
    """Move the weights of a network against the gradient of a loss."""
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def follow(torch: Any, average: Any, network: Any, keep: float) -> None:
    """Move the weights of an average towards those of a network; ``keep`` is the part that stays."""
    with torch.no_grad():
        theirs = network.state_dict()
        for name, value in average.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(keep).add_(theirs[name].float(), alpha=1 - keep)
            else:
                value.copy_(theirs[name])


def held_shards(folder: Path) -> dict[str, Path]:
    """Return the shards that are never trained on, by what they show, as far as they are drawn."""
    paths = {name: folder / f"{number:04}.npy" for number, name in enumerate(HELD)}
    return {name: path for name, path in paths.items() if path.exists()}


def report(torch: Any, network: Any, held: dict[str, Path]) -> float:
    """Print what the network does on held shards; return the temperature that fits their labels best."""
    network.eval()
    device, temperatures, scale = next(network.parameters()).device, np.arange(0.6, 2.5, 0.1), np.zeros(19)
    for name, path in held.items():
        cells, shown, offsets = read_shard(path)
        scores, off = [], []
        with torch.no_grad():
            for at in range(0, SHARD, 32):
                out = network(_inputs(torch, cells[at : at + 32], device)).cpu()
                scores.append(out[:, :LABELS])
                off.append(float(offset_loss(torch, out[:, LABELS:], offsets[at : at + 32])))
        flat = torch.cat(scores).permute(0, 2, 3, 1).reshape(-1, LABELS)
        wanted = torch.from_numpy(shown.astype(np.int64)).reshape(-1)
        flat, wanted = flat[wanted != UNSURE], wanted[wanted != UNSURE]
        chosen = flat.argmax(1)
        cell, said = wanted != NO_CELL, chosen != NO_CELL
        figures = {
            "states right": (chosen == wanted)[cell].float().mean(),
            "cells missed": (~said)[cell].float().mean(),
            "cells invented": said[~cell].float().mean(),
        }
        losses = [float(torch.nn.functional.cross_entropy(flat / t, wanted)) for t in temperatures]
        scale += losses
        each = " ".join(f"{float((chosen == wanted)[wanted == n].float().mean()):.3f}" for n in range(LABELS))
        words = ", ".join(f"{what} {float(value):.5f}" for what, value in figures.items())
        print(
            f"{name}: {words}, offsets {np.mean(off):.4f}, loss {min(losses):.4f}; each: {each}", flush=True
        )
    return float(temperatures[scale.argmin()]) if held else 1.0


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
        write_onnx(getattr(network, name), example, folder / f"reader-{name}.onnx", axes)


def write_onnx(part: Any, example: Any, path: Path, axes: dict[str, dict[int, str]] | None = None) -> None:
    """Write a part of a network with the dimensions of ``example``, but for the ``axes`` of any size."""
    import torch

    words = {"input_names": ["in"], "output_names": ["out"], "dynamic_axes": axes}
    torch.onnx.export(part, (example,), str(path), dynamo=False, **words)
    print(f"{path}: {path.stat().st_size} bytes", flush=True)


def export_mean(checkpoints: Sequence[Path], held: dict[str, Path], out: Path, kept: float) -> None:
    """Write the mean of the networks of some checkpoints, and ``kept`` parts of what they started from."""
    import torch

    found = [torch.load(path, map_location="cpu") for path in checkpoints]
    mean = dict(found[-1]["average"])
    for name, value in mean.items():
        if value.dtype.is_floating_point:
            mean[name] = torch.stack([each["average"][name] for each in found]).mean(0)
            if (start := found[-1]["start"]) is not None:
                mean[name] = torch.lerp(mean[name], start[name], kept)
    network = build()
    network.load_state_dict(mean)
    out.mkdir(parents=True, exist_ok=True)
    export(network, out, report(torch, network, held))


def draw_and_train(folder: Path, options: argparse.Namespace) -> None:
    """Draw all shards in processes of their own, and train as soon as there are enough of them."""
    start, processes = time.monotonic(), max(1, (os.cpu_count() or 2) - 1)
    spawn, asked = multiprocessing.get_context("spawn"), (options.shards, options.seed)
    drawing = [
        spawn.Process(target=write_samples, args=(folder, first, *asked, processes), daemon=True)
        for first in range(processes)
    ]
    for process in drawing:
        process.start()
    while len(shards_of(folder)) < min(options.shards, len(HELD) + 2 * FILES):
        if not any(process.is_alive() for process in drawing):
            raise SystemExit("no samples could be drawn")
        time.sleep(1)
    train(folder, options.hours - (time.monotonic() - start) / 3600, options)


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["all", "samples", "train", "export"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0, help="shard")
    parser.add_argument("--shards", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hours", type=float, default=3.0)
    parser.add_argument("--rate", type=float, default=RATE, help="the highest")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--start", type=Path, default=Path("bot/vision/weights"), help="weights to start from"
    )
    parser.add_argument("--batch", type=int, default=48, help="samples in a batch")
    parser.add_argument("--out", type=Path, default=Path("bot/vision/weights"))
    parser.add_argument(
        "--kept", type=float, default=0.5, help="part of the weights to start from in the new"
    )
    parser.add_argument("--of", type=Path, nargs="+", help="checkpoints to export the mean of")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.command == "samples":
        write_samples(options.folder, options.first, options.shards, options.seed)
    elif options.command == "export":
        checkpoints = options.of or sorted(options.folder.glob("checkpoint-*.pt"))
        export_mean(checkpoints, held_shards(options.folder), options.out, options.kept)
    elif options.command == "train":
        train(options.folder, options.hours, options)
    else:
        draw_and_train(options.folder, options)


if __name__ == "__main__":
    main()
