"""Write games of a record as a film: MP4 (H.264), which every browser and player can show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np

from bot.errors import RecordError
from bot.files import PUBLIC, check_output, replacing
from bot.geometry import Pixels
from bot.installation import needs
from bot.marks import draw_marks, marks_in_picture
from bot.record.lines import LINES, Record, RecordedGame, RecordedLook
from bot.solver.decision import Decision
from bot.vision import shrunk

LAST = 2.0  # seconds for which the end of a game is shown
SHORTEST = 0.02  # the least number of seconds for which a round is shown
_SMALL = 620  # pixels; narrower pictures are doubled in size, because H.264 halves the resolution of colours
_LARGEST = 2560  # pixels; larger pictures are reduced, because few players show more
_TICK = Fraction(1, 1000)  # of a second
# A look, the decision made on it (None at the end of a game), and for how many seconds it is shown.
_Scene = tuple[RecordedLook, Decision | None, float]


def write_film(
    record: Record,
    path: Path,
    games: Sequence[RecordedGame],
    seconds: float | None = 0.5,
    progress: Callable[[], None] = lambda: None,
) -> None:
    """Write ``games`` of a record to a film, with each decision drawn into its picture.

    Each round is shown for ``seconds`` (None: as long as it took). ``progress`` is called after each picture.
    Raises UsageError for another name than .mp4 or a missing folder, RecordError if there are no pictures or
    writing fails, MissingLibraryError without PyAV.
    """
    with needs("--film"):
        from av.error import FFmpegError

    check_output(path, "--film", ".mp4", inputs=[record.folder / LINES])
    scenes, sizes = list[_Scene](), set[tuple[int, ...]]()
    for scene in (scene for game in games for scene in _scenes(game, seconds)):
        with suppress(RecordError):  # `Record.missing` already reports it
            sizes.add(shrunk(record.picture(scene[0]), _LARGEST).shape[:2])
            scenes.append(scene)
    if not scenes:
        raise RecordError(f"the record {record.folder} has no picture of these games")
    height, width = (max(sides) for sides in zip(*sizes, strict=True))
    try:
        with replacing(path, PUBLIC) as file:
            _write(file.name, _frames(record, scenes, height, width), progress)
    except (OSError, FFmpegError) as error:
        why = getattr(error, "strerror", None) or error
        raise RecordError(f"the film {path} cannot be written: {why}") from error


def _scenes(game: RecordedGame, seconds: float | None) -> list[_Scene]:
    times = [seen.time for seen in game.looks]
    shown = [
        max(SHORTEST, after - before) if seconds is None else seconds for before, after in pairwise(times)
    ]
    decisions = [*(turn.decision for turn in game.rounds), None]
    return list(zip(game.looks, decisions, [*shown, LAST], strict=False))


def _frames(
    record: Record, scenes: Iterable[_Scene], height: int, width: int
) -> Iterator[tuple[Pixels, float]]:
    """Yield the pictures of a film, all of one size, with the number of seconds for which each is shown."""
    scale = 2 if width < _SMALL else 1
    for seen, decision, seconds in scenes:
        picture = record.picture(seen).repeat(scale, axis=0).repeat(scale, axis=1)
        marks = marks_in_picture(seen.board, decision)
        picture = shrunk(draw_marks(picture, seen.grid.enlarged(scale), marks), scale * _LARGEST)
        rows, cols = (scale * side + scale * side % 2 for side in (height, width))  # H.264 needs even numbers
        whole = np.zeros((rows, cols, 3), np.uint8)
        whole[: picture.shape[0], : picture.shape[1]] = picture
        yield whole, seconds


def _write(path: str, frames: Iterable[tuple[Pixels, float]], progress: Callable[[], None]) -> None:
    import av  # slow to import, and needed only here

    # B-frames, which are stored in another order than shown, make players end the film too early.
    options = {"crf": "18", "preset": "veryfast", "tune": "animation", "bf": "0"}
    with av.open(path, "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=1 / _TICK, options=options)
        stream.pix_fmt, stream.codec_context.time_base = "yuv420p", _TICK
        at, last = 0, None
        for pixels, seconds in frames:
            if last is None:
                stream.height, stream.width = pixels.shape[:2]
            last = av.VideoFrame.from_ndarray(pixels, format="bgr24")
            last.pts, last.time_base = at, _TICK
            at += max(1, round(seconds / _TICK))
            container.mux(stream.encode(last))
            progress()
        if last is not None:  # without this repetition, the last picture would have no duration
            last.pts = at - 1
            container.mux(stream.encode(last))
        container.mux(stream.encode(None))
