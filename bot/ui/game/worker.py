"""Work that must not freeze the window: one thread does it, one task after another.

There is one thread only because the solver's arrays are not for several.
"""

from __future__ import annotations

import threading
from queue import SimpleQueue

from PySide6.QtCore import QObject, Qt, Signal

from bot.errors import BotError
from bot.ui.game.hooks import Done, Task


class Worker(QObject):
    """Does tasks in a thread of its own and hands their results on in the window's thread.

    The thread ends with the program, even in the middle of a task.
    """

    _finished = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks: SimpleQueue[tuple[Task, Done]] = SimpleQueue()
        self._closed = False
        self._finished.connect(self._hand_on, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._work, name="solver", daemon=True)

    def do(self, task: Task, done: Done) -> None:
        """Let ``task`` be done, then call ``done`` with its result.

        The result is the error if it was a BotError. Any other is raised in the window's thread.
        """
        if not self._thread.is_alive():
            self._thread.start()
        self._tasks.put((task, done))

    def close(self) -> None:
        """Hand nothing on any more: the window is closed."""
        self._closed = True

    def _work(self) -> None:
        while True:
            task, done = self._tasks.get()
            try:
                result = task()
            except Exception as error:
                result = error
            if not self._closed:
                self._finished.emit((done, result))

    def _hand_on(self, finished: tuple[Done, object]) -> None:
        done, result = finished
        if self._closed:
            return
        if isinstance(result, Exception) and not isinstance(result, BotError):
            raise result
        done(result)
