"""What judges take and give. A verdict and a failure are different types; only a verdict has a score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import ClassVar, Literal, Self, get_args

from niah.cases.sample import AnswerKey
from niah.errors import OutsideError
from niah.needles.needle_set import Element
from niah.readers.reader import Failure, Usage
from niah.text.templates import join_names

Score = Literal[1, 3, 5, 7, 10]  # of the rubric and of models that judge; a metric's lie between them
SCORES: tuple[Score, ...] = get_args(Score)
LOWEST, HIGHEST = SCORES[0], SCORES[-1]


@dataclass(frozen=True)
class Unsure:
    """Why rules cannot decide about an answer, and the scores of its worst and its best reading."""

    reason: str
    lowest: float
    highest: float


@dataclass(frozen=True)
class Verdict:
    """A judge's word on one answer (u-niah paper, section 3.1.3); equal where two say the same."""

    score: float  # 1 wrong; 3 minor relevance; 5 moderate; 7 minor omissions; 10 aligned. Or 1 + 9 x metric
    found: tuple[str, ...]  # names of the elements, in the answer key's order; none where a metric knows none
    missing: tuple[str, ...]
    wrong: tuple[str, ...]  # wrong elements that the answer names
    self_doubt: bool  # whether it hedges, or refuses although the text answers the question
    judge: str  # who judged ("rubric"), by which rules or prompt
    version: str
    reason: str  # one line for people
    value: float | None = None  # of a metric, 0 to 1
    unsure: Unsure | None = None  # what rules could not decide
    usage: Usage = field(default=Usage(), compare=False)  # of all attempts
    latency_s: float = field(default=0.0, compare=False)  # of the requests, without waits between them
    cost: Decimal | None = field(default=None, compare=False)  # US dollars; None where unknown
    judged_at: datetime | None = field(default=None, compare=False)  # when the run file got it
    own_score: float | None = field(default=None, compare=False)  # that a model named itself


@dataclass(frozen=True)
class RuleJudge:
    """A judge by rules: it asks no model, and the same answer always gets the same verdict."""

    name: str  # stable, part of each verdict
    version: str  # of its rules
    description: str  # one line for people
    verdict: Callable[[str, AnswerKey], Verdict]  # the rules, for keys that they suit
    unsuited: Callable[[AnswerKey], str]  # why they do not suit a key ("it has no answer"); "" where they do

    needs_model: ClassVar[bool] = False
    share_asked: ClassVar[float] = 0.0
    concurrency: ClassVar[int] = 1
    settings: ClassVar[dict[str, str | int]] = {}  # name and version say all

    def check(self) -> None:
        """Nothing can be wrong."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """The rules' verdict; a failure where they do not suit the question, or a package's fail."""
        if problem := self.unsuited(key):
            return Failure("judge_error", f"{self.name} cannot judge {key.name}: {problem}.")
        try:
            verdict = self.verdict(answer, key)
        except OutsideError as error:
            return Failure("judge_error", error.message)
        return replace(verdict, usage=Usage(0, 0, 0), cost=Decimal(0))


def is_unanswerable(key: AnswerKey) -> bool:
    """Whether the right answer is to say that the text does not tell."""
    has_answer = key.elements or key.references or key.options
    return key.kind == "unanswerable" or not has_answer


def right_option(key: AnswerKey) -> str:
    """The text of the right option; "" of a question without options."""
    return key.options[key.answer_index] if key.answer_index is not None else ""


def right_options(key: AnswerKey) -> frozenset[int]:
    """The places of the right options: of most questions one; of a set those whose texts are elements."""
    if key.answer_index is not None:
        return frozenset({key.answer_index})
    names = {element.name for element in key.elements}
    return frozenset(place for place, option in enumerate(key.options) if option in names)


def references(key: AnswerKey) -> tuple[str, ...]:
    """The reference answers, the right option, and all elements in short, or the names of a single one."""
    elements = key.elements
    short = elements[0].names if len(elements) == 1 else (join_names(tuple(e.name for e in elements)),)
    return tuple(dict.fromkeys(filter(None, (*key.references, right_option(key), *short))))


@lru_cache(maxsize=1024)
def with_elements(key: AnswerKey) -> AnswerKey:
    """The key, with the right option or the reference answers as one element where no one has written any."""
    if key.elements or is_unanswerable(key):
        return key
    name = right_option(key) or min(key.references, key=len)
    element = Element(name, tuple(text for text in key.references if text != name))
    wrong = tuple(Element(option) for option in key.options if option != name)
    return replace(key, elements=(element,), traps=(*key.traps, *wrong))
