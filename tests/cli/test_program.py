"""The program as a whole: help, wrong usage, errors in one line, signals, and exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bot import __version__
from bot.cli import use_one_thread
from bot.cli.commands import COMMANDS, EXAMPLES, command_named
from bot.cli.doctor import DATA
from bot.installation import minebot_command
from conftest import Run, one_line

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
WON = ROOT / "fixtures" / "winemine-beginner-won.png"
THREADS = """
import json, os, sys
import bot.__main__
early = sorted({"numpy", "cv2", "typer", "rich"} & set(sys.modules))
sys.argv = ["minebot", "--version"]
try:
    bot.__main__.main()
except SystemExit:
    pass
import cv2, numpy
numpy.ones((400, 400)) @ numpy.ones((400, 400))
threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
print(json.dumps([early, threads, cv2.getNumThreads()]))
"""


def test_every_command_and_option_has_a_help_text() -> None:
    for name in COMMANDS:
        command = command_named(name)
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_the_help_begins_with_examples_that_can_be_typed(run: Run) -> None:
    for name, examples in EXAMPLES.items():
        _, out, _ = run(*name.split(), "--help")
        usage, first, *_ = out.split("\n\n")
        assert usage.startswith("Usage: minebot")
        assert first == "\n".join(["Examples:", *(f"  {line}" for line in examples)])
        assert out.index("--help") > out.rindex("General:") < out.index("--debug")
        for line in examples:
            _, command, *words = line.split()
            known = {option for one in command_named(command).params for option in one.opts}
            assert {word for word in words if word.startswith("--")} <= known, line


def test_the_help_names_values_in_plain_words(run: Run) -> None:
    for name in COMMANDS:
        assert not re.search("<(str|int|float|path|file|dir)", run(name, "--help")[1])
    _, out, _ = run("play", "--help")
    assert re.search(r"--games N .*--record DIR .*--skins FOLDER ", " ".join(out.split()))


@pytest.mark.parametrize(
    ("typed", "number", "offered"), [("minebot pla", 1, "play"), ("minebot play --str", 2, "--strategy")]
)
def test_the_shell_completes_commands_and_options(typed: str, number: int, offered: str) -> None:
    asked = {"_MINEBOT_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(number)}
    done = subprocess.run(
        minebot_command(), env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [offered]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--version"], f"minebot {__version__}\n"), (["play", "--help"], "--dry-run"), ([], "replay")],
)
def test_version_and_help(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert words in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "No such command 'nothing': see `minebot --help`"),
        (["play", "--games", "-1"], "-1 is not in the range x>=0: see `minebot play --help`"),
        (["play", "--fast"], "--fast"),
        (["play", "--target"], "requires an argument"),
        (["replay"], "Missing argument"),
        (["--debug"], "Missing command"),
    ],
)
def test_wrong_usage_is_one_line_and_ends_with_2(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err.splitlines()[-1]
    if "--debug" not in arguments:
        one_line(err)


@pytest.mark.parametrize(
    "line",
    [
        "--debug play --speed warp",
        "play --debug --speed warp",
        "play --speed warp --debug",
        "play --games -1 --debug",
    ],
)
def test_debug_shows_where_from_anywhere_on_the_line(run: Run, line: str) -> None:
    assert "Traceback" in run(*line.split())[2]


def test_debug_may_be_a_value(run: Run) -> None:
    code, _, err = run("replay", "--", "--debug")
    assert code == 2
    assert "no picture --debug" in one_line(err)


@pytest.mark.parametrize(
    ("name", "before", "code", "words"),
    [
        ("SIGINT", signal.default_int_handler, 4, "minebot: stopped: Ctrl+C was pressed\n"),
        ("SIGINT", signal.SIG_IGN, 4, "minebot: stopped: Ctrl+C was pressed\n"),  # as in the background
        ("SIGTERM", signal.SIG_DFL, 143, ""),
        ("SIGHUP", signal.SIG_DFL, 129, ""),
    ],
)
def test_a_signal_ends_the_whole_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, before: signal.Handlers, code: int, words: str
) -> None:
    if not hasattr(signal, name):
        pytest.skip(f"there is no {name} here")
    number, loaded = getattr(signal, name), list[Path]()

    def load(picture: Path) -> None:
        loaded.append(picture)
        signal.raise_signal(number)

    monkeypatch.setattr("bot.cli.replay.load_picture", load)
    usual = signal.signal(number, before)
    try:
        assert run("replay", "--json", RUNNING, WON) == (code, "", words)
        assert signal.getsignal(number) == before
    finally:
        signal.signal(number, usual)
    assert loaded == [RUNNING]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on Windows")
def test_a_signal_that_nohup_ignores_is_ignored(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_: Path) -> np.ndarray:
        signal.raise_signal(signal.SIGHUP)
        return np.zeros((50, 50, 3), np.uint8)

    monkeypatch.setattr("bot.cli.replay.load_picture", load)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run("replay", "black.png")[0] == 3
    finally:
        signal.signal(signal.SIGHUP, before)


def test_ctrl_c_is_heeded_before_the_commands_are_loaded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "bot.cli.commands":
                signal.raise_signal(signal.SIGINT)

    monkeypatch.delitem(sys.modules, "bot.cli.commands")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert run("--version") == (4, "", "minebot: stopped: Ctrl+C was pressed\n")


def test_ctrl_c_ends_it_in_one_line_while_its_first_code_is_loaded() -> None:
    program = """
import signal, sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "bot.cli":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
signal.signal(signal.SIGINT, signal.default_int_handler)
from bot.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == "minebot: stopped: Ctrl+C was pressed\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("options", [["--json"], []])
def test_a_full_disk_is_one_clear_line(options: list[str]) -> None:
    command = [sys.executable, "-m", "bot", "replay", str(RUNNING), *options]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - it is no file to be made
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert os.strerror(28) in one_line(done.stderr)


def test_the_program_loads_libraries_late_and_counts_on_one_thread() -> None:
    unset = {name: value for name, value in os.environ.items() if "_THREADS" not in name}
    done = subprocess.run([sys.executable, "-c", THREADS], env=unset, capture_output=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == [[], 1, 1]


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_load_no_large_library(option: str) -> None:
    program = f"""
import sys
from bot.cli import main
sys.argv = ["minebot", {option!r}]
try:
    main()
finally:
    print({{"numpy", "cv2", "numba", "PySide6"}} & set(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "set()\n"


def test_a_number_of_threads_that_the_user_has_set_stays() -> None:
    environment = {"OMP_NUM_THREADS": "3"}
    use_one_thread(environment)
    assert (environment["OMP_NUM_THREADS"], environment["OPENBLAS_NUM_THREADS"]) == ("3", "1")


def test_a_library_of_the_system_that_is_missing_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_skins: object) -> None:
        raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr("bot.cli.replay.all_skins", load)
    code, _, err = run("replay", RUNNING)
    assert code == 1
    assert one_line(err).startswith("minebot: a library cannot be loaded: libGL.so.1: ")
    if sys.platform == "linux":
        assert "on Debian also apt-get install libgl1" in err


# ``minebot doctor``: what works here, and what to do about what does not


@pytest.mark.skipif(sys.platform != "linux", reason="Windows always has a display")
def test_without_a_display_it_says_once_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    code, out, _ = run("doctor")
    assert code == 1
    assert "winemine, winmine" in out
    assert " ".join(out.split()).count("minebot play --launch") == 1
    assert out.count("needs a display") == 6
    assert "ok  session" not in out


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no DISPLAY")
def test_a_display_that_refuses_does_not_send_the_user_in_a_circle() -> None:
    """No virtual screen is started where DISPLAY is set: its user wants to play there."""
    command, display = minebot_command("play", "--launch"), {**os.environ, "DISPLAY": ":7777"}
    done = subprocess.run(command, env=display, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "unset it and play on a virtual one with `minebot play --launch`" in one_line(done.stderr)


def test_data_files_that_are_gone_are_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    package = ROOT / "bot"
    data = {
        path for path in package.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc", ".md")
    }
    assert {package / name for name in DATA} == data - {package / "py.typed"}
    monkeypatch.setattr("bot.cli.doctor.DATA", (*DATA, "solver/gone.bin"))
    code, out, _ = run("doctor")
    assert code == 1
    assert "solver/gone.bin missing: a virus scanner may have removed them" in " ".join(out.split())


@pytest.mark.skipif(sys.platform != "linux", reason="Wayland is on Linux")
def test_a_wayland_session_is_recognised(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    monkeypatch.delenv("DISPLAY", raising=False)
    code, out, _ = run("doctor")
    assert code == 1
    assert " ".join(out.split()).count("choose a session with X11 (Xorg)") == 1
    assert "no display was found" not in out
    for command in ("play", "hint", "panel"):
        code, _, err = run(command)
        assert code == 1
        assert one_line(err).startswith("minebot: this is a Wayland session, which hides windows")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has other folders")
def test_a_home_that_cannot_be_written_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    stored = " ".join(run("doctor")[1].split())
    assert "-- stored runs, settings and skins 0.0 MB in" in stored
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]  # it makes nothing
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))
    code, out, _ = run("doctor")
    assert code == 1
    words = " ".join(out.split())
    assert "no stored" in words
    assert (
        "cannot be written (Not a directory): make it your own, or set XDG_DATA_HOME to another folder"
        in words
    )


def test_how_much_is_on_the_disk_is_told(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bot.cli.doctor.data_folder", lambda: tmp_path / "data")
    monkeypatch.setattr("bot.cli.doctor.kernel_folder", lambda: tmp_path / "cache" / "kernel")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    for name, size in (
        ("data/runs/1.png", 3),
        ("cache/wine/c", 5),
        ("cache/wine-2/c", 2),
        ("environment/lib", 1300),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            file.truncate(size * 1_000_000)
    words = " ".join(run("doctor")[1].split())
    for said in ("skins 3.0 MB in", "Wine prefixes 7.0 MB in", "the program with its libraries 1.3 GB in"):
        assert said in words


@pytest.mark.usefixtures("kernel")
def test_whether_the_solver_is_compiled_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ok solver compiled, in" in " ".join(run("doctor")[1].split())
    monkeypatch.setattr("bot.cli.doctor.kernel_compiled", lambda: False)
    assert "-- solver not compiled yet" in " ".join(run("doctor")[1].split())
    monkeypatch.setattr("bot.cli.doctor.can_keep_kernel", lambda: False)
    assert "no solver it cannot be stored in" in " ".join(run("doctor")[1].split())


@pytest.mark.parametrize("arguments", [["--debug", "hint"], ["replay"], ["hint"], ["stats"]])
def test_what_a_terminal_would_obey_is_shown_escaped(run: Run, arguments: list[str]) -> None:
    _, out, err = run(*arguments, "no\x1b[31mshot.png")
    assert "\x1b" not in out + err
    assert "no\\x1b[31mshot.png" in err


def test_doctor_shows_folders_escaped(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bot.cli.doctor.data_folder", lambda: tmp_path / "a\x1b[31mb")
    out = run("doctor")[1]
    assert "\x1b" not in out
    assert "a\\x1b[31mb" in "".join(out.split())


@pytest.mark.parametrize(
    ("question", "check", "words"),
    [("is_remote", "screens", "remote session"), ("snaps_to_buttons", "mouse", "turn off Snap To")],
)
def test_what_windows_does_to_pictures_and_pointer_is_told(
    run: Run,
    display: str,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    check: str,
    words: str,
) -> None:
    monkeypatch.setattr(f"bot.cli.doctor.{question}", lambda: True)
    _, out, _ = run("doctor")
    assert f"{check}" in out
    assert words in " ".join(out.split())


def test_hdr_and_scaling_are_told(run: Run, display: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    monkeypatch.setattr("bot.cli.doctor.scaling", lambda: 1.5)
    monkeypatch.setattr("bot.cli.doctor.hdr_is_on", lambda: True)
    words = " ".join(run("doctor")[1].split())
    assert "-- screens 1 screen: 1280 x 900 at (0, 0); scaling 150%; HDR is on" in words
    assert "turn it off in the display settings of Windows" in words


def test_on_a_display(run: Run, display: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    for name in ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    code, out, _ = run("doctor")
    assert code == 0
    words = " ".join(out.split())
    assert "1280 x 900 pixels at (0, 0)" in words
    assert "1 screen: 1280 x 900 at (0, 0); scaling 100%" in words
    assert "the pointer is at" in words
    assert "a dry run can show them over the game" in words
