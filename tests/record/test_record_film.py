"""Films of a record: what they show, for how long, and what cannot be filmed."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from bot.errors import RecordError, UsageError
from bot.geometry import Pixels
from bot.record import Record, Seen, load_record
from bot.record.film import LAST, write_film
from conftest import Run
from recorded import without_pictures

RECORDS = Path(__file__).parent.parent.parent / "fixtures" / "records"
TOP = 40  # rows of a picture on which nothing is drawn


@pytest.fixture
def record() -> Record:
    return load_record(RECORDS / "winemine-beginner")


def played(path: Path) -> tuple[list[float], list[Pixels]]:
    """Return when each picture of a film is shown, and the pictures."""
    with av.open(str(path)) as film:
        frames = list(film.decode(video=0))
    return [float(frame.time or 0) for frame in frames], [
        np.asarray(frame.to_ndarray(format="bgr24"), np.uint8) for frame in frames
    ]


def looks_of(record: Record, game: int) -> list[Seen]:
    return list(record.games[game - 1].looks)


def test_a_film_shows_every_round(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    shown = list[int]()
    write_film(record, path, record.games[:1], 0.5, lambda: shown.append(1))
    times, pictures = played(path)
    looks = looks_of(record, 1)
    assert len(shown) == len(looks)
    assert len(pictures) == len(looks) + 1  # the last one twice, since the end of a film is that of its last
    assert times[:-1] == pytest.approx([0.5 * number for number in range(len(looks))])
    assert times[-1] - times[-2] == pytest.approx(LAST, abs=0.02)
    for seen, picture in zip(looks, pictures, strict=False):
        there = record.picture(seen)[:TOP].repeat(2, axis=0).repeat(2, axis=1).astype(int)
        part = picture[: 2 * TOP, : there.shape[1]]
        assert np.abs(part - there).mean() < 3
    assert np.abs(pictures[3].astype(int) - pictures[2]).max() > 100


def test_what_was_decided_is_drawn(record: Record, tmp_path: Path) -> None:
    write_film(record, tmp_path / "film.mp4", record.games[:1])
    _, pictures = played(tmp_path / "film.mp4")
    turn = record.games[0].rounds[1]
    x, y = turn.seen.grid.centre(turn.clicks[0].move.cell)
    plain = record.picture(turn.seen)
    around = (slice(int(y) - 6, int(y) + 6), slice(int(x) - 6, int(x) + 6))
    drawn = pictures[1][::2, ::2][: plain.shape[0], : plain.shape[1]]
    assert np.abs(drawn[around].astype(int) - plain[around]).mean() > 10


def test_rounds_may_be_shown_for_as_long_as_they_took(record: Record, tmp_path: Path) -> None:
    write_film(record, tmp_path / "film.mp4", record.games[1:], None)
    times, _ = played(tmp_path / "film.mp4")
    looks = looks_of(record, 2)
    began = looks[0].time
    assert times[:-1] == pytest.approx([max(0.0, seen.time - began) for seen in looks], abs=0.05)


def test_pictures_that_are_missing_are_left_out(tmp_path: Path) -> None:
    without_pictures(RECORDS / "winemine-beginner", tmp_path, 1)
    record = load_record(tmp_path)
    write_film(record, tmp_path / "film.mp4", record.games)
    assert len(played(tmp_path / "film.mp4")[1]) == len(looks_of(record, 2)) + 1
    with pytest.raises(RecordError, match="has no picture of these games"):
        write_film(record, tmp_path / "film.mp4", record.games[:1])


def test_places_and_names_that_cannot_be_written(record: Record, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"film\.mp4 cannot be written: No such file or directory"):
        write_film(record, tmp_path / "none" / "film.mp4", record.games[:1])
    with pytest.raises(UsageError, match=r"the name must end in \.mp4"):
        write_film(record, tmp_path / "film.avi", record.games[:1])
    assert not list(tmp_path.iterdir())


def test_the_command_writes_films(run: Run, tmp_path: Path) -> None:
    folder, path = RECORDS / "winemine-beginner", tmp_path / "film.mp4"
    code, out, err = run("replay", folder, "--film", path, "--game", "2", "--as-played")
    assert (code, err) == (0, "")
    assert out.startswith(f"{path}: 1 game, 0.")
    code, _, err = run("replay", folder, "--film", path, "--game", "7")
    assert (code, err) == (2, f"minebot: --game 7: the record {folder} has 2 games\n")
    for seconds in ("0", "-1", "nan", "inf"):
        code, _, err = run("replay", folder, "--film", path, "--seconds", seconds)
        assert (code, "give at least 0.02, or --as-played" in err) == (2, True)
    assert run("replay", folder, "--film", tmp_path / "film.avi")[0] == 2
