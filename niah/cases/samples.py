"""Samples from cases: every name resolved, every context built once and measured."""

from __future__ import annotations

import hashlib
import sys
from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock

from niah.cases.assembly.assembly import build_context
from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.left_out import Avoided, LeftOut, SkipRule, attempt_cases
from niah.cases.prompts import load_prompt
from niah.cases.question_sets import given_context
from niah.cases.records import context_sha256
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import CaseError
from niah.haystacks.load import load_corpus
from niah.haystacks.structure import Structure
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Element, NeedleSet


def samples_of(cases: Iterable[Case], skip: SkipRule = "nothing") -> tuple[list[Sample], list[LeftOut]]:
    """The samples of cases, in order, and the cases that cannot be built, where they are to be skipped.

    Raises UnknownName, ConfigError, HaystackError or CaseError.
    """
    samples, left_out = list[Sample](), list[LeftOut]()
    for made in attempt_cases(cases, sample_of, skip):
        if isinstance(made, LeftOut):
            left_out.append(made)
        else:
            samples.append(made)
    return samples, left_out


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
    _KEPT.keep(sample, context)
    return sample


def avoided_by(samples: Iterable[Sample]) -> list[Avoided]:
    """What was left out of the samples' backgrounds, where something was."""
    return [
        Avoided(sample.case.needle_set, sample.case.haystack, sample.avoided)
        for sample in samples
        if sample.case and sample.avoided
    ]


@lru_cache(maxsize=1024)
def key_of(needle_set: str, seed: int) -> AnswerKey:
    """The answer key of a needle set by name, as ``seed`` draws it. Raises UnknownName or ConfigError."""
    return answer_key(load_needle_set(needle_set, seed))


def answer_key(needle_set: NeedleSet) -> AnswerKey:
    """What answers to a needle set are judged by; an option that is not the answer is a wrong element."""
    right = {name for element in needle_set.elements for name in element.names}
    others = tuple(Element(option, derived=True) for option in needle_set.options if option not in right)
    return AnswerKey(
        name=needle_set.name,
        question=needle_set.question,
        references=(needle_set.answer,) if needle_set.answer else (),
        elements=needle_set.elements,
        needles=needle_set.needles,
        distractors=needle_set.distractors,
        passages=needle_set.passages,
        traps=(*needle_set.traps, *others),
        kind=needle_set.kind,
        answer_tokens=needle_set.answer_tokens,
        ordered=needle_set.ordered,
    )


def fingerprint_of(case: Case) -> str:
    """Digest of the files behind a case's names, as they are now. Raises UserError where one is gone."""
    return _fingerprint(
        case.needle_set, case.seed, case.haystack, case.structure, case.tokenizer, case.prompt
    )


@lru_cache(maxsize=256)
def _fingerprint(
    needle_set: str, seed: int, haystack: str, structure: Structure | None, tokenizer: str, prompt: str
) -> str:
    parts = (
        load_needle_set(needle_set, seed),
        load_corpus(haystack, tokenizer, seed, structure=structure).sha256,
        load_prompt(prompt).identity,
    )
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


class KeptContexts:
    """The contexts used last, while their texts fit into so many bytes; the very last one in any case.

    A run asks about the contexts that were built when it was planned. Threads may share it.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept = OrderedDict[str, tuple[Sample, Context]]()
        self._lock = Lock()

    def keep(self, sample: Sample, context: Context) -> None:
        """Take the sample's context, and let go of those that no longer fit."""
        with self._lock:
            self._let_go(sample.sample_id)
            self._kept[sample.sample_id] = sample, context
            self._bytes += sys.getsizeof(context.text)
            while self._bytes > self._most_bytes and len(self._kept) > 1:
                self._let_go(next(iter(self._kept)))

    def find(self, sample: Sample) -> Context | None:
        """The context of this very sample, where it is kept."""
        with self._lock:
            kept, context = self._kept.get(sample.sample_id, (None, None))
            if kept != sample:  # another run's, of the same name
                return None
            self._kept.move_to_end(sample.sample_id)
            return context

    def _let_go(self, sample_id: str) -> None:
        _, context = self._kept.pop(sample_id, (None, None))
        self._bytes -= sys.getsizeof(context.text) if context else 0


_KEPT = KeptContexts(most_bytes=32 * 2**20)


def context_of(sample: Sample) -> Context:
    """The sample's context: as it was built for it a short while ago, or built again.

    For runs, which ask about one context several times. Raises UserError as ``rebuild`` does.
    """
    context = _KEPT.find(sample)
    if context is None:
        context = rebuild(sample)
        _KEPT.keep(sample, context)
    return context
