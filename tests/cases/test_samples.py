from __future__ import annotations

from dataclasses import replace

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.samples import context_of, rebuild, sample_of
from niah.errors import CaseError

CASE = Case("rainbow-potion", "essays", 2000, 40, seed=2, distractors=2)


def test_a_sample_says_of_its_case_what_the_built_context_shows() -> None:
    sample, context = sample_of(CASE), build_context(CASE)
    assert sample.sample_id == CASE.case_id
    assert (sample.tokens, sample.prompt_tokens) == (context.tokens, context.prompt_tokens)
    assert sample.needles == context.needles
    assert [needle.text for needle in sample.needles] == [needle.text for needle in sample.key.needles]
    assert len(sample.distractors) == 2
    assert (sample.context_length, sample.depth, sample.seed) == (2000, 40, 2)
    assert (sample.question_set, sample.document_id) == (None, None)


def test_a_sample_rebuilds_its_context_or_says_that_it_is_another_one_now() -> None:
    sample = sample_of(CASE)
    assert rebuild(sample).text == build_context(CASE).text
    with pytest.raises(CaseError, match="has changed since the run was planned"):
        rebuild(replace(sample, sha256="0" * 64))


def test_a_sample_of_the_same_name_gets_its_own_context() -> None:
    context_of(sample_of(CASE))
    with pytest.raises(CaseError, match="has changed since the run was planned"):
        context_of(replace(sample_of(CASE), sha256="0" * 64))
