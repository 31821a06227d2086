"""A judge that needs no LLM, in the manner of those that do."""

from __future__ import annotations

import time
from typing import Protocol, Self

from niah.cases.sample import AnswerKey
from niah.judges.judge import Judgement
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage


class _Rules(Protocol):
    """What judges at once, such as ``RubricJudge``."""

    name: str
    version: str

    def judge(self, answer: str, key: AnswerKey) -> Verdict: ...


class Deterministic:
    """A ``Judge`` around rules that cost no token and cannot fail.

    Args:
        rules: name, version, and a synchronous ``judge``.
    """

    # Rules hold the one Python thread while they judge.
    concurrency = 1

    def __init__(self, rules: _Rules) -> None:
        self._rules = rules

    @property
    def name(self) -> str:
        """The rules' name."""
        return self._rules.name

    @property
    def version(self) -> str:
        """The rules' version."""
        return self._rules.version

    @property
    def settings(self) -> dict[str, str | int]:
        """None: name and version say all."""
        return {}

    def check(self) -> None:
        """Nothing can be wrong."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...

    async def judge(self, answer: str, key: AnswerKey) -> Judgement:
        """The rules' verdict."""
        started = time.perf_counter()
        verdict = self._rules.judge(answer, key)
        return Judgement(verdict, Usage(0, 0, 0), time.perf_counter() - started)
