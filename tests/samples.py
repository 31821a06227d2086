"""Samples for tests that need no context: made from a case without building it."""

from __future__ import annotations

from niah.cases.case import Case
from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import key_of

PROMPT_TOKENS = 60


def unbuilt(case: Case, fingerprint: str = "f", key: AnswerKey | None = None) -> Sample:
    """The sample of a case, with its counts as asked for and nothing placed."""
    return Sample(
        sample_id=case.case_id,
        origin="generated",
        key=key or key_of(case.needle_set, case.seed),
        source=case,
        prompt=case.prompt,
        tokenizer=case.tokenizer,
        tokens=case.context_length - PROMPT_TOKENS,
        prompt_tokens=PROMPT_TOKENS,
        sha256="",
        fingerprint=fingerprint,
    )
