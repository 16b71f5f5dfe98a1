"""Run a benchmark by name: ``python tests/bench hints --games 40`` runs bench_hints.py."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = (TESTS / "bench", TESTS / "live")
BENCHMARKS = {
    path.stem.removeprefix("bench_"): path for folder in FOLDERS for path in folder.glob("bench_*.py")
}

if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in BENCHMARKS:
        sys.exit(f"give one of {', '.join(sorted(BENCHMARKS))}; each of them has --help")
    sys.path[:0] = [str(folder) for folder in (TESTS.parent, TESTS, *FOLDERS)]
    sys.argv[:2] = [str(BENCHMARKS[name])]
    runpy.run_path(sys.argv[0], run_name="__main__")
