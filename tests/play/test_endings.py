"""What is concluded from the evidence after a step of play, above all of games whose end is not seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import CLOSED, Board, Cell, State
from bot.clicker.clicks import Click
from bot.desktop.protocols import Button
from bot.geometry import Frame, Point
from bot.play.look import Look, doubt_about
from bot.play.next_step import RETRIES, Endings, Evidence, Next, Phase, Remedy
from bot.solver.decision import Action, Move, Reason
from bot.verdict import SEVERAL, SILENT, Circumstances, GameState, Ledger, verdict_on
from bot.vision.reading import Doubt
from simulated import reading_of

OPENED = Board.from_rows(["0001....", "0001....", "0001...."], 4)
CLICKED = Cell(0, 4)
PAST = Ledger(OPENED, frozenset({Cell(0, 0), CLICKED}), risk=0.0)
RISKED = replace(PAST, opening=frozenset({CLICKED}), risk=0.2)
ALL = dict.fromkeys(Remedy, 81)
ALL_BUT_BOX: dict[Remedy, int] = {remedy: 81 for remedy in Remedy if remedy is not Remedy.BOX}
CORNER = Board.from_rows(["001..", "001.1", "00111"], 1)  # one of its last cells is a mine
AT_CORNER = Ledger(CORNER, frozenset({Cell(0, 0), Cell(0, 3), Cell(0, 4)}))


def look_at(board: Board, doubt: Doubt = Doubt.UNRECOGNISED, *, playable_despite_doubt: bool = False) -> Look:
    doubts = dict.fromkeys(board.cells(State.UNREADABLE), doubt)
    reading = replace(reading_of(board), doubts=doubts)
    return Look(
        Frame(np.zeros((1, 1, 3), np.uint8)),
        reading,
        verdict_on(board),
        "cells cannot be read",
        playable_despite_doubt=playable_despite_doubt,
    )


def clicks_at(*cells: Cell) -> tuple[Click, ...]:
    return tuple(
        Click(Point(0, 0), Button.LEFT, Move(cell, Action.OPEN, 0.0, Reason.GUESS)) for cell in cells
    )


def played(ledger: Ledger, clicks: tuple[Click, ...], risk: float) -> Ledger:
    """Return the ledger after the last ``clicks``, which had that risk."""
    opening = frozenset(click.move.cell for click in clicks) & frozenset(ledger.board.cells(*CLOSED))
    return replace(ledger, opening=opening, risk=risk)


def concluded(
    look: Look, ledger: Ledger, clicks: tuple[Click, ...] = (), risk: float = 0.0, **known: object
) -> Next:
    """Return what is concluded when all remedies were tried."""
    evidence = Evidence(look, played(ledger, clicks, risk), clicks, tried=ALL, **known)  # type: ignore[arg-type]
    return Endings().conclude(evidence)


def end_of(step: Next) -> tuple[Phase, bool | None]:
    """Return the phase that was concluded, and whether the game is won."""
    return step.phase, step.look.verdict.won


def silent(
    board: Board, ledger: Ledger, waiting: Cell, risk: float = 0.3, *, sign: bool = False, **how: Doubt
) -> Next:
    """Return what is concluded when ``waiting`` was clicked so often that no more is to be expected."""
    look = replace(look_at(board, **how, playable_despite_doubt=True), circumstances=Circumstances(sign=sign))
    known = replace(ledger, board=ledger.board.replace({waiting: board[waiting]}))
    return concluded(look, known, clicks_at(waiting), risk, sent=RETRIES + 1)


def test_a_clicked_cell_that_shows_no_number_and_a_silent_game_are_a_loss() -> None:
    exploded = OPENED.replace({CLICKED: State.UNREADABLE, Cell(2, 6): State.UNREADABLE})
    ended = silent(exploded, PAST, Cell(1, 5))
    assert (*end_of(ended), ended.look.doubt) == (Phase.OVER, False, None)
    assert SILENT in ended.look.verdict.concluded
    assert silent(exploded, PAST, Cell(1, 5), 0.0).phase is Phase.STOPPED  # what was proven cannot explode


def test_cells_that_changed_by_themselves_are_none() -> None:
    """A hint, a highlight or a slow repaint changes cells that nobody has clicked."""
    lit = OPENED.replace({Cell(1, 5): State.UNREADABLE, Cell(2, 6): State.UNREADABLE})
    assert silent(lit, PAST, CLICKED, 0.3).phase is Phase.STOPPED


@pytest.mark.parametrize("doubt", [None, "cells cannot be read"])
def test_a_box_over_a_running_game_that_ignores_clicks_is_closed_before_play_stops(doubt: str | None) -> None:
    """The edge of a box made an opened cell look covered, so clicks on it had no effect."""
    covered = OPENED.replace(dict.fromkeys([Cell(1, 5), Cell(1, 6), Cell(2, 6)], State.UNREADABLE))
    look = replace(look_at(covered, playable_despite_doubt=True), doubt=doubt)
    known, clicks = replace(PAST, board=covered), clicks_at(CLICKED)
    tried: dict[Remedy, int] = {}
    while (now := Endings().conclude(Evidence(look, known, clicks, sent=RETRIES + 1, tried=tried))).remedy:
        assert now.phase is Phase.DOUBT
        tried = {**tried, now.remedy: 3}
    assert {Remedy.BOX, Remedy.BUTTON} <= set(tried)
    assert now.phase is Phase.STOPPED
    assert "row 1, column 5" in now.why
    earlier = Evidence(look, known, clicks, sent=RETRIES, tried=tried)
    assert Endings().conclude(earlier).phase is Phase.ANSWERING


@pytest.mark.parametrize(
    ("clicked", "risk", "may_be_over"),
    [((Cell(0, 3), Cell(0, 4)), 0.0, True), ((Cell(0, 3),), 0.5, True), ((Cell(0, 3),), 0.0, False)],
)
def test_a_message_beside_the_board_is_closed_before_play_stops(
    clicked: tuple[Cell, ...], risk: float, may_be_over: bool
) -> None:
    """A page that shows one paints the cell that ended the game only once the message is closed."""
    look, clicks = replace(look_at(CORNER), doubt=None), clicks_at(*clicked)
    ledger = played(Ledger(CORNER, frozenset(clicked)), clicks, risk)
    silence = Evidence(look, ledger, clicks, sent=RETRIES + 1)
    now = Endings().conclude(silence)
    assert (now.phase, now.remedy) == ((Phase.DOUBT, Remedy.BOX) if may_be_over else (Phase.STOPPED, None))
    assert Endings().conclude(replace(silence, tried={Remedy.BOX: 0})).phase is Phase.STOPPED


@pytest.mark.parametrize("doubt", [Doubt.POINTER, Doubt.HIDDEN])
def test_a_clicked_cell_that_something_hides_is_none(doubt: Doubt) -> None:
    hidden = OPENED.replace({CLICKED: State.UNREADABLE})
    assert silent(hidden, PAST, Cell(1, 5), 0.3, doubt=doubt).phase is Phase.STOPPED


def test_a_sign_beside_the_board_tells_only_of_a_guess() -> None:
    assert end_of(silent(OPENED, PAST, CLICKED, 0.3, sign=True)) == (Phase.OVER, False)
    assert silent(OPENED, PAST, CLICKED, 0.0, sign=True).phase is Phase.STOPPED
    fresh = Board.covered(3, 8, 4)  # it may wait until a level is chosen
    start = Ledger(fresh, frozenset({CLICKED}))
    assert silent(fresh, start, CLICKED, 0.3, sign=True).phase is Phase.STOPPED


def test_nobody_knows_how_a_silent_game_ended_in_which_every_unread_cell_may_be_open() -> None:
    board = Board.from_rows(["-11", "-1.", "-11"], 1)
    ended = silent(board, Ledger(board, frozenset({Cell(0, 0)})), Cell(1, 2))
    assert (ended.phase, ended.look.verdict.over, ended.look.verdict.won) == (Phase.OVER, True, None)


def test_a_silent_game_is_not_lost_where_several_clicked_cells_cannot_be_read() -> None:
    """Numbers in unknown art were opened there, and the cell that ignores clicks may be open, too."""
    several = OPENED.replace({CLICKED: State.UNREADABLE, Cell(2, 6): State.UNREADABLE})
    known = replace(PAST, clicked=frozenset({Cell(0, 0), CLICKED, Cell(2, 6)}))
    assert silent(several, known, Cell(1, 5)).phase is Phase.STOPPED


def test_a_silent_game_in_which_a_closed_cell_is_no_mine_is_lost() -> None:
    board = Board.from_rows(["-1.", "-1.", "-11"], 2)
    assert end_of(silent(board, Ledger(board, frozenset({Cell(0, 0)})), Cell(0, 2))) == (Phase.OVER, False)


@pytest.mark.parametrize(("risk", "phase"), [(0.1, Phase.OVER), (0.0, Phase.COVERED)])
def test_a_first_click_after_which_the_whole_board_is_gone_ended_the_game_somehow(
    risk: float, phase: Phase
) -> None:
    """A page may show its list of levels in place of the board as soon as a mine has exploded."""
    fresh = Board.covered(9, 9, 10)
    gone = fresh.replace(dict.fromkeys(fresh, State.UNREADABLE))
    ended = concluded(look_at(gone), Ledger(fresh, frozenset({CLICKED})), clicks_at(CLICKED), risk)
    assert end_of(ended) == (phase, None)


def test_a_cell_without_an_answer_is_clicked_again() -> None:
    waiting = clicks_at(CLICKED)
    again = concluded(replace(look_at(OPENED), doubt=None), PAST, waiting, sent=1)
    assert (again.phase, again.clicks) == (Phase.ANSWERING, waiting)


def test_a_guess_without_an_answer_before_the_next_game_was_dealt_has_lost() -> None:
    """A page paints nothing while a message is open, not even the cell that ended the game."""
    start = Board.from_rows(["1........", *["........."] * 8])
    guess = Cell(0, 8)
    ledger = Ledger(start, frozenset({Cell(0, 0), guess}), frozenset({guess}), 1 / 3)
    fresh = replace(look_at(start.replace({Cell(0, 0): State.COVERED})), doubt=None)
    known = Evidence(fresh, ledger, clicks_at(guess), sent=RETRIES + 1, tried={Remedy.BOX: 0})
    ended = Endings().conclude(known)
    assert (ended.phase, ended.look.verdict.state) == (Phase.OVER, GameState.LOST)
    answered = Endings().conclude(replace(known, sent=1))
    assert (answered.phase, answered.look.verdict.state) == (Phase.OVER, GameState.UNKNOWN)


def boxed(board: Board, hidden: int = State.COVERED) -> Look:
    return look_at(board.replace(dict.fromkeys(board.cells(hidden), State.UNREADABLE)))


def test_a_box_over_a_game_that_goes_on_waits_for_the_user() -> None:
    assert concluded(boxed(OPENED, 1), PAST).phase is Phase.COVERED


def test_a_box_that_comes_up_late_is_closed_though_the_remedies_were_tried_before() -> None:
    look = boxed(OPENED, 1)
    hidden = len(look.reading.unreadable)
    late = Evidence(look, PAST, tried=dict.fromkeys(Remedy, hidden - SEVERAL))
    assert Endings().conclude(late).remedy is Remedy.ASIDE
    others = replace(late, tried={**ALL, Remedy.BOX: hidden - SEVERAL})
    assert Endings().conclude(others).remedy is Remedy.BOX
    fewer = replace(late, tried=dict.fromkeys(Remedy, hidden - SEVERAL + 1))
    assert Endings().conclude(fewer).remedy is None


def test_no_box_is_closed_where_play_can_go_on_beside_it() -> None:
    """A key may do anything in a game that goes on."""
    look = replace(boxed(OPENED, 1), playable_despite_doubt=True)
    known = Evidence(look, PAST, clicks_at(Cell(0, 3)), tried=ALL_BUT_BOX)
    assert Endings().conclude(known).phase is Phase.PLAYING
    blocked = replace(look, playable_despite_doubt=False)
    assert Endings().conclude(replace(known, look=blocked)).remedy is Remedy.BOX


def test_a_box_is_closed_where_the_game_may_be_over() -> None:
    look = replace(boxed(OPENED, 1), playable_despite_doubt=True)
    known = Evidence(look, RISKED, clicks_at(CLICKED), tried=ALL_BUT_BOX)
    assert Endings().conclude(known).remedy is Remedy.BOX
    opened = look.reading.board.replace({CLICKED: 1})
    survived = replace(known, look=replace(look, reading=replace(look.reading, board=opened)))
    assert Endings().conclude(survived).phase is Phase.PLAYING


def test_a_doubtful_board_of_a_game_that_may_be_over_may_lie_dimmed_below_a_box() -> None:
    look = look_at(OPENED.replace({CLICKED: State.UNREADABLE}))  # all but one of its cells were misread
    known = Evidence(look, RISKED, clicks_at(CLICKED), tried=ALL_BUT_BOX)
    assert Endings().conclude(known).remedy is Remedy.BOX
    assert Endings().conclude(replace(known, ledger=replace(RISKED, risk=0.0))).phase is Phase.STOPPED


def test_words_over_numbers_that_were_seen_before_do_not_keep_a_won_game_going() -> None:
    before, last = Board.from_rows(["01.100", "012321", "00...."], 3), frozenset({Cell(2, 2), Cell(2, 5)})
    known = Ledger(before, last, last, 0.0)
    now = look_at(Board.from_rows(["01F100", "0--.--", "001FF1"], 3))  # a 3 looks covered below a letter
    won = concluded(replace(now, doubt="the number at row 2, column 4 has changed"), known)
    assert end_of(won) == (Phase.OVER, True)


def test_a_part_of_a_board_tells_nothing_of_its_end() -> None:
    part = look_at(Board(np.full((2, 3), State.UNREADABLE, np.int8)))
    assert concluded(part, PAST, risk=0.5).phase is Phase.COVERED


def test_the_end_below_a_box_is_unknown_after_a_guess_and_a_win_after_the_last_safe_cell() -> None:
    box = look_at(CORNER.replace({cell: State.UNREADABLE for cell in CORNER if cell.row < 2}))
    assert end_of(concluded(box, AT_CORNER, risk=0.5)) == (Phase.OVER, None)
    assert end_of(concluded(box, AT_CORNER, risk=0.0)) == (Phase.OVER, True)


def test_a_board_that_was_impossible_is_no_board_to_go_on_with() -> None:
    evidence = Evidence(look_at(OPENED)).against("no mines explain it")
    assert not evidence.done(reading_of(OPENED))
    assert evidence.done(reading_of(OPENED.replace({CLICKED: 1})))


def test_a_light_on_covered_cells_ends_no_game() -> None:
    assert concluded(boxed(CORNER), AT_CORNER).phase is Phase.COVERED


def test_a_game_is_won_where_all_mines_are_in_sight_and_a_safe_cell_cannot_be_read() -> None:
    after = look_at(CORNER.replace({Cell(0, 3): State.UNREADABLE, Cell(0, 4): 1}))
    assert end_of(concluded(after, AT_CORNER)) == (Phase.OVER, True)
    assert concluded(after, AT_CORNER, risk=0.5).phase is Phase.STOPPED  # the cell may have been the mine


def test_a_game_that_has_flagged_all_mines_in_sight_is_won() -> None:
    before = Board.from_rows([".12.", "1.32", "123.", "01.2"], 4)
    ledger = Ledger(before, frozenset({Cell(0, 0)}))
    after = before.replace(dict.fromkeys(before.cells(State.COVERED), State.FLAG) | {Cell(0, 0): 15})
    unread = look_at(after.replace(dict.fromkeys(before.cells(1), State.UNREADABLE)))
    assert end_of(concluded(unread, ledger, risk=0.2)) == (Phase.OVER, True)
    one_unread = look_at(after.replace({Cell(0, 0): State.UNREADABLE}))  # one number hides no end
    assert end_of(concluded(one_unread, ledger, risk=0.2)) == (Phase.OVER, True)
    by_hand = replace(ledger, board=before.replace({Cell(0, 3): State.FLAG, Cell(1, 1): State.FLAG}))
    assert end_of(concluded(unread, by_hand, risk=0.2)) == (Phase.OVER, None)


def test_a_game_that_marks_its_mines_in_a_way_that_looks_like_flags_is_lost_by_a_guess() -> None:
    """The letter M of a page was read as a flag, and the red one of the exploded mine as nothing."""
    before = Board.from_rows(["01......", "01......", "01......"], 6)
    ledger, mines = Ledger(before, frozenset({CLICKED})), [Cell(0, 2), *(Cell(2, col) for col in range(4, 8))]
    marked = before.replace(dict.fromkeys(mines, State.FLAG) | {CLICKED: State.UNREADABLE})

    def end(board: Board, risk: float) -> Next:
        return concluded(look_at(board), ledger, clicks_at(CLICKED), risk=risk)

    assert end_of(end(marked, 0.2)) == (Phase.OVER, False)
    assert end(marked, 0.0).phase is Phase.STOPPED
    assert end(marked.replace({mines[0]: State.COVERED}), 0.2).phase is Phase.STOPPED  # a mine is not shown
    by_hand = replace(ledger, board=before.replace(dict.fromkeys(mines[1:], State.FLAG)))
    assert concluded(look_at(marked), by_hand, clicks_at(CLICKED), risk=0.2).phase is Phase.STOPPED


def test_a_fresh_board_below_a_box_tells_of_a_win_only_if_all_was_opened() -> None:
    """A key that closes a box may begin another game, too, while one goes on."""
    fresh = look_at(Board.covered(3, 8, 4))
    ended = concluded(fresh, PAST)
    assert end_of(ended) == (Phase.OVER, None)
    assert ended.look.reading.board == OPENED
    rest = frozenset({*OPENED.cells(State.COVERED)[4:]})
    assert concluded(fresh, replace(PAST, clicked=rest)).look.verdict.won is True
    more = Ledger(Board.from_rows(["0000012.", "0000012.", "0000012."], 1), frozenset({Cell(0, 7)}))
    assert concluded(fresh, more, risk=0.3).look.verdict.state is GameState.LOST


def test_a_game_may_leave_closed_what_touches_the_corners_of_blank_cells() -> None:
    assert doubt_about(reading_of(Board.from_rows(["01.", "1..", "..."])), None) is None
    assert doubt_about(reading_of(Board.from_rows(["0..", "1.."])), None) is not None


# Dialogs that hide how a game has ended, and begin the next one

BEFORE = Board.from_rows(["0001.", "0001.", "0001."], 2)
LEFT = Ledger(BEFORE, frozenset({Cell(0, 0), Cell(0, 4)}))
MORE = replace(LEFT, board=Board.from_rows(["0012.", "0012.", "0012."], 1))


def test_fresh_board_in_the_place_of_an_opened_one_is_the_next_game() -> None:
    fresh, frame = Board.covered(3, 5, 2), Frame(np.zeros((1, 1, 3), np.uint8))

    def phase(board: Board, ledger: Board, risk: float = 0.5, dialogs: tuple[str, ...] = ("over",)) -> Phase:
        evidence = Evidence(
            Look(frame, reading_of(board), verdict_on(board)),
            replace(LEFT, board=ledger, risk=risk),
            dialogs=dialogs,
        )
        return Endings().conclude(evidence).phase

    assert phase(fresh, BEFORE) is Phase.OVER
    assert phase(BEFORE, BEFORE) is Phase.PLAYING
    assert phase(Board.covered(5, 3, 2), BEFORE) is Phase.PLAYING
    assert phase(fresh, fresh) is Phase.OVER  # the first click hit a mine
    assert phase(fresh, fresh, risk=0.0) is Phase.PLAYING
    assert phase(fresh, fresh, dialogs=()) is Phase.PLAYING


def test_a_board_that_is_seen_again_is_searched_for_again() -> None:
    """A program may show colours or words for seconds, and then deal a new game by itself."""
    fresh = reading_of(Board.covered(3, 5, 2))
    look = Look(Frame(np.zeros((1, 1, 3), np.uint8)), fresh, verdict_on(fresh.board), "a number has changed")
    safe = replace(LEFT, risk=0.0)
    now = Endings().conclude(Evidence(look, safe, tried=ALL_BUT_BOX))
    assert (now.phase, now.remedy) == (Phase.DOUBT, Remedy.SEARCH)
    searched = {**ALL_BUT_BOX, Remedy.SEARCH: 0}
    assert Endings().conclude(Evidence(look, safe, tried=searched)).phase is Phase.STOPPED


def test_a_board_is_searched_for_again_once_a_box_over_it_was_closed() -> None:
    """What was learned of its art may be wrong by then: it is read from scratch."""
    hidden = Board(np.full(OPENED.shape, State.UNREADABLE, np.int8), 4)
    tried = dict.fromkeys(ALL, 20)
    again = Evidence(look_at(hidden), RISKED, clicks_at(CLICKED), tried=tried)
    assert Endings().conclude(again).remedy is Remedy.ASIDE
    again = replace(again, tried={**ALL, Remedy.BOX: 20})
    assert Endings().conclude(again).remedy is Remedy.BOX
    again = again.with_tried(Remedy.BOX)
    assert Endings().conclude(again).remedy is Remedy.SEARCH
    assert Endings().conclude(again.with_tried(Remedy.SEARCH)).phase is Phase.OVER


def told(endings: Endings, ledger: Ledger, risk: float, title: str) -> GameState:
    fresh = reading_of(Board.covered(3, 5, 2))
    look = Look(Frame(np.zeros((1, 1, 3), np.uint8)), fresh, verdict_on(fresh.board), "a number changed")
    ended = endings.conclude(Evidence(look, replace(ledger, risk=risk), dialogs=(title,)))
    assert ended.phase is Phase.OVER
    assert ended.look.reading.board == ledger.board
    assert ended.look.doubt is None
    return ended.look.verdict.state


def test_proved_click_wins_and_a_guess_that_leaves_too_much_loses() -> None:
    assert told(Endings(), LEFT, 0.0, "over") is GameState.WON
    assert told(Endings(), MORE, 0.2, "over") is GameState.LOST


def test_guess_at_the_last_cell_is_a_win_if_the_dialog_is_that_of_one_and_losses_have_another() -> None:
    endings = Endings()
    assert told(endings, LEFT, 0.5, "hurray") is GameState.UNKNOWN  # nobody knows
    assert told(endings, LEFT, 0.0, "hurray") is GameState.WON
    assert told(endings, LEFT, 0.5, "hurray") is GameState.UNKNOWN  # a loss may be told by the same title
    assert told(endings, MORE, 0.2, "alas") is GameState.LOST
    assert told(endings, LEFT, 0.5, "hurray") is GameState.WON
    assert told(endings, LEFT, 0.5, "alas") is GameState.LOST
    assert told(endings, LEFT, 0.5, "well") is GameState.UNKNOWN


def test_title_that_comes_after_both_tells_nothing() -> None:
    endings = Endings()
    assert told(endings, LEFT, 0.0, "over") is GameState.WON
    assert told(endings, MORE, 0.2, "over") is GameState.LOST
    assert told(endings, LEFT, 0.5, "over") is GameState.UNKNOWN


def test_a_game_may_be_won_once_all_but_the_mines_was_clicked() -> None:
    rest = frozenset({Cell(row, col) for row in range(3) for col in range(4)} | {Cell(0, 4)})
    assert replace(LEFT, clicked=rest).may_be_won
    assert not replace(LEFT, clicked=rest - {Cell(0, 4)}).may_be_won
    assert replace(LEFT, board=Board(BEFORE.states, None), clicked=None).may_be_won


@pytest.mark.parametrize(("doubt", "phase"), [(Doubt.AMBIGUOUS, Phase.OVER), (Doubt.HIDDEN, Phase.COVERED)])
def test_a_game_without_a_cell_to_open_is_over_though_numbers_and_mines_cannot_be_read(
    doubt: Doubt, phase: Phase
) -> None:
    """A number that was never read, and mines in unknown art, left the end open for ever."""
    last = Cell(2, 5)
    before = Board.from_rows(["01.100", "01-210", "01..-."], 3)
    ledger = Ledger(before, frozenset({Cell(0, 0), Cell(1, 2), Cell(2, 4), last}), frozenset({last}), 0.0)
    look = look_at(Board.from_rows(["01-100", "01-210", "01---1"], 3), doubt)
    known = Evidence(look, ledger, tried=ALL).against("there is nothing left to open", all_open=True)
    assert end_of(Endings().conclude(known)) == (phase, True if phase is Phase.OVER else None)
    other = replace(known, impossible=before)
    assert Endings().conclude(other).phase is Phase.COVERED
