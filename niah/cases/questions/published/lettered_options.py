"""Options that stand at the end of a question's text, each under its letter."""

from __future__ import annotations

import re
from typing import Any

_FIRST = re.compile(r"(?:^|\s)\(?A[.):]\s+")
_LETTERS = "ABCDEFGHIJ"


def with_options(text: str, answer: str) -> dict[str, Any]:
    """What a question says: its options and the right one, or, where there are none, its free answer.

    Options are taken where the answer is one letter, and A, B, ... each begin one after a space or line
    break: "Which? A. a coin B. a key". Otherwise the text and the answer stay as they are.
    """
    letter = answer.strip().strip("().").upper()
    found = _options(text)
    if found is None or len(letter) != 1 or letter not in _LETTERS[: len(found[1])]:
        return {"question": text.strip(), "answers": (answer.strip(),)}
    question, options = found
    return {"question": question, "options": options, "answer_index": _LETTERS.index(letter)}


def _options(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The text before the options, and these; None where there are fewer than two, or one is empty."""
    starts = list(_FIRST.finditer(text))
    if not starts or not text[: starts[-1].start()].strip():
        return None
    question, rest = text[: starts[-1].start()].strip(), text[starts[-1].end() :]
    options: list[str] = []
    for letter in _LETTERS[1:]:
        next_one = re.search(rf"(?:^|\s)\(?{letter}[.):]\s+", rest)
        if next_one is None:
            break
        options.append(rest[: next_one.start()].strip())
        rest = rest[next_one.end() :]
    options.append(rest.strip())
    whole = len(options) > 1 and all(options) and len(set(options)) == len(options)
    return (question, tuple(options)) if whole else None
