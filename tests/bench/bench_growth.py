"""Read good files of a size, of twice and of four times that size: time and memory must grow no faster.

Run from the repository root, not on Windows: ``python tests/bench growth``. Each command runs in a child of
this process, which has loaded the program already; what the command needs without a file is not subtracted.
The benchmark fails if four times the size takes more than six times the time and a second.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from bench.bench_fuzz import PATTERNS, RECORDS, TEMPLATES, Command, load_program, run
from bot.solver.published.korlyakova import SHIPPED

SIZES = (1, 2, 4)
MOST_TIMES, GRACE = 6.0, 1.0  # of the time at the smallest size, and seconds, for four times the size

# Each function writes a file of ``size`` (1, 2 or 4) in ``folder``, and returns the command that reads it.


def record(size: int, folder: Path) -> Command:
    first, *rounds = RECORDS[0].read_bytes().splitlines(keepends=True)
    (folder / "record.jsonl").write_bytes(first + b"".join(rounds) * (25 * size))
    return ("stats", folder)


def record_of_one_line(size: int, folder: Path) -> Command:
    first, line, *_ = RECORDS[0].read_bytes().splitlines(keepends=True)
    long = line.replace(b'"reason":"first click"', b'"reason":"%b"' % (b"x" * (size << 23)))
    (folder / "record.jsonl").write_bytes(first + long)
    return ("stats", folder)


def board(size: int, folder: Path) -> Command:
    (folder / "board.txt").write_text(f"{125 * size} x 480 / 0\n" + f"{'0' * 480}\n" * (125 * size), "utf-8")
    return ("hint", folder / "board.txt")


def board_of_urbas(size: int, folder: Path) -> Command:
    row = " 0" * 480 + "\n"
    (folder / "board.txt").write_text(f"{125 * size} 480 0\n" + row * (125 * size), "utf-8")
    return ("hint", folder / "board.txt")


def skin(size: int, folder: Path) -> Command:
    (folder / "long").mkdir()
    for path in TEMPLATES[0].iterdir():
        (folder / "long" / path.name).write_bytes(path.read_bytes())
    description = folder / "long" / "skin.toml"
    description.write_text(description.read_text("utf-8") + "# a comment\n" * (1_200 * size), "utf-8")
    return ("replay", "fixtures/winemine-beginner-fresh.png", "--skins", folder, "--json")


def patterns(size: int, folder: Path) -> Command:
    head, *lines = PATTERNS.read_bytes().splitlines(keepends=True)
    (folder / "patterns.txt").write_bytes(head + b"".join(lines) * (4 * size))
    return ("patterns", "--verify", "--library", folder / "patterns.txt")


def experience(size: int, folder: Path) -> Command:
    (folder / "experience.bin").write_bytes(SHIPPED.read_bytes() + bytes(size << 22))
    (folder / "board.txt").write_text("2 x 2 / 1\n1.\n..\n", "utf-8")
    return ("hint", folder / "board.txt", "--strategy", "korlyakova", "--learned", folder)


def picture(size: int, folder: Path) -> Command:
    noise = np.random.default_rng(1).integers(0, 255, (60 * size, 480, 3), np.uint8)
    pixels = cv2.resize(noise, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(folder / "picture.png"), pixels)
    return ("replay", folder / "picture.png", "--json")


FORMATS: tuple[Callable[[int, Path], Command], ...] = (
    record,
    record_of_one_line,
    board,
    board_of_urbas,
    skin,
    patterns,
    experience,
    picture,
)


def main() -> None:
    """Measure, and print a table."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0]).parse_args()
    load_program()
    table, faults = Table("format", "MB", "exit code", "seconds", "most MiB"), list[str]()
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_DATA_HOME"] = name
        for write in FORMATS:
            runs, sizes = [], []
            for size in SIZES:
                folder = Path(name) / f"{write.__name__}-{size}"
                folder.mkdir()
                command = write(size, folder)
                sizes.append(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6)
                runs.append(run(command, Path(name) / "output.txt"))
            least, *_, most = (each.seconds for each in runs)
            if most > MOST_TIMES * least + GRACE or any(each.fault for each in runs):
                faults.append(write.__name__)
            columns = (
                " / ".join(f"{size:.1f}" for size in sizes),
                " / ".join(str(each.code) for each in runs),
                " / ".join(f"{each.seconds:.2f}" for each in runs),
                " / ".join(f"{each.memory >> 20}" for each in runs),
            )
            table.add_row(write.__name__.replace("_", " "), *columns)
    Console(width=120).print(table)
    if faults:
        sys.exit(f"too slow, or wrong: {', '.join(faults)}")


if __name__ == "__main__":
    main()
