"""Needle sets from a command line: facts, a question about them, and what the answer has to name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from niah.errors import UserError

_WORDS_OF_NAME = 5


@contextmanager
def facts_as_needle_set(
    needles: Sequence[str],
    question: str | None,
    expected: Sequence[str],
    *,
    label: Callable[[str], str],
    only_planned: bool,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[Path | None]:
    """Where the needle set of these facts stands; None where there are none.

    It is written to ``needles/``, and taken back where what follows raises UserError, or only plans.

    Args:
        needles, question, expected: the facts, what is asked, and what an answer has to name.
        label: what users call needle, question and expect ("--needle").
        only_planned: whether nothing is to be left.
        say: is called with a line about a file that stays.

    Raises UserError where a part is missing, or the set does not hold.
    """
    if not (needles or expected) and question is None:
        yield None
        return
    asked = () if question is None else (question,)
    for name, texts in (("needle", needles), ("question", asked), ("expect", expected)):
        if not texts or not all(text.strip() for text in texts):
            others = ", ".join(map(label, ("needle", "question")))
            problem = f"{label(name)} is {'empty' if texts else 'missing'}."
            raise UserError(problem, f"{others} and {label('expect')} go together.")
    path = own_needle_set(needles, question or "", expected, label)
    is_new = write_own_needle_set(path, needles, question or "", expected)
    keeps = False
    try:
        yield path
        keeps = True
    except UserError:
        raise
    except BaseException:
        keeps = True
        raise
    finally:
        if is_new and (only_planned or not keeps):
            _take_back(path)
    if is_new and not only_planned:
        say(f"needle set {path}")


def _take_back(path: Path) -> None:
    """Remove a needle set that was written, and the folder if it was made for that."""
    path.unlink(missing_ok=True)
    with suppress(OSError):  # others are in it
        path.parent.rmdir()


def own_needle_set(
    needles: Sequence[str], question: str, expected: Sequence[str], label: Callable[[str], str] = str
) -> Path:
    """Where a needle set of these facts stands in ``needles/``; checked, and not written yet.

    Its name is made of the question's first words and of a digest: the same facts are the same set.
    ``label`` is what users call expect.

    Raises UserError where an answer stands in no needle, or the set does not hold.
    """
    from niah.files import checked_model
    from niah.needles.checks import check_needle_set
    from niah.needles.load import needle_set_of
    from niah.needles.needle_set import NeedleSet
    from niah.text.mentions import mentions

    for place, answer in enumerate(expected):
        if answer in expected[:place]:
            raise UserError(f"{label('expect')} {answer!r} stands twice.", "Take one out.")
        if not any(mentions(needle, [answer]) for needle in needles):
            where = "the needle" if len(needles) == 1 else "none of the needles"
            lacks = "does not hold" if len(needles) == 1 else "holds"
            problem = f"{where} {lacks} the expected answer {answer!r}."
            raise UserError(problem, "Expect a word or number as the needle has it.")
    path = Path("needles") / f"{_name(needles, question, expected)}.yaml"
    check_needle_set(
        path, needle_set_of(path, checked_model(path, _data(needles, question, expected), NeedleSet))
    )
    return path


def write_own_needle_set(path: Path, needles: Sequence[str], question: str, expected: Sequence[str]) -> bool:
    """Write the set that ``own_needle_set`` has checked; whether it was not there before."""
    if path.is_file():
        return False
    import yaml

    from niah.files import atomic_write

    text = yaml.safe_dump(_data(needles, question, expected), allow_unicode=True, sort_keys=False, width=110)
    with atomic_write(path) as file:
        file.write(f"# A needle set. niah needles check {path} says whether it holds.\n".encode())
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
