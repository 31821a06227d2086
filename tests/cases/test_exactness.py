"""The heart of the product: exact by construction, checked by tokenising every context again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, Mode
from niah.cases.prompts import load_prompt
from niah.errors import CaseError
from niah.needles.families.load import family_names, load_family
from niah.needles.load import load_needle_set
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import of_all

SETS = (
    "ferry-lanterns",
    "three-gates",
    "pizza-ingredients-brief",
    "rainbow-potion-brief",
    "academy-courses-brief",
)

case_strategy = st.builds(
    Case,
    needle_set=st.sampled_from(SETS),
    haystack=st.just("essays"),
    context_length=st.integers(700, 6000),
    depth=st.integers(0, 200).map(lambda halves: halves / 2),
    seed=st.integers(0, 9),
    tokenizer=st.sampled_from(["cl100k", "o200k", "smollm2", "minilm", "anthropic/claude-2"]),
    mode=st.sampled_from(["exact", "contiguous"]),
    order=st.sampled_from(["listed", "shuffled"]),
    distractors=st.integers(0, 1),
    distractor_depth=st.sampled_from(["spread", "near", "before", "after"]),
    repeat=st.booleans(),
)


@settings(max_examples=of_all(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case_strategy)
def test_every_recorded_figure_is_true(case: Case) -> None:
    try:
        context = build_context(case)
    except CaseError:
        # Needles a few tokens apart: no whole sentence fits between them. That must be rare, see below.
        return
    audit_context(case, context)
    tokenizer, needle_set = get_tokenizer(case.tokenizer), load_needle_set(case.needle_set, case.seed)
    prompt = load_prompt(case.prompt).render(context.text, needle_set.question)
    assert count(tokenizer, context.text) == context.tokens
    assert count(tokenizer, prompt) == context.tokens + context.prompt_tokens


@pytest.mark.parametrize("family", family_names())
def test_every_recorded_figure_is_true_for_sets_that_a_seed_draws(family: str) -> None:
    random = Random(family)
    for seed in range(3):
        file = load_family(family)[1]
        k = min(max(random.choice([1, 2, 5, 8]), file.fewest), file.most)
        case = Case(
            f"{family}@{k}",
            "essays",
            context_length=24000,
            depth=random.randint(0, 200) / 2,
            seed=seed,
            distractors=random.randint(0, 4),
            distractor_hardness=random.choice(["any", "hard"]) if k > 1 else "any",
        )
        try:
            context = build_context(case)
        except CaseError as error:
            assert "hard distractors" in str(error)  # noqa: PT017 - nothing else may go wrong
            continue
        audit_context(case, context)


@pytest.mark.parametrize("mode", ["exact", "contiguous"])
@pytest.mark.parametrize("tokenizer", ["cl100k", "smollm2"])
def test_what_is_reserved_stays_free(tokenizer: str, mode: Mode) -> None:
    case = Case("three-gates", "essays", 2000, 40, tokenizer=tokenizer, mode=mode, reserve=37)
    context = build_context(case)
    audit_context(case, context)
    question = load_needle_set("three-gates", 1).question
    total = count(get_tokenizer(tokenizer), load_prompt("u-niah").render(context.text, question))
    assert total == 1963 if mode == "exact" else 1863 < total <= 1963
    with pytest.raises(CaseError, match="with the 40 that are reserved"):
        build_context(replace(case, context_length=110, reserve=40))
