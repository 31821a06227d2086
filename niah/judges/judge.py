"""What every judge takes and gives: an answer and its needle set in, a judgement out.

A judgement and a failure are different types. Only a judgement has a verdict, and so a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from niah.cases.sample import AnswerKey
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage


@dataclass(frozen=True)
class Judgement:
    """A verdict, and what it cost.

    Attributes:
        verdict: the judge's word.
        usage: tokens of all attempts together, in the judge's own tokens; a count that an endpoint kept to
            itself is None.
        latency_s: wall seconds that the requests took, waits between them not included.
    """

    verdict: Verdict
    usage: Usage
    latency_s: float


@dataclass(frozen=True)
class JudgeFailure:
    """No verdict: the outcome is judge_error.

    Attributes:
        reason: one line for people, without secrets.
        usage: tokens of all attempts together, as in a judgement.
        latency_s: wall seconds that the requests took.
    """

    reason: str
    usage: Usage
    latency_s: float


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

    async def __aenter__(self) -> Judge: ...

    async def __aexit__(self, *exc: object) -> None: ...

    async def judge(self, answer: str, key: AnswerKey) -> Judgement | JudgeFailure:
        """The judgement on ``answer``. Never raises for what a model or an endpoint does."""
        ...
