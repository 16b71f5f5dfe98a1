"""Give damaged files to the commands that read them: none may crash minebot, hang it or fill the memory.

Run from the repository root, not on Windows: ``python tests/bench fuzz``. Good pictures, boards, records,
skins and files of learned data are damaged with seeds: bytes are changed, parts are cut off, repeated,
exchanged and inserted, numbers become absurd, lines are left out, names get a wrong ending. Each command runs
in a child of this process, which has loaded the program already. A run fails if it prints a traceback or an
internal error, ends with another code than those of the page on commands, or needs more than 10 seconds of
the processor (60 in all, for what waits) or 1 GB. The files of failures are kept in a folder that is printed,
with the command that repeats them.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import shutil
import signal
import sys
import tempfile
import traceback
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import NamedTuple, NoReturn

os.environ["OMP_NUM_THREADS"] = "1"  # read when numpy is imported: a child has only the thread that forks it

import cv2
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.damage import ENDINGS, damaged, ending
from bot.__main__ import main as minebot
from bot.cli.commands import COMMANDS
from bot.game.board_files import Notation, written
from bot.solver.kernel.build.compilation import compile_kernel
from bot.solver.published.korlyakova import SHIPPED, Experience
from fixture_boards import FIXTURES, fixture_boards

PICTURES = sorted(FIXTURES.rglob("*.png"))
RECORDS = sorted(FIXTURES.glob("records/*/record.jsonl"))
TEMPLATES = sorted(path.parent for path in FIXTURES.parent.glob("templates/*/skin.toml"))
PATTERNS = SHIPPED.with_name("patterns.txt")
GUESS = "6 x 6 / 12\n......\n......\n..32..\n..23..\n......\n......\n"  # it takes what was learned

CODES = (0, 1, 2, 3, 4, 143)  # the exit codes in the page on commands
SECONDS, WAIT = 10, 60  # the most processor time of a command, and the most time in all on a busy machine
MEMORY = 1 << 30

Command = Sequence[object]


# Kinds of files: each function writes a damaged file in ``folder``, and returns the commands that read it


def pictures(random: Random, folder: Path) -> list[Command]:
    kind, pixels = random.choice(ENDINGS), cv2.imread(str(random.choice(PICTURES)))
    assert pixels is not None
    path = folder / f"picture{ending(kind, random)}"
    path.write_bytes(damaged(cv2.imencode(kind, pixels)[1].tobytes(), random))
    return [("replay", path, "--json")]


def boards(random: Random, folder: Path) -> list[Command]:
    name = random.choice(PICTURES).relative_to(FIXTURES).with_suffix("")
    text = written(random.choice(fixture_boards(str(name))).board, random.choice(list(Notation)))
    path = folder / f"board{ending('.txt', random)}"
    path.write_bytes(damaged(text.encode(), random))
    return [("hint", path), ("solve", path)]


def records(random: Random, folder: Path) -> list[Command]:
    content = random.choice(RECORDS).read_bytes()
    if random.random() < 0.5:  # damage a picture in it
        picture = random.choice(list(re.finditer(rb'(?<="png":")[^"]+', content)))
        inside = b64encode(damaged(b64decode(picture[0]), random))
        content = content[: picture.start()] + inside + content[picture.end() :]
    else:
        content = damaged(content, random)
    (folder / "record.jsonl").write_bytes(content)
    return [("replay", folder, "--check", "--report", folder / "page.html")]


def skins(random: Random, folder: Path) -> list[Command]:
    skin = folder / "damaged"
    shutil.copytree(random.choice(TEMPLATES), skin)
    path = random.choice((skin / "skin.toml", random.choice(sorted(skin.glob("*.png")))))
    path.write_bytes(damaged(path.read_bytes(), random))
    return [("replay", FIXTURES / "winemine-beginner-running.png", "--skins", folder, "--json")]


def experience(random: Random, folder: Path) -> list[Command]:
    board, patterns = folder / "board.txt", folder / "patterns.txt"
    board.write_text(GUESS, encoding="utf-8")
    if random.random() < 0.3:
        patterns.write_bytes(damaged(PATTERNS.read_bytes(), random))
        library: Command = ("patterns", "--verify", "--library", patterns)
        return [library, ("hint", board, "--strategy", "novitsky", "--learned", folder)]
    content = random.choice(experiences())
    if random.random() < 0.5:  # damage what is compressed
        *facts, packed = content.split(b"\n", 2)
        content = b"\n".join((*facts, zlib.compress(damaged(zlib.decompress(packed), random), 1)))
    else:
        content = damaged(content, random)
    (folder / "experience.bin").write_bytes(content)
    learned = ("--strategy", "korlyakova", "--learned", folder)
    return [("hint", board, *learned), ("bench", "--games", 1, "--level", "beginner", *learned)]


@cache
def experiences() -> list[bytes]:
    """Return the content of the shipped experience file, and of two smaller ones."""
    shipped = Experience.load(SHIPPED)
    return [shipped.often(times).written() for times in (1, 10, 1000)]


KINDS = {kind.__name__: kind for kind in (pictures, boards, records, skins, experience)}


class Run(NamedTuple):
    """How a command ended: its exit code or -signal, processor time, most memory in bytes, and output."""

    code: int
    seconds: float
    memory: int
    output: str

    @property
    def fault(self) -> str:
        """What is wrong with this run, "" if nothing is."""
        if self.code in (-signal.SIGXCPU, -signal.SIGALRM):
            return f"more than {SECONDS} s"
        if self.memory > MEMORY:
            return f"{self.memory >> 20} MiB"
        if self.code not in CODES:
            return f"exit code {self.code}"
        crashed = "Traceback" in self.output or "internal error" in self.output
        return self.output.strip().splitlines()[-1] if crashed else ""


def run(command: Command, output: Path) -> Run:
    """Run minebot in a child of this process; write what it prints to the file ``output``."""
    child = os.fork()
    if not child:
        become(command, output)
    _, status, used = os.wait4(child, 0)
    code, seconds = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
    return Run(code, seconds, used.ru_maxrss << 10, output.read_text(encoding="utf-8", errors="replace"))


def become(command: Command, output: Path) -> NoReturn:
    """Run minebot in this process, and end it with minebot's exit code."""
    code: object = 1
    try:
        signal.alarm(WAIT)  # this and the limits also end compiled code
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (8 * MEMORY, 8 * MEMORY))  # for the sake of the machine
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for number, there in enumerate((os.open(os.devnull, os.O_RDONLY), file, file)):
            os.dup2(there, number)
        sys.argv, sys.stdout, sys.stderr = ["minebot", *map(str, command)], sys.__stdout__, sys.__stderr__
        minebot()
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def fuzz(kind: str, files: int, seed: int, work: Path) -> tuple[list[Run], int]:
    """Return the runs with damaged files of a kind, and how many failed; keep the files of those."""
    runs, failures, console = list[Run](), 0, Console(stderr=True)
    for number in track(range(files), kind, console=console, auto_refresh=False):  # no thread before a fork
        folder, before = work / f"{kind}-{number}", failures
        folder.mkdir()
        for command in KINDS[kind](Random(f"{seed} {kind} {number}"), folder):
            runs.append(run(command, work / "output.txt"))
            if fault := runs[-1].fault:
                failures += 1
                shown = shlex.join(["minebot", *map(str, command)])
                console.print(f"{fault}: {shown}", soft_wrap=True, markup=False)
        if failures == before:
            shutil.rmtree(folder)
    return runs, failures


def load_program() -> None:
    """Compile the solver, and import what commands import when they are run."""
    compile_kernel(lambda _done, _total: None)
    places = [place.partition(":")[0] for place, *_ in COMMANDS.values()]
    for name in (*places, "bot.record.check", "bot.record.report", "ortools.sat.python.cp_model"):
        import_module(name)
    cv2.setNumThreads(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--files", type=int, default=1000, help="of each kind (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed damages files in other ways")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this one; may be repeated")
    asked = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="minebot-fuzz-"))
    os.environ["XDG_DATA_HOME"] = str(work / "data")  # nothing that this user has learned
    load_program()
    table = Table("kind", "runs", "by exit code", "slowest s", "most MiB", "failures")
    failed = False
    with suppress(KeyboardInterrupt):
        for kind in asked.kind or KINDS:
            runs, failures = fuzz(kind, asked.files, asked.seed, work)
            codes = ", ".join(
                f"{code}: {count}" for code, count in sorted(Counter(r.code for r in runs).items())
            )
            slowest, memory = max(done.seconds for done in runs), max(done.memory for done in runs)
            table.add_row(kind, str(len(runs)), codes, f"{slowest:.1f}", f"{memory >> 20}", str(failures))
            failed = failed or bool(failures)
    Console(width=120).print(table)
    if failed:
        sys.exit(f"the files of the failures are in {work}")
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
