"""Rules first, and a model for the answers alone that the rules are unsure of."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import ClassVar, Self

from niah.cases.sample import AnswerKey
from niah.judges.judge import Judge, RuleJudge
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure, Usage

ASKS = "asks"
"""The setting that names the model of a judge whose own name says more."""


class CascadeJudge:
    """The rules' verdict where they are sure, the model's elsewhere; either bears the cascade's name.

    ``Verdict.unsure`` stays, and tells of which answers the model was asked. Where it fails there is no
    verdict, though the rules had one: it would be the very score that is not to be trusted.

    Args:
        rules: judge every answer.
        model: is opened and closed with the cascade.
    """

    needs_model = True
    share_asked: ClassVar[float] = 0.08
    """Of answers in the styles of today's models the rubric was unsure of 2 to 9 % (docs/judges.md)."""

    def __init__(self, rules: RuleJudge, model: Judge) -> None:
        self._rules = rules
        self._model = model

    @property
    def name(self) -> str:
        """Both names: "rubric+openai/gpt-4o-mini"."""
        return f"{self._rules.name}+{self._model.name}"

    @property
    def version(self) -> str:
        """Both versions."""
        return f"{self._rules.version}+{self._model.version}"

    @property
    def description(self) -> str:
        """One line for people."""
        return f"{self._rules.name}, and {self._model.name} for the answers that it is unsure of"

    @property
    def settings(self) -> dict[str, str | int]:
        """The model's, and who is asked first."""
        return {**self._model.settings, ASKS: self._model.name, "rules": self._rules.version}

    @property
    def concurrency(self) -> int:
        """How many answers may be judged at once."""
        return self._model.concurrency

    def check(self) -> None:
        """Raise ReaderConfigError where the model cannot be reached as configured."""
        self._model.check()

    def unsuited(self, key: AnswerKey) -> str:
        """Why the rules cannot judge answers to this question; "" where they can."""
        return self._rules.unsuited(key)

    async def __aenter__(self) -> Self:
        """Open the model; raises what it raises."""
        await self._model.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._model.__aexit__(*exc)

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """The verdict of the rules, or of the model; the model's failure."""
        ruled = await self._rules.judge(answer, key)
        if isinstance(ruled, Failure):
            return ruled
        if ruled.unsure is None:
            nothing = Usage(0, 0, 0)
            return replace(ruled, judge=self.name, version=self.version, usage=nothing, cost=Decimal(0))
        asked = await self._model.judge(answer, key)
        if isinstance(asked, Failure):
            return asked
        reason = f"{self._model.name}: {asked.reason}"
        return replace(asked, judge=self.name, version=self.version, reason=reason, unsure=ruled.unsure)
