"""Layouts: windows, desktops, pages and telephones, wrapped step by step around a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from heldout.canvas import (
    BLACK,
    BOLD,
    WHITE,
    Colour,
    Rng,
    against,
    between,
    chance,
    darker,
    hsv,
    lighter,
    luminance,
    mixed,
    pick,
)
from heldout.looks import Theme
from heldout.panels import WORDS, Piece, button, moved, paragraph, table, write

_MENUS = (
    ("Game", "Help"),
    ("File", "Edit", "View", "Help"),
    ("Spiel", "Ansicht", "Hilfe"),
    ("Partie", "Options", "Aide"),
    ("Juego", "Ayuda"),
)
_TITLES = (
    "Minesweeper",
    "Mines",
    "Campo Minado",
    "Prato Fiorito",
    "Démineur",
    "My Mines 0.3",
    "tk",
    "Form1",
    "Untitled - Mines",
    "MineField",
)


# Windows and desktops


def windowed(rng: Rng, piece: Piece, theme: Theme) -> Piece:
    """Put a window of one of several systems around a piece: title bar, menu, status line, border."""
    system = pick(rng, ("95", "xp", "seven", "ten", "mac", "gtk", "tiling"))
    margin = int(rng.integers(0, 16))
    piece = piece.padded(margin, margin, margin, margin, theme.panel)
    if chance(rng, 0.2):
        piece = piece.padded(0, 0, 0, 22, mixed(theme.panel, theme.ink, 0.08))
        words = pick(rng, ("Ready", "Good luck!", "Level: custom", "www.example.org"))
        ink = against(theme.ink, theme.panel, ratio=4)
        write(ImageDraw.Draw(piece.image), 6, piece.image.height - 11, words, "carlito", 13, ink)
        piece = piece.tagged("status line")
    if (system in ("95", "xp", "seven") and chance(rng, 0.8)) or chance(rng, 0.15):
        bar = (240, 240, 240) if luminance(theme.panel) > 0.3 else (44, 44, 46)
        piece = piece.padded(0, 22, 0, 0, bar)
        x, draw = 8.0, ImageDraw.Draw(piece.image)
        for word in pick(rng, _MENUS):
            x += write(draw, x, 11, word, "carlito", 14, against(BLACK, bar, ratio=6)) + 12
    high = {"95": 20, "xp": 28, "seven": 30, "ten": 31, "mac": 28, "gtk": 40, "tiling": 18}[system]
    colours: dict[str, Colour] = {
        "95": (0, 0, 128),
        "xp": (0, 84, 227),
        "seven": (170, 196, 226),
        "ten": WHITE,
        "mac": (224, 224, 224),
        "gtk": (48, 48, 48),
        "tiling": (40, 85, 119),
    }
    bar = colours[system]
    piece = piece.padded(0, high, 0, 0, bar)
    width, draw = piece.image.width, ImageDraw.Draw(piece.image)
    title, colour = pick(rng, _TITLES), against(WHITE, bar, ratio=4)
    if system in ("mac", "gtk"):
        write(draw, width / 2, high / 2, title, "b612 bold" if system == "gtk" else "sans", 13, colour, "mm")
    else:
        write(draw, 24, high / 2, title, "carlito bold" if system != "tiling" else "mononoki", 14, colour)
        write(draw, 5, high / 2, "\U0001f4a3", "symbols", 14, colour)
    if system == "mac":
        for at, light in enumerate(((255, 95, 86), (255, 189, 46), (39, 201, 63))):
            draw.ellipse((9 + 20 * at, high / 2 - 6, 21 + 20 * at, high / 2 + 6), light)
    elif system != "tiling":
        for at, sign in enumerate(("✕", "□", "–")):
            if system == "95":
                draw.rectangle((width - 20 - 17 * at, 3, width - 5 - 17 * at, 16), (192, 192, 192), BLACK)
            x = width - 13 - (17 if system == "95" else 30) * at
            write(draw, x, high / 2, sign, "symbols", 12, BLACK if system == "95" else colour, "mm")
    border = {"95": 3, "xp": 4, "seven": 7, "ten": 1, "mac": 1, "gtk": 1, "tiling": 2}[system]
    edge = (
        (192, 192, 192) if system == "95" else bar if system in ("xp", "seven", "tiling") else (130, 130, 130)
    )
    return piece.padded(border, border, border, border, edge)


def wallpaper(rng: Rng, width: int, height: int, kind: str = "") -> Image.Image:
    """Return a wallpaper: plain, a gradient, hills, or blurred blots; of any kind if none is given."""
    kind = kind or pick(rng, ("plain", "gradient", "hills", "blots"))
    hue = rng.random()
    start, end = hsv(hue, 0.6, between(rng, 0.25, 0.7)), hsv(hue + 0.12, 0.5, between(rng, 0.5, 0.95))
    if kind == "plain":
        return Image.new("RGB", (width, height), start)
    down = np.linspace(0, 1, height)[:, None, None]
    filled = np.broadcast_to(np.array(end) * (1 - down) + np.array(start) * down, (height, width, 3))
    image = Image.fromarray(np.asarray(filled, np.uint8))
    draw = ImageDraw.Draw(image)
    if kind == "hills":
        for layer in range(3):
            top = height * (0.55 + 0.15 * layer)
            points = [
                (x, top + height * 0.08 * float(np.sin(x / width * 7 + layer * 2 + hue * 9)))
                for x in range(0, width + 20, 20)
            ]
            draw.polygon(
                [*points, (width, height), (0, height)], hsv(0.3 + 0.03 * layer, 0.55, 0.6 - 0.13 * layer)
            )
    if kind == "blots":
        for x, y, r, h in rng.random((14, 4)):
            size = (0.05 + r * 0.2) * width
            draw.ellipse(
                (x * width - size, y * height - size, x * width + size, y * height + size),
                hsv(hue + h * 0.3, 0.5, 0.3 + 0.6 * r),
            )
        image = image.filter(ImageFilter.GaussianBlur(width / 60))
    return image


def other_window(rng: Rng, extent: tuple[int, int] | None = None) -> Image.Image:
    """Return some other program's window, of some size if none is given."""
    width, height = extent or (int(rng.integers(220, 560)), int(rng.integers(140, 420)))
    theme = Theme(page=pick(rng, (WHITE, (30, 30, 36), (250, 248, 240))))
    theme = replace(theme, ink=against((60, 60, 60), theme.page, ratio=5))
    image = Image.new("RGB", (width, height), theme.page)
    draw = ImageDraw.Draw(image)
    kind = pick(rng, ("text", "text", "table"))
    if kind == "text":
        face, size = pick(rng, ("mononoki", "carlito", "b612")), between(rng, 11, 16)
        paragraph(draw, rng, (10, 34, width - 10, height - 6), face, size, theme.ink)
    else:
        table(draw, rng, (10, 38, width - 10, height - 6), theme)
    bar = pick(rng, ((0, 84, 227), (225, 225, 225), (60, 60, 64), (120, 40, 60)))
    draw.rectangle((0, 0, width, 28), bar)
    title = pick(rng, ("notes.txt", "Inbox (3)", "Terminal", "Calculator"))
    write(draw, 10, 14, title, "carlito", 14, against(WHITE, bar, ratio=4))
    draw.rectangle((0, 0, width - 1, height - 1), outline=darker(bar, 0.4))
    return image


def on_desktop(rng: Rng, piece: Piece, width: int, height: int) -> Piece:
    """Put a window on a desktop of at most this size: icons, a task bar, other windows beside the boards."""
    inner_w, inner_h = piece.image.size
    total_w = max(min(width, inner_w + int(rng.integers(150, 900))), inner_w)
    total_h = max(min(height, inner_h + int(rng.integers(90, 500))), inner_h)
    image = wallpaper(rng, total_w, total_h)
    draw = ImageDraw.Draw(image)
    for at in range(int(rng.integers(0, 8))):
        x, y = 14 + at // 6 * 84, 12 + at % 6 * 82
        draw.rounded_rectangle((x + 10, y, x + 50, y + 40), 8, hsv(rng.random(), 0.6, 0.85))
        write(draw, x + 30, y + 22, pick(rng, "✉☺♫★⚙☂"), "symbols", 26, WHITE, "mm")
        write(draw, x + 30, y + 54, pick(rng, WORDS).title(), "carlito", 12, WHITE, "mm")
    bar = min(40, total_h - inner_h)
    x0, y0 = int(rng.integers(0, total_w - inner_w + 1)), int(rng.integers(0, total_h - inner_h - bar + 1))
    for _ in range(int(rng.integers(0, 3))):
        image.paste(
            other_window(rng),
            (int(rng.integers(-100, max(1, total_w - 150))), int(rng.integers(0, max(1, total_h - 120)))),
        )
    image.paste(piece.image, (x0, y0))
    boards, hiding, tags = moved(piece.boards, x0, y0), list(moved(piece.hiding, x0, y0)), list(piece.tags)
    if chance(rng, 0.6):  # a window in front, beside the boards; of some a corner lies over the board
        front = other_window(rng)
        (bx0, by0, bx1, by1) = boards[0]
        over = chance(rng, 0.3)
        dx = round((bx1 - bx0) * between(rng, 0.08, 0.3)) if over else -4
        dy = round((by1 - by0) * between(rng, 0.08, 0.3))
        at_x = bx1 - dx if chance(rng, 0.5) else bx0 + dx - front.width
        at_y = by1 - dy if over and chance(rng, 0.6) else by0 + dy - front.height
        image.paste(front, (at_x, at_y))
        place = (at_x, at_y, at_x + front.width, at_y + front.height)
        if over and at_x < total_w and at_x + front.width > 0 and at_y < total_h and at_y + front.height > 0:
            hiding.append(place)
            tags.append("window over a corner")
    draw.rectangle(
        (0, total_h - bar, total_w, total_h), pick(rng, ((20, 22, 28), (36, 94, 220), (238, 238, 240)))
    )
    if bar >= 24:
        draw.rounded_rectangle((4, total_h - bar + 4, 60, total_h - 4), 4, (60, 140, 70))
        write(draw, total_w - 10, total_h - bar / 2, "14:07", "carlito", 14, (150, 150, 150), "rm")
    return Piece(image, boards, tuple(hiding), tuple(tags))


# Pages and telephones


def on_page(rng: Rng, piece: Piece, theme: Theme, width: int, height: int) -> Piece:
    """Put a board on a page: heading, text, buttons, advertisements, tables."""
    inner_w, inner_h = piece.image.size
    left = int(rng.integers(0, 260)) if chance(rng, 0.7) else int(rng.integers(0, 12))
    right = int(rng.integers(120, 420)) if chance(rng, 0.7) else int(rng.integers(0, 40))
    top, bottom = int(rng.integers(20, 170)), int(rng.integers(0, 200))
    over = max(0, inner_w + left + right - width)
    right -= min(over, right)
    left = max(0, min(left, width - inner_w - right))
    over = max(0, inner_h + top + bottom - height)
    bottom -= min(over, bottom)
    top = max(0, min(top, height - inner_h - bottom))
    page = piece.padded(left, top, right, bottom, theme.page)
    total_w, total_h = page.image.size
    draw = ImageDraw.Draw(page.image)
    if top > 44:
        draw.rectangle((0, 0, total_w, 34), pick(rng, (theme.accent, theme.panel, theme.page)))
        write(draw, 12, 17, pick(rng, _TITLES), pick(rng, BOLD), 19, theme.ink)
        if total_w > 420:
            x = 190.0
            for word in pick(rng, (("Home", "Play", "Scores"), ("Login", "Blog", "About", "FAQ"))):
                x += write(draw, x, 17, word, theme.face, 13, theme.ink) + 18
    if top > 110:
        paragraph(draw, rng, (left + 4, 40, total_w - right, top - 44), theme.face, 14, theme.ink)
    if top > 90:
        x = left + 4.0
        for word in ("Beginner", "Expert", "Custom")[: max(1, inner_w // 110)]:
            x += button(draw, x, top - 22, word, theme, 12)
    if left > 130:
        table(draw, rng, (10, top, left - 20, min(total_h - 10, top + 300)), theme)
    if right > 130:
        if chance(rng, 0.4):
            colour = hsv(rng.random(), 0.6, 0.9)
            draw.rectangle((total_w - right + 20, top, total_w - 10, min(total_h - 10, top + 250)), colour)
            box = (total_w - right + 34, top + 20, total_w - 20, min(total_h - 20, top + 230))
            paragraph(draw, rng, box, pick(rng, BOLD), 24, against(WHITE, colour, ratio=3))
        else:
            table(draw, rng, (total_w - right + 20, top, total_w - 12, min(total_h - 8, top + 320)), theme)
    if bottom > 40:
        paragraph(
            draw,
            rng,
            (left + 4, total_h - bottom + 12, total_w - right, total_h - 4),
            theme.face,
            13,
            theme.ink,
        )
    return page


def on_phone(rng: Rng, piece: Piece, theme: Theme, width: int, height: int) -> Piece:
    """Fill the screen of a telephone: status line, title, buttons; the board often touches the sides."""
    inner_w, inner_h = piece.image.size
    margin = pick(rng, (0, 0, 4, 10, 16))
    margin = min(margin, max(0, (width - inner_w) // 2))
    total_w = inner_w + 2 * margin
    total_h = max(inner_h, min(height, max(inner_h + 40, round(total_w * between(rng, 1.5, 2.1)))))
    spare = total_h - inner_h
    top = round(spare * between(rng, 0.25, 0.6))
    phone = piece.padded(margin, top, margin, spare - top, theme.page)
    draw, unit = ImageDraw.Draw(phone.image), max(9.0, min(total_w / 26, 26.0))
    if top > 5 * unit:
        draw.rectangle((0, 0, total_w, 1.6 * unit), darker(theme.accent, 0.3))
        light = against(WHITE, darker(theme.accent, 0.3), ratio=4)
        write(draw, unit * 0.6, unit * 0.8, "9:41", theme.face, unit * 0.9, light)
        write(draw, total_w - unit * 0.6, unit * 0.8, "87%", theme.face, unit * 0.9, light, "rm")
        draw.rectangle((0, 1.6 * unit, total_w, 4.4 * unit), theme.accent)
        write(draw, unit * 0.8, unit * 3, "☰", "symbols", unit * 1.3, against(WHITE, theme.accent, ratio=4))
        light = against(WHITE, theme.accent, ratio=4)
        write(draw, unit * 2.8, unit * 3, pick(rng, _TITLES), theme.face, unit * 1.3, light)
    if spare - top > 4 * unit:
        x = unit
        for word in ("Flag", "Dig", "New game"):
            if x < total_w - unit * 6:
                x += button(draw, x, total_h - 2 * unit, word, theme, unit)
    return phone


def beside(rng: Rng, first: Piece, second: Piece, colour: Colour) -> Piece:
    """Put two pieces side by side, or the second below the first if both are wide."""
    space = int(rng.integers(14, 80))
    down = first.image.width > first.image.height * 1.5
    dx, dy = (0, first.image.height + space) if down else (first.image.width + space, 0)
    width, height = (
        max(first.image.width, dx + second.image.width),
        max(first.image.height, dy + second.image.height),
    )
    image = Image.new("RGB", (width, height), colour)
    image.paste(first.image, (0, 0))
    image.paste(second.image, (dx, dy))
    boards = (*first.boards, *moved(second.boards, dx, dy))
    return Piece(image, boards, first.hiding, first.tags).tagged("two boards")


Layout = Callable[[Rng, Piece, Theme, int, int], Piece]  # takes the largest size of the whole


def _cut(rng: Rng, piece: Piece, theme: Theme, width: int, height: int) -> Piece:
    margins = [int(rng.integers(0, 30)) if chance(rng, 0.3) else 0 for _ in range(4)]
    room = (width - piece.image.width, height - piece.image.height)
    left, right = min(margins[0], max(0, room[0] // 2)), min(margins[1], max(0, room[0] // 2))
    top, bottom = min(margins[2], max(0, room[1] // 2)), min(margins[3], max(0, room[1] // 2))
    return piece.padded(left, top, right, bottom, theme.page)


def _window(rng: Rng, piece: Piece, theme: Theme, width: int, height: int) -> Piece:  # noqa: ARG001 - as all are
    return windowed(rng, piece, theme)


def _desktop(rng: Rng, piece: Piece, theme: Theme, width: int, height: int) -> Piece:
    return on_desktop(rng, windowed(rng, piece, theme), width, height)


def _browser(rng: Rng, piece: Piece, theme: Theme, width: int, height: int) -> Piece:
    page = on_page(rng, piece, theme, width, height)
    if chance(rng, 0.6) or page.image.height + 70 > height:
        return page
    bar = pick(rng, ((222, 225, 230), (53, 54, 58)))
    page = page.padded(0, 68, 0, 0, bar)
    draw, colour = ImageDraw.Draw(page.image), against((60, 60, 60), bar, ratio=5)
    draw.rounded_rectangle((8, 6, 190, 36), 8, lighter(bar, 0.4))
    write(draw, 18, 20, "Mines - play online", "carlito", 13, against(colour, lighter(bar, 0.4), ratio=4))
    write(draw, 12, 52, "← → ↻", "symbols", 15, colour)
    draw.rounded_rectangle((90, 40, page.image.width - 30, 64), 12, lighter(bar, 0.5))
    write(
        draw,
        104,
        52,
        "https://mines.example.org/play",
        "carlito",
        13,
        against(colour, lighter(bar, 0.5), ratio=4),
    )
    return page.tagged("browser")


LAYOUTS: dict[str, Layout] = {
    "cut": _cut,
    "window": _window,
    "desktop": _desktop,
    "page": _browser,
    "phone": on_phone,
}
