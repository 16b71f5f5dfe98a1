"""What the panel says of a run."""

from __future__ import annotations

from bot.ui.panel.choices import Choices
from bot.ui.panel.standing import Standing, Status


def heading(standing: Standing) -> str:
    """Return what is going on."""
    if standing.status is Status.RUNNING:
        if standing.show:
            return "Watching: the mouse is yours"
        return f"Playing game {standing.game}" if standing.game else "Looking at the game"
    told = {
        Status.IDLE: standing.words,
        Status.STARTING: "starting",
        Status.PAUSED: standing.words,
        Status.RESUMING: "going on as soon as the mouse lies still",
        Status.STOPPING: "stopping",
    }[standing.status]
    return f"{told[:1].upper()}{told[1:]}"


def score(standing: Standing) -> str:
    """Return how many games were won and lost."""
    if standing.show:
        return ""
    stuck = f", {standing.stuck} stuck" if standing.stuck else ""
    unknown = f", {standing.unknown} unknown" if standing.unknown else ""
    known = standing.games - standing.unknown
    share = f" ({standing.won / known:.0%})" if known else ""
    return f"Won {standing.won}{share}, lost {standing.lost}{stuck}{unknown}"


def speeds(standing: Standing) -> str:
    """Return the 3BV/s of the games that were won."""
    if standing.show:
        return ""
    if standing.mean is None:
        return "3BV/s -"
    last = "-" if standing.last is None else f"{standing.last:.1f}"
    return f"3BV/s {last}, mean {standing.mean:.1f}, best {max(standing.speeds):.1f}"


def stopping(choices: Choices) -> str:
    """Return how to stop a run."""
    key = "+".join(part.strip().capitalize() for part in choices.stop_key.split("+"))
    return f"{key} ends it." if choices.show else f"Move the mouse to pause it; {key} stops it."
