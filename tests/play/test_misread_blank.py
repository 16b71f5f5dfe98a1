"""A covered cell that is misread as blank must never lead to a mine that is opened as proven."""

from __future__ import annotations

import pytest

from misread_blanks import misread_blanks


@pytest.mark.parametrize("part", range(4))
def test_no_mine_is_opened_as_proven(part: int) -> None:
    cases = list(misread_blanks(400 * part, 600))
    assert sum(len(case.decisions) for case in cases) > 500
    assert not [(case.seed, case.cell) for case in cases if case.opens_a_mine]
