"""Letters as strokes, so that text looks the same where no font is installed, and everywhere else.

Each letter is a small SVG path of M, L and Q with y up: the baseline is 0, capitals are 7 units high, small letters
5, descenders reach to −2.2. What the table lacks loses its accents, or becomes a box.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

CAPITAL = 7.0  # units
SPACE, BETWEEN = 3.0, 1.7  # widths [units]: of a blank, and of the gap after a letter
BOX = "M0 0L0 7L4 7L4 0L0 0"

_BOWL = "M4.2 2.5Q4.2 5 2.1 5Q0 5 0 2.5Q0 0 2.1 0Q4.2 0 4.2 2.5"
_NINE = "M0.5 0.7Q1 0 2 0Q4.4 0 4.4 4.2Q4.4 7 2.2 7Q0 7 0 4.8Q0 2.7 2.1 2.7Q4.4 2.7 4.4 4.6"

LETTERS = {
    "A": "M0 0L2.5 7L5 0M0.9 2.4L4.1 2.4",
    "B": "M0 0L0 7L2.8 7Q4.6 7 4.6 5.3Q4.6 3.7 2.8 3.7L0 3.7M2.8 3.7Q5 3.7 5 1.9Q5 0 2.8 0L0 0",
    "C": "M5 5.6Q4.4 7 2.7 7Q0 7 0 3.5Q0 0 2.7 0Q4.4 0 5 1.4",
    "D": "M0 0L0 7L2 7Q5 7 5 3.5Q5 0 2 0L0 0",
    "E": "M4.4 7L0 7L0 0L4.4 0M0 3.7L3.6 3.7",
    "F": "M4.4 7L0 7L0 0M0 3.6L3.6 3.6",
    "G": "M5 5.7Q4.4 7 2.7 7Q0 7 0 3.5Q0 0 2.7 0Q5 0 5 2.2L5 3.2L3 3.2",
    "H": "M0 0L0 7M5 0L5 7M0 3.7L5 3.7",
    "I": "M0 0L0 7",
    "J": "M3 7L3 1.8Q3 0 1.5 0Q0 0 0 1.6",
    "K": "M0 0L0 7M4.6 7L0 2.6M1.6 4.1L4.8 0",
    "L": "M0 7L0 0L4.2 0",
    "M": "M0 0L0 7L3 2L6 7L6 0",
    "N": "M0 0L0 7L5 0L5 7",
    "O": "M2.7 7Q0 7 0 3.5Q0 0 2.7 0Q5.4 0 5.4 3.5Q5.4 7 2.7 7",
    "P": "M0 0L0 7L2.8 7Q4.8 7 4.8 5.1Q4.8 3.2 2.8 3.2L0 3.2",
    "Q": "M2.7 7Q0 7 0 3.5Q0 0 2.7 0Q5.4 0 5.4 3.5Q5.4 7 2.7 7M3.4 1.6L5.4 -0.6",
    "R": "M0 0L0 7L2.8 7Q4.8 7 4.8 5.1Q4.8 3.2 2.8 3.2L0 3.2M2.6 3.2L4.9 0",
    "S": "M4.6 5.8Q4.2 7 2.5 7Q0.3 7 0.3 5.3Q0.3 3.9 2.4 3.6Q4.9 3.2 4.9 1.8Q4.9 0 2.5 0Q0.5 0 0 1.4",
    "T": "M0 7L5 7M2.5 7L2.5 0",
    "U": "M0 7L0 2.4Q0 0 2.5 0Q5 0 5 2.4L5 7",
    "V": "M0 7L2.5 0L5 7",
    "W": "M0 7L1.7 0L3.4 6L5.1 0L6.8 7",
    "X": "M0 0L5 7M0 7L5 0",
    "Y": "M0 7L2.5 3.4L5 7M2.5 3.4L2.5 0",
    "Z": "M0 7L4.8 7L0 0L4.8 0",
    "a": "M0.4 4.4Q1 5 2.1 5Q4 5 4 3.3L4 0M4 2.9L2 2.9Q0 2.9 0 1.4Q0 0 1.8 0Q4 0 4 1.9",
    "b": "M0 7L0 0" + _BOWL,
    "c": "M3.8 4.1Q3.3 5 2.1 5Q0 5 0 2.5Q0 0 2.1 0Q3.3 0 3.8 0.9",
    "d": "M4.2 7L4.2 0" + _BOWL,
    "e": "M0 2.7L4.1 2.7Q4.1 5 2.1 5Q0 5 0 2.5Q0 0 2.2 0Q3.3 0 3.8 0.8",
    "f": "M2.8 6.9Q1.2 7.3 1.2 5.4L1.2 0M0 4.9L2.6 4.9",
    "g": "M4.2 5L4.2 -0.4Q4.2 -2.2 2.2 -2.2Q0.9 -2.2 0.4 -1.5" + _BOWL,
    "h": "M0 7L0 0M0 2.8Q0 5 2.1 5Q3.9 5 3.9 3L3.9 0",
    "i": "M0 5L0 0M0 6.8L0 7",
    "j": "M1.2 5L1.2 -0.8Q1.2 -2.2 0 -2.1M1.2 6.8L1.2 7",
    "k": "M0 7L0 0M3.6 5L0 1.8M1.3 3L3.8 0",
    "l": "M0 7L0 0",
    "m": "M0 5L0 0M0 3Q0 5 1.6 5Q3.1 5 3.1 3.2L3.1 0M3.1 3Q3.1 5 4.7 5Q6.2 5 6.2 3.2L6.2 0",
    "n": "M0 5L0 0M0 2.8Q0 5 2.1 5Q3.9 5 3.9 3L3.9 0",
    "o": _BOWL,
    "p": "M0 5L0 -2.2" + _BOWL,
    "q": "M4.2 5L4.2 -2.2" + _BOWL,
    "r": "M0 5L0 0M0 2.8Q0.2 5 2.4 5",
    "s": "M3.5 4.2Q3.1 5 1.9 5Q0.3 5 0.3 3.8Q0.3 2.8 1.9 2.5Q3.7 2.2 3.7 1.3Q3.7 0 1.9 0Q0.5 0 0 0.9",
    "t": "M1.2 6.6L1.2 1.3Q1.2 -0.2 2.8 0.1M0 4.9L2.7 4.9",
    "u": "M0 5L0 2Q0 0 1.8 0Q3.9 0 3.9 2.2M3.9 5L3.9 0",
    "v": "M0 5L2 0L4 5",
    "w": "M0 5L1.4 0L2.8 4.4L4.2 0L5.6 5",
    "x": "M0 0L3.8 5M0 5L3.8 0",
    "y": "M0 5L2 0M4 5L1.6 -1.2Q1.2 -2.2 0.2 -2.1",
    "z": "M0 5L3.6 5L0 0L3.6 0",
    "0": "M2.2 7Q0 7 0 3.5Q0 0 2.2 0Q4.4 0 4.4 3.5Q4.4 7 2.2 7",
    "1": "M0.6 5.6L2.4 7L2.4 0",
    "2": "M0.2 5.4Q0.4 7 2.2 7Q4.2 7 4.2 5.2Q4.2 4 2.6 2.5L0 0L4.4 0",
    "3": "M0.3 5.8Q0.8 7 2.1 7Q4 7 4 5.3Q4 3.8 2 3.8Q4.4 3.8 4.4 1.9Q4.4 0 2.2 0Q0.5 0 0 1.4",
    "4": "M3.3 0L3.3 7L0 2.2L4.4 2.2",
    "5": "M4 7L0.7 7L0.4 3.9Q1 4.5 2.2 4.5Q4.4 4.5 4.4 2.3Q4.4 0 2.1 0Q0.5 0 0 1.2",
    "6": "M3.9 6.3Q3.4 7 2.4 7Q0 7 0 2.8Q0 0 2.2 0Q4.4 0 4.4 2.2Q4.4 4.3 2.3 4.3Q0 4.3 0 2.4",
    "7": "M0 7L4.4 7L1.5 0",
    "8": "M2.2 3.8Q0.3 3.8 0.3 5.4Q0.3 7 2.2 7Q4.1 7 4.1 5.4Q4.1 3.8 2.2 3.8"
    "Q0 3.8 0 1.9Q0 0 2.2 0Q4.4 0 4.4 1.9Q4.4 3.8 2.2 3.8",
    "9": _NINE,
    ".": "M0.3 0L0.3 0.2",
    ",": "M0.6 0.2L0 -1.4",
    ":": "M0.3 0L0.3 0.2M0.3 4L0.3 4.2",
    ";": "M0.6 0.2L0 -1.4M0.6 4L0.6 4.2",
    "!": "M0.3 7L0.3 2M0.3 0L0.3 0.2",
    "?": "M0 5.6Q0.4 7 2 7Q4 7 4 5.3Q4 4.2 2.8 3.5Q1.9 3 1.9 1.8M1.9 0L1.9 0.2",
    "'": "M0 7L0 5",
    '"': "M0 7L0 5M1.8 7L1.8 5",
    "`": "M0 7L1 5.8",
    "(": "M1.6 8Q0 6 0 3Q0 0 1.6 -2",
    ")": "M0 8Q1.6 6 1.6 3Q1.6 0 0 -2",
    "[": "M1.6 8L0 8L0 -1.6L1.6 -1.6",
    "]": "M0 8L1.6 8L1.6 -1.6L0 -1.6",
    "{": "M2 8Q0.9 8 0.9 6L0.9 4.4Q0.9 3.2 0 3.2Q0.9 3.2 0.9 2L0.9 0.4Q0.9 -1.6 2 -1.6",
    "}": "M0 8Q1.1 8 1.1 6L1.1 4.4Q1.1 3.2 2 3.2Q1.1 3.2 1.1 2L1.1 0.4Q1.1 -1.6 0 -1.6",
    "<": "M4 5.2L0 3L4 0.8",
    ">": "M0 5.2L4 3L0 0.8",
    "=": "M0 4.1L4 4.1M0 2L4 2",
    "+": "M2 5L2 1M0 3L4 3",
    "-": "M0 2.9L2.4 2.9",
    "−": "M0 3L4 3",
    "–": "M0 2.9L3.6 2.9",
    "—": "M0 2.9L6 2.9",
    "_": "M0 -1.2L4 -1.2",
    "/": "M0 -1L3.4 8",
    "\\": "M0 8L3.4 -1",
    "|": "M0.2 8L0.2 -2",
    "*": "M1.8 6.8L1.8 3.2M0.2 5.9L3.4 4.1M3.4 5.9L0.2 4.1",
    "%": "M0 0L5.4 7M1.3 7Q0 7 0 5.7Q0 4.4 1.3 4.4Q2.6 4.4 2.6 5.7Q2.6 7 1.3 7"
    "M4.1 2.6Q2.8 2.6 2.8 1.3Q2.8 0 4.1 0Q5.4 0 5.4 1.3Q5.4 2.6 4.1 2.6",
    "&": "M5 0L1 5Q0.6 7 2.2 7Q3.6 7 3.4 5.4Q3.2 4.4 1.2 3.4Q0 2.8 0 1.7Q0 0 2 0Q4 0 5 2.6",
    "#": "M1 0L1.8 7M3.4 0L4.2 7M0.3 4.7L5 4.7M0 2.3L4.7 2.3",
    "@": "M4 1.6Q3.6 1.6 3.6 2.4L3.6 4.6M3.6 3.2Q3.6 1.6 2.4 1.6Q1.4 1.6 1.4 3.2Q1.4 4.8 2.4 4.8Q3.6 4.8 3.6 3.2"
    "M4 1.6Q5.4 1.8 5.4 3.8Q5.4 6.6 2.8 6.6Q0 6.6 0 3.2Q0 0 3 0Q4 0 4.6 0.4",
    "$": "M4.6 5.8Q4.2 7 2.5 7Q0.3 7 0.3 5.3Q0.3 3.9 2.4 3.6Q4.9 3.2 4.9 1.8Q4.9 0 2.5 0Q0.5 0 0 1.4M2.5 8L2.5 -1",
    "^": "M0 5L1.8 7L3.6 5",
    "~": "M0 2.6Q0.6 3.8 1.6 3.2L2.6 2.7Q3.6 2.1 4.2 3.3",
    "°": "M1.2 7Q0 7 0 5.8Q0 4.6 1.2 4.6Q2.4 4.6 2.4 5.8Q2.4 7 1.2 7",
    "×": "M0 1.2L3.6 4.8M0 4.8L3.6 1.2",
    "·": "M0.3 2.9L0.3 3.1",
    "±": "M2 5.4L2 2M0 3.7L4 3.7M0 0.4L4 0.4",
    "…": "M0.3 0L0.3 0.2M2.6 0L2.6 0.2M4.9 0L4.9 0.2",
    "→": "M0 3L5 3M3.2 4.8L5 3L3.2 1.2",
}


@lru_cache(maxsize=512)
def _letter(letter: str) -> tuple[tuple[tuple[str, tuple[float, ...]], ...], float]:
    """A letter's strokes as (command, numbers), and its width [units]."""
    path = LETTERS.get(letter) or LETTERS.get(unicodedata.normalize("NFKD", letter)[0], BOX)
    strokes = []
    for piece in path.replace("M", "|M").replace("L", "|L").replace("Q", "|Q").split("|")[1:]:
        strokes.append((piece[0], tuple(float(number) for number in piece[1:].split())))
    return tuple(strokes), max(max(numbers[::2]) for _, numbers in strokes)


def width(text: str, size: float) -> float:
    """How wide a text is [px]; size [px] is ten units, so capitals are 0.7 size high."""
    units = sum(SPACE if letter == " " else _letter(letter)[1] + BETWEEN for letter in text)
    return max(units - BETWEEN, 0.0) * size / 10.0


def strokes(text: str, x: float, y: float, size: float) -> list[tuple[str, list[float]]]:
    """The text's path as (command, page coordinates x, y, x, y …) from (x, y), the left of its baseline [px]."""
    unit, at, path = size / 10.0, x, []
    for letter in text:
        if letter == " ":
            at += SPACE * unit
            continue
        drawn, wide = _letter(letter)
        for command, numbers in drawn:
            turned = [at + v * unit if k % 2 == 0 else y - v * unit for k, v in enumerate(numbers)]
            path.append((command, turned))
        at += (wide + BETWEEN) * unit
    return path


def shorten(text: str, room: float, size: float) -> str:
    """The text, cut with "…" where it is wider than `room` [px]."""
    if width(text, size) <= room:
        return text
    while text and width(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"
