"""Each stage of each strategy on the same positions of expert games: none is wrong, none proves too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from bot.board import Cell, State
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Reason
from bot.solver.analysis import analyse
from bot.solver.constraints import System, mask_of
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.guess import POLICIES
from bot.solver.stages import Stage
from bot.solver.strategies import PlainStrategy

SEEDS = range(10_000_000, 10_000_006)
ASKED: dict[tuple[Reason, bool], Stage] = {
    (stage.reason, strategy.total): stage
    for strategy in STRATEGIES.values()
    if isinstance(strategy, PlainStrategy)
    for stage in strategy.stages
}


def positions(seed: int) -> Iterator[tuple[System, Known, int]]:
    """Play a game; yield positions without a move by counting, what exact chances prove, and the mines."""
    game = Game(16, 30, 99, seed)
    game.open(Cell(0, 0))
    mined = np.zeros((16, 30), np.bool_)
    for cell in game.mines or ():
        mined[cell] = True
    while not game.over:
        system = System.of(game.board)
        opened = system.cells(apply_counting_rules(system, Known()).safe)
        if not opened:
            analysis = analyse(game.board)
            whole = Known(mask_of(analysis.risks == 1), mask_of(analysis.risks == 0))
            yield system, whole, mask_of(mined)
            opened = system.cells(whole.safe) or [system.cell(analysis.guess(POLICIES["best"]).cell)]
        for cell in opened:
            game.open(cell)


def test_no_stage_is_wrong_or_proves_what_exact_chances_do_not() -> None:
    found: Counter[tuple[Reason, bool]] = Counter()
    safe = 0
    for system, whole, mines in (position for seed in SEEDS for position in positions(seed)):
        assert system.board.count(State.COVERED) > 0
        safe += whole.safe.bit_count()
        for (reason, total), stage in ASKED.items():
            heard = system if total else system.without_total
            before = Known() if reason is Reason.COUNTING else apply_counting_rules(heard, Known())
            applied = stage.apply(heard, before)
            known = applied if isinstance(applied, Known) else applied[0]
            wrong = known.clash or known.safe & mines or known.mines & ~mines
            assert not wrong, f"{reason} is wrong on\n{system.board}"
            beyond = known.safe & ~whole.safe or known.mines & ~whole.mines
            assert not beyond, f"{reason} proves what exact chances do not on\n{system.board}"
            found[reason, total] += known.safe.bit_count()
    assert found[Reason.COUNTING, False] == 0
    assert 0.8 * safe < found[Reason.ELEMENTS, False]
    assert safe == found[Reason.PROBABILITY, True]
