"""Build minebot for Windows under Wine: ``python .github/program/build_under_wine.py FOLDER``.

A test of the build, with versions that run under Wine; the release workflow builds what users get, on
Windows. It writes what ``build.py`` writes, and prints the sizes. Needs a Python with minebot, Wine and Xvfb.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bot.targets.launch import virtual_display, wine_prefix
from windows_python import run_windows, windows_python

BUILD = Path(__file__).with_name("build.py")
PATIENCE = 1800.0  # seconds


def main() -> None:
    """Build, zip, and print the sizes."""
    folder = Path(sys.argv[1]).absolute()
    python = windows_python(building=True)
    with virtual_display(), wine_prefix() as wine:
        done = run_windows(python, [str(BUILD), f"Z:{folder}"], wine.environment, timeout=PATIENCE)
    if done.returncode:
        raise SystemExit(f"it failed: {done.stderr.strip()}")
    print(done.stdout.strip())


if __name__ == "__main__":
    main()
