"""A judge and a metric."""

from __future__ import annotations

from niah.plugins import AnswerKey, RuleJudge, Verdict


def _verdict(answer: str, key: AnswerKey) -> Verdict:
    """10 for every element word for word, 1 for anything else."""
    found = tuple(each.name for each in key.elements if each.name in answer)
    missing = tuple(each.name for each in key.elements if each.name not in answer)
    score = 10 if not missing else 1
    return Verdict(score, found, missing, (), False, "strict", "1", f"{len(found)} word for word")


STRICT = RuleJudge("strict", "1", "all elements word for word, or nothing", _verdict, lambda key: "")


def first_word(answer: str, reference: str) -> float:
    """Whether answer and reference begin alike."""
    return float(answer.split()[:1] == reference.split()[:1])
