"""The first line of a record: what the run was to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.board import FirstClick
from bot.record.values import Values, one_of, text
from bot.solver import STRATEGIES


@dataclass(frozen=True, slots=True)
class About:
    """What a run was to do: by which ``program``, begun when (ISO 8601), on which target, and how.

    ``rule`` is what the target promises about the first click, by the name of `bot.board.FirstClick`.
    ``settings`` are all other options by their names, as they were given.
    """

    program: str
    began: str
    target: str
    rule: str
    strategy: str
    settings: Mapping[str, Any] = field(default_factory=dict)


def about_of(values: Values) -> About:
    """Return what JSON says of a run. Raises KeyError for what is missing, ValueError for what is not so."""
    return About(
        program=text(values["program"]),
        began=text(values["began"]),
        target=text(values["target"]),
        rule=one_of(values["rule"], [rule.value for rule in FirstClick]),
        strategy=one_of(values["strategy"], STRATEGIES),
        settings=_settings(values["settings"]),
    )


def _settings(values: Any) -> Mapping[str, Any]:
    if not isinstance(values, dict):
        raise ValueError(f"{values!r:.40} are no settings")
    for name, value in values.items():
        text(name)
        text(str(value))
    return values
