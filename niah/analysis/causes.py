"""Why an answer went wrong: by what was retrieved, and by the same case under other strategies.

Every element that an answer misses, or names wrongly, may have several causes; the first of them all in the
order of ``CAUSES`` is the trial's. ``tests/data/causes.md`` has the rules as a table.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from math import nan
from typing import Any

import pandas as pd
from pandas import DataFrame

from niah.cases.sample import Sample
from niah.cases.samples import context_of
from niah.errors import UserError
from niah.judges.normalise import words_of
from niah.judges.verdict import HIGHEST
from niah.needles.needle_set import Element

CAUSE_MEANINGS: Mapping[str, str] = {
    "empty": "the model sent no text: see its endpoint before anything else",
    "known without context": "closed-book is right: the case tells nothing of this model",
    "not retrieved": "no needle that tells the element was wholly retrieved",
    "never searched for it": "the model made no search, or each found another needle",
    "searched, not found": "no search matched the needle, and one or more found none at all",
    "found, not read": "a search matched the needle, and the model did not read all of it",
    "beyond the model": "given nothing but the needles, the model misses it too",
    "lost in context": "the model names it from the needles alone, but not from the whole context",
    "retrieved but unused": "its needle was retrieved whole, and the model did not name it",
    "read, not used": "the model searched and read its needle whole, and did not name it",
    "named but doubted": "the answer names all of it, and then doubts it or takes it back",
    "misled by a distractor": "a wrong element that a distractor of the case plants",
    "misread": "a wrong element that the text does say, but of something else",
    "invented": "a wrong element that the text says nowhere",
    "unexplained": "nothing of what is known of the case tells; an oracle trial may",
}

OF_SEARCH = ("never searched for it", "searched, not found", "found, not read", "read, not used")
CAUSES = tuple(CAUSE_MEANINGS)  # by precedence: the first that holds is the trial's cause

Known = bool | None  # None where the run file does not say
_READ = [
    *("case_id", "question", "score", "error_type", "missing", "wrong", "sends_context", "is_oracle"),
    *("is_closed_book", "needle_ranks", "needle_split", "retrieval_completeness", "needle_search"),
]


def with_causes(frame: DataFrame, samples: Mapping[str, Sample]) -> DataFrame:
    """The frame with a column ``cause``: one of ``CAUSES`` for each scored trial that is not correct.

    Closed-book trials have none: to be wrong is their part. An oracle or closed-book trial that was not
    scored, or whose answer is empty, says nothing of others. Where a sample is not there, less is known.
    """
    answers: list[Any] = [*frame.loc[frame["scored"], _READ].astype(object).itertuples(name="Answer")]
    oracle = {each.question: each for each in answers if each.is_oracle and each.error_type != "empty"}
    closed_book = {each.question: each for each in answers if each.is_closed_book}

    @lru_cache(maxsize=1)
    def text_of(case_id: str) -> str | None:
        """The context, folded; None where it cannot be built."""
        with suppress(UserError):
            return _folded(context_of(samples[case_id]).text)
        return None

    found = {}
    for answer in sorted(answers, key=lambda answer: str(answer.case_id)):  # a case's text is built once
        if answer.is_closed_book or _is_correct(answer):
            continue
        sample, other = samples.get(answer.case_id), closed_book.get(answer.question)
        kinds = _kinds(answer, oracle.get(answer.question), sample, text_of)
        # Where no text answers, closed-book is right to say so: that is no knowledge.
        given = sample is not None and sample.origin == "given"
        has_answer = sample is None or sample.key.elements or (given and sample.key.references)
        if other and has_answer and _is_correct(other):
            kinds.add("known without context")
        if answer.error_type == "empty":
            kinds.add("empty")
        found[answer.Index] = next((kind for kind in CAUSES if kind in kinds), "unexplained")
    return frame.assign(cause=pd.Categorical(pd.Series(found, frame.index, dtype=object), CAUSES))


def empty_answers(frame: DataFrame) -> list[dict[str, Any]]:
    """Models and applications with three empty answers, or a twentieth of all: a row each, by name.

    An endpoint that sends no text looks like a model that knows nothing.
    """
    scored = frame[frame["scored"]]
    who = scored["strategy"].astype(object).where(scored["is_system"], scored["reader"].astype(object))
    counts = (scored["error_type"] == "empty").groupby(who).agg(empty="sum", scored="size")
    notable = counts[counts["empty"] >= (0.05 * counts["scored"]).clip(1, 3)]
    rows: list[dict[str, Any]] = notable.rename_axis("answers").reset_index().to_dict("records")
    return rows


def _is_correct(answer: Any) -> bool:
    """By its error type; a judge that names none gives the highest score."""
    kind = answer.error_type
    return bool(kind == "correct" if isinstance(kind, str) else answer.score == HIGHEST)


def _kinds(answer: Any, oracle: Any, sample: Sample | None, text_of: Callable[[str], str | None]) -> set[str]:
    """All causes that hold of an answer; none where nothing is known."""
    retrieves = isinstance(answer.needle_ranks, tuple) and not answer.is_oracle
    marks = answer.needle_search if isinstance(answer.needle_search, tuple) else ()
    used = "read, not used" if marks else "retrieved but unused"
    lost: set[str] = {"lost in context"} if oracle is not None and answer.sends_context else set()
    if not (answer.missing or answer.wrong):
        given = sample is not None and sample.origin == "given" and not sample.key.elements
        completeness = answer.retrieval_completeness if retrieves and given else nan
        kinds: set[str] = (set(marks) or {"not retrieved"}) if completeness == 0 else set()
        if oracle is not None and not _is_correct(oracle):
            return kinds | {"beyond the model"}
        # The answer names everything: nothing was lost, or left unused.
        if answer.error_type in ("self_doubt_complete", "taken_back") and not given:
            return {"named but doubted"}
        return kinds | (lost or ({used} if completeness == 1 else set()))
    seen: Mapping[str, Known] = {}
    unread: dict[str, Mapping[str, Known]] = {}  # by what became of a search, what needles of that kind tell
    if sample is not None and retrieves:
        split = answer.needle_split if isinstance(answer.needle_split, tuple) else None
        whole = wholly_retrieved(answer.needle_ranks, split, answer.retrieval_completeness)
        seen = elements_seen(sample, whole)
        for mark in set(marks) if len(marks) == len(whole) else ():
            others = [is_whole or own != mark for own, is_whole in zip(marks, whole, strict=True)]
            unread[mark] = elements_seen(sample, others)
    kinds = set()
    for name in answer.missing:
        own = {mark for mark, others in unread.items() if others.get(name) is False}
        own = own or ({"not retrieved"} if seen.get(name) is False else set())
        own |= {"beyond the model"} if oracle is not None and name in oracle.missing else lost
        kinds |= own or ({used} if seen.get(name) else set())
    if sample is not None:
        for name in answer.wrong:
            kinds |= _of_wrong(name, sample, text_of)
    return kinds


def _of_wrong(name: str, sample: Sample, text_of: Callable[[str], str | None]) -> set[str]:
    """A trap, or "17685 (copper gate)", another gate's code, is what the needles say of something else."""
    in_text = {each.id for each in sample.distractors}
    planted = [element for each in sample.key.distractors if each.id in in_text for element in each.elements]
    if _names(planted, name):
        return {"misled by a distractor"}
    other_key = any(name.startswith(f"{each.name} (") for each in sample.key.elements)
    if other_key or _names(sample.key.traps, name):
        return {"misread"}
    if (text := text_of(sample.sample_id)) is None:
        return set()
    value = _folded(re.sub(r" \([^)]*\)$", "", name))
    is_said = value in text and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)
    return {"misread" if is_said else "invented"}


def _names(elements: Iterable[Element], name: str) -> bool:
    """Whether one of the elements is called so."""
    aliases = [name, *(alias for element in elements for alias in element.names)]
    wanted, *others = ([word.text for word in words_of(alias)] for alias in aliases)
    return wanted in others


def _folded(text: str) -> str:
    """The text without regard to case, width, white space and the commas of large numbers."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return re.sub(r"(?<=\d),(?=\d{3})", "", folded)


def elements_seen(sample: Sample, whole: Sequence[Known]) -> dict[str, Known]:
    """Of each element, whether the retrieved chunks tell it: hold every needle whole that it takes.

    Most take any one needle that carries them, those of a chain or a reply to be repeated every needle up to
    the first, a tally's every needle, a story's every fact that it follows from; of a given question all
    evidence. Empty where the sample's needles are not those that were retrieved. ``whole``: see
    ``wholly_retrieved``.
    """
    if len(sample.needles) != len(whole):
        return {}
    of_id = dict(zip((needle.id for needle in sample.needles), whole, strict=True))
    key = sample.key
    every = [of_id[needle.id] for needle in key.needles]
    seen: dict[str, Known] = {}
    for element in key.elements:
        carriers = [at for at, needle in enumerate(key.needles) if element.name in needle.elements]
        own = [every[at] for at in carriers]
        if not carriers:  # evidence: in part it may tell the element, or not
            own = [every[0] if len({*every}) == 1 else None]
        elif key.kind in ("multi-hop", "recall"):
            own = every[: carriers[0] + 1]
        elif key.kind == "aggregation":
            own = every
        elif key.kind != "story":
            own = [True if True in own else None if None in own else False]
        seen[element.name] = False if False in own else None if None in own else True
    return seen


def wholly_retrieved(
    ranks: Sequence[int | None], split: Sequence[bool] | None, completeness: float
) -> tuple[Known, ...]:
    """Of each needle, in the order of the text, whether it lies wholly inside the retrieved chunks.

    A needle with a rank does. One without may still, across chunks that follow each other, if chunk borders
    cut it; how many do follows from the completeness, and which of them only where it is none or all.
    """
    cut = [rank is None and (split is None or split[at]) for at, rank in enumerate(ranks)]
    across = round(completeness * len(ranks)) - sum(rank is not None for rank in ranks)
    of_cut = False if across <= 0 else True if across >= sum(cut) else None
    return tuple(rank is not None or (of_cut if cut[at] else False) for at, rank in enumerate(ranks))
