"""Pictures that know where their boards are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

from heldout.canvas import (
    Colour,
    Rng,
)

Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Piece:
    """A picture (RGB), the boxes of the boards on it, and the boxes that hide what is below them."""

    image: Image.Image
    boards: tuple[Box, ...]
    hiding: tuple[Box, ...] = ()
    tags: tuple[str, ...] = ()

    def padded(self, left: int, top: int, right: int, bottom: int, colour: Colour) -> Piece:
        """Return the piece with margins of a colour."""
        width, height = self.image.size
        image = Image.new("RGB", (width + left + right, height + top + bottom), colour)
        image.paste(self.image, (left, top))
        return replace(
            self, image=image, boards=moved(self.boards, left, top), hiding=moved(self.hiding, left, top)
        )

    def cropped(self, box: Box) -> Piece:
        """Return what lies inside ``box``."""
        boards, hiding = (moved(boxes, -box[0], -box[1]) for boxes in (self.boards, self.hiding))
        return replace(self, image=self.image.crop(box), boards=boards, hiding=hiding)

    def tagged(self, *tags: str) -> Piece:
        """Return the piece with more tags."""
        return replace(self, tags=(*self.tags, *tags))

    def fitted(self, rng: Rng, width: int, height: int) -> Piece:
        """Return a part that is no larger than this and holds the boards and 24 pixels around them."""
        if self.image.width <= width and self.image.height <= height:
            return self
        sides = []
        for side, most, low, high in (
            (self.image.width, width, min(b[0] for b in self.boards), max(b[2] for b in self.boards)),
            (self.image.height, height, min(b[1] for b in self.boards), max(b[3] for b in self.boards)),
        ):
            start = max(0, min(high + 24, side) - most)
            end = max(start, min(low - 24, side - most))
            sides.append((at := int(rng.integers(start, end + 1)), min(side, at + most)))
        (x0, x1), (y0, y1) = sides
        return self.cropped((x0, y0, x1, y1))


def moved(boxes: Sequence[Box], dx: int, dy: int) -> tuple[Box, ...]:
    return tuple((x0 + dx, y0 + dy, x1 + dx, y1 + dy) for x0, y0, x1, y1 in boxes)
