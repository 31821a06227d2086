"""The filter ``closed-book``: readers are asked without context first, and what they know is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.cases.prompts import load_prompt
from niah.cases.sample import Sample
from niah.judges.verdict import HIGHEST, is_unanswerable

if TYPE_CHECKING:
    from pandas import DataFrame

BareQuestion = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Its text, its reference answers, its options."""

_MARK = "_without-context"
_MATCH = "contained-match"  # by which a free answer counts as known


def without_context(sample: Sample) -> Sample | None:
    """The question alone, as the filter asks it; None where no answer could be matched."""
    if is_unanswerable(sample.key) and not sample.key.options:
        return None
    return replace(
        sample,
        sample_id=f"{sample.sample_id}{_MARK}",
        fingerprint=f"{sample.fingerprint} {load_prompt('closed-book').identity}",
        needles=(),
        distractors=(),
        passages=(),
    )


def bare_question_of(sample: Sample) -> BareQuestion:
    """What makes two samples one question to a reader that sees no context."""
    return sample.key.question, sample.key.references, sample.key.options


@dataclass(frozen=True)
class ClosedBookFilter:
    """What a run file holds of the filter."""

    trials: DataFrame  # the filter's own, each with the number of the run's questions that it stands for
    dropped: DataFrame  # the other trials of what their reader knows
    known: frozenset[tuple[str, BareQuestion]]  # of what is left out, reader and question
    questions: Mapping[str, int]  # of the run, by reader

    def counts(self) -> list[dict[str, Any]]:
        """By reader: how often it is asked without context, the run's questions, and how many of these are
        answered so, known and so left out, failed (they stay), still not run."""
        rows = []
        for reader, own in self.trials.groupby("reader", sort=False):
            times, outcomes = own["questions"], own["outcome"]
            answered, not_run = (int(times[outcomes == name].sum()) for name in ("scored", "not_run"))
            row = {"reader": str(reader), "asked": len(own), "questions": self.questions[str(reader)]}
            row |= {"answered": answered, "known": int(times[own["score"] == HIGHEST].sum())}
            rows.append(row | {"failed": int(times.sum()) - answered - not_run, "not_run": not_run})
        return rows


def judge_of(sample: Sample, primary: str) -> str:
    """Whose score counts: the ``primary`` judge's, but of the filter's own samples that of a rule."""
    if not sample.sample_id.endswith(_MARK):
        return primary
    return "accuracy" if sample.key.options else _MATCH


def counting(trials: DataFrame, samples: Mapping[str, Sample]) -> tuple[DataFrame, ClosedBookFilter | None]:
    """The trials of a file that count, and the filter's with what it leaves out; None without any."""
    first = trials["case_id"].str.endswith(_MARK).to_numpy(dtype=bool)
    if not first.any():
        return trials, None
    whose = zip(trials["reader"], trials["case_id"], strict=True)
    asked = [(reader, bare_question_of(samples[case_id])) for reader, case_id in whose]
    right = first & (trials["score"] == HIGHEST).to_numpy(dtype=bool)
    known = frozenset(what for what, is_right in zip(asked, right, strict=True) if is_right)
    dropped = ~first & np.array([what in known for what in asked], dtype=bool)
    each = {(what, id) for what, id, alone in zip(asked, trials["case_id"], first, strict=True) if not alone}
    times, questions = Counter(what for what, _ in each), Counter(reader for (reader, _), _ in each)
    own = trials.assign(questions=[times[what] for what in asked])[first]
    return trials[~first & ~dropped], ClosedBookFilter(own, trials[dropped], known, questions)
