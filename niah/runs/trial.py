"""A trial: sample x strategy x reader x repeat, and what became of it."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Literal

import orjson

from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.strategies.strategy import Strategy
from niah.strategies.truncate import Truncation

Outcome = Literal["scored", "refused", "truncated", "overflow", "reader_error", "judge_error", "not_run"]


@dataclass(frozen=True)
class Trial:
    """One question to one reader: what is asked, not what came of it.

    Attributes:
        max_tokens: room for the answer.
        truncation: how the context is cut, where it is longer than the reader's window and that is asked for.
    """

    sample: Sample
    strategy: Strategy
    reader: str
    repeat: int
    max_tokens: int
    temperature: float = 0.0
    truncation: Truncation | None = None

    @property
    def case(self) -> Case:
        """The recipe of a generated sample."""
        assert self.sample.case is not None
        return self.sample.case

    @cached_property
    def trial_id(self) -> str:
        """Digest of everything that changes the answer, and of nothing else."""
        parts = [
            self.sample.sample_id,
            self.sample.fingerprint,
            self.strategy.definition,
            self.reader,
            self.repeat,
            self.max_tokens,
            self.temperature,
            *(astuple(self.truncation) if self.truncation else ()),
        ]
        return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:20]


@dataclass(frozen=True)
class TrialRecord:
    """One row of ``niah export``; the names are the contract of design section 8.

    ``score`` is set exactly when ``outcome`` is "scored". Token counts and cost are None where unknown.
    ``retrieval_completeness``, ``noise_ratio``, ``needle_ranks`` and ``needle_split`` are None for lc and
    closed-book; a rank is None for a needle that no retrieved chunk holds whole. ``needle_split`` says of
    each needle, in the same order, whether chunk borders cut it.
    """

    trial_id: str
    case_id: str
    needle_set: str
    haystack: str
    context_length: int
    depth: float
    seed: int
    strategy: str
    reader: str
    repeat: int
    outcome: Outcome
    score: float | None = None
    judge_scores: dict[str, float] | None = None
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    self_doubt: bool | None = None
    error_type: str | None = None
    answer: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None
    latency_s: float | None = None
    retrieval_completeness: float | None = None
    noise_ratio: float | None = None
    needle_ranks: tuple[int | None, ...] | None = None
    context_tokens: int | None = None
    needle_split: tuple[bool, ...] | None = None
