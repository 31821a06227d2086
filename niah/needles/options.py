"""Answers to choose from: how a question names them, and the letters that it gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from niah.text.mentions import mentions


def question_with_options(question: str, options: Sequence[str], *, letters: bool = False) -> str:
    """The question, and after it what to choose from, unless it says so itself.

    Args:
        question: one line.
        options: none for a free answer.
        letters: whether each is to have a letter, "(A) yes, (B) no".
    """
    if letters:
        named = bool(option_letters(question, options))
        offered = [f"({letter}) {option}" for letter, option in zip(ascii_uppercase, options, strict=False)]
    else:
        named = all(mentions(question, [option]) for option in options)
        offered = list(options)
    return question if named else f"{question} Answer with one of these: {', '.join(offered)}."


def option_letters(question: str, options: Iterable[str]) -> dict[str, str]:
    """The option behind each letter that ``question`` puts before one: "(A) yes", "A. yes", "a: yes".

    Letters are capitals. Empty unless every option has a letter of its own.
    """
    options = sorted(options, key=len, reverse=True)
    lettered: dict[str, str] = {}
    for option in options:
        words = r"\s+".join(map(re.escape, option.split()))
        before = re.compile(rf"(?<![^\W_])[(\[]?([A-Z])[)\].:]\s*{words}", re.IGNORECASE)
        letters = (match[1].upper() for match in before.finditer(question))
        # "(A) five hundred" is no "five": the longer option has taken the letter.
        letter = next((letter for letter in letters if letter not in lettered), None)
        if letter is None:
            return {}
        lettered[letter] = option
    return lettered
