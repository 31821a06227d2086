"""Samples: those of cases, every context built once and measured, and those of questions over documents."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from niah.cases.assembly.background import background_source
from niah.cases.assembly.render import build_context
from niah.cases.case import Case, Context, Placed, SkipRule, id_part
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.cases.questions.question_set import (
    GivenQuestion,
    document_text,
    evidence_spans,
    given_questions,
    id_without_spaces,
    line_error,
)
from niah.cases.sample import AnswerKey, GivenDocument, Sample, answer_key, guessed
from niah.errors import CaseError, ConfigError, HaystackError, NeedleError, UserError
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Element, Needle
from niah.text.tokenizer import count, get_tokenizer, token_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST_ANSWER_TOKENS = 128
_CHOICE_TOKENS = 256  # room for an option and a sentence or two that explain it
_MOST_KEPT, _ROOM = 500, 32 * 2**20  # contexts that are remembered, and bytes of their texts
_kept, _lock = dict[tuple[str, ...], Context](), Lock()
_Built = TypeVar("_Built")


@dataclass(frozen=True)
class LeftOut:
    """A case that cannot be built."""

    case_id: str
    needle_set: str
    haystack: str
    context_length: int
    depth: float
    seed: int
    reason: str  # in the same words for all cases that it hinders
    message: str  # with this one's numbers, and what would help


def attempt_cases(
    cases: Iterable[Case], build: Callable[[Case], _Built], skip: SkipRule
) -> Iterator[_Built | LeftOut]:
    """What ``build`` makes of each case, or why nothing; where nothing is to be skipped that is raised."""
    for case in cases:
        try:
            yield build(case)
        except (CaseError, HaystackError, ConfigError, NeedleError) as error:
            if skip == "nothing" and isinstance(error, CaseError | HaystackError):
                remedy = f"{error.remedy} Or leave out what cannot be built: skip: impossible in the suite."
                raise CaseError(error.message, remedy.strip()) from None
            if skip == "nothing":  # what the seed draws: the files were read before
                raise
            reason = error.reason if isinstance(error, CaseError) else error.message
            message = str(error).removeprefix(f"{case.case_id}: ")
            grid = (case.needle_set, case.haystack, case.context_length, case.depth, case.seed)
            yield LeftOut(case.case_id, *grid, reason, message)


def nothing_left(left_out: Sequence[LeftOut]) -> CaseError:
    """The error of a suite of which every case is left out."""
    first, none = left_out[0], f"none of the {len(left_out):,} cases can be built."
    return CaseError(f"{none} The first, {first.case_id}: {first.message}")


def contiguous_notes(built: Iterable[tuple[Case, Context | Sample]]) -> tuple[str, ...]:
    """One line that counts the cases that are contiguous since no whole sentences add up, if any are."""
    cases, shorts = 0, list[int]()
    for case, made in built:
        cases += 1
        short = case.prompt_length - made.tokens - made.prompt_tokens
        moved = any(each.token_start != each.asked_token for each in (*made.needles, *made.passages))
        shorts += [short] if case.mode == "auto" and (short or moved) else []
    if not shorts:
        return ()
    are = "is" if len(shorts) == 1 else "are"
    count = f"{len(shorts):,} of {cases:,} cases {are} contiguous, up to {max(shorts):,} tokens short"
    return (f"{count}: no whole sentences of the haystack add up to what is asked.",)


def samples_of(cases: Iterable[Case], skip: SkipRule = "nothing") -> tuple[list[Sample], list[LeftOut]]:
    """The samples of cases, in order, and the cases that are left out. Raises UserError."""
    made = list(attempt_cases(cases, sample_of, skip))
    left_out = [each for each in made if isinstance(each, LeftOut)]
    return [each for each in made if not isinstance(each, LeftOut)], left_out


def sample_of(case: Case) -> Sample:
    """The sample of one case: its context is built, and kept while there is room. Raises UserError."""
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
        sha256=context.sha256,
        fingerprint=fingerprint_of(case),
        needles=context.needles,
        distractors=context.distractors,
        passages=context.passages,
    )
    _keep(sample, context)
    return sample


def key_of(needle_set: str, seed: int) -> AnswerKey:
    """The answer key of a needle set by name or path, as ``seed`` draws it. Raises UserError."""
    return answer_key(load_needle_set(needle_set, seed))


def fingerprint_of(case: Case) -> str:
    """Digest of the files behind a case's names, as they are now. Raises UserError where one is gone."""
    needle_set = load_needle_set(case.needle_set, case.seed)
    background = background_source(case, needle_set).load()
    return _digest(needle_set, background.sha256, load_prompt(case.prompt).identity)


@lru_cache(maxsize=256)
def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def rebuild(sample: Sample) -> Context:
    """The sample's context, made again, the same byte for byte. Raises UserError where the source changed."""
    source, what = sample.source, "needle set, haystack or prompt"
    if isinstance(source, GivenDocument):
        what = f"document {source.document_id!r}"
        try:
            text = document_text(source)
        except UserError as error:
            problem = f"{sample.sample_id}: its document cannot be read any more: {error.message}"
            raise CaseError(problem, "Put the file back.") from None
        context = Context(text, sample.needles, sample.distractors, sample.tokens, sample.prompt_tokens)
    else:
        context = build_context(source)
    if context.sha256 != sample.sha256:
        problem = f"{sample.sample_id}: its {what} has changed since the run was planned."
        raise CaseError(problem, "Start a new run, or put the old files back.")
    return context


def context_of(sample: Sample) -> Context:
    """``rebuild``, for runs, which ask about one context several times in a short while."""
    return _kept.get((sample.sample_id, sample.fingerprint, sample.sha256)) or _keep(sample, rebuild(sample))


def _keep(sample: Sample, context: Context) -> Context:
    with _lock:
        _kept[sample.sample_id, sample.fingerprint, sample.sha256] = context
        while len(_kept) > 1 and (
            len(_kept) > _MOST_KEPT or sum(sys.getsizeof(each.text) for each in _kept.values()) > _ROOM
        ):
            del _kept[next(iter(_kept))]
    return context


@dataclass(frozen=True)
class QuestionSets:
    """The question sets of a suite: files, and the tokenizer and prompt of all of them."""

    paths: tuple[Path, ...]
    tokenizer: str
    prompt: str

    def samples(self) -> Iterator[Sample]:
        """The samples of all sets. Raises UserError, which names file, line and key."""
        return (each for path in self.paths for each in question_samples(path, self.tokenizer, self.prompt))


def question_samples(path: Path, tokenizer: str, prompt: str) -> list[Sample]:
    """The samples of a question set, in the order of its lines. Raises UserError: file, line and key."""
    questions, samples = list[GivenQuestion](), dict[int, Sample]()
    for found in given_questions(path):
        if isinstance(found, ConfigError):
            raise found
        questions.append(found)
    # Document by document, since the tokens of the last few alone are cached.
    for question in sorted(questions, key=lambda one: (one.source.path, one.source.document_id)):
        try:
            samples[question.number] = _sample(path, question, tokenizer, prompt)
        except CaseError as error:
            raise line_error(path, question.number, "question", error.message, error.remedy) from None
    return [samples[question.number] for question in questions]


def _sample(path: Path, question: GivenQuestion, name: str, prompt: str) -> Sample:
    line, source = question.line, question.source
    template, tokenizer = load_prompt(prompt), get_tokenizer(name)
    text, starts, evidence = document_text(source), _starts(source, name), list[Placed]()
    for number, (start, end) in enumerate(sorted(set(evidence_spans(path, question, text))), start=1):
        token = token_at(starts, text, start)
        evidence.append(Placed(f"evidence-{number}", text[start:end], (), start, end, token, token))
    several = line.right if len(line.right) > 1 else ()
    replies = re.fullmatch(r"MRCR( v2)? (\d+) needles", f"{line.source} {line.kind}")
    longest = max((count(tokenizer, answer) for answer in line.references), default=0)
    key = AnswerKey(
        name=line.id,
        question=line.question,
        references=line.references,
        options=line.options,
        answer_index=line.options.index(line.right[0]) if len(line.right) == 1 else None,
        needles=tuple(Needle(placed.id, placed.text, ()) for placed in evidence),
        elements=tuple(map(Element, several)),
        traps=tuple(Element(option) for option in line.options if option not in several) if several else (),
        kind=line.kind,
        floor=guessed(int(replies[2]) if replies else len(line.options), max(1, len(several))),
        answer_tokens=_CHOICE_TOKENS if line.options else max(_LEAST_ANSWER_TOKENS, 2 * longest),
    )
    parts = [id_part(path.stem), id_without_spaces(line.id)]
    parts += [f"t-{id_part(name)}"] if name != "cl100k" else []
    parts += [f"p-{id_part(prompt)}"] if prompt != "u-niah" else []
    edges = text[:200], text[-200:]
    return Sample(
        sample_id="_".join(parts),
        origin="given",
        key=key,
        source=source,
        prompt=prompt,
        tokenizer=name,
        tokens=len(starts),
        prompt_tokens=prompt_tokens(prompt, name, line.question, *edges, line.options),
        sha256=source.sha256,
        fingerprint=_digest(key, source.sha256, template.identity),
        needles=tuple(evidence),
        question_set=path.stem,
        source_name=line.source,
    )


@lru_cache(maxsize=4)
def _starts(source: GivenDocument, tokenizer: str) -> NDArray[np.int64]:
    """Where the tokens of a document start; as an array, since it may be larger than any context."""
    return get_tokenizer(tokenizer).starts(document_text(source))
