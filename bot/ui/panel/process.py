"""The process that plays, as the panel has it in hand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

PATIENCE = 20_000  # milliseconds for it to end what it has started; a game in Wine takes its time
_WORD = 3000  # milliseconds for a process to start, or to be gone once it is killed


class Process(QObject):
    """Runs ``minebot`` with arguments, one run at a time.

    ``said`` has each line of its standard output, ``noted`` each of its standard error, ``ended`` its exit
    code, None if it has crashed. If this process dies, the other reads the end of its orders, and stops.
    """

    said = Signal(str)
    noted = Signal(str)
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process = QProcess(self)
        self._killer = QTimer(self, singleShot=True)
        self._asked = False  # by the system to end
        self._rests = {"out": b"", "error": b""}
        self._killer.timeout.connect(self._force)
        self._process.readyReadStandardOutput.connect(self._read_output)
        self._process.readyReadStandardError.connect(self._read_errors)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._fail)

    @property
    def running(self) -> bool:
        """Whether a run goes on."""
        return self._process.state() is not QProcess.ProcessState.NotRunning

    def start(self, arguments: Sequence[str]) -> None:
        """Begin a run."""
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONIOENCODING", "utf-8")  # Windows has another for pipes
        self._process.setProcessEnvironment(environment)
        self._rests = {"out": b"", "error": b""}
        self._process.start(sys.executable, ["-m", "bot", *arguments])

    def order(self, line: str) -> None:
        """Give an order."""
        self._process.write(f"{line}\n".encode())

    def stop(self) -> None:
        """Order it to stop; end it by force if it does not."""
        self.order("stop")
        self._killer.start(PATIENCE)

    def close(self) -> None:
        """Stop it, and wait for that."""
        if not self.running:
            return
        self.order("stop")
        self._process.closeWriteChannel()
        if not self._process.waitForFinished(PATIENCE):
            self._process.terminate()
            if not self._process.waitForFinished(_WORD):
                self._process.kill()
                self._process.waitForFinished(_WORD)

    def _force(self) -> None:
        """Ask the system to end it, and then let the system do so."""
        if self._asked:
            self._process.kill()
        else:
            self._asked = True
            self._process.terminate()
            self._killer.start(_WORD)

    def _read_output(self) -> None:
        self._read("out", self._process.readAllStandardOutput().data(), self.said.emit)

    def _read_errors(self) -> None:
        self._read("error", self._process.readAllStandardError().data(), self.noted.emit)

    def _read(self, name: str, data: bytes | bytearray | memoryview, tell: Callable[[str], None]) -> None:
        *lines, self._rests[name] = (self._rests[name] + bytes(data)).split(b"\n")
        for line in lines:
            tell(line.decode(errors="replace").rstrip("\r"))

    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        self._killer.stop()
        self._asked = False
        self._read_output()
        self._read_errors()
        self.ended.emit(code if status is QProcess.ExitStatus.NormalExit else None)

    def _fail(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self.noted.emit(f"minebot: it cannot be started: {self._process.errorString()}")
            self.ended.emit(1)
