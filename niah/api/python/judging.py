"""``niah.judge``: what a judge says of one answer."""

from __future__ import annotations

from pathlib import Path

from niah.api.python.argument_kinds import PATH, TEXT, WHOLE, check_argument, takes
from niah.api.python.opened_cases import OpenedCase
from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.errors import UserError
from niah.event_loop import run_to_end
from niah.judges.registry import check_suited, resolve_judge
from niah.judges.verdict import Judge, Verdict
from niah.readers.reader import Failure


@takes(answer=TEXT, judge=TEXT, seed=WHOLE)
def judge(
    answer: str, question: str | Path | OpenedCase | AnswerKey, judge: str = "rubric", *, seed: int = 1
) -> Verdict:
    """The verdict on an answer: score, elements found, missing and wrong, self-doubt.

        import niah
        niah.judge("The first gate takes 17685, I think.", "three-gates").missing

    Args:
        answer: as a reader gave it.
        question: a needle set by name or path, one of ``niah.cases``, or an answer key.
        judge: "rubric", a metric, "auto:contained-match", any model, or "rubric+openai/gpt-4o-mini".
        seed: draws the facts, where the needle set has any to draw.

    Raises UserError for names that are not known, for arguments of another kind, and where the judge gives
    no verdict.
    """
    return run_to_end(_verdict(answer, _key(question, seed), resolve_judge(judge)))


def _key(question: str | Path | OpenedCase | AnswerKey, seed: int) -> AnswerKey:
    if isinstance(question, str | Path):
        check_argument("question", question, PATH)
        return key_of(str(question), seed)
    if isinstance(question, OpenedCase):
        return question.sample.key
    if not isinstance(question, AnswerKey):
        problem = f"answers are judged by a question, and {question!r} is none."
        raise UserError(problem, "Name a needle set, or give one of niah.cases.")
    return question


async def _verdict(answer: str, key: AnswerKey, judge: Judge) -> Verdict:
    judge.check()
    check_suited(judge, [key])
    async with judge:
        verdict = await judge.judge(answer, key)
    if isinstance(verdict, Failure):
        raise UserError(f"{judge.name} gave no verdict: {verdict.reason}.".replace("..", "."), "Ask again.")
    return verdict
