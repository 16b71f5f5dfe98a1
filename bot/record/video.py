"""Games of a record as a film: MP4 (H.264), which every browser and player shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np

from bot.errors import RecordError, UsageError
from bot.geometry import Pixels
from bot.record.forms import Seen
from bot.record.record import Record, RecordedGame
from bot.solver.decision import Decision
from bot.vision import GameState, Panel, Reading, draw_marks

LAST = 2.0  # seconds for which the end of a game is shown
SHORTEST = 0.02  # seconds for which a round is shown at least
_SMALL = 620  # pixels; narrower pictures are shown twice as large
_TICK = Fraction(1, 1000)  # of a second

Looks = list[tuple[Seen, Decision | None, float]]


def check_name(path: Path) -> None:
    """Raise UsageError unless the name of a file says that it is a film."""
    if path.suffix.lower() != ".mp4":
        raise UsageError(f"--film {path}: the name must end in .mp4")


def write_video(
    record: Record,
    path: Path,
    games: Sequence[RecordedGame],
    seconds: float | None = 0.5,
    told: Callable[[], None] = lambda: None,
) -> None:
    """Write ``games`` of a record to a film, with what was decided drawn into each picture.

    A round is shown for ``seconds``, or, if that is None, for as long as it took. ``told`` is called after
    each picture. Raises RecordError if no picture is there, or the file cannot be written.
    """
    from av.error import FFmpegError

    check_name(path)
    looks = [look for game in games for look in _timed(game, seconds)]
    scene = _Scene.of(record, looks)
    try:
        _write_mp4(path, scene, told)
    except (OSError, FFmpegError) as error:
        with suppress(OSError):
            path.unlink()
        why = getattr(error, "strerror", None) or error
        raise RecordError(f"the film {path} cannot be written: {why}") from error


def _timed(game: RecordedGame, seconds: float | None) -> Looks:
    """Return the looks of a game with what was decided, and for how many seconds each is to be shown."""
    looks: list[tuple[Seen, Decision | None]] = [(turn.seen, turn.decision) for turn in game.rounds]
    looks += [] if game.final is None else [(game.final, None)]
    times = [seen.time for seen, _ in looks]
    took = [max(SHORTEST, after - before) for before, after in pairwise(times)]
    shown = took if seconds is None else [seconds] * len(took)
    return [(seen, decision, time) for (seen, decision), time in zip(looks, [*shown, LAST], strict=True)]


@dataclass(frozen=True, slots=True)
class _Scene:
    """The looks that have a picture, and a size in which each has room.

    The film is ``scale`` times as large.
    """

    record: Record
    looks: Looks
    width: int
    height: int
    scale: int

    @classmethod
    def of(cls, record: Record, looks: Looks) -> _Scene:
        kept, sizes = list[tuple[Seen, Decision | None, float]](), set[tuple[int, int]]()
        for seen, decision, seconds in looks:
            with suppress(RecordError):  # its reader has said so
                height, width = record.picture(seen.shot).shape[:2]
                kept.append((seen, decision, seconds))
                sizes.add((width, height))
        if not kept:
            raise RecordError(f"the record {record.folder} has no picture of these games")
        width, height = max(size[0] for size in sizes), max(size[1] for size in sizes)
        if width < _SMALL:
            return cls(record, kept, width, height, 2)
        return cls(record, kept, width + width % 2, height + height % 2, 1)  # H.264 wants even numbers

    def pictures(self) -> Iterator[tuple[Pixels, float]]:
        """Iterate over the pictures of the film, in its size, and for how long each is shown."""
        for seen, decision, seconds in self.looks:
            picture = draw_marks(self.record.picture(seen.shot), _reading(seen), decision)
            whole = np.zeros((self.height, self.width, 3), np.uint8)
            whole[: picture.shape[0], : picture.shape[1]] = picture
            yield whole.repeat(self.scale, axis=0).repeat(self.scale, axis=1), seconds


def _reading(seen: Seen) -> Reading:
    """Return a look as `draw_marks` takes it."""
    sure, panel = np.ones(seen.board.shape, np.float32), Panel(seen.mines_left)
    return Reading(seen.grid, seen.board, panel, GameState(seen.state), seen.skin, 1.0, sure)


def _write_mp4(path: Path, scene: _Scene, told: Callable[[], None]) -> None:
    """Write the scene in the kind that all players know, which halves the resolution of colours.

    Twice as large, a small game keeps all of its own.
    """
    import av  # takes a while, and only here

    # Frames in another order than they are shown in make players take the end for earlier than it is.
    options = {"crf": "18", "preset": "veryfast", "tune": "animation", "bf": "0"}
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=1 / _TICK, options=options)
        stream.width, stream.height = scene.scale * scene.width, scene.scale * scene.height
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = _TICK
        at, last = 0, None
        for pixels, seconds in scene.pictures():
            last = av.VideoFrame.from_ndarray(pixels, format="bgr24")
            last.pts, last.time_base = at, _TICK
            at += max(1, round(seconds / _TICK))
            container.mux(stream.encode(last))
            told()
        if last is not None:  # the last picture would be shown for no time otherwise
            last.pts = at - 1
            container.mux(stream.encode(last))
        container.mux(stream.encode(None))
