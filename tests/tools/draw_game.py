"""Draw a game of a record as an animated picture, which the README shows.

    minebot play --launch --target winemine --level intermediate --speed 12 --record run
    python tests/tools/draw_game.py run .github/pictures/play.webp

Each picture is one round with the marks of its decision, as in a film.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import av
import typer
from PIL import Image

from bot.record.film import write_film
from bot.record.lines import load_record

LARGEST = 500_000  # bytes: more than that is no picture for the first screen of a page
LAST = 3.0  # seconds for which the end is shown


def draw(
    record: Annotated[Path, typer.Argument(help="A folder written by `minebot play --record`.")],
    picture: Annotated[Path, typer.Argument(help="The picture to write, a WebP or a GIF.")],
    game: Annotated[int, typer.Option(help="The number of the game.")] = 1,
    seconds: Annotated[float, typer.Option(help="How long each round is shown.")] = 0.7,
) -> None:
    """Write the animated picture, and print its size."""
    loaded = load_record(record)
    with TemporaryDirectory() as folder:
        film = Path(folder) / "game.mp4"
        write_film(loaded, film, [one for one in loaded.games if one.number == game], seconds)
        with av.open(str(film)) as opened:
            frames = [Image.fromarray(frame.to_ndarray(format="rgb24")) for frame in opened.decode(video=0)]
    first, *rest = frames[:-1] or frames  # the last one only gives the end its duration
    times = [round(1000 * seconds)] * len(rest) + [round(1000 * LAST)]
    first.save(picture, save_all=True, append_images=rest, duration=times, loop=0, quality=60, method=6)
    size = picture.stat().st_size
    print(f"{picture}: {len(times)} rounds, {first.width} x {first.height} pixels, {size:,} bytes")
    if size > LARGEST:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(draw)
