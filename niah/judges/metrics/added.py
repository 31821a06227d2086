"""Judges and metrics of packages, asked: whatever goes wrong in them is one line, and said of one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from niah.cases.sample import AnswerKey
from niah.errors import NiahError, OutsideError
from niah.judges.judge import Judge, RuleJudge
from niah.judges.verdict import HIGHEST, LOWEST, Verdict
from niah.plugins.registry import error_line
from niah.readers.reader import Failure


def metric_value(name: str, of_pair: Callable[[str, str], float], answer: str, reference: str) -> float:
    """What a package's metric says of a pair. Raises OutsideError where that is no number from 0 to 1."""
    try:
        value = of_pair(answer, reference)
        fits = 0 <= value <= 1  # not a number is neither
    except Exception as error:  # whatever a stranger's function does
        raise _failed(f"metric {name}", error_line(error)) from error
    if not fits:
        raise _failed(f"metric {name}", f"it gave {value}, not a number from 0 to 1")
    return float(value)


def guarded(judge: Judge) -> Judge:
    """A package's judge, of which a failure says what it raised and any verdict that is none."""
    if isinstance(judge, RuleJudge):
        return replace(judge, verdict=partial(_by_rules, judge))
    return cast(Judge, _Guarded(judge))


def _by_rules(judge: RuleJudge, answer: str, key: AnswerKey) -> Verdict:
    """Its verdict. Raises OutsideError."""
    try:
        verdict = judge.verdict(answer, key)
    except NiahError:
        raise
    except Exception as error:  # whatever a stranger's function does
        raise _failed(f"judge {judge.name}", error_line(error)) from error
    return _checked(judge.name, verdict)


class _Guarded:
    """A judge that a package wrote from the ground up; all but ``judge`` is its own."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    async def __aenter__(self) -> Judge:
        await self._judge.__aenter__()
        return cast(Judge, self)

    async def __aexit__(self, *exc: object) -> None:
        await self._judge.__aexit__(*exc)

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """Its verdict, or why there is none."""
        try:
            made = await self._judge.judge(answer, key)
            return made if isinstance(made, Failure) else _checked(self._judge.name, made)
        except OutsideError as error:
            return Failure("judge_error", error.message)
        except Exception as error:  # whatever a stranger's judge does
            return Failure("judge_error", _failed(f"judge {self._judge.name}", error_line(error)).message)


def _checked(name: str, verdict: object) -> Verdict:
    """What a judge gave, if it is a verdict with a score of the scale. Raises OutsideError."""
    if not isinstance(verdict, Verdict):
        raise _failed(f"judge {name}", f"it gave a {type(verdict).__name__}, not a Verdict")
    if not (isinstance(verdict.score, int | float) and LOWEST <= verdict.score <= HIGHEST):
        raise _failed(f"judge {name}", f"it gave the score {verdict.score!r}, not {LOWEST} to {HIGHEST}")
    return verdict


def _failed(what: str, problem: str) -> OutsideError:
    return OutsideError(f"the {what} failed: {problem}.", "Mend the package that has it.")
