"""Looks: styles, and what some programs do otherwise - letters, emoji, dots, drawn zeros."""

from __future__ import annotations

from dataclasses import replace

from art.boards import emoji_available
from art.fonts import Lettering, random_font
from art.ink import Generator, Ground, apart, luma, mixed, random_colour, readable_on
from art.styles import CLASSIC_INKS, Pair, Sign, Style, random_style
from bot.board import State

_FLAG_EMOJI = "🚩⛳🏁🎌📍📌🏴🔺"
_MINE_EMOJI = "💣💥💀🧨🔥👾🦠🌋"
_BURST_EMOJI = "💥🔥💀☠"
_WRONG_EMOJI = "❌🚫❎⛔"
_COVERED_EMOJI = "🟦🟩⬜🔲🟫⬛"
_KEYCAPS = ("0️⃣", "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣")
_FLAG_LETTERS = "FFFFPP!fX^►*M"
_MINE_LETTERS = "***MMBB@OOo#X"
_COVERED_LETTERS = "..##■?-~=+"


def random_look(rng: Generator) -> Style:
    """Return a look of any program: mostly marks drawn in a style, else letters, emoji, dots."""
    style = random_style(rng, held_out=bool(rng.random() < 0.2))
    kind = rng.random()
    if kind < 0.13:
        style = _exercise(rng, style)
    elif kind < 0.25:
        style = _wide_gaps(rng, style)
    elif kind < 0.31:
        style = _bare(rng, style)
    if rng.random() < 0.2:  # small digits in large cells
        style = replace(style, digits=replace(style.digits, height=float(rng.uniform(0.28, 0.5))))
    signs: dict[int, Sign] = {}
    if rng.random() < 0.12:
        signs |= _number_dots(rng, style)
    if rng.random() < 0.14:
        zero = style.numbers.inks[int(rng.integers(8))]
        ink = zero if rng.random() < 0.5 else readable_on(rng, style.opened.face, 30)
        signs[0] = Sign(style.digits, ink, "0")
    kind = rng.random()
    if kind < 0.22:
        signs |= _letters(rng, style)
    elif kind < 0.4 and emoji_available():
        signs |= _emojis(rng)
    return replace(style, signs=signs)


def _exercise(rng: Generator, style: Style) -> Style:
    """Return the plain look of a programming exercise: grey or pale cells, thin lines, an installed font."""
    grey = float(rng.uniform(110, 210))
    covered = (grey,) * 3 if rng.random() < 0.6 else random_colour(rng, (0.05, 0.6), (0.4, 0.9))
    pale = float(rng.uniform(225, 255))
    opened = (pale,) * 3 if rng.random() < 0.7 else mixed(covered, (255, 255, 255), 0.6)
    if rng.random() < 0.2:
        covered, opened = opened, covered
    line = (0.0,) * 3 if rng.random() < 0.5 else mixed(covered, (0, 0, 0), float(rng.uniform(0.2, 0.6)))
    width, sides = float(rng.uniform(0.01, 0.05)), str(rng.choice(["tl", "br", "tlbr"]))
    ground = Ground(covered, covered, line=line, line_width=width, sides=sides)
    other = Ground(opened, opened, line=line, line_width=width, sides=sides)
    return with_pair(rng, style, Pair(ground, other))


def _wide_gaps(rng: Generator, style: Style) -> Style:
    """Return tiles with wide gaps on a page, often round; opened ones may be darker, paler, or the page."""
    behind = random_colour(rng, (0, 0.3), (0.05, 1))
    gap, radius = float(rng.uniform(0.03, 0.14)), float(rng.choice([0, 0.08, 0.15, 0.25, 0.4]))
    step = float(rng.uniform(0.12, 0.8))
    covered = mixed(behind, random_colour(rng, (0, 0.9), (0.1, 1)), step)
    opened = mixed(behind, random_colour(rng, (0, 0.5), (0.1, 1)), step * float(rng.uniform(0.1, 1)))
    if apart(covered, behind) < 12:
        covered = readable_on(rng, behind, 25)
    if apart(covered, opened) < 14:
        opened = behind if rng.random() < 0.5 else mixed(covered, readable_on(rng, covered, 60), 0.6)
    shade = mixed(covered, (0, 0, 0), float(rng.choice([0, 0, 0.1, 0.25])))
    one = Ground(covered, shade, behind=behind, gap=gap, radius=radius)
    return with_pair(rng, style, Pair(one, Ground(opened, opened, behind=behind, gap=gap, radius=radius)))


def _bare(rng: Generator, style: Style) -> Style:
    """Return cells without lines: covered ones are told by their colour, or by a bevel alone."""
    opened = random_colour(rng, (0, 0.3), (0.05, 1))
    covered = mixed(opened, readable_on(rng, opened, 50), float(rng.uniform(0.25, 1)))
    edge = mixed(covered, (0, 0, 0) if rng.random() < 0.5 else (255, 255, 255), float(rng.uniform(0.1, 0.5)))
    width = float(rng.choice([0.0, 0.02, 0.05]))
    ground = Ground(covered, covered, line=edge, line_width=width, sides="br" if width else "")
    return with_pair(rng, style, Pair(ground, Ground(opened, opened)))


def with_pair(rng: Generator, style: Style, pair: Pair) -> Style:
    """Return a style on other grounds, with inks that can be seen on them."""
    covered, opened = pair.covered, pair.opened
    red = rng.uniform(0, 90), rng.uniform(0, 90), rng.uniform(180, 255)
    inks = tuple(
        ink if apart(ink, opened.face) > 35 else readable_on(rng, opened.face)
        for ink in (style.numbers.inks if rng.random() < 0.5 else CLASSIC_INKS)
    )
    shown = opened if rng.random() < 0.75 else covered
    flag, mine = style.flag, style.mine
    if apart(flag.main, covered.face) < 40:
        flag = replace(flag, main=readable_on(rng, covered.face))
    if apart(mine.main, shown.face) < 40:
        mine = replace(mine, main=readable_on(rng, shown.face))
    burst = shown.recoloured(red)
    return replace(
        style,
        covered=covered,
        opened=opened,
        marked=covered if rng.random() < 0.9 else opened,
        shown=shown,
        burst=burst,
        blamed=shown if style.wrong[0] != "flag" else covered,
        flag=flag,
        mine=mine,
        burst_mine=replace(mine, main=readable_on(rng, burst.face)),
        numbers=replace(style.numbers, inks=inks, tints=None),
        question_ink=readable_on(rng, covered.face),
        smooth=style.smooth or bool(rng.random() < 0.5),
    )


def _number_dots(rng: Generator, style: Style) -> dict[int, Sign]:
    """Return dots as on dice, or one dot whose colour tells the number."""
    scale = float(rng.uniform(0.4, 1))
    if rng.random() < 0.6 and emoji_available() and rng.random() < 0.2:
        return {number: Sign(emoji=_KEYCAPS[number], scale=0.9) for number in range(1, 9)}
    if rng.random() < 0.5:
        inks = style.numbers.inks
        return {number: Sign(ink=inks[number - 1], pips=number, scale=scale) for number in range(1, 9)}
    light = mixed((0, 0, 0), (255, 255, 255), float(luma(style.opened.face) < 100) * 0.45)
    inks = tuple(mixed(ink, light, 0.3) for ink in CLASSIC_INKS)
    return {number: Sign(ink=inks[number - 1], pips=-1, scale=scale) for number in range(1, 9)}


def _letters(rng: Generator, style: Style) -> dict[int, Sign]:
    """Return letters for flags, mines and, in some, covered cells, as text programs have them."""
    setting = Lettering(random_font(rng, False, ("file", "file", "hershey")), float(rng.uniform(0.4, 0.75)))

    def sign(text: str, ground: Ground) -> Sign:
        red = (rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(180, 255))
        ink = red if rng.random() < 0.4 and apart(red, ground.face) > 40 else readable_on(rng, ground.face)
        return Sign(setting, ink, text)

    flag, mine = str(rng.choice(list(_FLAG_LETTERS))), str(rng.choice(list(_MINE_LETTERS)))
    while flag == mine:
        mine = str(rng.choice(list(_MINE_LETTERS)))
    signs = {int(State.FLAG): sign(flag, style.marked)}
    if rng.random() < 0.8:
        signs[State.MINE] = sign(mine, style.shown)
        signs[State.EXPLODED] = sign(mine if rng.random() < 0.7 else "X", style.burst)
    if rng.random() < 0.15 and mine not in _COVERED_LETTERS and flag not in _COVERED_LETTERS:
        covered = str(rng.choice(list(_COVERED_LETTERS)))
        signs[State.COVERED] = sign(covered, style.covered)
        if covered == "?":
            signs[State.QUESTION] = sign("¿" if rng.random() < 0.3 else "Q", style.marked)
    return signs


def _emojis(rng: Generator) -> dict[int, Sign]:
    """Return emoji for flags and mines, sometimes for covered cells."""
    scale = float(rng.uniform(0.55, 0.95))

    def sign(choices: str) -> Sign:
        return Sign(emoji=str(rng.choice(list(choices))), scale=scale)

    signs: dict[int, Sign] = {}
    if rng.random() < 0.85:
        signs[State.FLAG] = sign(_FLAG_EMOJI)
    if rng.random() < 0.85:
        signs[State.MINE] = sign(_MINE_EMOJI)
        if rng.random() < 0.4:
            signs[State.EXPLODED] = sign(_BURST_EMOJI)
        else:
            signs[State.EXPLODED] = signs[State.MINE]
        if signs[State.EXPLODED].emoji == signs[State.MINE].emoji and rng.random() < 0.1:
            signs[State.EXPLODED] = sign(_BURST_EMOJI)
    if rng.random() < 0.5:
        signs[State.WRONG_FLAG] = sign(_WRONG_EMOJI)
    if rng.random() < 0.3:
        signs[State.QUESTION] = Sign(emoji=str(rng.choice(["❓", "❔"])), scale=scale)
    if rng.random() < 0.1:
        signs[State.COVERED] = Sign(emoji=str(rng.choice(list(_COVERED_EMOJI))), scale=0.98)
    return signs
