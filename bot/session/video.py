"""Games of a record as a film file: MP4 (H.264, which every browser and player shows) or GIF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bot.errors import RecordError, UsageError
from bot.geometry import Pixels
from bot.session.forms import Seen
from bot.session.record import Record, RecordedGame
from bot.solver.decision import Decision
from bot.vision import GameState, Panel, Reading, draw_marks

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.frame import VideoFrame

SUFFIXES = (".mp4", ".gif")
LAST = 2.0  # seconds for which the end of a game is shown
SHORTEST = 0.02  # seconds: browsers show no picture of a GIF for less
_SMALL = 620  # pixels; narrower pictures are shown twice as large
_TICK = {".mp4": Fraction(1, 1000), ".gif": Fraction(1, 100)}
_COLOURS = 256

Layer = npt.NDArray[np.uint8]
Looks = list[tuple[Seen, Decision | None, float]]


def check_name(path: Path) -> None:
    """Raise UsageError unless the name of a file says that it is a film."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"--film {path}: the name must end in {' or '.join(SUFFIXES)}")


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
    suffix = path.suffix.lower()
    try:
        (_write_mp4 if suffix == ".mp4" else _write_gif)(path, scene, told)
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
        """Iterate over the pictures of the film, before they are enlarged, and for how long each is shown."""
        for seen, decision, seconds in self.looks:
            picture = draw_marks(self.record.picture(seen.shot), _reading(seen), decision)
            whole = np.zeros((self.height, self.width, 3), np.uint8)
            whole[: picture.shape[0], : picture.shape[1]] = picture
            yield whole, seconds

    def enlarged(self, picture: Layer) -> Layer:
        """Return a picture, or one value a pixel, in the size of the film."""
        return picture.repeat(self.scale, axis=0).repeat(self.scale, axis=1)


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
        frames = (
            (av.VideoFrame.from_ndarray(scene.enlarged(pixels), format="bgr24"), seconds)
            for pixels, seconds in scene.pictures()
        )
        _encode(container, "libx264", "yuv420p", scene, options, frames, told, _TICK[".mp4"])


def _write_gif(path: Path, scene: _Scene, told: Callable[[], None]) -> None:
    import av

    palette = _palette(pixels for pixels, _ in scene.pictures())
    table = np.zeros((_COLOURS, 4), np.uint8)  # opacity, red, green, blue
    table[:, 0], table[: len(palette), 1:] = 255, _split(palette)
    with av.open(str(path), "w", format="gif") as container:
        drawn: Iterator[tuple[Any, float]] = (  # the types of the library know no palettes
            ((scene.enlarged(_indexed(pixels, palette)), table), seconds)
            for pixels, seconds in scene.pictures()
        )
        frames = ((av.VideoFrame.from_ndarray(both, format="pal8"), seconds) for both, seconds in drawn)
        _encode(container, "gif", "pal8", scene, {}, frames, told, _TICK[".gif"])


def _encode(
    container: OutputContainer,
    codec: str,
    kind: str,
    scene: _Scene,
    options: dict[str, str],
    frames: Iterable[tuple[VideoFrame, float]],
    told: Callable[[], None],
    tick: Fraction,
) -> None:
    """Encode frames, each with its seconds, and write them."""
    stream: Any = container.add_stream(codec, rate=1 / tick, options=options)
    stream.width, stream.height = scene.scale * scene.width, scene.scale * scene.height
    stream.pix_fmt = kind
    stream.codec_context.time_base = tick
    at, last = 0, None
    for frame, seconds in frames:
        frame.pts, frame.time_base = at, tick
        at += max(1, round(seconds / tick))
        container.mux(stream.encode(frame))
        told()
        last = frame
    if last is not None:  # the last picture would be shown for no time otherwise
        last.pts = at - 1
        container.mux(stream.encode(last))
    container.mux(stream.encode(None))


Packed = npt.NDArray[np.uint32]


def _packed(pixels: Pixels) -> Packed:
    """Return the pixels of a BGR picture as numbers 0xRRGGBB, of shape (height, width)."""
    blue, green, red = (pixels[..., channel].astype(np.uint32) for channel in range(3))
    return np.asarray((red << 16) | (green << 8) | blue, np.uint32)


def _split(colours: Packed) -> npt.NDArray[np.uint8]:
    """Return colours 0xRRGGBB as red, green and blue, of shape (n, 3)."""
    return np.stack([(colours >> shift) & 255 for shift in (16, 8, 0)], axis=-1).astype(np.uint8)


def _palette(pictures: Iterable[Pixels]) -> Packed:
    """Return the most frequent colours of all pictures, at most 256, sorted."""
    counts = Counter[int]()
    for pixels in pictures:
        colours, found = np.unique(_packed(pixels), return_counts=True)
        counts.update(dict(zip(colours.tolist(), found.tolist(), strict=True)))
    return np.array(sorted(colour for colour, _ in counts.most_common(_COLOURS)), np.uint32)


def _indexed(pixels: Pixels, palette: Packed) -> npt.NDArray[np.uint8]:
    """Return for each pixel the index of the colour of ``palette`` that is nearest to its own."""
    colours, places = np.unique(_packed(pixels), return_inverse=True)
    offsets = _split(colours)[:, None].astype(np.int32) - _split(palette)[None].astype(np.int32)
    nearest = (offsets**2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    return np.asarray(nearest[places].reshape(pixels.shape[:2]), np.uint8)
