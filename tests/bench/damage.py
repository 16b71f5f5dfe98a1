"""Damage the content of files, with a seeded random generator."""

from __future__ import annotations

import re
from random import Random

ENDINGS = (".png", ".jpg", ".bmp", ".gif", ".webp", ".tiff")
_NUMBER = re.compile(rb"(?<![^\s\[:,])-?\d+(\.\d+)?(?![^\s\]:,}])")  # one that stands alone
_ABSURD = (
    *b'-1 0 99 1000000000 -9999999999 1e308 -1e999 0.5 nan NaN inf null true "" []'.split(),
    b"9" * 5000,
)


def damaged(content: bytes, random: Random) -> bytes:
    """Return ``content`` damaged in one to three ways."""
    most = max(2 * len(content), 20_000)  # a record of a thousand rounds would rightly take longer
    for way in random.choices(range(7), k=random.choice((1, 1, 2, 3))):
        begin = random.randint(0, len(content))
        end = begin + int((len(content) - begin) * random.random() ** 3)  # short parts are likelier
        head, part, tail = content[:begin], content[begin:end], content[end:]
        if way == 0:
            content = changed(content, random)
        elif way == 1:
            content = head + random.choice((b"", tail))
        elif way == 2:
            content = head + part * random.choice((2, 3, 100)) + tail
        elif way == 3:
            content = head + part[len(part) // 2 :] + part[: len(part) // 2] + tail
        elif way == 4:
            content = head + random.randbytes(random.randint(1, 200)) + part + tail
        elif way == 5 and (found := list(_NUMBER.finditer(content))):
            number = random.choice(found)
            other = random.choice(_ABSURD)
            content = content[: number.start()] + other + content[number.end() :]
        elif way == 6:
            share = random.random()
            content = b"".join(line for line in content.splitlines(True) if random.random() < share)
    return content[:most]


def changed(content: bytes, random: Random) -> bytes:
    """Change some bytes, often in the header; a byte from elsewhere in the file may well have a meaning."""
    copy = bytearray(content)
    places = range(min(len(copy), random.choice((64, len(copy)))))
    for place in random.choices(places, k=random.choice((1, 3, 10))) if copy else ():
        other_bit, elsewhere = copy[place] ^ 1 << random.randrange(8), random.choice(copy)
        copy[place] = random.choice((other_bit, elsewhere, 0, 0x7F, 0xFF))
    return bytes(copy)


def ending(right: str, random: Random) -> str:
    """Return the ``right`` ending of a file name, or now and then a wrong one."""
    return random.choice(("", ".txt", *ENDINGS)) if random.random() < 0.1 else right
