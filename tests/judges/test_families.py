"""Needle sets drawn from families, judged by what they say themselves."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges.rubric import judge_by_rubric
from niah.needles.families.load import family_names, load_family
from tests.examples import some_of


def drawn(family: str) -> list[AnswerKey]:
    file = load_family(family)[1]
    every = [(k, seed) for k in (1, 3, 8, 25) if file.fewest <= k <= file.most for seed in range(1, 5)]
    return [key_of(f"{family}@{k}", seed) for k, seed in some_of(every, 6)]


@pytest.mark.parametrize("family", family_names())
def test_the_reference_answer_is_right(family: str) -> None:
    for key in drawn(family):
        verdict = judge_by_rubric(key.answer, key)
        assert (verdict.score, verdict.wrong) == (10, ()), key.answer


def states_its_answer(family: str) -> bool:
    """Whether each needle says a part of the answer: not where it follows from all, or is one of them."""
    file = load_family(family)[1]
    follows = file.story or file.conversation or (file.compute and file.entries)
    # The hashes of the second stand in two lines each, in no order; coded words of fwe read like any others.
    return not follows and family not in ("hash-hop-steps", "ruler-fwe")


STATING = [family for family in family_names() if states_its_answer(family)]


@pytest.mark.parametrize("family", STATING)
def test_quoting_every_needle_is_right_up_to_the_traps(family: str) -> None:
    for key in drawn(family):
        carriers = {name: needle.text for needle in key.needles for name in needle.elements}
        stated = [element.name for element in key.elements if not element.derived]
        texts = [carriers[name] for name in stated] if key.ordered else [n.text for n in key.needles]
        verdict = judge_by_rubric("\n".join(texts), key)
        traps = {trap.name for trap in key.traps}
        derived = tuple(element.name for element in key.elements if element.derived)
        assert verdict.missing == derived, key.name
        assert set(verdict.wrong) <= traps, key.name


@pytest.mark.parametrize("family", STATING)
def test_quoting_the_distractors_is_wrong(family: str) -> None:
    for key in drawn(family):
        text = "\n".join(distractor.text for distractor in key.distractors)
        verdict = judge_by_rubric(text, key)
        assert (verdict.score, verdict.found) == (1, ()), key.name
        assert verdict.wrong or verdict.unsure
