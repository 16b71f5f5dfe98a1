"""The part of the panel in which one chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from bot.ui.panel.choices import (
    COLOURS,
    FLAGS,
    LAYERS,
    LEVELS,
    MOST_GAMES,
    SPEEDS,
    STOP_KEYS,
    STRATEGIES,
    Choices,
    targets,
)

_AS_IT_IS = "as it is"
_UNTIL_STOPPED = "until stopped"


class Fields(QWidget):
    """Shows choices, and takes others in; ``changed`` is called with the new ones after each change."""

    def __init__(self, choices: Choices, changed: Callable[[Choices], None]) -> None:
        super().__init__()
        self._changed, self._place = changed, choices.place
        self.play, self.show_ = QRadioButton("P&lay for me"), QRadioButton("Only show &me what is safe")
        self.target, self.level = _combo(targets(), choices.target), _editable((_AS_IT_IS, *LEVELS))
        self.speed = _combo(SPEEDS, choices.speed)
        self.strategy, self.flags = _combo(STRATEGIES, choices.strategy), _combo(FLAGS, choices.flags)
        self.games = QSpinBox(maximum=MOST_GAMES, value=choices.games)
        self.games.setSpecialValueText(_UNTIL_STOPPED)
        self.efficient, self.guess = QCheckBox("&few clicks"), QCheckBox("g&uess where nothing is proven")
        self.layers = {name: QCheckBox(text) for name, text in LAYERS.items()}
        self.stop_key, self.colours = _editable(STOP_KEYS), _combo(COLOURS, choices.colours)
        self.on_top = QCheckBox("keep o&n top")
        self._fill(choices)
        self._lay_out()
        self._connect()

    @property
    def choices(self) -> Choices:
        """What is chosen."""
        level = self.level.currentText().strip()
        return Choices(
            target=self.target.currentData(),
            level="" if level == _AS_IT_IS else level,
            speed=self.speed.currentData(),
            strategy=self.strategy.currentData(),
            flags=self.flags.currentData(),
            efficient=self.efficient.isChecked(),
            guess=self.guess.isChecked(),
            games=self.games.value(),
            show=self.show_.isChecked(),
            layers=tuple(name for name, box in self.layers.items() if box.isChecked()),
            stop_key=self.stop_key.currentText().strip(),
            colours=self.colours.currentData(),
            on_top=self.on_top.isChecked(),
            place=self._place,
        )

    def allow(self, *, busy: bool) -> None:
        """Let be changed what can be changed now: while it runs, only what takes effect at once."""
        show = self.show_.isChecked()
        fixed = (self.play, self.show_, self.target, self.level, self.strategy, self.guess, self.stop_key)
        for field in fixed:
            field.setEnabled(not busy)
        for of_play in (self.flags, self.efficient, self.games):
            of_play.setEnabled(not busy and not show)
        self.speed.setEnabled(not show)
        self._marks.setVisible(show)

    def _fill(self, choices: Choices) -> None:
        (self.show_ if choices.show else self.play).setChecked(True)
        self.level.setCurrentText(choices.level or _AS_IT_IS)
        self.stop_key.setCurrentText(choices.stop_key)
        for box, ticked in (
            (self.efficient, choices.efficient),
            (self.guess, choices.guess),
            (self.on_top, choices.on_top),
            *((box, name in choices.layers) for name, box in self.layers.items()),
        ):
            box.setChecked(ticked)

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        form = QFormLayout()
        form.addRow("G&ame", self.target)
        form.addRow("Le&vel", self.level)
        form.addRow("Spee&d", self.speed)
        form.addRow("St&rategy", self.strategy)
        form.addRow("&Clicks", _row(self.flags, self.efficient))
        form.addRow("", self.guess)
        form.addRow("Gam&es", self.games)
        form.addRow("Stop &key", self.stop_key)
        whole.addWidget(_row(self.play, self.show_))
        whole.addLayout(form)
        whole.addWidget(self._mark_boxes())
        whole.addWidget(_row(self.on_top, self.colours))
        self._ways = QButtonGroup(self)
        for way in (self.play, self.show_):
            self._ways.addButton(way)

    def _mark_boxes(self) -> QGroupBox:
        self._marks = QGroupBox("Marks over the game, through which you click")
        grid = QGridLayout(self._marks)
        for number, box in enumerate(self.layers.values()):
            grid.addWidget(box, number // 2, number % 2)
        return self._marks

    def _connect(self) -> None:
        def tell(*_: object) -> None:
            self._changed(self.choices)

        for combo in (self.target, self.speed, self.strategy, self.flags, self.colours):
            combo.activated.connect(tell)
        for text in (self.level, self.stop_key):
            text.editTextChanged.connect(tell)
        for box in (self.efficient, self.guess, self.on_top, self.show_, *self.layers.values()):
            box.toggled.connect(tell)
        self.games.valueChanged.connect(tell)


def _combo(texts: Mapping[str, str], chosen: str) -> QComboBox:
    combo = QComboBox()
    for name, text in texts.items():
        combo.addItem(text, name)
    combo.setCurrentIndex(max(0, combo.findData(chosen)))
    _narrow(combo)
    return combo


def _editable(texts: tuple[str, ...]) -> QComboBox:
    combo = QComboBox(editable=True)
    combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    combo.addItems(texts)
    _narrow(combo)
    return combo


def _narrow(combo: QComboBox) -> None:
    """Let a long text not make the panel wide."""
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(14)


def _row(*widgets: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget)
    layout.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return row
