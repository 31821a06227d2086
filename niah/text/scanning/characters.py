"""What each character is to our scanners: tables over code points, made from Python's own answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.text import script_borders
from niah.text.english_borders import CLOSERS, OPENERS
from niah.text.writing import marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Bits of a character's class.
SPACE = 1  # \s, str.isspace
WORD = 2  # \w
DIGIT = 4  # \d
NUMERAL = 8  # str.isdigit: superscripts too
ALPHABETIC = 16  # str.isalpha
ENDER = 32  # may end a sentence
CLOSER = 64  # may stand between the ender and the white space
OPENER = 128  # may stand before the capital
CAPITAL = 256  # may begin a sentence
NEWLINE = 512
MARK = 1024  # of letters; none is \w
FOREIGN = 2048  # the rules for English prose know nothing of it

# No character from here on is white space, is part of a word, is foreign or has a lower case.
CODE_POINTS = 0x40000

_PATTERNS = {
    SPACE: r"\s+",
    WORD: r"\w+",
    DIGIT: r"\d+",
    ENDER: "[.!?…]+",
    CLOSER: f"[{CLOSERS}]+",
    OPENER: f"[{re.escape(OPENERS)}]+",
    CAPITAL: "[A-ZÀ-ÖØ-Þ0-9]+",
    NEWLINE: r"\n+",
    MARK: f"[{marks()}]+",
    FOREIGN: f"{script_borders.FOREIGN_SIGNS}+",
}


@dataclass(frozen=True)
class Characters:
    """Tables over code points below ``CODE_POINTS``, or over ASCII alone.

    Attributes:
        classes: uint16, a sum of the bits above.
        lower: uint32, the lower case where it is one character and depends on no other. Two have none such:
            "İ" and "Σ" (``Characters`` gives "i" and "σ").
    """

    classes: NDArray[np.uint16]
    lower: NDArray[np.uint32]


@lru_cache(maxsize=2)
def characters(ascii_only: bool) -> Characters:
    """ASCII takes no time, all of Unicode 40 ms, once."""
    every = "".join(map(chr, range(128 if ascii_only else CODE_POINTS)))
    classes = np.zeros(len(every), dtype=np.uint16)
    for bit, pattern in _PATTERNS.items():
        for match in re.finditer(pattern, every):
            classes[match.start() : match.end()] |= bit
    for start in np.flatnonzero(classes & WORD).tolist():
        character = every[start]
        classes[start] |= ALPHABETIC * character.isalpha() + NUMERAL * character.isdigit()
    lowered = every.replace("İ", "i").replace("Σ", "σ").lower()
    return Characters(
        classes, np.frombuffer(lowered.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).copy()
    )
