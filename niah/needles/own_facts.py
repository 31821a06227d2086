"""Needle sets from a command line: facts, a question about them, and what the answer has to name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from niah.errors import UserError
from niah.files import atomic_write, checked_model
from niah.needles.checks import check_needle_set
from niah.needles.load import needle_set_of
from niah.needles.schema import NeedleSetFile
from niah.text.mentions import mentions

_WORDS_OF_NAME = 5


def own_needle_set(needles: Sequence[str], question: str, expected: Sequence[str]) -> Path:
    """Where a needle set of these facts stands in ``needles/``; checked, and not written yet.

    Its name is made of the question's first words and of a digest: the same facts are the same set.

    Raises UserError where an answer stands in no needle, or the set does not hold.
    """
    for answer in expected:
        if not any(mentions(needle, [answer]) for needle in needles):
            where = "the needle" if len(needles) == 1 else "none of the needles"
            lacks = "does not hold" if len(needles) == 1 else "holds"
            problem = f"{where} {lacks} the expected answer {answer!r}."
            raise UserError(problem, "Expect a word or number as the needle has it.")
    path = Path("needles") / f"{_name(needles, question, expected)}.yaml"
    check_needle_set(
        path, needle_set_of(path, checked_model(path, _data(needles, question, expected), NeedleSetFile))
    )
    return path


def write_own_needle_set(path: Path, needles: Sequence[str], question: str, expected: Sequence[str]) -> bool:
    """Write the set that ``own_needle_set`` has checked; whether it was not there before."""
    if path.is_file():
        return False
    import yaml

    text = yaml.safe_dump(_data(needles, question, expected), allow_unicode=True, sort_keys=False, width=110)
    with atomic_write(path) as file:
        file.write(
            f"# A needle set: docs/needles.md. niah needles check {path} says whether it holds.\n".encode()
        )
        file.write(text.encode())
    return True


def _data(needles: Sequence[str], question: str, expected: Sequence[str]) -> dict[str, object]:
    return {
        "question": question,
        "answer": ", ".join(expected),
        "elements": [{"name": answer} for answer in expected],
        "needles": [{"text": needle} for needle in needles],
    }


def _name(needles: Sequence[str], question: str, expected: Sequence[str]) -> str:
    said = "\n".join([*needles, question, *expected])
    words = re.findall(r"[a-z0-9]+", question.lower())[:_WORDS_OF_NAME]
    return "-".join([*(words or ["needle"]), hashlib.sha256(said.encode()).hexdigest()[:6]])
