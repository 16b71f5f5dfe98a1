"""Strategy korlyakova: neighbourhoods, her score, what experience makes of it, and its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.bench.plan import Boards, PlayOptions, Unit, fingerprint
from bot.bench.running import play_unit
from bot.board import Board, Cell, FirstClick, State, States
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.decision import Judgement
from bot.solver.published.korlyakova import (
    TEACHERS,
    Experience,
    Learned,
    UnprovenPosition,
    Values,
    scored,
    strategy_with,
    train,
)
from reference import solution_counts
from solver.test_solver_properties import SYMMETRIES
from strategies import played

SEED = 10_000_000
TURNS: Sequence[Callable[[States], States]] = SYMMETRIES
OPENING = Boards(8, 8, 12, FirstClick.OPENING, Cell(3, 3), SEED)
SAFE = Boards(6, 9, 10, FirstClick.SAFE, Cell(0, 0), SEED)


def position_of(board: Board) -> UnprovenPosition:
    system = System.of(board)
    return UnprovenPosition.of(system, apply_counting_rules(system, Known()))


def key(text: str, row: int, col: int) -> int:
    position = position_of(Board.from_rows(text.split()))
    return int(position.keys[position.cells == row * position.free.shape[1] + col].item())


def digits(key: int) -> list[int]:
    return [key // 6**place % 6 for place in range(24)]


@pytest.fixture(scope="module")
def trained() -> Experience:
    *_, last = train([OPENING.game, SAFE.game], 600, TEACHERS["game"], Experience.none(), lump=100)
    return last.experience


def stuck(games: int, learned: Learned) -> Iterator[tuple[Game, Cell]]:
    """Yield games in which nothing is proven, and what is opened then."""
    strategy = strategy_with(learned)
    for game, decision in played((8, 8, 12), games, strategy, rule=FirstClick.OPENING, first=Cell(3, 3)):
        if decision.reason is Reason.GUESS:
            yield game, decision.moves[0].cell


def test_a_neighbourhood_says_what_bears_on_its_middle() -> None:
    assert sorted(digits(key("..... .121. ..... ..... .....", 0, 2)))[-3:] == [2, 2, 3]
    assert key("..... ..... ..... ..... ....1", 0, 0) == 0  # no number around it
    assert digits(key("..... .1W.. ..... ..... .....", 0, 0)).count(2) == 1
    # The number on the right shares no free cell with the one on the left.
    assert key(".1WWW ..WW. ..WW1", 0, 0) == key(".1WWW ..WWW ..WWW", 0, 0)
    assert key(".1WWW ..1W. ..WWW", 0, 0) != key(".1WWW ..WWW ..WWW", 0, 0)
    # The number at the top right shares a free cell with the one below the middle.
    assert key(".W1 1.. W.W", 0, 0) != key(".WW 1.. W.W", 0, 0)
    # The 3 misses one mine, since two are known: it says what a 1 says.
    assert key("*3*W ..WW WWWW", 1, 0) == key("W1WW ..WW WWWW", 1, 0)


@pytest.mark.parametrize("turn", TURNS)
def test_keys_turn_with_the_board(turn: Callable[[States], States]) -> None:
    for game, _ in stuck(4, Learned()):
        board = game.board
        turned = Board(turn(board.states), board.mines)
        assert sorted(position_of(board).keys) == sorted(position_of(turned).keys)


def test_the_score_is_the_sum_of_missing_mines_over_covered_cells() -> None:
    board = Board.from_rows(["....", "W12W", "...."], 4)
    scores, _ = scored(UnprovenPosition.of(System.of(board), Known()), None)
    expected = [1 / 6, 1 / 6 + 2 / 6, 1 / 6 + 2 / 6, 2 / 6] * 2
    assert scores == pytest.approx(expected)
    corner = decide(Board.from_rows(["2.1..", ".....", "....."], 9), strategy=STRATEGIES["korlyakova"])
    assert corner.judgement is Judgement.SCORE
    assert corner.moves[0].cell.row == 2  # no number touches it: its sum is 0


@pytest.mark.parametrize(("mines", "rest"), [(9, 7 / 13), (None, 2 / 3)])
def test_with_experience_a_cell_without_a_number_takes_the_share_of_what_is_left(
    mines: int | None, rest: float
) -> None:
    # Three cells touch the 2; without a total, the others are taken to be as bad as these.
    position = UnprovenPosition.of(
        System.of(Board.from_rows(["2.*.", "..*.", "....", "...."], mines)), Known()
    )
    assert scored(position, Experience.none())[0][-1] == pytest.approx(rest)


def test_experience_changes_the_choice() -> None:
    board = Board.from_rows(["....", "W12W", "...."], 3)
    plain = decide(board, strategy=STRATEGIES["korlyakova"]).moves[0].cell
    bad = key(".... W12W ....", *plain)
    warned = Experience.none().after(np.full(50, bad), np.ones(50))
    decision = decide(board, strategy=strategy_with(Learned(experience=warned)))
    assert decision.judgement is Judgement.EXPERIENCE
    assert decision.moves[0].cell.col != plain.col


def test_a_neighbourhood_starts_as_a_mine_and_moves_by_steps() -> None:
    experience = Experience.none()
    assert [of.tolist() for of in experience.recalled(np.array([7]))] == [[1.0], [0]]
    experience = experience.after(np.array([7, 9, 7, 0]), np.array([0.0, 1.0, 0.0, 1.0]))
    assert [of.tolist() for of in experience.recalled(np.array([7, 8, 9]))] == [[0.0, 1.0, 1.0], [2, 0, 1]]
    experience = experience.after(np.array([7]), np.array([1.0]))
    assert experience.recalled(np.array([7]))[0] == pytest.approx([1 / 3])
    assert experience.games == 2
    assert experience.often(2).keys.tolist() == [7]


def test_experience_wins_more_games(trained: Experience) -> None:
    def wins(experience: Experience | None) -> int:
        strategy = strategy_with(Learned(experience=experience))
        return sum(play_unit(Unit(OPENING, strategy, 1000, 1300, PlayOptions(), fingerprint())).won)

    assert wins(trained) > wins(None) + 30


@pytest.mark.parametrize("teacher", TEACHERS)
def test_the_same_games_teach_the_same(teacher: str) -> None:
    runs = [list(train([SAFE.game], 60, TEACHERS[teacher], Experience.none(), lump=25)) for _ in range(2)]
    assert [progress.games for progress in runs[0]] == [25, 50, 60]
    assert runs[0][-1].experience.written() == runs[1][-1].experience.written()
    assert runs[0][-1].experience.games == 60
    assert len(runs[0][-1].experience.keys) > 20


def test_training_plays_as_the_strategy_does_and_teachers_tell_the_truth(trained: Experience) -> None:
    choices: list[tuple[Board, Cell]] = []

    def teacher(game: Game, chosen: Cell) -> Values:
        choices.append((game.board, chosen))
        places, hidden = game.board.cells(State.COVERED), game.mines or frozenset()
        told, own, risks = (TEACHERS[name](game, chosen) for name in ("game", "choices", "solver"))
        assert [told[cell] for cell in places] == [float(cell in hidden) for cell in places]
        assert [cell for cell in places if not np.isnan(own[cell])] == [chosen]
        assert own[chosen] == told[chosen]
        solutions, mines = solution_counts(game.board)
        assert [risks[cell] for cell in places] == pytest.approx([mines[cell] / solutions for cell in places])
        return own

    list(train([OPENING.game], 12, teacher, trained))
    assert choices == [
        (game.board, cell) for game, cell in stuck(12, Learned(experience=trained)) if game.mines
    ]


def test_a_file_is_read_as_it_was_written(trained: Experience, tmp_path: Path) -> None:
    file = tmp_path / "experience.bin"
    trained.save(file)
    again = Experience.load(file)
    assert again.keys.tolist() == trained.keys.tolist()
    assert again.times.tolist() == trained.times.tolist()
    assert again.mines == pytest.approx(trained.mines, abs=1e-5)
    assert again.games == trained.games == 600
    assert again.written() == trained.written()
    Experience.none().save(file)
    assert Experience.load(file).games == 0
