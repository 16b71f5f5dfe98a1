"""Build minebot as a folder with a program, and zip it.

Run from the repository root, with a Python that has minebot and PyInstaller:
``python .github/program/build.py FOLDER``. It writes the folder ``FOLDER/minebot``, with the compiled solver,
and a zip of it whose name tells version, system and processor.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

HERE = Path(__file__).parent


def zip_name(version: str, system: str = sys.platform, machine: str = platform.machine()) -> str:
    """Return the name of the zip, such as minebot-0.1.0-windows-x86_64.zip."""
    systems = {"win32": "windows", "darwin": "macos"}
    machines = {"AMD64": "x86_64", "ARM64": "aarch64"}
    return f"minebot-{version}-{systems.get(system, system)}-{machines.get(machine, machine)}.zip"


def zip_folder(folder: Path, archive: Path) -> None:
    """Zip ``folder`` under its own name; programs stay executable, and links stay links."""
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as zipped:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = ZipInfo.from_file(path, str(path.relative_to(folder.parent)))
            entry.compress_type = ZIP_DEFLATED
            content = path.read_bytes()
            if path.is_symlink():
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
                content = os.fsencode(path.readlink())
            zipped.writestr(entry, content)


def add_compiled_solver(program: Path) -> None:
    """Let the program in a folder compile the solver, and put the result beside the solver's sources."""
    done = subprocess.run([program / "minebot", "compile"], check=True, stdout=subprocess.PIPE, text=True)
    compiled = Path(done.stdout.splitlines()[-1])  # compile prints where
    [sources] = program.rglob("solver/kernel")
    shutil.copytree(compiled, sources / compiled.name)


def megabytes(*paths: Path) -> float:
    """Return the size of all files in ``paths`` together, in MB."""
    return sum(path.lstat().st_size for path in paths if path.is_file()) / 1e6


def main() -> None:
    """Build, zip, and print the sizes."""
    import bot

    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".build")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(target), "--workpath", str(target / "work"), str(HERE / "minebot.spec")]
    subprocess.run(command, check=True)
    program, archive = target / "minebot", target / zip_name(bot.__version__)
    add_compiled_solver(program)
    zip_folder(program, archive)
    print(f"{program}: {megabytes(*program.rglob('*')):.0f} MB; {archive}: {megabytes(archive):.0f} MB")


if __name__ == "__main__":
    main()
