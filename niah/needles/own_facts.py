"""Needle sets from a command line: facts, a question about them, and what the answer has to name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from niah.errors import UserError

_WORDS_OF_NAME = 5


def write_own_facts(
    folder: Path,
    needles: Sequence[str],
    question: str,
    expected: Sequence[str],
    label: Callable[[str], str] = str,
) -> Path:
    """The file in ``folder`` with the needle set of these facts, written where it is not there yet.

    Its name is made of the question's first words and of a digest: the same facts are the same set.
    ``label`` makes "--needle" of needle. Raises UserError where a part is missing, an answer stands in no
    needle, or the set does not hold.
    """
    import yaml

    from niah.files import atomic_write, checked_model
    from niah.needles.checks import check_needle_set
    from niah.needles.load import needle_set_of
    from niah.needles.needle_set import NeedleSet
    from niah.text.mentions import mentions

    for name, texts in (("needle", needles), ("question", [question]), ("expect", expected)):
        if not texts or not all(text.strip() for text in texts):
            together = f"{label('needle')}, {label('question')} and {label('expect')} go together."
            raise UserError(f"{label(name)} is missing.", together)
    for place, answer in enumerate(expected):
        if answer in expected[:place]:
            raise UserError(f"{label('expect')} {answer!r} stands twice.", "Take one out.")
        if not any(mentions(needle, [answer]) for needle in needles):
            problem = f"{label('expect')}: no needle holds the expected answer {answer!r}."
            raise UserError(problem, "Expect a word or number as the needle has it.")
    data = {
        "question": question,
        "answer": ", ".join(expected),
        "elements": [{"name": answer} for answer in expected],
        "needles": [{"text": needle} for needle in needles],
    }
    path = folder / f"{_name(needles, question, expected)}.yaml"
    check_needle_set(path, needle_set_of(path, checked_model(path, data, NeedleSet)))
    if not path.is_file():
        text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
        with atomic_write(path) as file:
            file.write(f"# A needle set. niah check {path} says whether it holds.\n{text}".encode())
    return path


def _name(needles: Sequence[str], question: str, expected: Sequence[str]) -> str:
    said = "\n".join([*needles, question, *expected])
    words = re.findall(r"[a-z0-9]+", question.lower())[:_WORDS_OF_NAME]
    return "-".join([*(words or ["needle"]), hashlib.sha256(said.encode()).hexdigest()[:6]])
