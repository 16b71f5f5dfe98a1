"""Play the test page at the zooms of browsers, with the board at the edge of the screen or inside a window.

Run from the repository root: ``python tests/bench page_zoom``. The bot gets what `minebot play` has: all
skins, and no window, since a browser is no game; it finds the board on the screen. Every cell that it reads,
also on the last picture of a game, is compared with what the page showed at that moment. *Refused*: the bot
ended with an error before its first click of a game; *stopped*: after it. Then the next game is begun for it.
*False*: results that it reported wrong.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import Journal
from bot.board import CHARACTERS, Cell, State
from bot.desktop import ScreenMouse
from bot.errors import BotError, LaunchError, StoppedError
from bot.geometry import Frame
from bot.play.look import Look
from bot.play.results import GameResult, Round, Settings
from bot.signals import ended_by_signals
from bot.targets.launch import virtual_display
from bot.vision import Skin, load_skins, save_picture
from page import Page, open_page
from programs import Listeners, player_on, touch

ZOOMS = (100, 110, 120, 125, 133, 150, 175, 200)  # percent


@dataclass(frozen=True, slots=True)
class Place:
    """Where the board is: ``margin`` CSS pixels from the left of a window with its corner at ``corner``."""

    margin: int
    corner: tuple[int, int]


PLACES: Mapping[str, Place] = {
    "edge": Place(0, (0, 20)),  # of the window and of the screen
    "off": Place(24, (-5, 20)),  # inside a window that is partly off the screen
    "window": Place(0, (20, 20)),  # at the edge of the window alone
    "inside": Place(24, (20, 20)),
}
LONGEST = 300.0  # seconds for a game, at most
_PAINTING = 0.5  # seconds after its report for which the page may still show its state of before
_REPORT = 0.5  # seconds until a report of the page arrives, on a busy machine


@dataclass
class Outcome:
    """The results at one zoom and place; ``words`` counts the errors and the differences by their words."""

    zoom: int
    place: str
    games: int = 0
    refused: int = 0
    stopped: int = 0
    won: int = 0
    lost: int = 0
    unknown: int = 0
    false: int = 0
    cells: int = 0
    unread: int = 0
    misread: int = 0
    words: dict[str, int] = field(default_factory=dict)

    def note(self, words: str) -> None:
        """Count one more time that something happened."""
        self.words[words] = self.words.get(words, 0) + 1


class Judge:
    """Compares what the bot reads and reports with what the page has shown."""

    def __init__(self, page: Page, outcome: Outcome, pictures: Path | None) -> None:
        self._page, self._outcome, self._pictures = page, outcome, pictures
        self._looks: list[Look] = []  # of the game that is played
        self._deadline = 0.0

    def round(self, turn: Round) -> None:
        """Keep a look for the comparison. Raises StoppedError if the game takes too long."""
        if not self._looks:
            self._deadline = time.monotonic() + LONGEST
        self._looks.append(turn.look)
        if time.monotonic() > self._deadline:
            raise StoppedError(f"stopped: a game took more than {LONGEST:.0f} s")

    def end(self, result: GameResult, look: Look) -> None:
        """Count a finished game, and compare its looks."""
        self._compare([*self._looks, look])
        outcome, won = self._outcome, self._page.latest.won
        outcome.games += 1
        outcome.won += won is True
        outcome.lost += won is False
        outcome.unknown += result.won is None
        if result.won not in (None, won):
            outcome.false += 1
            outcome.note(f"reported {result.outcome}")
            self._keep(look.frame, "false")
        self._looks.clear()

    def failed(self, error: BotError, frame: Frame) -> None:
        """Count a game that ended with ``error``, as the screen shows in ``frame``."""
        self._compare(self._looks)
        outcome, kind = self._outcome, "stopped" if self._looks else "refused"
        outcome.games += 1
        outcome.refused += kind == "refused"
        outcome.stopped += kind == "stopped"
        outcome.note(f"{kind}: {error}")
        self._keep(frame, kind)
        self._looks.clear()

    def _compare(self, looks: Sequence[Look]) -> None:
        time.sleep(_REPORT)
        reports = sorted(self._page.shown, key=lambda shown: shown.serial)
        for look in looks:
            board, seen = look.reading.board, look.frame.time
            before = [shown for shown in reports if shown.heard < seen - _PAINTING][-1:]
            now = [shown for shown in reports if seen - _PAINTING <= shown.heard <= seen + _REPORT]
            possible = [shown.board for shown in (*before, *now) if shown.board.shape == board.shape]
            read = [cell for cell in board if board[cell] != State.UNREADABLE]
            wrong = [cell for cell in read if all(board[cell] != shown[cell] for shown in possible)]
            self._outcome.cells += len(read)
            self._outcome.unread += board.states.size - len(read)
            self._outcome.misread += len(wrong)
            if wrong:
                self._outcome.note(_difference(look, wrong, len(possible)))
                self._keep(look.frame, "misread")

    def _keep(self, frame: Frame, kind: str) -> None:
        """Save a picture for whoever asks why."""
        if self._pictures is not None:
            outcome = self._outcome
            name = f"{outcome.zoom}-{outcome.place}-{outcome.games}-{kind}-{len(self._looks)}.png"
            save_picture(self._pictures / name, frame.pixels)


def _difference(look: Look, wrong: Sequence[Cell], possible: int) -> str:
    if not possible:
        return f"a board of {look.reading.board.rows} x {look.reading.board.cols} that is not there"
    read = Counter(CHARACTERS[look.reading.board[cell]] for cell in wrong)
    return "misread as " + ", ".join(f"{symbol} ({count})" for symbol, count in read.items())


def play(
    zoom: int, place: str, games: int, seed: int, skins: Sequence[Skin], pictures: Path | None = None
) -> Outcome:
    """Play ``games`` games at a zoom in percent and a place of `PLACES`; return the results.

    Raises LaunchError if the page does not open or starts no new game.
    """
    outcome, where = Outcome(zoom, place), PLACES[place]
    with open_page(scale=zoom / 100, corner=where.corner, seed=seed, margin=where.margin) as page:
        judge, hand = Judge(page, outcome, pictures), ScreenMouse()
        touch(page.window, hand)

        def tell(words: str) -> None:
            if words.startswith("start a new game"):
                threading.Timer(0.3, hand.press, ("f2",)).start()

        listeners = Listeners(round=judge.round, end=judge.end, tell=tell)
        while outcome.games < games:
            with player_on(None, Settings(games - outcome.games), listeners, skins=skins) as player:
                try:
                    for _ in player.play():
                        pass
                except BotError as error:
                    judge.failed(error, player.watcher.capture.grab())
                    _begin_anew(page, hand)
    return outcome


def _begin_anew(page: Page, hand: ScreenMouse) -> None:
    """Start a new game by the key of the page. Raises LaunchError if none appears."""
    before, deadline = page.latest.game, time.monotonic() + 10
    hand.press("f2")
    while page.latest.game == before:
        if time.monotonic() > deadline:
            raise LaunchError("the page starts no new game")
        time.sleep(0.05)


def report(outcomes: Sequence[Outcome], console: Console) -> None:
    """Print a row for each zoom and place, and the totals."""
    names = ("games", "refused", "stopped", "won", "lost", "unknown", "false", "cells", "unread", "misread")
    table = Table("zoom", "place", *names, title="the test page, zoomed", show_footer=False)
    table.add_column("what happened", overflow="fold")
    for one in outcomes:
        words = "; ".join(f"{count} x {words}" for words, count in one.words.items())
        table.add_row(f"{one.zoom} %", one.place, *(str(getattr(one, name)) for name in names), words)
    table.add_section()
    table.add_row("all", "", *(str(sum(getattr(one, name) for one in outcomes)) for name in names))
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=10, help="at each zoom and place (default: 10)")
    parser.add_argument("--zooms", type=int, nargs="+", default=ZOOMS, help="in percent")
    parser.add_argument("--places", choices=PLACES, nargs="+", default=["edge", "off"], help="of the board")
    parser.add_argument("--seed", type=int, default=1, help="of the boards (default: 1)")
    parser.add_argument("--no-skins", action="store_true", help="let the bot know no skin")
    parser.add_argument("--pictures", type=Path, help="a folder for what went wrong")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep records in FILE, and go on from there"
    )
    given = parser.parse_args()
    asked = {"bench": "page_zoom", "games": given.games, "seed": given.seed, "no_skins": given.no_skins}
    journal = Journal(given.resume, asked)
    outcomes = {(line["zoom"], line["place"]): Outcome(**line) for line in journal.lines}
    wanted = [(zoom, place) for zoom in given.zooms for place in given.places]
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    skins = () if given.no_skins else load_skins()
    with ended_by_signals(), virtual_display():
        missing = [key for key in wanted if key not in outcomes]
        for zoom, place in track(missing, "playing", console=Console(stderr=True)):
            seed = given.seed + 1000 * (10 * zoom + list(PLACES).index(place))
            try:
                outcomes[zoom, place] = play(zoom, place, given.games, seed, skins, given.pictures)
            except LaunchError as error:
                sys.exit(f"{zoom} %, {place}: {error}")
            journal.add([asdict(outcomes[zoom, place])])
    report([outcomes[key] for key in wanted], Console(width=200))


if __name__ == "__main__":
    main()
