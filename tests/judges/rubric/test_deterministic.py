"""The rubric judge in the manner of the others."""

from __future__ import annotations

import asyncio

from niah.cases.samples import key_of
from niah.judges.judge import Judgement
from niah.judges.rubric.deterministic import Deterministic
from niah.judges.rubric.rubric import RubricJudge
from niah.readers.reader import Usage


def test_it_says_what_the_rules_say_and_costs_no_token() -> None:
    key = key_of("rainbow-potion", 1)

    async def main() -> Judgement:
        async with Deterministic(RubricJudge()) as judge:
            judge.check()
            assert (judge.name, judge.version) == (RubricJudge.name, RubricJudge.version)
            return await judge.judge(key.answer, key)

    given = asyncio.run(main())
    assert given.verdict == RubricJudge().judge(key.answer, key)
    assert given.verdict.score == 10
    assert given.usage == Usage(0, 0, 0)
