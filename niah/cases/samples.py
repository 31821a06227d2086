"""Samples from cases: every name resolved, every context built once and measured."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from functools import lru_cache

from niah.cache import RecentlyUsed
from niah.cases.assembly.background import background_source
from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.left_out import LeftOut, SkipRule, attempt_cases
from niah.cases.prompts import load_prompt
from niah.cases.questions.question_samples import given_context
from niah.cases.records import context_sha256
from niah.cases.sample import AnswerKey, GivenDocument, Sample, answer_key
from niah.errors import CaseError
from niah.needles.load import load_needle_set

# A run asks about the contexts that were built when it was planned.
_KEPT = RecentlyUsed[str, tuple[Sample, Context]](
    room=32 * 2**20, size=lambda kept: sys.getsizeof(kept[1].text)
)


def samples_of(cases: Iterable[Case], skip: SkipRule = "nothing") -> tuple[list[Sample], list[LeftOut]]:
    """The samples of cases, in order, and the cases that cannot be built, where they are to be skipped.

    Raises UnknownName, ConfigError, HaystackError or CaseError.
    """
    made = list(attempt_cases(cases, sample_of, skip))
    left_out = [each for each in made if isinstance(each, LeftOut)]
    return [each for each in made if not isinstance(each, LeftOut)], left_out


def sample_of(case: Case) -> Sample:
    """The sample of one case: its context is built and measured, and kept while there is room.

    Raises UnknownName, ConfigError, HaystackError or CaseError.
    """
    context = build_context(case)
    sample = Sample(
        sample_id=case.case_id,
        origin="generated",
        key=key_of(case.needle_set, case.seed),
        source=case,
        prompt=case.prompt,
        tokenizer=case.tokenizer,
        tokens=context.tokens,
        prompt_tokens=context.prompt_tokens,
        sha256=context_sha256(context),
        fingerprint=fingerprint_of(case),
        needles=context.needles,
        distractors=context.distractors,
        passages=context.passages,
        avoided=context.avoided,
    )
    _KEPT.put(sample.sample_id, (sample, context))
    return sample


def key_of(needle_set: str, seed: int) -> AnswerKey:
    """The answer key of a needle set by name or path, as ``seed`` draws it. Raises UserError."""
    return answer_key(load_needle_set(needle_set, seed))


def fingerprint_of(case: Case) -> str:
    """Digest of the files behind a case's names, as they are now. Raises UserError where one is gone."""
    background = background_source(case, ()).load().sha256
    return _digest(load_needle_set(case.needle_set, case.seed), background, load_prompt(case.prompt).identity)


@lru_cache(maxsize=256)
def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def rebuild(sample: Sample) -> Context:
    """The sample's context, made again from its source, the same byte for byte.

    Raises UserError where the source is gone, or has changed since the sample was resolved.
    """
    if isinstance(sample.source, GivenDocument):
        return given_context(sample, sample.source)
    context = build_context(sample.source)
    if context_sha256(context) != sample.sha256:
        raise CaseError(
            f"{sample.sample_id}: its needle set, haystack or prompt has changed since the run was planned.",
            "Start a new run, or put the old files back.",
        )
    return context


def context_of(sample: Sample) -> Context:
    """The sample's context: as it was built for it a short while ago, or built again.

    For runs, which ask about one context several times. Raises UserError as ``rebuild`` does.
    """
    kept = _KEPT.get(sample.sample_id)
    if kept is None or kept[0] != sample:  # another run's, of the same name
        kept = sample, rebuild(sample)
        _KEPT.put(sample.sample_id, kept)
    return kept[1]
