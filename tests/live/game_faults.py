"""Faults of the game itself."""

from __future__ import annotations

from fault import Fault, Ground


def move(ground: Ground) -> None:
    """Let the window move."""
    ground.order("move", ground.random.randint(0, 600), ground.random.randint(0, 400))


GAME_FAULTS = (
    Fault("none", "nothing goes wrong", "plays"),
    Fault("lost", "a fifth of the clicks is lost", "sends them again", ("--lose", "0.2")),
    Fault("moves", "the window moves", "follows it", strike=move),
)
