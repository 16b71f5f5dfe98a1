"""The window: which game, which round, what is drawn, and the words to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from bot.board import Cell
from bot.errors import RecordError
from bot.geometry import Pixels
from bot.session.forms import Seen
from bot.session.reasons import in_short, why
from bot.session.record import Record, RecordedGame, RecordedRound
from bot.session.window.canvas import LAYERS, Canvas, Scene
from bot.solver.explain.hints import Hint
from bot.ui.game.worker import Worker

PACES = {"as played": None, "0.1 s a round": 0.1, "0.5 s a round": 0.5, "2 s a round": 2.0}
_USUAL = "0.5 s a round"
_SHORTEST, _LONGEST = 10, 2**31 - 1  # milliseconds for which a round is shown; Qt's timers take no more
_NAMES = {"proof": "numbers that prove it", "sent": "clicks sent", "reading": "what was read"}


class RecordWindow(QWidget):
    """Shows the rounds of a record one by one, or as a film."""

    def __init__(self, record: Record, game: int = 0) -> None:
        super().__init__()
        self.record = record
        self.setWindowTitle(f"minebot: {record.about.target}, {record.about.began}")
        self.canvas, self.words = Canvas(), QLabel()
        self.games, self.pace = QComboBox(), QComboBox()
        self.play, self.where = QPushButton("play"), QLabel()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.boxes = {name: QCheckBox(_NAMES.get(name, name)) for name in LAYERS}
        self.timer = QTimer(singleShot=True)
        self._worker = Worker(self)
        self._lay_out()
        self._connect()
        self.resize(1000, 760)
        for one in record.games:
            self.games.addItem(f"game {one.number}, {_outcome(one)}")
        self.games.setCurrentIndex(min(game, len(record.games) - 1))
        self._choose()

    @property
    def game(self) -> RecordedGame | None:
        """The game that is shown, None if the record has none."""
        return self.record.games[self.games.currentIndex()] if self.record.games else None

    @property
    def looks(self) -> list[Seen]:
        """The looks of that game."""
        return [] if self.game is None else list(self.game.looks)

    @property
    def turn(self) -> RecordedRound | None:
        """The round that is shown, None at the end of a game."""
        place = self.slider.value()
        return self.game.rounds[place] if self.game and place < len(self.game.rounds) else None

    def step(self, by: int) -> None:
        """Go on, or back, by so many rounds."""
        self.stop()
        self.slider.setValue(self.slider.value() + by)

    def toggle(self) -> None:
        """Play on from here, from the beginning if this is the end; or stop."""
        if self.timer.isActive():
            self.stop()
            return
        if self.slider.value() == self.slider.maximum():
            self.slider.setValue(0)
        self.play.setText("stop")
        self._wait()

    def stop(self) -> None:
        """Stay at this round."""
        self.timer.stop()
        self.play.setText("play")

    def _lay_out(self) -> None:
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setMinimumHeight(90)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.pace.addItems(list(PACES))
        self.pace.setCurrentText(_USUAL)
        for name, box in self.boxes.items():
            box.setChecked(name in self.canvas.layers)
        rows = ([self.games, self.play, self.slider, self.where, self.pace], [*self.boxes.values()])
        whole = QVBoxLayout(self)
        for widgets in rows:
            row = QHBoxLayout()
            for widget in widgets:
                row.addWidget(widget, 1 if widget is self.slider else 0)
            if self.slider not in widgets:
                row.addStretch(1)
            whole.addLayout(row)
        whole.addWidget(self.canvas, 1)
        whole.addWidget(self.words)

    def _connect(self) -> None:
        self.games.activated.connect(lambda _: self._choose())
        self.slider.valueChanged.connect(lambda _: self._show())
        self.slider.sliderPressed.connect(self.stop)
        self.play.clicked.connect(self.toggle)
        self.timer.timeout.connect(self._next)
        for box in self.boxes.values():
            box.toggled.connect(lambda _: self._switch())
        keys = {"Right": 1, "Left": -1, "PgDown": 10, "PgUp": -10, "Home": -(10**9), "End": 10**9}
        for key, by in keys.items():
            QShortcut(QKeySequence(key), self, lambda by=by: self.step(by))
        QShortcut(QKeySequence("Space"), self, self.toggle)

    def _choose(self) -> None:
        """Begin with the first round of the game that was chosen."""
        self.stop()
        self.slider.setMaximum(max(0, len(self.looks) - 1))
        self.slider.setValue(0)
        self._show()

    def _switch(self) -> None:
        self.canvas.layers = frozenset(name for name, box in self.boxes.items() if box.isChecked())
        self.canvas.update()

    def _wait(self) -> None:
        """Show this round for its time; at the end, stop."""
        place, looks = self.slider.value(), self.looks
        if place + 1 >= len(looks):
            self.stop()
            return
        seconds = PACES[self.pace.currentText()]
        took = looks[place + 1].time - looks[place].time if seconds is None else seconds
        self.timer.start(min(max(_SHORTEST, round(1000 * took)), _LONGEST))

    def _next(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        self._wait()

    def _show(self) -> None:
        looks = self.looks
        if not looks:
            self.words.setText("\n".join(["no round was played", *self.record.missing]))
            return
        self.where.setText(f"{self.slider.value() + 1} of {len(looks)}")
        seen, turn = looks[self.slider.value()], self.turn
        self._tell(seen, turn, None)
        if turn is not None:
            self._worker.do(partial(self._why, turn), partial(self._hear, turn))

    def _why(self, turn: RecordedRound) -> Hint | None:
        """Return the proof of a round; None if another has been chosen meanwhile."""
        return why(self.record.about, turn) if turn is self.turn else None

    def _hear(self, turn: RecordedRound, hint: object) -> None:
        if turn is self.turn and isinstance(hint, Hint):
            self._tell(turn.seen, turn, hint)

    def _tell(self, seen: Seen, turn: RecordedRound | None, hint: Hint | None) -> None:
        """Show a round, without the proof if that is not known yet."""
        numbers: tuple[Cell, ...] = () if hint is None else hint.numbers
        self.canvas.show_scene(Scene(self._picture(seen), seen, turn, numbers))
        sentence = "" if hint is None else hint.sentence
        self.words.setText("\n".join(_lines(self.game, seen, turn, sentence)))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Let nothing happen any more."""
        self.stop()
        self._worker.close()
        event.accept()

    def _picture(self, seen: Seen) -> Pixels | None:
        try:
            return self.record.picture(seen.shot)
        except RecordError:
            return None


def _outcome(game: RecordedGame) -> str:
    return "cut off" if game.result is None else str(game.result["outcome"])


def _lines(game: RecordedGame | None, seen: Seen, turn: RecordedRound | None, sentence: str) -> Iterator[str]:
    left = "" if seen.mines_left is None else f", {seen.mines_left} mines left"
    yield f"{seen.time:.3f} s: {seen.state}{left}"
    if turn is not None:
        yield f"{in_short(turn.decision)}; decided in {1000 * (turn.decided - seen.time):.1f} ms"
        yield sentence
    elif game is not None and game.result is not None:
        result = game.result
        yield f"{result['outcome']} in {result['seconds']:.2f} s, {result['clicks']} clicks"
