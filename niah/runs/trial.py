"""A trial: sample x strategy x reader x repeat, and what became of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import astuple, dataclass
from decimal import Decimal
from functools import cached_property
from itertools import count as numbers
from typing import TYPE_CHECKING, Any, Literal

import orjson

from niah.cases.prompts import load_prompt, prompt_tokens
from niah.cases.sample import Sample
from niah.judges.verdict import Verdict
from niah.readers.reader import PLAIN, Failure, FailureOutcome, ReaderOptions, Usage
from niah.strategies.chunkers import Truncation
from niah.strategies.facts import RetrievalFacts, Selection, ToolUse
from niah.strategies.prepared.steps import AskedQuestion, PreparedDocument
from niah.strategies.strategy import Strategy
from niah.text.tokenizer import count, get_tokenizer

if TYPE_CHECKING:
    from pandas import DataFrame

FIRST_ROTATING = 2_000_000_000  # every seed that a night's date draws is greater, every other smaller
SHARED_LINE = "Request a b c d e f g h i j k l\n"
"""The first line of every prompt where ``cache`` is shared; where it is cold, each has other letters."""
Span = tuple[int, int]  # start and end, in characters of a context's text

Outcome = Literal["scored", FailureOutcome, "not_run"]


@dataclass(frozen=True)
class Trial:
    """One question to one reader: what is asked, not what came of it."""

    sample: Sample
    strategy: Strategy
    reader: str
    repeat: int
    max_tokens: int  # room for the answer, thoughts not counted
    options: ReaderOptions = PLAIN
    truncation: Truncation | None = None  # where the context is longer than the reader's window
    packages: tuple[str, ...] = ()  # whose code, and which packaged model, makes the answer, with versions
    asks_first: bool = False  # without context, what may then be left out: only rules judge that
    preparer: str = ""  # the other model that prepares; "" where the reader does itself
    batched: bool = False  # asked in a batch, which changes the price and no answer

    @cached_property
    def trial_id(self) -> str:
        """Digest of everything that changes the answer, and of nothing else."""
        in_place = ("temperature", "max_tokens")
        others = {name: value for name, value in self.options.stated.items() if name not in in_place}
        parts = [
            self.sample.sample_id,
            self.sample.fingerprint,
            self.strategy.definition,
            self.reader,
            self.repeat,
            self.max_tokens,
            self.options.temperature,
            *(astuple(self.truncation) if self.truncation else ()),
            *([others] if others else []),
            *([self.packages] if self.packages else []),
            *(["prepared by", self.preparer] if self.preparer else []),
            # Which prompt that is, no sample says.
            *([load_prompt(self.prompt).identity] if self.strategy.is_closed_book else []),
        ]
        return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()[:20]

    @property
    def prompt(self) -> str:
        """The prompt template: without a context that of the question alone."""
        return "closed-book" if self.strategy.is_closed_book else self.sample.prompt

    @property
    def prompt_tokens(self) -> int:
        """Tokens of instructions, question and options, in the sample's tokenizer."""
        sample, key = self.sample, self.sample.key
        if not self.strategy.is_closed_book:
            return sample.prompt_tokens
        return prompt_tokens(self.prompt, sample.tokenizer, key.question, "", "", key.options)

    @property
    def room(self) -> int:
        """Tokens that the reader may write: its answer, and thoughts before it."""
        return self.max_tokens + self.options.thinking_room

    @cached_property
    def system_tokens(self) -> int:
        """Tokens of the first line and the instructions before the prompt, in the sample's tokenizer."""
        before = self.first_line + self.options.system
        return count(get_tokenizer(self.sample.tokenizer), before) if before else 0

    @cached_property
    def first_line(self) -> str:
        """What everything begins with where ``cache`` is stated, of the same number of tokens for all."""
        if self.options.cache != "cold":
            return SHARED_LINE if self.options.cache else ""
        counter = get_tokenizer(self.sample.tokenizer)
        drawn = (hashlib.sha256(f"{self.trial_id} {n}".encode()).digest()[:12] for n in numbers())
        lines = (f"Request {' '.join(chr(97 + byte % 26) for byte in letters)}\n" for letters in drawn)
        return next(line for line in lines if count(counter, line) == count(counter, SHARED_LINE))

    @property
    def seed(self) -> int:
        """What the reader draws by: the sample's seed, or the one asked for; where it draws, one a repeat."""
        seed = (self.sample.seed or 0) if self.options.seed is None else self.options.seed
        return seed + self.repeat if self.options.temperature else seed


@dataclass(frozen=True)
class TrialResult:
    """What became of one trial, on its way into the run file."""

    outcome: Outcome  # "scored" only with a verdict of the judge whose score counts
    answer: str
    reason: str  # why it came to its outcome, for people; "" where there is nothing to say
    usage: Usage
    latency_s: float | None  # wall seconds of the call; None where it was made in a batch
    context_tokens: int | None  # of what is sent in the context's place; None where only a system knows
    retrieval: RetrievalFacts | None = None
    verdicts: tuple[Verdict, ...] = ()  # of all judges, the one whose score counts first
    judge_failure: Failure | None = None  # what that judge answered in place of a verdict
    cost: Decimal | None = None  # US dollars by usage and price, also of a cached answer; None where unknown
    thinking_cost: Decimal | None = None
    own_prompt_tokens: int | None = None  # our own count of the prompt
    from_cache: bool = False  # then nothing was paid for it now
    reused_from: str = ""  # when an earlier run got the answer, UTC; "" of this run's own
    was_asked: bool = True  # not where the strategy failed before
    answered_before: bool = False  # the run file had the answer, and only the judge was asked again


EXPORTED = (
    *("trial_id", "case_id", "needle_set", "haystack", "context_length", "depth", "seed", "strategy"),
    *("reader", "repeat", "outcome", "score", "judge_scores", "missing", "wrong", "self_doubt", "error_type"),
    *("answer", "prompt_tokens", "completion_tokens", "cached_tokens", "cost", "latency_s"),
    *("retrieval_completeness", "noise_ratio", "needle_ranks", "context_tokens", "needle_split", "origin"),
    *("question_set", "document_id", "kind", "source", "unsure", "thinking_tokens", "thinking_cost"),
    *("from_cache", "turns", "searches"),
)
"""The columns of ``niah export`` (docs/running.md)."""
TRIAL_COLUMNS = (
    *EXPORTED,
    *("first_tokens", "first_cost"),  # of what its strategy asked for this question alone before the reader
    *("reused_from", "definition", "context_sha256", "judge_version", "reason", "own_prompt_tokens"),
    "floor",  # the mean score of a guesser
    "verdicts",  # those of the run's own judge first; each judge's latest first
    *("search", "needle_search"),  # a model's turns; of each needle, one of ``SEARCHES``
    *("best", "retrieved", "foreign"),  # chunks: their places, best first; their number; those of no context
    "finished_at",  # UTC, as 2026-11-22T04:00:00.000Z; "" for a trial that was not run
)
"""The columns of a run file's trials. What a sample has not got, and what is not known, is None."""


def rows_of(trials: DataFrame) -> list[Any]:
    """A run file's trials one by one, each with the columns as attributes."""
    return list(trials.itertuples())


def is_anchor_seed(seed: int | None) -> bool:
    """Whether a sample of that seed, or of none, is the same every night: no night's date has drawn it."""
    return seed is None or seed < FIRST_ROTATING


def plain_depth(depth: float) -> float:
    """A depth in %, without decimals where it is whole: files say "50" and "12.5"."""
    return int(depth) if depth == int(depth) else depth


@dataclass(frozen=True)
class PreparationCall:
    """A call of a model that prepares, as the run file holds it."""

    definition: str  # of the strategy
    document: str  # digest of the context
    trial_id: str  # whose question it was for; "" where it was for all questions on the document
    key: str  # of the request in the cache of preparations
    step: str  # what it was for
    model: str
    usage: Usage  # as reported, also where the reply was cached
    cost: Decimal | None  # US dollars, 0 where it was cached; None where it is unknown
    from_cache: bool
    is_understood: bool  # whether the reply said what was asked for
    is_cut: bool  # whether it ends where its room does
    reused_from: str = ""  # when an earlier run got the reply, UTC; "" of this run's own
    turn: int = 0  # of a search, from 1; 0 of all other calls
    uses: tuple[ToolUse, ...] = ()  # what the tools made of its reply; found is where needles are


def asked_question(
    trial: Trial, document: PreparedDocument, selected: Callable[[str], Selection]
) -> AskedQuestion:
    """The trial's question; ``selected`` says what another strategy makes of its context."""
    sample = trial.sample
    template = load_prompt(sample.prompt)
    return AskedQuestion(
        document,
        text=sample.key.question,
        room=sample.context_room,
        prompt=lambda text: template.render(text, sample.key.question, sample.key.options),
        answer_tokens=trial.max_tokens,
        selected=selected,
        options=sample.key.options,
    )
