"""The rubric as a judge: what is asked of it before any answer is there; its rules come with the first."""

from __future__ import annotations

from niah.cases.sample import AnswerKey
from niah.judges.judge import RuleJudge
from niah.judges.references import is_unanswerable
from niah.judges.rubric_version import RUBRIC_VERSION
from niah.judges.verdict import Verdict

_SHORT_REFERENCE = 3
"""Words of a reference that an answer repeats if it is right; a longer one is put in other words."""


def _unsuited(key: AnswerKey) -> str:
    """Whole sentences of a reference are put in other words, which no rule can tell from a wrong answer."""
    if key.elements or is_unanswerable(key):
        return ""
    if key.options:
        return "it has options, and the rubric does not read their letters"
    if min(len(reference.split()) for reference in key.references) > _SHORT_REFERENCE:
        return "nobody has written down the elements of its answer"
    return ""


def _verdict(answer: str, key: AnswerKey) -> Verdict:
    """The rules' verdict, whose patterns take a third of a second to build: a plan has no answer."""
    from niah.judges.rubric.rubric import recalled_verdict

    return recalled_verdict(answer, key)


RUBRIC = RuleJudge(
    "rubric",
    RUBRIC_VERSION,
    "deterministic, from elements and doubts: needs no model and no key",
    _verdict,
    _unsuited,
)
