"""The levels: their names, those of the real games, and what is no level."""

from __future__ import annotations

import pytest

from bot.errors import UsageError
from bot.levels import BEGINNER, EXPERT, LEVELS, Level, name_of, parse_level
from bot.targets.catalogue import find_target

SIZES = ((1, 8), (100, 100))


def test_levels_are_named_or_of_any_size() -> None:
    assert parse_level("expert", *SIZES) == Level(16, 30, 99) == LEVELS["expert"]
    assert parse_level("8x8/10", *SIZES) == Level(8, 8, 10)
    assert [level.name for level in (EXPERT, Level(30, 16, 99))] == ["expert", "custom"]
    old = {"beginner": Level(8, 8, 10)}
    assert [name_of(level, old) for level in (Level(8, 8, 10), BEGINNER)] == ["beginner", None]
    assert find_target("winmine").level_name(Level(30, 16, 99)) == "30x16/99"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("easy", "'easy' is not a level: use beginner, intermediate, expert or ROWSxCOLS/MINES"),
        ("101x9/10", "101 x 9 cannot be shown: give 1 to 100 rows and 8 to 100 columns"),
        ("9x9/0", "9 x 9 cells cannot hold 0 mines: give 1 to 80"),
    ],
)
def test_what_is_no_level_is_said(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse_level(text, *SIZES)
