"""Measure how often the state of a game is judged right: from a picture alone, and with a ledger of clicks.

Run from the repository root: ``python tests/bench verdicts --count 3000``. A third of the pictures is drawn
with the art of a shipped skin, the others are held-out pictures (`heldout.screens`). A verdict is *false* if
it names another end than the true one, an end that has not come, or no end although the game is over. With
``--other PATH``, another checkout judges the same pictures alone. The ledger is made up: one opened cell, or
the exploded one, was the last click. ``--misread N`` judges N positions instead in which a covered cell
beside a number is misread as blank, and counts the mines that are then opened as proven.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import matched, parser, read, started
from bot.board import Board, Cell, State
from bot.geometry import Grid
from bot.verdict import Circumstances, GameState, Ledger, verdict_on
from bot.vision import Skin, load_skins, save_picture
from bot.vision.reading import Reading
from drawn_boards import draw_board
from heldout.screens import new_scene, play, scene
from misread_blanks import misread_blanks
from true_pictures import TrueBoard, TruePicture

SKINS = load_skins()
STATES = ("new", "running", "running", "won", "lost", "lost")
SIZES = ((9, 9), (16, 16), (16, 30), (7, 12))
BATCH = 20  # pictures that are read, or given to another checkout, at once
Verdicts = Counter[tuple[str, str]]  # by whose they are, and what they are


def picture(number: int) -> TruePicture:
    """Return a picture: of every three, one in the art of a shipped skin, two in held-out art."""
    if number % 3:
        return (scene if number % 3 == 1 else new_scene)(number)
    rng, skin = np.random.default_rng(number), SKINS[number // 3 % len(SKINS)]
    rows, cols = SIZES[rng.integers(len(SIZES))]
    position = play(rng, rows, cols, STATES[rng.integers(len(STATES))], skin.shown)
    pixels, x, y = draw_board(skin, Board(position.states), position.counter)
    grid = Grid(x, y, skin.cell, skin.cell, rows, cols)
    return TruePicture(pixels, [TrueBoard(grid, position.states, state=GameState(position.state))])


def ledger_of(board: TrueBoard, mines: int | None, rng: np.random.Generator) -> Ledger | None:
    """Return what may have been done in a game: its last click was on an opened or exploded cell.

    Return None if there is no such cell.
    """
    shown = Board(board.states)
    opened, numbers = shown.cells(*range(9)), shown.cells(*range(1, 9))
    lost = board.state is GameState.LOST
    last = (shown.cells(State.EXPLODED) or shown.cells(State.MINE)) if lost else numbers
    if not last:
        return None
    cell = last[int(rng.integers(len(last)))]
    before: dict[Cell, int] = dict.fromkeys((*shown.cells(State.MINE, State.EXPLODED), cell), State.COVERED)
    before |= dict.fromkeys(shown.cells(State.WRONG_FLAG), State.FLAG)
    if board.state is GameState.WON and rng.random() < 0.5:
        before |= dict.fromkeys(shown.cells(State.FLAG), State.COVERED)  # the program has set them at the end
    risk = 0.3 if lost or rng.random() < 0.5 else 0.0
    known = Board(shown.replace(before).states, mines)
    return Ledger(known, frozenset((*opened, cell)), frozenset({cell}), risk)


def judged(true: GameState, said: GameState) -> str:
    """Return whether a state is right, false or unknown."""
    if said is GameState.UNKNOWN:
        return "unknown"
    same = said is true if true.over or said.over else True
    return "right" if same else f"false: {said.value} for {true.value}"


def of_other(other: Path, pictures: Mapping[int, TruePicture]) -> dict[int, list[Reading]]:
    """Return what another checkout reads in these pictures: only place and state of each board."""
    with TemporaryDirectory() as folder:
        for number, each in pictures.items():
            save_picture(Path(folder) / f"{number}.png", each.pixels)
        names = [str(Path(folder) / f"{number}.png") for number in pictures]
        command = [str(other / ".venv/bin/python"), "-m", "bot", "replay", "--json", *names]
        lines = subprocess.run(command, cwd=other, capture_output=True, text=True, check=False).stdout
    found = dict[int, list[Reading]]()
    for line in map(json.loads, lines.splitlines()):
        boards = [
            (Grid(one["x"], one["y"], one["pitch_x"], one["pitch_y"], one["rows"], one["cols"]), one["state"])
            for one in line.get("boards", ())
        ]
        found[int(Path(line["image"]).stem)] = [
            Reading(grid, Board(np.zeros((grid.rows, grid.cols), np.int8)), state) for grid, state in boards
        ]
    return found


def verdicts(numbers: Sequence[int], skins: Sequence[Skin], other: Path | None) -> Verdicts:
    """Return how often each kind of verdict was given, here alone and with a ledger, and by ``other``."""
    said: Verdicts = Counter()
    pictures = {number: picture(number) for number in numbers}
    for number, each in pictures.items():
        rng, readings = np.random.default_rng(number), matched(read(each.pixels, skins), each.boards)
        for place, true in enumerate(each.boards):
            reading = readings.get(place)
            if true.state is None:
                continue
            if reading is None or reading.board.shape != true.states.shape:
                said["here, alone", "not found"] += 1
                print(f"{number}: not found", flush=True)
                continue
            alone = judged(true.state, reading.state)
            said["here, alone", alone] += 1
            ledger = ledger_of(true, reading.board.mines, rng)
            if ledger is not None:
                verdict = verdict_on(reading.board, Circumstances(reading.face), ledger)
                known = judged(true.state, verdict.state)
                said["here, with its ledger", "doubt" if verdict.doubt else known] += 1
                if known.startswith("false") or alone.startswith("false"):
                    why = "; ".join(verdict.why)
                    print(f"{number}: alone {alone}; with its ledger {known} ({why})", flush=True)
    for number, found in of_other(other, pictures).items() if other is not None else ():
        theirs = matched(found, pictures[number].boards)
        for place, true in enumerate(pictures[number].boards):
            if true.state is None:
                continue
            one = theirs.get(place)
            state = None if one is None or one.board.shape != true.states.shape else one.skin
            said["other, alone", judged(true.state, GameState(state)) if state else "not found"] += 1
    return said


def main() -> None:
    """Print the verdicts, or what misread blanks lead to."""
    options = parser(__doc__, 3000, "pictures")
    options.add_argument("--other", type=Path, metavar="PATH", help="another checkout, to compare with")
    options.add_argument("--misread", type=int, metavar="N", help="judge N misread blanks instead")
    asked = options.parse_args()
    if asked.misread is not None:
        tried = mines = 0
        for case in track(misread_blanks(asked.first, asked.misread), "misread", asked.misread):
            tried, mines = tried + 1, mines + case.opens_a_mine
        print(f"{tried} positions with a misread blank, {mines} with a mine opened as proven")
        return
    skins, journal = started(
        asked, "verdicts", first=asked.first, count=asked.count, other=str(asked.other or "")
    )
    done, end = {line["first"] for line in journal.lines}, asked.first + asked.count
    firsts = [first for first in range(asked.first, end, BATCH) if first not in done]
    for first in track(firsts, "verdicts", console=Console(stderr=True)):
        batch = verdicts(range(first, min(first + BATCH, end)), skins, asked.other)
        journal.add([{"first": first, "said": [[*key, times] for key, times in batch.items()]}])
    said: Verdicts = Counter()
    for line in journal.lines:
        said.update({(who, what): times for who, what, times in line["said"]})
    whose = sorted({who for who, _ in said})
    table = Table("verdict", *whose)
    for what in sorted({what for _, what in said}):
        table.add_row(what, *(str(said[who, what]) for who in whose))
    Console().print(table)


if __name__ == "__main__":
    main()
