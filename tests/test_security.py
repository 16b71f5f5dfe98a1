"""What SECURITY.md promises: each sentence of it is kept by the tests that are named here."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from conftest import Run

ROOT = Path(__file__).parents[1]
SHOT = ROOT / "fixtures" / "winemine-beginner-running.png"
PAGE = ROOT / ".github" / "SECURITY.md"
KEPT_BY = {  # words of the page: the tests that fail if they are no longer true
    "it clicks or types after you stopped it": [
        "tests/play/test_player_control.py::test_the_stop_key_ends_it_at_any_time",
        "tests/play/test_patience.py::test_the_user_is_heeded_meanwhile",
        "tests/targets/test_targets.py::test_the_user_is_heeded_before_every_key",
    ],
    "or into another window than the game": [
        "tests/desktop/test_mouse.py::test_a_click_goes_to_the_window_that_it_is_meant_for",
        "tests/desktop/test_mouse.py::test_on_x11_keys_reach_no_other_window",
        "tests/targets/test_targets.py::test_no_key_is_pressed_while_another_program_has_the_keyboard",
    ],
    "a file makes it run code": [
        "tests/test_installation.py::test_other_processes_run_no_code_of_the_current_folder",
        "tests/test_security.py::test_only_the_named_commands_run_files_as_code",
    ],
    "read or write files that it was not asked for": [
        "tests/test_files.py::test_every_file_is_written_by_one_module",
        "tests/test_files.py::test_what_is_written_is_private_and_goes_through_no_link",
    ],
    "hang, or take gigabytes of memory": [
        "tests/test_hostile_input.py::test_a_record_that_unpacks_to_gigabytes",
        "tests/test_hostile_input.py::test_pngs_that_claim_gigabytes",
        "tests/test_files.py::test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for",
    ],
    "it loads compiled code that another user could have written": [
        "tests/test_compilation.py::test_code_is_loaded_only_from_a_folder_that_nobody_else_can_write",
        "tests/test_compilation.py::test_code_that_another_user_may_have_written_is_not_loaded",
    ],
    "The newest release is supported": [
        "tests/test_security.py::test_a_report_says_which_release_it_is_about"
    ],
    "it needs no network": ["tests/test_security.py::test_no_network_is_used_and_nothing_else_is_written"],
    "no administrator rights": ["tests/test_security.py::test_another_user_needs_no_rights"],
    "reads no other program's memory": ["tests/test_security.py::test_no_memory_of_other_programs_is_read"],
    "It writes to your data and cache folders and to the files that you name": [
        "tests/test_security.py::test_no_network_is_used_and_nothing_else_is_written"
    ],
    "no other program is served between the last check and the clicks or keys": [
        "tests/desktop/test_mouse.py::test_a_click_goes_to_the_window_that_it_is_meant_for",
        "tests/desktop/test_mouse.py::test_on_x11_keys_reach_no_other_window",
    ],
    "Ctrl+Z is delayed until the clicks are sent": [
        "tests/desktop/test_mouse.py::test_nothing_stays_pressed_whatever_ends_us"
    ],
    "at most three beside the board": [
        "tests/play/test_new_game.py::test_the_user_is_asked_once_before_an_unknown_button_is_clicked",
        "tests/play/test_new_game.py::test_it_stops_where_nobody_can_answer",
        "tests/play/test_new_game.py::test_no_more_than_three_unknown_buttons_are_clicked",
    ],
    "sends and receives Python objects (pickles) through Dask": [
        "tests/test_security.py::test_the_help_says_which_network_to_trust"
    ],
    "Records and pictures show the board and what is close around it": [
        "tests/record/test_record_play.py::test_nothing_of_the_desktop_is_stored"
    ],
    "Pictures of final and doubtful boards are deleted after 30 days": [
        "tests/record/test_record_play.py::test_old_pictures_are_deleted_and_records_never"
    ],
}


def statements() -> list[str]:
    """Return the items and the paragraphs of the page that say something about the program."""
    parts = re.split(r"\n\n|\n- ", PAGE.read_text("utf-8"))
    texts = [" ".join(part.split()) for part in parts]
    return [text for text in texts if not text.startswith("#") and not text.endswith((":", "it when"))]


def test_every_statement_of_the_page_has_its_tests() -> None:
    page = statements()
    assert len(page) >= 9
    assert [text for text in page if not any(words in text for words in KEPT_BY)] == []
    assert [words for words in KEPT_BY if not any(words in text for text in page)] == []


@pytest.mark.parametrize("test", sorted({test for tests in KEPT_BY.values() for test in tests}))
def test_the_tests_are_there(test: str) -> None:
    path, name = test.split("::")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    assert name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


WATCHED = """
import json, os, sys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
del sys.argv[1]
CHANGES = {"os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate"}
def watch(event, arguments):
    found = None
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.connect", "socket.bind"):
        if event != "socket.connect" or isinstance(arguments[1], tuple):
            found = ["network", event]
    elif event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR) and not isinstance(arguments[0], int):
        found = ["written", os.path.abspath(os.fsdecode(arguments[0]))]
    elif event in CHANGES:
        paths = [each for each in arguments if isinstance(each, (str, bytes, os.PathLike))]
        found = ["written", os.path.abspath(os.fsdecode(paths[-1]))]
    if found:
        os.write(log, (json.dumps(found) + "\\n").encode())
sys.addaudithook(watch)
from bot.cli import main
main()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["hint", "shot.png"],
        ["replay", "--overlay", "named.png", "shot.png"],
        ["bench", "--games", "3", "--strategy", "exact", "--json"],
        ["solve", "board.txt"],
        ["doctor"],
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_no_network_is_used_and_nothing_else_is_written(arguments: list[str], tmp_path: Path) -> None:
    home, folder, log = tmp_path / "home", tmp_path / "here", tmp_path / "log"
    for new in (home, folder):
        new.mkdir()
    (folder / "shot.png").write_bytes(SHOT.read_bytes())
    (folder / "board.txt").write_text("1..\n...\n...\n", "utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    places = ("HOME", "USERPROFILE", "TMPDIR", "LOCALAPPDATA", "APPDATA")
    own = {**dict.fromkeys(places, str(home)), "DISPLAY": "", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(log), *arguments],
        cwd=folder,
        env={**kept, **own},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1)  # 1: the doctor finds no screen
    found = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    assert [what for what in found if what[0] == "network"] == []
    beside = [str(folder)] * ("named.png" in arguments)  # a file is written beside its place, then renamed
    allowed = (str(home), *beside, os.devnull)
    assert [path for _, path in found if not path.startswith(allowed) and "__pycache__" not in path] == []
    assert {path.name for path in folder.iterdir()} <= {"shot.png", "board.txt", "named.png"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
def test_another_user_needs_no_rights() -> None:
    with TemporaryDirectory() as folder:
        home, nobody = Path(folder), 65534
        os.chown(home, nobody, nobody)
        shot = home / "shot.png"
        shot.write_bytes(SHOT.read_bytes())
        as_nobody = partial(
            subprocess.run,
            cwd=home,
            env={"HOME": folder, "PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT)},
            user=nobody,
            group=nobody,
            extra_groups=[],
            capture_output=True,
            text=True,
            timeout=300,
        )
        try:
            readable = as_nobody([sys.executable, "-c", "import bot, numpy"]).returncode == 0
        except PermissionError:
            readable = False
        if not readable:
            pytest.skip("another user may not run this Python")
        done = as_nobody([sys.executable, "-m", "bot", "hint", str(shot)])
        assert (done.returncode, done.stderr) == (0, "")
        assert "safe" in done.stdout


def test_no_memory_of_other_programs_is_read() -> None:
    calls = re.compile(
        r"ReadProcessMemory|WriteProcessMemory|process_vm_|ptrace|/proc/[^\"']*/mem\b|/dev/mem"
    )
    sources = [path for path in (ROOT / "bot").rglob("*.py") if calls.search(path.read_text("utf-8"))]
    assert sources == []
    handles = (ROOT / "bot" / "desktop" / "win32_api.py").read_text("utf-8")
    assert "_QUERY_LIMITED = 0x1000" in handles  # the weakest right: to ask for the name of a program


def test_only_the_named_commands_run_files_as_code() -> None:
    """Nothing that is read is evaluated or unpickled; Dask does so in `bench --cluster`, as the page says."""
    risky = re.compile(
        r"(?<![.\w])(?:eval|exec)\(|\bpickle\b|marshal|allow_pickle=True|yaml|shell=True|shelve"
    )
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "bot").rglob("*.py")
        if risky.search(re.sub(r'""".*?"""|#.*', "", path.read_text("utf-8"), flags=re.DOTALL))
    }
    assert found <= {"bot/solver/kernel/build/object_code.py"}


def test_the_help_says_which_network_to_trust(run: Run) -> None:
    _, out, _ = run("bench", "--help")
    told = " ".join(out.replace("\N{BOX DRAWINGS LIGHT VERTICAL}", " ").split())
    assert "in a network that you trust" in told


def test_a_report_says_which_release_it_is_about() -> None:
    form = (ROOT / ".github" / "ISSUE_TEMPLATE" / "problem.yml").read_text("utf-8")
    assert "minebot doctor" in form
