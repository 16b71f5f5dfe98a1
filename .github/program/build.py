"""Build minebot as a folder with a program, and zip it.

Run from the repository root, with a Python that has minebot and PyInstaller:
``python .github/program/build.py FOLDER``. It writes the folder ``FOLDER/minebot``, with the compiled
solver and the licences of everything in it, and a zip of it whose name tells version, system and processor.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import licenses

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


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


def add_texts(program: Path, sources: Path, version: str) -> None:
    """Add the licences of the files listed in ``sources``, and a README, to the program in a folder."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project["urls"]["Source"]
    collected = map(Path, sources.read_text(encoding="utf-8").splitlines())
    licenses.write(licenses.collect(collected, version), program / "licenses", address)
    shutil.copyfile(ROOT / "LICENSE", program / "LICENSE.txt")
    readme = (HERE / "README.txt").read_text(encoding="utf-8")
    (program / "README.txt").write_text(readme.format(version=version, address=address), encoding="utf-8")


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
    add_texts(program, target / "work" / "minebot" / "collected.txt", bot.__version__)
    zip_folder(program, archive)
    print(f"{program}: {megabytes(*program.rglob('*')):.0f} MB; {archive}: {megabytes(archive):.0f} MB")


if __name__ == "__main__":
    main()
