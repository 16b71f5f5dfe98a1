"""What levels are called, in the real games and where the same name means another size."""

from __future__ import annotations

from bot.levels import BEGINNER, CLASSIC_MINES, EXPERT, LEVELS, USUAL_MINES, USUAL_SIZES, Level, name_of
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


def test_mines_are_known_by_rows_and_columns() -> None:
    assert CLASSIC_MINES == {(8, 8): 10, (9, 9): 10, (16, 16): 40, (16, 30): 99}
    assert CLASSIC_MINES.items() < USUAL_MINES.items()
    assert USUAL_SIZES - USUAL_MINES.keys() == {(24, 30)}  # whose mines anybody chooses
