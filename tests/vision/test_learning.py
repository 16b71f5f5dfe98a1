"""Learning an art while a game is played: right at the end, and what was misread is never trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from art import Style, random_style
from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.geometry import Grid, Pixels
from bot.solver import decide
from bot.vision import load_skin, read_grid
from bot.vision.distortion import softened
from bot.vision.learning.confirmation import (
    NOTHING_DONE,
    Actions,
    Seen,
    with_checked_states,
)
from bot.vision.learning.looks import (
    NOTHING,
    Cut,
    LearnedLooks,
    Trust,
    Variant,
    add_look,
    looks_of,
    skin_of,
)
from bot.vision.learning.skin_learner import SkinLearner
from bot.vision.reading import Doubt, Reading
from bot.vision.skin import save_skin
from fixture_boards import fixture_picture
from learned_games import ToldSight, played, scene

EXPERT = (16, 30, 99)


def style(seed: int, checker: float = 0.0, wash: float = 0.0) -> Style:
    return replace(random_style(np.random.default_rng(seed)), checker=checker, wash=wash)


def learner_after(
    seed: int, games: int = 2, mistaken: Mapping[int, int] | None = None, checker: float = 0, wash: float = 0
) -> tuple[SkinLearner, ToldSight, int, int]:
    """Return a learner that has watched games, the last of them lost; misread cells, trusted and not."""
    told = ToldSight(mistaken=mistaken or {})
    learner, trusted, provisional = SkinLearner(first_sight=told), 0, 0
    for number in range(games):
        for seen in played(style(seed, checker, wash), 10 * seed + number, lose=number == games - 1):
            told.board = seen.board
            reading = learner.learn(seen.pixels, seen.grid, seen.done)
            assert reading is not None
            states = reading.board.states
            for row, col in np.argwhere((states != seen.board.states) & (states != State.UNREADABLE)):
                unsure = Cell(int(row), int(col)) in learner.provisional
                trusted, provisional = trusted + (not unsure), provisional + unsure
    return learner, told, trusted, provisional


@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        (["1.", "11"], True),
        (["2.", "11"], False),
        ([".1", "0."], False),  # zeros open all around them
        (["F1", "11"], True),
        (["00", "00"], False),  # no place for a mine
        (["..", ".."], True),
        (["1*", "11"], True),
        (["0*", "11"], False),
        (["1..1", "1111"], False),  # the corners say two mines, the cells between say one
    ],
)
def test_what_counts_find_impossible(rows: list[str], fits: bool) -> None:
    states = Board.from_rows(rows).states
    seen = Seen(np.zeros(states.shape, np.int32), np.zeros(states.shape, np.bool_))
    assert seen.possible(states[None]).tolist() == [fits]


@pytest.mark.parametrize(("checker", "wash"), [(0, 0), (12, 0), (0, 40)])
def test_every_state_that_was_played_is_learned(checker: float, wash: float) -> None:
    learner, told, trusted, provisional = learner_after(8, checker=checker, wash=wash)
    assert (trusted, provisional) == (0, 0)
    assert learner.enough
    assert learner.knowledge.trusted >= {0, 1, 2, 3, 4, State.COVERED, State.FLAG, State.MINE, State.EXPLODED}
    assert told.calls < 45  # of about 55 looks: what is known is read without a first sight


@pytest.mark.parametrize(
    "mistaken",
    [
        {4: 3},
        {3: 0},
        {1: 2, 2: 3, 3: 1},
        {0: 9, 9: 0},
        {9: 10},
    ],
)
def test_what_was_misread_is_never_trusted(mistaken: Mapping[int, int]) -> None:
    learner, _, trusted, _ = learner_after(1, games=1, mistaken=mistaken)
    assert trusted == 0
    skin = skin_of(learner.knowledge, "drawn")
    if skin is not None:
        drawn = scene(style(1), Board(np.arange(15, dtype=np.int8)[None]))
        read = looks_of(skin).matched(Cut.of(drawn.pixels, drawn.grid, skin.cell).features)
        states = np.array([*skin.states, State.UNREADABLE])[read]
        assert set(np.flatnonzero((states != np.arange(15)) & (states != State.UNREADABLE))) == set()


def test_a_wrong_label_is_withdrawn_once_it_contradicts() -> None:
    told = ToldSight(mistaken={3: 4})
    learner, withdrawn = SkinLearner(first_sight=told), False
    for seen in played(style(2), 5):
        told.board = seen.board
        assert learner.learn(seen.pixels, seen.grid, seen.done) is not None
        withdrawn |= any(4 in variant.denied for variant in learner.knowledge.variants)
    assert withdrawn


def test_a_covered_cell_that_had_a_flag_does_not_contradict_the_zeros_beside_it() -> None:
    """An opening passes by flags, and a player may take a wrong one away."""
    learner = SkinLearner(first_sight=(told := ToldSight()))
    fresh = Board.covered(5, 5, None).replace({Cell(0, 4): State.FLAG, Cell(2, 1): State.FLAG})
    opened = Board.from_rows(["0001F", "00011", "0F000", "01110", "01.10"])
    taken = opened.replace({Cell(2, 1): State.COVERED})
    for board, done in (
        (fresh, NOTHING_DONE),
        (opened, Actions([Cell(0, 0)])),
        (taken, Actions((), [Cell(2, 1)])),
        (taken, NOTHING_DONE),
    ):
        told.board, seen = board, scene(style(2), board)
        reading = learner.learn(seen.pixels, seen.grid, done)
        assert reading is not None
        assert reading.board == board


def test_a_cell_whose_flag_was_taken_away_looks_as_covered_cells_do() -> None:
    learner, told, *_ = learner_after(8)
    learner.new_game()
    opened = Board.from_rows(["0001F", "00011", "0F000", "01110", "01.10"])
    for board, done in (
        (Board.covered(5, 5, None).replace({Cell(0, 4): State.FLAG, Cell(2, 1): State.FLAG}), NOTHING_DONE),
        (opened, Actions([Cell(0, 0)])),
        (opened.replace({Cell(2, 1): State.COVERED}), Actions((), [Cell(2, 1)])),
    ):
        told.board, seen = board, scene(style(8), board)
        told.mistaken = {State.COVERED: 0} if done.flagged else {}  # the zeros around it suggest that
        reading = learner.learn(seen.pixels, seen.grid, done)
        assert reading is not None
        assert reading.board == board


def test_a_number_whose_ground_was_painted_first_is_believed() -> None:
    """A game that paints in pieces may show a blank cell before its number."""
    learner, told, *_ = learner_after(2)
    learner.new_game()
    around = Board.covered(5, 5, None)
    for number in (0, 8, 8):
        board = around.replace({Cell(2, 2): number})
        told.board, seen = board, scene(style(2), board)
        reading = learner.learn(seen.pixels, seen.grid, Actions([Cell(2, 2)]))
    assert reading is not None
    assert reading.board[2, 2] == 8


def test_what_was_withdrawn_is_read_again_when_in_doubt() -> None:
    """A picture that was not at rest may have spoken against what is right."""
    learner, seen = (
        SkinLearner(first_sight=(told := ToldSight())),
        scene(style(2), Board.from_rows(["..", ".2"])),
    )
    told.board, read = seen.board, list[int]()
    for before in (None, learner.discard_last_reading):
        learner.learn(seen.pixels, seen.grid)
        twos = [index for index, variant in enumerate(learner.knowledge.variants) if variant.state == 2]
        learner.knowledge = learner.knowledge.withdrawn(twos)
        if before:
            before()
        reading = learner.learn(seen.pixels, seen.grid)
        assert reading is not None
        read.append(reading.board[1, 1])
    assert read == [State.UNREADABLE, 2]


@pytest.mark.parametrize("side", [30, 40])
def test_a_faint_number_is_not_taken_for_another_that_was_never_seen(side: int) -> None:
    """Grey digits on grey hardly differ: a 3 is nearer to a 2 than many a 2 in a photograph to another."""
    cells = np.full((4, side, side, 3), 238, np.uint8)
    for cell, digit in zip(cells[1:], "233", strict=True):
        place = side // 2 - 5, side // 2 + 5
        cv2.putText(cell, digit, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (153, 153, 153), 1, cv2.LINE_AA)
    features = softened(np.hstack(list(cells)), side)
    blank, two = (
        Variant(cells[index].astype(np.float32), features[index], state, 9, 1, 0.0, Trust.CONFIRMED)
        for index, state in enumerate((0, 2))
    )
    assert LearnedLooks(side, (blank, two)).matched(features).tolist() == [0, 1, NOTHING, NOTHING]


def test_a_cell_that_never_opens_is_not_covered() -> None:
    told = ToldSight(mistaken={1: State.COVERED})
    learner = SkinLearner(first_sight=told)
    board = Board.from_rows(["..1.", ".11.", "11..", "...."])
    told.board = board
    for _ in range(4):
        seen = scene(style(2), board, done=Actions([Cell(0, 2)]))
        reading = learner.learn(seen.pixels, seen.grid, seen.done)
    assert reading is not None
    assert reading.board[1, 1] == State.UNREADABLE


def test_a_board_does_not_shrink_below_what_covers_it_after_a_game() -> None:
    learner, told, *_ = learner_after(4)
    learner.new_game()
    seen = scene(style(5), Board.from_rows(["........"] * 8))  # an art that was not learned
    told.board, told.hidden = seen.board, 2
    reading = learner.learn(seen.pixels, seen.grid)
    assert reading is None or reading.grid == seen.grid


def test_what_no_skin_knows_is_not_covered_where_covered_cells_were() -> None:
    told = ToldSight(mistaken={3: State.COVERED})
    learner = SkinLearner(None, 40, told)
    for seen in played(style(2), 5):
        told.board = seen.board
        known = seen.board.replace(dict.fromkeys(seen.board.cells(3), State.UNREADABLE))  # by the skin
        reading = Reading(seen.grid, known, "learned")
        learner.record_clicks(seen.done.clicked or (), ())
        if threes := seen.board.cells(3):
            break
        assert learner.filled(reading, seen.pixels).board == known
    filled = learner.filled(reading, seen.pixels)
    assert {filled.board[cell] for cell in threes} == {State.UNREADABLE}


def test_counter_gives_the_total_once_every_cell_is_filled_in() -> None:
    """Our own window marks cells of a hint; a skin cannot read them, and any of them may be a flag."""
    marked = Cell(4, 4)
    seen = scene(style(4), Board.covered(9, 9, None))
    known = seen.board.replace({marked: State.UNREADABLE})
    reading = Reading(seen.grid, known, "learned", mines_left=10)
    learner = SkinLearner(first_sight=ToldSight(seen.board))
    assert learner.filled(reading, seen.pixels).board == Board(seen.board.states, 10)


@pytest.mark.parametrize("learned", [True, False])
def test_what_the_pointer_may_hide_is_told_only_by_what_is_trusted(learned: bool) -> None:
    near, far = Cell(0, 5), Cell(4, 4)
    seen = scene(style(4), Board.covered(9, 9, None).replace({near: 2}))
    learner = learner_after(4)[0] if learned else SkinLearner(first_sight=ToldSight(seen.board))
    learner.new_game()
    learner.mines = 40
    known = seen.board.replace(dict.fromkeys((near, far), State.UNREADABLE))  # by the skin
    doubts = {near: Doubt.POINTER, far: Doubt.UNRECOGNISED}
    reading = Reading(seen.grid, known, "learned", doubts=doubts)
    board = learner.filled(reading, seen.pixels).board
    assert (board[near], board[far]) == (2 if learned else State.UNREADABLE, State.COVERED)


def test_a_skin_that_was_learned_reads_the_game_again(tmp_path: Path) -> None:
    learner, *_ = learner_after(4)
    skin = skin_of(learner.knowledge, "drawn")
    assert skin is not None
    save_skin(skin, tmp_path / "drawn")
    loaded = load_skin(tmp_path / "drawn")
    assert loaded.shown == skin.shown == tuple(sorted(learner.knowledge.trusted))
    for seen in played(style(4), 77, EXPERT):
        states = read_grid(seen.pixels, seen.grid, loaded).board.states
        learned = np.isin(seen.board.states, loaded.shown)
        assert (states == np.where(learned, seen.board.states, State.UNREADABLE)).all()


def test_a_skin_grows_and_keeps_what_it_had() -> None:
    learner, *_ = learner_after(5, games=1)
    skin = skin_of(learner.knowledge, "drawn")
    assert skin is not None
    grown = SkinLearner(skin, first_sight=(told := ToldSight()))
    assert {variant.trust for variant in grown.knowledge.variants} == {Trust.SETTLED}
    for seen in played(style(5), 99, EXPERT, lose=True):
        told.board = seen.board
        grown.learn(seen.pixels, seen.grid, seen.done)
    larger = skin_of(grown.knowledge, "drawn")
    assert larger is not None
    assert set(larger.shown) >= set(skin.shown)


PICTURES = ("programs/kmines-hard-lost", "programs/page-dark-125-running")


@pytest.mark.parametrize("name", PICTURES)
def test_a_program_is_learned_from_one_picture(name: str) -> None:
    pixels, truth = fixture_picture(name)
    board, grid = truth.board, truth.grid
    learner = SkinLearner()
    reading = learner.learn(pixels, grid)
    assert reading is not None
    trusted = [cell for cell in board if cell not in learner.provisional and cell not in reading.unreadable]
    assert [cell for cell in trusted if reading.board[cell] != board[cell]] == []
    assert len(trusted) > 0.8 * board.states.size
    skin = skin_of(learner.knowledge, "learned")
    assert skin is not None
    again = SkinLearner(skin).learn(pixels, grid)
    assert again is not None
    assert [
        cell for cell in trusted if again.board[cell] not in (reading.board[cell], State.UNREADABLE)
    ] == []
    states = read_grid(pixels, grid, skin).board.states
    assert not ((states != board.states) & (states != State.UNREADABLE)).any()


@pytest.mark.parametrize("seed", [0, 43])
def test_an_unknown_art_is_played_from_nothing(seed: int) -> None:
    """What is proved from trusted numbers is never a mine, from the first look to the last."""
    art, learner = random_style(np.random.default_rng(seed), held_out=seed > 40), SkinLearner()
    for number in range(2):
        game, done = Game(16, 16, 40, 100 * seed + number, FirstClick.OPENING), NOTHING_DONE
        while not game.over:
            seen = scene(art, game.board, done=done)
            reading = learner.learn(seen.pixels, seen.grid, done)
            assert reading is not None
            misread = (reading.board.states != seen.board.states) & (reading.board.states != State.UNREADABLE)
            assert {Cell(*map(int, place)) for place in np.argwhere(misread)} <= learner.provisional
            unsure = [cell for cell in learner.provisional if reading.board[cell] <= 8]
            careful = reading.board.replace(dict.fromkeys(unsure, State.UNREADABLE))
            decision = decide(Board(careful.states, 40), rule=FirstClick.OPENING)
            for move in decision.moves:
                game.open(move.cell)
            assert not (game.lost and decision.risk == 0)
            done = Actions([move.cell for move in decision.moves])
        learner.new_game()
    assert learner.enough


def pips(ground: int, ink: tuple[int, int, int], *places: tuple[int, int]) -> Pixels:
    cell = np.full((24, 24, 3), ground, np.uint8)
    for place in places:
        cv2.circle(cell, place, 3, ink, -1)
    return cell


def test_another_sign_on_the_same_ground_is_not_the_same_number() -> None:
    """A number that was never seen was read as a known one, in other ink."""
    two = pips(240, (30, 120, 60), (12, 5), (12, 18))
    three = pips(240, (30, 30, 180), (12, 5), (6, 18), (18, 18))
    darker = pips(200, (30, 120, 60), (12, 5), (12, 18))
    cut = Cut.of(np.hstack([two, three, darker]), Grid(0, 0, 24, 24, 1, 3), 24)
    first = Variant(two.astype(np.float32), cut.features[0], 2, 9, 1, 0.0, Trust.SETTLED)
    knowledge, index = add_look(
        LearnedLooks(24, (first,)), cut, np.arange(3, dtype=np.int32), np.full(3, 2, np.int8)
    )
    assert knowledge.states[index].tolist() == [2, State.UNREADABLE, 2]


@pytest.mark.parametrize(("rows", "shown"), [(("01.", "0?."), 1), (("02.", "0?."), 2), (("01.", "1?."), 15)])
def test_a_sign_that_cannot_be_read_is_the_only_number_that_the_rules_allow(
    rows: tuple[str, ...], shown: int
) -> None:
    blank, order = np.zeros((24, 24, 3), np.float32), "012.?"
    variants = [
        Variant(blank, np.full(192, 40.0 * place, np.float32), state, 9, 1, 0.0, Trust.SETTLED)
        for place, state in enumerate((0, 1, 2, int(State.COVERED), int(State.UNREADABLE)))
    ]
    variants[4] = replace(variants[4], trust=Trust.PROVISIONAL, opened=True)
    index = np.array([[order.index(shown) for shown in row] for row in rows], np.int32)
    seen = Seen(index, np.zeros(index.shape, np.bool_))
    knowledge = LearnedLooks(24, tuple(variants))
    assert with_checked_states(knowledge, seen).states[4] == shown
    marked = replace(seen, marked=np.ones(index.shape, np.bool_))  # it may be a mark
    assert with_checked_states(knowledge, marked).states[4] == State.UNREADABLE


def small_print(board: Board, pitch: int = 88) -> Pixels:
    """Return a picture of a board with small digits, zeros included, in the middle of large cells."""
    picture = np.full((board.rows * pitch, board.cols * pitch, 3), 255, np.uint8)
    for cell in board:
        x, y, state = cell.col * pitch, cell.row * pitch, board[cell]
        light, dark = (130, 255) if state <= 8 else (255, 130)
        cv2.rectangle(picture, (x + 3, y + 3), (x + pitch - 4, y + pitch - 4), (dark,) * 3, -1)
        cv2.rectangle(picture, (x + 3, y + 3), (x + pitch - 6, y + pitch - 6), (light,) * 3, -1)
        cv2.rectangle(picture, (x + 5, y + 5), (x + pitch - 6, y + pitch - 6), (217,) * 3, -1)
        if state <= 8:
            place = (x + pitch // 2 - 4, y + pitch // 2 + 5)
            cv2.putText(picture, str(state), place, cv2.FONT_HERSHEY_SIMPLEX, 0.35, (0, 0, 0), 1)
    return picture


@pytest.mark.parametrize("seed", range(6))
def test_small_print_in_large_cells_is_not_taken_for_one_number(seed: int) -> None:
    game, learner, grid = Game(8, 8, 20, seed, FirstClick.SAFE), SkinLearner(), Grid(0, 0, 88, 88, 8, 8)
    free, clicked = [Cell(0, 0)], list[Cell]()
    learner.read(small_print(game.board), grid)
    for _ in range(12):
        clicked += free[:1]
        game.open(clicked[-1])
        learner.record_clicks(clicked, ())
        read = learner.read(small_print(game.board), grid).board
        certain = [cell for cell in read if read[cell] != State.UNREADABLE and cell not in learner.unsure]
        assert [cell for cell in certain if read[cell] != game.board[cell]] == []
        covered = game.board.cells(State.COVERED)
        free = [cell for cell in covered if cell not in (game.mines or ())]


def test_a_corrected_grid_keeps_in_mind_what_was_covered_at_first() -> None:
    """Blank cells that look like covered ones at first sight were something else before."""
    told = ToldSight(mistaken={0: int(State.COVERED)})
    learner = SkinLearner(first_sight=told)
    fresh, opened, *_ = played(style(3), 3)
    for seen in (fresh, opened):
        told.board = seen.board
        learner.record_clicks(seen.done.clicked or (), ())
        learner.read(seen.pixels, seen.grid)
    told.board = fresh.board
    again = learner.restarted(fresh.grid)
    told.board = opened.board
    board = again.read(opened.pixels, opened.grid).board
    assert not [cell for cell in opened.board.cells(0) if board[cell] == State.COVERED]
