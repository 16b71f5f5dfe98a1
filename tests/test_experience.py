"""Strategy korlyakova: neighbourhoods, her score, what experience makes of it, and its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from bot.bench.many import Turn, play_many
from bot.bench.plan import Boards, How, Unit, fingerprint
from bot.bench.playing import play_one
from bot.bench.training import TEACHERS, train
from bot.board import Board, Cell, FirstClick, States
from bot.errors import ExperienceError
from bot.game.simulation import Game
from bot.solver import Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, count
from bot.solver.decision import Judgement
from bot.solver.exact import solution_counts
from bot.solver.experience import Experience, read
from bot.solver.korlyakova import key_of, position_of, scored
from bot.solver.learned import Learned
from bot.solver.neighbourhoods import simpler
from test_solver_properties import SYMMETRIES

SEED = 10_000_000
OPENING = Boards(8, 8, 12, FirstClick.OPENING, Cell(3, 3), SEED)
SAFE = Boards(6, 9, 10, FirstClick.SAFE, Cell(0, 0), SEED)


def key(text: str, row: int, col: int, mines: int | None = None) -> int:
    board = Board.from_rows(text.split(), mines)
    system = System.of(board)
    return key_of(system, count(system, Known()), row * board.cols + col)


def digits(key: int) -> list[int]:
    return [key // 6**place % 6 for place in range(24)]


@pytest.fixture(scope="module")
def trained() -> Experience:
    *_, last = train([OPENING, SAFE], 600, TEACHERS["game"], Experience.none(), lump=100)
    return last.experience


def stuck(games: int) -> Iterator[Board]:
    for seed in range(SEED, SEED + games):
        game = Game(8, 8, 12, seed, FirstClick.OPENING)
        game.open(Cell(3, 3))
        while not game.over:
            decision = decide(game.board, strategy="korlyakova")
            if decision.reason is Reason.GUESS:
                yield game.board
            for move in decision.moves:
                game.open(move.cell)


def test_a_neighbourhood_says_what_bears_on_its_middle() -> None:
    assert sorted(digits(key("..... .121. ..... ..... .....", 0, 2)))[-3:] == [2, 2, 3]
    assert key("..... ..... ..... ..... ....1", 0, 0) == 0  # no number around it
    assert digits(key("..... .1W.. ..... ..... .....", 0, 0)).count(2) == 1
    # The number on the right shares no free cell with the one on the left.
    assert key(".1WWW ..WW. ..WW1", 0, 0) == key(".1WWW ..WWW ..WWW", 0, 0)
    assert key(".1WWW ..1W. ..WWW", 0, 0) != key(".1WWW ..WWW ..WWW", 0, 0)


def test_a_simpler_neighbourhood_has_no_numbers_but_those_around_its_middle() -> None:
    # The 1 below shares free cells with the 1 above, but does not touch the middle.
    full, alone = (key(f".1.W ...W W{number}WW", 0, 0) for number in "1W")
    assert full != alone
    found = simpler(np.array([full, alone, full]))
    assert found.tolist() == [alone, alone, alone]
    assert simpler(np.zeros(0, np.int64)).tolist() == []


def test_what_was_never_met_is_judged_by_what_is_alike() -> None:
    full, other = (key(f".1.W ...W W{number}WW", 0, 0) for number in "12")
    experience = Experience.none().after(np.array([other] * 9), np.zeros(9))
    assert experience.recalled(np.array([full]))[1].tolist() == [0]
    assert experience.alike.recalled(simpler(np.array([full])))[1].tolist() == [9]


def test_known_mines_and_walls_are_nothing() -> None:
    # The 3 misses one mine, since two are known: it says what a 1 says.
    assert key("*3*W ..WW WWWW", 1, 0) == key("W1WW ..WW WWWW", 1, 0)


def turned(states: States, turn: Callable[[States], States]) -> tuple[str, ...]:
    return tuple(Board(turn(states)).lines())


def test_no_two_neighbourhoods_share_a_key() -> None:
    seen: dict[int, tuple[str, ...]] = {}
    rng = np.random.default_rng(5)
    for _ in range(300):
        states = np.where(rng.random((5, 5)) < 0.5, 9, rng.integers(1, 5, (5, 5))).astype(np.int8)
        states[2, 2] = 9
        board = Board(states)
        position = position_of(System.of(board), Known(), 0.0)
        if not (position.missing[0, 1:4, 1:4] > 0).any():
            continue
        found = int(scored(position, Experience.none()).keys[np.count_nonzero(position.free[0].ravel()[:12])])
        lines = min(turned(states, turn) for turn in SYMMETRIES)
        if len(digits(found)) - digits(found).count(0) == 24:  # nothing of it was left out
            assert seen.setdefault(found, lines) == lines
    assert len(seen) > 20


@pytest.mark.parametrize("turn", SYMMETRIES)
def test_keys_turn_with_the_board(turn) -> None:  # type: ignore[no-untyped-def]
    for board in stuck(4):
        keys = []
        for one in (board, Board(turn(board.states), board.mines)):
            system = System.of(one)
            found = scored(position_of(system, count(system, Known()), 0.0), Experience.none())
            keys.append(sorted(found.keys.tolist()))
        assert keys[0] == keys[1]


def test_the_score_is_the_sum_of_missing_mines_over_covered_cells() -> None:
    board = Board.from_rows(["....", "W12W", "...."], 4)
    scores = scored(position_of(System.of(board), Known(), 0.5), None)
    expected = [1 / 6, 1 / 6 + 2 / 6, 1 / 6 + 2 / 6, 2 / 6] * 2
    assert scores.values == pytest.approx(expected)
    corner = decide(Board.from_rows(["2.1..", ".....", "....."], 9), strategy="korlyakova")
    assert corner.judgement is Judgement.SCORE
    assert corner.moves[0].cell.row == 2  # no number touches it: its sum is 0


def test_experience_changes_the_choice() -> None:
    board = Board.from_rows(["....", "W12W", "...."], 3)
    plain = decide(board, strategy="korlyakova").moves[0].cell
    system = System.of(board)
    bad = key_of(system, count(system, Known()), plain.row * 4 + plain.col)
    warned = Experience.none().after(np.full(50, bad), np.ones(50))
    decision = decide(board, strategy="korlyakova", learned=Learned(experience=warned))
    assert decision.judgement is Judgement.EXPERIENCE
    assert decision.moves[0].cell.col != plain.col


def test_a_neighbourhood_starts_as_a_mine_and_moves_by_steps() -> None:
    experience = Experience.none()
    assert [of.tolist() for of in experience.recalled(np.array([7]))] == [[1.0], [0]]
    experience = experience.after(np.array([7, 9, 7]), np.array([0.0, 1.0, 0.0]))
    assert [of.tolist() for of in experience.recalled(np.array([7, 8, 9]))] == [[0.0, 1.0, 1.0], [2, 0, 1]]
    experience = experience.after(np.array([7]), np.array([1.0]))
    assert experience.recalled(np.array([7]))[0] == pytest.approx([1 / 3])
    assert experience.games == 2
    assert experience.often(2).keys.tolist() == [7]


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("with_experience", [False, True])
def test_many_games_at_once_are_those_played_one_by_one(
    rule: FirstClick, with_experience: bool, trained: Experience
) -> None:
    experience = trained if with_experience else None
    boards = replace(SAFE, rule=rule, first=Cell(2, 4))
    won, guesses = play_many(boards, 40, 54, experience)
    how = How(learned=Learned(experience=experience))
    unit = Unit(boards, "korlyakova", 40, 54, how, fingerprint())
    games = [play_one(unit, number) for number in range(40, 54)]
    assert [game.won for game in games] == won.tolist()
    assert [game.guesses for game in games] == guesses.tolist()


def test_experience_wins_more_games(trained: Experience) -> None:
    without = play_many(OPENING, 1000, 1400, None)[0]
    learned = play_many(OPENING, 1000, 1400, trained)[0]
    assert learned.mean() > without.mean() + 0.1


@pytest.mark.parametrize("teacher", TEACHERS)
def test_the_same_games_teach_the_same(teacher: str) -> None:
    runs = [list(train([SAFE], 60, TEACHERS[teacher], Experience.none(), lump=25)) for _ in range(2)]
    assert [progress.games for progress in runs[0]] == [25, 50, 60]
    assert runs[0][-1].experience.written() == runs[1][-1].experience.written()
    assert runs[0][-1].experience.games == 60
    assert len(runs[0][-1].experience.keys) > 20


def test_what_is_chosen_does_not_depend_on_what_is_hidden(trained: Experience) -> None:
    turns: list[Turn] = []
    play_many(OPENING, 0, 30, trained, turns.append)
    for turn in turns[:3]:
        again = scored(turn.positions, trained).best(turn.positions, turn.positions.free)
        assert again.tolist() == turn.chosen.tolist()
        assert not (turn.games.opened & turn.games.mined).any()


def test_teachers_tell_the_truth() -> None:
    turns: list[Turn] = []
    play_many(SAFE, 0, 12, None, turns.append)
    assert turns
    for turn in (replace(turn, scores=scored(turn.positions, Experience.none())) for turn in turns):
        _, truth = TEACHERS["game"](turn)
        assert truth.tolist() == turn.games.mined.ravel()[turn.scores.cells].tolist()
        _, chances = TEACHERS["solver"](turn)
        states = np.where(turn.games.opened[0], turn.games.numbers[0], np.int8(9))
        solutions, mines = solution_counts(Board(states, 10))
        size = turn.positions.free[0].size
        first = [int(cell) for cell in turn.scores.cells if cell < size]
        expected = [mines[Cell(*divmod(cell, 9))] / solutions for cell in first]
        assert chances[: len(first)] == pytest.approx(expected)
        keys, met = TEACHERS["choices"](turn)
        assert len(keys) == len(met) == len(turn.chosen)


def test_a_file_is_read_as_it_was_written(trained: Experience) -> None:
    again = read(trained.written(), "it")
    assert again.keys.tolist() == trained.keys.tolist()
    assert again.times.tolist() == trained.times.tolist()
    assert again.mines == pytest.approx(trained.mines, abs=1e-5)
    assert again.games == trained.games == 600
    assert again.written() == trained.written()
    assert read(Experience.none().written(), "it").games == 0


def test_damaged_files_are_told_from_foreign_ones(trained: Experience) -> None:
    whole = trained.written()
    for foreign in (b"", b"\x89PNG\r\n", whole[1:]):
        with pytest.raises(ExperienceError, match="my file is no experience"):
            read(foreign, "my file")
    title, facts, packed = whole.split(b"\n", 2)
    more = facts.replace(b'"entries": ', b'"entries": 1')
    unordered = replace(trained, keys=trained.keys[::-1]).written()
    damaged = [whole[:-9], whole[:30], title, b"\n".join([title, more, packed]), unordered]
    damaged += [
        title + b"\n[]\n" + packed,
        title + b"\n{}\n" + packed,
        whole[:-40] + bytes([whole[-40] ^ 255]) + whole[-39:],
    ]
    for content in damaged:
        with pytest.raises(ExperienceError, match="my file is damaged"):
            read(content, "my file")
