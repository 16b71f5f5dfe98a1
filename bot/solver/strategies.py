"""The strategies: named selections of the ladder's rungs, and what is opened where none proves anything."""

from __future__ import annotations

from collections.abc import Mapping

from bot.board import Board, FirstClick, State
from bot.errors import UsageError
from bot.solver.constraints import System, bits
from bot.solver.decision import Action, Decision, Move, Reason
from bot.solver.estimate import estimate
from bot.solver.guess import candidates, first_click, least_risk
from bot.solver.ladder import STAGES, Finding, Risks, climb
from bot.solver.policies import POLICIES

_ALL = (Reason.COUNTING, Reason.CONTRADICTION, Reason.PROBABILITY)
STRATEGIES: Mapping[str, tuple[Reason, ...]] = {
    "counting": (Reason.COUNTING,),
    "komarov": (Reason.COUNTING, Reason.CONTRADICTION),
    "exact": _ALL,
    **dict.fromkeys(POLICIES, _ALL),
}


def decide(
    board: Board, *, rule: FirstClick = FirstClick.SAFE, strategy: str = "best", guess: bool = True
) -> Decision:
    """Return what to do next on ``board``: all cells that the first successful stage proves safe, or a guess.

    ``rule`` is what the game promises about its first click; it matters on a board with nothing opened.
    After that all placements of mines count alike, also for WINMINE, whose rule makes the first free cells
    from the top left a little more likely to be mines than is said here.

    Only covered and question-marked cells are opened. A flag is taken for an opinion: a flagged cell that
    is proven safe gets a FLAG move, the right click that takes the flag away, so that it can be opened in
    the next round; no guess aims at a flagged cell while there is another. Unreadable cells get no move.

    With nothing proven and ``guess`` false, the decision has no moves. Raises ContradictionError if no
    placement of mines fits the board, BotError if there is nothing left to open, UsageError for an unknown
    strategy.
    """
    if strategy not in STRATEGIES:
        raise UsageError(f"there is no strategy {strategy!r}; there are {', '.join(STRATEGIES)}")
    system = System.of(board)
    finding = climb(system, STRATEGIES[strategy], compiled=strategy in POLICIES)
    known = finding.known
    if known.safe & system.playable:
        return _proven(system, finding)
    cells = candidates(system, known)
    if not known.settled and cells & system.openable and _fresh(board):
        return _first(system, rule)
    return _guessed(system, finding, strategy, guess=guess)


def _fresh(board: Board) -> bool:
    return board.count(State.COVERED, State.FLAG, State.QUESTION) == board.rows * board.cols


def _proven(system: System, finding: Finding) -> Decision:
    known = finding.known
    order = [*bits(known.safe & system.openable), *bits(known.safe & system.flagged)]
    moves = tuple(
        Move(
            system.cell(index),
            Action.OPEN if system.openable >> index & 1 else Action.FLAG,
            0.0,
            finding.reasons[index],
            finding.proof(system, index),
        )
        for index in order
    )
    return _decision(system, finding, moves, max((move.reason for move in moves), key=list(STAGES).index))


def _first(system: System, rule: FirstClick) -> Decision:
    cells = system.unknown.bit_count()
    mines = system.board.mines
    density = 0.5 if mines is None else mines / cells
    move = Move(
        system.cell(first_click(system, rule)),
        Action.OPEN,
        density if rule is FirstClick.ANY else 0.0,
        Reason.FIRST_CLICK,
    )
    return Decision((move,), Reason.FIRST_CLICK)


def _guessed(system: System, finding: Finding, strategy: str, *, guess: bool) -> Decision:
    if not guess:
        return _decision(system, finding, (), Reason.GUESS)
    risks = _risks(system, finding)
    cell = _chosen(system, finding, strategy, risks)
    action = Action.OPEN if system.openable >> cell & 1 else Action.FLAG
    move = Move(system.cell(cell), action, risks[cell], Reason.GUESS)
    return _decision(system, finding, (move,), Reason.GUESS)


def _chosen(system: System, finding: Finding, strategy: str, risks: Risks) -> int:
    """Return the cell to guess: by the strategy's policy where every unknown cell can be opened."""
    policy = POLICIES.get(strategy)
    if policy is None or finding.risks is None or system.unknown != system.openable:
        return least_risk(system, finding.known, risks, avoid_dead=finding.risks is not None)
    from bot.solver.engine import engine_for

    return engine_for(*system.board.shape).guess(policy)


def _decision(system: System, finding: Finding, moves: tuple[Move, ...], reason: Reason) -> Decision:
    computed = reason is Reason.PROBABILITY or reason is Reason.GUESS
    risks = _risks(system, finding) if computed else {}
    return Decision(
        moves,
        reason,
        frozenset(system.cells(finding.known.mines)),
        {system.cell(index): risk for index, risk in risks.items()},
        exact=not risks or finding.risks is not None,
    )


def _risks(system: System, finding: Finding) -> dict[int, float]:
    """Return the risk of every unknown cell; 0.0 and 1.0 for those that are settled."""
    known = finding.known
    settled = {index: float(known.mines >> index & 1) for index in bits(known.settled)}
    return {**(finding.risks or estimate(system, known)), **settled}
