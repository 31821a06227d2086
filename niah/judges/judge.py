"""What every judge takes and gives: an answer and its answer key in, a verdict or a failure out.

A verdict and a failure are different types. Only a verdict has a score.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar, Protocol, Self

from niah.cases.sample import AnswerKey
from niah.errors import OutsideError
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure, Usage


class Judge(Protocol):
    """Gives verdicts. Opened with ``async with``; ``judge`` may be called concurrently."""

    @property
    def name(self) -> str:
        """Stable name, part of each verdict ("rubric", "openai/gpt-4o-mini")."""
        ...

    @property
    def version(self) -> str:
        """Version of its rules or its prompt, part of each verdict."""
        ...

    @property
    def description(self) -> str:
        """One line for people."""
        ...

    @property
    def needs_model(self) -> bool:
        """Whether it asks a model, which takes tokens, time and perhaps money, and may fail."""
        ...

    @property
    def share_asked(self) -> float:
        """Of the answers, 0 to 1, how many it is expected to ask a model about."""
        ...

    @property
    def settings(self) -> dict[str, str | int]:
        """What the run file records of how it judged; no secrets."""
        ...

    @property
    def concurrency(self) -> int:
        """How many answers may be judged at once."""
        ...

    def check(self) -> None:
        """Raise ReaderConfigError for what is known to be wrong before any work. Starts nothing."""
        ...

    def unsuited(self, key: AnswerKey) -> str:
        """Why it cannot judge answers to this question ("there are no options"); "" where it can."""
        ...

    async def __aenter__(self) -> Judge: ...

    async def __aexit__(self, *exc: object) -> None: ...

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """The verdict on ``answer``, or a failure with the outcome judge_error; raises for no answer."""
        ...


@dataclass(frozen=True)
class RuleJudge:
    """A judge by rules: it asks no model, and the same answer always gets the same verdict.

    Attributes:
        name, version, description: as of every judge.
        verdict: the rules, for keys that they suit.
        unsuited: why they do not suit a key; "" where they do.
    """

    name: str
    version: str
    description: str
    verdict: Callable[[str, AnswerKey], Verdict]
    unsuited: Callable[[AnswerKey], str]

    needs_model: ClassVar[bool] = False
    share_asked: ClassVar[float] = 0.0
    # Rules hold the one Python thread while they judge.
    concurrency: ClassVar[int] = 1

    @property
    def settings(self) -> dict[str, str | int]:
        """None: name and version say all."""
        return {}

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
