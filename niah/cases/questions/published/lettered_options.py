"""Options that stand at the end of a question's text, each under its letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from niah.needles.options import listed_options

_SEVERAL = "Several options may be right: give the letters of all that are."
_LETTERS = "ABCDEFGHIJ"
_LABELLED = re.compile(r"\s*(?:\(([A-J])\)|([A-J])[.):])\s*(\S.*)", re.DOTALL)


def questions_with_options(
    pairs: Iterable[tuple[int, str, str]],
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The number of each question of a line, and what ``with_options`` says of its text and answer.

    Where one of them has several right options, all that have options ask for all that are right.
    """
    read = [(number, with_options(text, answer)) for number, text, answer in pairs]
    several = any(len(values.get("answers", ())) > 1 for _, values in read)
    for number, values in read:
        if several and "options" in values:
            values["question"] += f" {_SEVERAL}"
        yield number, values


def with_options(text: str, answer: str) -> dict[str, Any]:
    """What a question says: its options and the right ones, or, where there are none, its free answer.

    Options are taken where A, B, ... each begin one after a space or line break, as in "Which? A. a coin
    B. a key", and the answer is one letter, several ("BD", "B, D"), or a letter with its option's text.
    Otherwise the text and the answer stay as they are.
    """
    found = _options(text)
    right = _right_places(answer, found[1]) if found else []
    if found is None or not right:
        return {"question": text.strip(), "answers": (answer.strip(),)}
    question, options = found
    if len(right) > 1:
        return {"question": question, "options": options, "answers": tuple(options[place] for place in right)}
    return {"question": question, "options": options, "answer_index": right[0]}


def names_no_option(values: Mapping[str, Any]) -> bool:
    """Whether the free answer of a question that ``with_options`` read is letters, and shows no options."""
    answers = values.get("answers", ())
    return "options" not in values and re.fullmatch(r"\W*[A-J](?:\W*[B-J])*\W*", answers[0]) is not None


def _right_places(answer: str, options: tuple[str, ...]) -> list[int]:
    """The places of the options that an answer names by their letters, ascending."""
    if labelled := _LABELLED.fullmatch(answer):
        place = _LETTERS.index(labelled[1] or labelled[2])
        if place < len(options) and _bare(labelled[3]) == _bare(options[place]):
            return [place]
    texts = [_bare(option) for option in options]
    if _bare(answer) in texts:
        return [texts.index(_bare(answer))]
    return sorted(listed_options(answer, len(options))) if re.search("[A-Ja-j]", answer) else []


def _bare(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")


def _options(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The text before the options, and these; None where there are fewer than two, or one is empty."""
    starts = list(_label("A").finditer(text))
    if not starts or not text[: starts[-1].start()].strip():
        return None
    question, rest = text[: starts[-1].start()].strip(), text[starts[-1].end() :]
    options: list[str] = []
    for letter in _LETTERS[1:]:
        next_one = _label(letter).search(rest)
        if next_one is None:
            break
        options.append(rest[: next_one.start()].strip())
        rest = rest[next_one.end() :]
    options.append(rest.strip())
    whole = len(options) > 1 and all(options) and len(set(options)) == len(options)
    return (question, tuple(options)) if whole else None


def _label(letter: str) -> re.Pattern[str]:
    """The letter of an option: "(A)", or "A." at the start of a line or before a space."""
    return re.compile(rf"(?:(?:\A|\n)\s*\(?{letter}[.):]|\s\({letter}\)|\s{letter}[.):](?=\s))\s*")
