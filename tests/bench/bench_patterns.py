"""How far the library of patterns leads on expert boards, and whether it is ever wrong.

    python tests/bench patterns [--games N] [--measured N] [--window N] [--seed N]

Plays games with the strategy novitsky, as it ships, and compares all that it calls proven with the mines. In
the first ones (``--measured``) it looks at the positions in which counting is stuck: how many cells are
proven by the numbers inside some window, and how many of them the library settles; by order, and by the
number of patterns, the simplest first. Ctrl+C ends it with what was found so far.
"""

from __future__ import annotations

import argparse
from collections import Counter
from time import process_time

from bot.board import Cell
from bot.game.simulation import BASE_SEED, Game
from bot.solver import STRATEGIES, Action, Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, count
from bot.solver.published.novitsky.library import Library, shipped
from window_proofs import proven_in_windows, unplayable

SIZES = (5, 10, 17, 30, 60, 120, 240)


def libraries() -> dict[str, Library]:
    """Return the libraries that are compared: up to an order, the first so many patterns, and all of them."""
    patterns = [pattern for pattern in shipped().patterns if len(pattern.needs) > 1]
    orders = sorted({pattern.order for pattern in patterns})
    by_order = {f"up to order {top}": [one for one in patterns if one.order <= top] for top in orders}
    by_size = {f"the first {size}": patterns[:size] for size in SIZES if size < len(patterns)}
    return {
        name: Library(chosen) for name, chosen in {**by_order, **by_size, "all of them": patterns}.items()
    }


class Bench:
    """Games with novitsky, and what came of them."""

    def __init__(self, window: int) -> None:
        self.window = window
        self.libraries = libraries()
        self.tally: Counter[str] = Counter()
        self.cells: Counter[str] = Counter()
        self.positions: Counter[str] = Counter()
        self.seconds: list[float] = []

    def play(self, seed: int, *, measured: bool) -> None:
        """Play a game, and look at the positions on the way if it is to be ``measured``."""
        game = Game(16, 30, 99, seed)
        game.open(Cell(0, 0))
        while not game.over:
            system = System.of(game.board)
            known = count(system, Known())
            if not known.safe:
                self.tally["positions in which counting is stuck"] += 1
                if measured:
                    self._time(system, known)
                    self._measure(system, known)
                self._move(game)
            for cell in system.cells(known.safe):  # counting is not what is looked at here
                game.open(cell)
        self.tally["games"] += 1
        self.tally["games won"] += game.won

    def _time(self, system: System, known: Known) -> None:
        start = process_time()
        shipped().settle(system, known)
        self.seconds.append(process_time() - start)

    def _measure(self, system: System, known: Known) -> None:
        decidable = proven_in_windows(system, known, self.window)
        self.cells["decidable"] += decidable.bit_count()
        self.positions["decidable"] += bool(decidable)
        for name, library in self.libraries.items():
            settled = library.settle(unplayable(system), known).safe & decidable
            self.cells[name] += settled.bit_count()
            self.positions[name] += bool(settled)

    def _move(self, game: Game) -> None:
        decision = decide(game.board, strategy=STRATEGIES["novitsky"])
        assert game.mines is not None
        wrong = [cell for cell in decision.mines if cell not in game.mines]
        if decision.reason is Reason.GUESS:
            self.tally["guesses"] += 1
        else:
            assert all(move.action is Action.OPEN and move.risk == 0 for move in decision.moves)
            wrong += [move.cell for move in decision.moves if move.cell in game.mines]
            self.tally[f"cells proven by {decision.reason.value}"] += len(decision.moves)
        if wrong:
            print(f"WRONG about {wrong} on\n{game.board}")
        self.tally["cells it was wrong about"] += len(wrong)
        for move in decision.moves:
            game.open(move.cell)

    def report(self) -> None:
        """Print what came of the games."""
        for what, number in self.tally.items():
            print(f"{number:9,} {what}")
        if self.seconds:
            ordered = sorted(self.seconds)
            mean, median, worst = sum(ordered) / len(ordered), ordered[len(ordered) // 2], ordered[-1]
            print(f"a stuck position: {1e3 * mean:.2f} ms, median {1e3 * median:.2f}, most {1e3 * worst:.1f}")
        whole, stuck = self.cells["decidable"], self.positions["decidable"]
        if not whole:
            return
        print(f"proven by windows of {self.window}: {whole:,} cells in {stuck:,} positions; settled")
        for name, library in self.libraries.items():
            cells, positions = self.cells[name] / whole, self.positions[name] / stuck
            patterns = len(library.patterns)
            print(f"{cells:8.2%} of the cells, {positions:7.2%} of the positions: {name} ({patterns})")


def main() -> None:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--measured", type=int, default=300)
    parser.add_argument("--window", type=int, default=6)
    parser.add_argument("--seed", type=int, default=BASE_SEED)
    wanted = parser.parse_args()
    bench = Bench(wanted.window)
    try:
        for number in range(wanted.games):
            bench.play(wanted.seed + number, measured=number < wanted.measured)
            if (number + 1) % 500 == 0:
                wrong = bench.tally["cells it was wrong about"]
                print(f"after {number + 1} games: wrong {wrong} times", flush=True)
    except KeyboardInterrupt:
        print("stopped: this is what came of the games so far")
    bench.report()


if __name__ == "__main__":
    main()
