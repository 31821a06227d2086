"""Stories: what follows from the context is worked out again by another parser, from its text alone."""

from __future__ import annotations

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.samples import key_of
from niah.errors import CaseError
from niah.judges.rubric import judge_by_rubric
from niah.needles.families.load import load_family
from niah.needles.load import load_needle_set
from niah.text.mentions import mentions
from tests.examples import repeats
from tests.needles.story_solvers import SOLVERS


def elements(name: str, seed: int) -> tuple[str, ...]:
    return tuple(element.name for element in load_needle_set(name, seed).elements)


@pytest.mark.parametrize("family", SOLVERS)
def test_another_parser_finds_the_answer_in_the_context_alone(family: str) -> None:
    fewest = load_family(family)[1].fewest
    for seed in range(1, repeats(1, 50) + 1):
        for size in (3, 12, 40):
            name = f"{family}@{max(size, fewest)}"
            context = build_context(Case(name, "essays", 8000, 0, seed, distractors=6, accidents="avoid"))
            needle_set = load_needle_set(name, seed)
            found = SOLVERS[family](context.text, needle_set.question)
            answer = elements(name, seed)
            assert found == (answer if isinstance(found, tuple) else frozenset(answer)), (name, seed)
            assert context.tokens + context.prompt_tokens == 8000
            assert all(placed.token_start == placed.asked_token for placed in context.needles)


@pytest.mark.parametrize("family", [*SOLVERS, "babilong-qa1", "babilong-qa2", "babilong-qa3"])
def test_nothing_else_names_the_cast_and_the_rubric_takes_the_right_answer_alone(family: str) -> None:
    needle_set = load_needle_set(f"{family}@12", 5)
    context = build_context(Case(f"{family}@12", "essays", 8000, 10, 5, distractors=4))
    assert [placed.text for placed in context.needles] == [needle.text for needle in needle_set.needles]
    others = context.text
    for placed in reversed(context.needles):
        others = f"{others[: placed.start]} . {others[placed.end :]}"
    assert needle_set.cast
    assert not mentions(others, needle_set.cast)
    for seed in (1, 2):
        key = key_of(f"{family}@9", seed)
        assert judge_by_rubric(key.answer, key).score == 10
        assert judge_by_rubric(", ".join(element.name for element in key.elements), key).score == 10
        for trap in key.traps[:3]:
            assert judge_by_rubric(f"It is {trap.name}.", key).score <= 3, (trap, key.question)


def test_answers_are_spread() -> None:
    for family, most in (("babilong-qa1", 0.3), ("babilong-qa6", 0.75), ("positions", 0.4)):
        drawn = [elements(f"{family}@10", seed) for seed in range(1, 41)]
        assert max(map(drawn.count, drawn)) <= most * len(drawn)


def test_the_order_of_a_story_is_kept() -> None:
    with pytest.raises(CaseError, match="the order of its needles") as caught:
        build_context(Case("babilong-qa1@5", "essays", 4000, 0, order="shuffled"))
    assert "order: shuffled" in caught.value.remedy
