"""What levels are called, in the real games and where the same name means another size."""

from __future__ import annotations

from bot.levels import BEGINNER, EXPERT, LEVELS, Level, name_of
from bot.targets import find_target

OLD = {"beginner": Level(8, 8, 10)}


def test_a_level_has_a_name_where_it_is_one_of_the_levels() -> None:
    assert [name_of(level) for level in LEVELS.values()] == [*LEVELS]
    assert name_of(Level(9, 9, 11)) is None
    assert [name_of(level, OLD) for level in (Level(8, 8, 10), BEGINNER)] == ["beginner", None]


def test_what_has_no_name_is_custom_or_its_size() -> None:
    assert [level.name for level in (EXPERT, Level(30, 16, 99))] == ["expert", "custom"]
    target = find_target("winmine")
    assert [target.level_name(level) for level in (EXPERT, Level(30, 16, 99))] == ["expert", "30x16/99"]
