"""All stages on the same positions: none denies another, and what each finds is counted."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from bench import bench_stages
from bench.bench_stages import KERNEL, StageError, stages, survey, table
from bot.solver import STRATEGIES, Reason
from bot.solver.constraints import System
from bot.solver.counting import Known
from bot.solver.ladder import STAGES, Learned

SEED = 10_000_000


def test_no_stage_proves_what_another_refutes() -> None:
    found = survey(range(6), SEED)  # which raises an error otherwise
    whole = found.stages[KERNEL]
    assert found.games == 6
    assert found.positions > whole.positions > 5
    assert set(found.stages) == {*stages(), KERNEL}
    for tally in found.stages.values():
        assert tally.positions <= whole.positions
        assert tally.safe <= whole.safe
        assert tally.mines <= whole.mines
    assert found.stages["counting"].safe == 0
    assert 0.8 * whole.safe < found.stages["elements"].safe
    assert found.stages["probability with the total"].safe == whole.safe


def test_every_stage_of_every_strategy_is_asked() -> None:
    asked = {
        (reason, how.total) for how in STRATEGIES.values() if how.policy is None for reason in how.stages
    }
    assert set(stages().values()) == asked
    assert next(iter(stages().values()))[0] is Reason.COUNTING


@pytest.mark.parametrize("mine", [True, False])
def test_a_stage_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch, mine: bool) -> None:
    def wrong(system: System, known: Known, _learned: Learned) -> tuple[Known, None]:
        cell = (system.unknown & ~known.settled).bit_length() - 1
        return (known.extended(1 << cell, 0) if mine else known.extended(0, 1 << cell)), None

    monkeypatch.setattr(bench_stages, "STAGES", {**STAGES, Reason.ELEMENTS: wrong})
    with pytest.raises(StageError, match=r"elements (is wrong|proves what)[^/]*16 x 30 / 99"):
        survey(range(2), SEED)


def test_the_table_has_a_row_for_each_stage() -> None:
    drawn = StringIO()
    Console(width=110, file=drawn).print(table(survey(range(1), SEED)))
    for name in (*stages(), KERNEL):
        assert name in drawn.getvalue()
