"""What the overlay marks, as pixels and as words; what of the game is still seen beside the marks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec.json import decode, encode

from bot.board import Board, Cell, State
from bot.geometry import Frame, Grid, Point, Rect
from bot.marks import (
    LEGEND,
    Advice,
    Kind,
    Layer,
    Mark,
    Picture,
    PlacedSheet,
    Sheet,
    box_of,
    marks_in_picture,
    marks_of,
    words_of,
)
from bot.solver.decision import Action, Decision, Move, Reason
from bot.vision import load_skins
from simulated import draw_board

SKINS = {skin.name: skin for skin in load_skins()}
BOARD = Board.from_rows(["1.?.", "2F..", "..F."], 5)
SAFE, OTHER, MINE, FAR = Cell(0, 1), Cell(2, 0), Cell(1, 2), Cell(2, 3)


def opened(*cells: Cell, risk: float = 0.0) -> Decision:
    reason = Reason.GUESS if risk else Reason.COUNTING
    moves = tuple(Move(cell, Action.OPEN, risk, reason) for cell in cells)
    return Decision(moves, reason, frozenset({MINE, Cell(1, 1)}))


ADVICE = Advice(opened(SAFE, OTHER), SAFE, (Cell(0, 0),), {FAR: 0.214, Cell(0, 3): 0.001}, "because")


def marked(*layers: Layer, advice: Advice = ADVICE, board: Board = BOARD) -> dict[Cell, tuple[Kind, str]]:
    return {mark.cell: (mark.kind, mark.text) for mark in marks_of(board, advice, layers)}


def test_all_layers_mark_all_that_is_known() -> None:
    assert marked(*Layer) == {
        Cell(0, 0): (Kind.PROOF, ""),
        SAFE: (Kind.NEXT, "1"),
        OTHER: (Kind.SAFE, "2"),
        MINE: (Kind.MINE, ""),  # the one with a flag needs no mark
        FAR: (Kind.PLAIN, "21%"),
        Cell(0, 3): (Kind.PLAIN, "1%"),  # not 0%: it is not proven safe
    }


@pytest.mark.parametrize(
    ("layer", "wanted"),
    [
        (Layer.SAFE, {SAFE: (Kind.SAFE, ""), OTHER: (Kind.SAFE, "")}),
        (Layer.MINES, {MINE: (Kind.MINE, "")}),
        (Layer.NEXT, {SAFE: (Kind.NEXT, "")}),
        (Layer.ORDER, {SAFE: (Kind.PLAIN, "1"), OTHER: (Kind.PLAIN, "2")}),
        (Layer.RISK, {FAR: (Kind.PLAIN, "21%"), Cell(0, 3): (Kind.PLAIN, "1%")}),
        (Layer.WORDS, {Cell(0, 0): (Kind.PROOF, "")}),
    ],
)
def test_each_layer_can_be_switched(layer: Layer, wanted: dict[Cell, tuple[Kind, str]]) -> None:
    assert marked(layer) == wanted


def test_the_moves_are_numbered_in_their_order_and_no_other_safe_cell_is() -> None:
    advice = Advice(opened(FAR, SAFE, OTHER), FAR, risks={Cell(0, 3): 0.0})
    assert marked(Layer.SAFE, Layer.ORDER, advice=advice) == {
        **{cell: (Kind.SAFE, str(number)) for number, cell in enumerate((FAR, SAFE, OTHER), 1)},
        Cell(0, 3): (Kind.SAFE, ""),  # safe, too, but not clicked in this round
    }


def test_a_guess_shows_its_risk() -> None:
    advice = Advice(opened(FAR, risk=0.25), FAR, risks={FAR: 0.25, SAFE: 0.3, MINE: 1.0, OTHER: 0.0})
    assert marked(Layer.NEXT, advice=advice) == {FAR: (Kind.NEXT, "25%")}
    assert marked(Layer.SAFE, Layer.MINES, advice=advice) == {MINE: (Kind.MINE, ""), OTHER: (Kind.SAFE, "")}


def test_of_many_cells_with_the_same_risk_one_shows_it() -> None:
    board = Board.from_rows(["1.........", ".........."], 5)
    risks = dict.fromkeys(board.cells(State.COVERED), 0.274) | {Cell(0, 1): 0.5, Cell(1, 9): 0.27}
    shown = marked(Layer.RISK, advice=Advice(Decision((), Reason.GUESS), risks=risks), board=board)
    assert shown.keys() == risks.keys()
    numbers = {cell: text for cell, (_, text) in shown.items() if text}
    assert numbers == {Cell(0, 1): "50%", Cell(0, 2): "27%"}
    guess = Advice(Decision((), Reason.GUESS), Cell(1, 5), risks=risks)
    shown = marked(Layer.RISK, advice=guess, board=board)
    assert [cell for cell, (_, text) in shown.items() if text] == [Cell(0, 1), Cell(1, 5)]
    assert words_of(guess, tuple(Layer)) == f"{LEGEND}; cells without a number have 27%."


def test_a_picture_marks_the_moves_the_risks_and_what_cannot_be_read() -> None:
    board = Board.from_rows(["1.?.", "2F..", "-.F."], 5)
    decision = replace(opened(SAFE, FAR), risks={Cell(0, 3): 0.4})
    assert set(marks_in_picture(board, decision)) == {
        Mark(Cell(2, 0), Kind.UNREAD, "?"),
        Mark(SAFE, Kind.NEXT, "1"),
        Mark(FAR, Kind.SAFE, "2"),
        Mark(MINE, Kind.MINE, risk=1.0),
        Mark(Cell(0, 3), Kind.PLAIN, "40%", 0.4),
    }
    assert marks_in_picture(board, None) == (Mark(Cell(2, 0), Kind.UNREAD, "?"),)


def test_words_explain_the_numbers_of_risk() -> None:
    assert words_of(ADVICE, tuple(Layer)) == f"because {LEGEND}."
    assert words_of(ADVICE, (Layer.WORDS, Layer.SAFE)) == "because"
    assert words_of(ADVICE, (Layer.RISK,)) == ""
    proven = Advice(opened(SAFE), SAFE, risks={SAFE: 0.0, MINE: 1.0}, words="because")
    assert words_of(proven, tuple(Layer)) == "because"


def test_a_wrong_flag_is_marked() -> None:
    decision = Decision((Move(Cell(1, 1), Action.FLAG, 0.0, Reason.COUNTING),), Reason.COUNTING)
    assert marked(*Layer, advice=Advice(decision, Cell(1, 1))) == {Cell(1, 1): (Kind.NEXT, "1")}
    nothing = Advice(Decision((), Reason.GUESS), risks={FAR: 0.5})
    assert marked(*Layer, advice=nothing) == {FAR: (Kind.PLAIN, "50%")}


# Pixels


def drawn(grid: Grid, mark: Mark) -> Picture:
    return Sheet(grid, (mark,), "", grid.rect).picture()


@pytest.mark.parametrize("pitch", [12.0, 16.0, 20.0, 24.4, 32.0, 80.0])
def test_marks_keep_to_their_cells(pitch: float) -> None:
    grid = Grid(10.3, 20.7, pitch, pitch, 3, 3)
    for kind in Kind:
        mark = Mark(Cell(1, 1), kind, "188" if kind is not Kind.MINE else "")
        picture, box = drawn(grid, mark), box_of(grid, mark)
        assert picture.shape == (grid.rect.height, grid.rect.width, 4)
        inside = picture[box.y : box.bottom, box.x : box.right]
        assert inside[..., 3].any()
        assert picture[..., 3].sum() == inside[..., 3].sum()
        assert set(np.unique(picture[..., 3])) <= {0, 255}


def marks_on(state: int) -> list[Mark]:
    """Return the marks that may stand on a cell in this state."""
    if state == 0:
        return []  # it proves nothing
    if state <= 8:
        return [Mark(Cell(0, 0), Kind.PROOF)]
    if state == State.FLAG:
        return [Mark(Cell(0, 0), Kind.NEXT, "188")]  # it should be removed
    texts = {Kind.MINE: "", Kind.PROOF: ""}
    return [Mark(Cell(0, 0), kind, texts.get(kind, "188")) for kind in Kind if kind is not Kind.PROOF]


@pytest.mark.parametrize("name", SKINS)
def test_what_changes_below_a_mark_is_seen_beside_it(name: str) -> None:
    skin = SKINS[name]
    grid = Grid(0, 0, skin.cell, skin.cell, 1, 1)
    for before, after in ((one, other) for one in skin.shown for other in skin.shown if one != other):
        for mark in marks_on(before):
            clean, changed = (np.asarray(skin.template(state)) for state in (before, after))
            seen = drawn(grid, mark)[..., 3] == 0
            differing = ((clean != changed).any(axis=2) & seen).sum()
            assert differing >= 3, (before, after, mark)


def placed_sheet() -> PlacedSheet:
    skin = SKINS["winemine"]
    board = Board.from_rows(["1..", "...", "11."], 2)
    marks = (
        Mark(Cell(0, 1), Kind.NEXT, "1"),
        Mark(Cell(1, 1), Kind.MINE),
        Mark(Cell(2, 2), Kind.PLAIN, "33"),
    )
    sheet = Sheet(Grid(100, 50, 16, 16, 3, 3), marks, "because", Rect(95, 20, 60, 90))
    return PlacedSheet.of(sheet, draw_board(board, skin))


def with_marks(sheet: PlacedSheet) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.where(sheet.marks[..., 3:] > 0, sheet.marks[..., :3], sheet.clean).astype(np.uint8)


def test_marks_are_taken_out_of_a_picture() -> None:
    sheet = placed_sheet()
    screen = np.full((200, 300, 3), 70, np.uint8)
    screen[50:98, 100:148] = with_marks(sheet)
    frame = Frame(screen, Point(0, 0), 1.5)
    clean = sheet.without_marks(frame)
    assert clean is not None
    assert clean.time == 1.5
    assert np.array_equal(clean.pixels[50:98, 100:148], sheet.clean)
    assert clean.pixels[:50].min() == clean.pixels[:50].max() == 70
    screen[51, 101] += 1  # anything else that is seen of the board
    assert sheet.without_marks(frame) is None


def test_a_sheet_is_told_and_understood() -> None:
    sheet = placed_sheet().sheet
    assert decode(encode(sheet), type=Sheet) == sheet
