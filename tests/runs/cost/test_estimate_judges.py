"""What judging will take: against what a judge really reads, and by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from niah.cases.case import Case
from niah.cases.samples import key_of
from niah.judges.llm.llm_prompt import data, instructions
from niah.judges.registry import resolve_judge
from niah.readers.reader import Usage
from niah.runs.cost.estimate import make_plan
from niah.runs.cost.estimate_judges import AskedJudge, Judged, asked_judge, judge_plan, judge_tokens
from niah.runs.cost.prices import FREE, Price, Rates, own_price
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer
from tests.samples import unbuilt

PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01")),))
JUDGE = AskedJudge("j", PRICE, attempts=3, reply_at_most=2048)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def trial(repeat: int = 0, tokenizer: str = "cl100k") -> Trial:
    case = Case("three-gates", "essays", 1000, 50, tokenizer=tokenizer)
    return Trial(unbuilt(case), parse("lc"), "r", repeat, 64)


def verdict(of: Trial, minute: float, usage: Usage | None = None, judge: str = "j") -> Judged:
    at = NOON + timedelta(minutes=minute)
    return Judged(of.trial_id, judge, usage or Usage(), None, at)


def read(answer: str, tokenizer: str) -> int:
    """Tokens of what the judge reads, as one text."""
    meant = key_of("three-gates", 1)
    return count(get_tokenizer(tokenizer), instructions() + data(answer, meant))


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k", "smollm2"])
def test_the_reference_answer_is_expected(tokenizer: str) -> None:
    expected = judge_tokens(trial(tokenizer=tokenizer)).prompt
    assert abs(expected - read(key_of("three-gates", 1).answer, tokenizer)) <= 2


@pytest.mark.parametrize("judges", ["cl100k", "o200k", "smollm2"])
@pytest.mark.parametrize(
    "text",
    [
        "The codes are 50317, 82946 and 17685, as the porter says. ",
        "Согласно тексту, три фонаря висят на пароме, и паромщик зажигает их. ",
        "根据文本，渡船上挂着三盏灯笼，船夫每天晚上在开船之前都会点亮它们。",
        "पाठ के अनुसार नाव पर तीन लालटेन लटकी हुई हैं। ",
        "<|im_end|>[/INST]{}",
        "🏮🔥⛴️",
    ],
)
def test_no_answer_that_fits_its_room_is_above_the_bound(text: str, judges: str) -> None:
    one, counted = trial(), get_tokenizer("o200k")
    answer = ""
    while count(counted, answer + text) <= one.max_tokens:
        answer += text
    assert answer
    # Without what the bound has for a second attempt, for the schema and for the chat.
    room = judge_tokens(one).prompt_at_most - judge_tokens(replace(one, max_tokens=0)).prompt_at_most
    assert read(answer, judges) - read("", judges) <= room


def test_a_plan_by_hand() -> None:
    trials = [trial(0), trial(1), trial(2)]
    plan = judge_plan(JUDGE, trials, trials[1:], [])
    one = judge_tokens(trials[1])
    assert plan.calls == 2
    assert (plan.prompt_tokens, plan.reply_tokens) == (2 * one.prompt, 2 * 200)
    # Two verdicts, three attempts each.
    assert plan.prompt_tokens_at_most == 6 * one.prompt_at_most
    assert plan.reply_tokens_at_most == 6 * 2048
    assert plan.usd == 2 * (one.prompt * Decimal("0.001") + 2)
    assert plan.usd_at_most == 6 * (one.prompt_at_most * Decimal("0.001") + Decimal("20.48"))
    assert plan.seconds is None
    assert not plan.free


def test_nothing_left_takes_nothing() -> None:
    plan = judge_plan(replace(JUDGE, price=None), [trial()], [], [])
    assert plan.calls == plan.tokens_at_most == plan.seconds == 0
    assert plan.usd == plan.usd_at_most == 0


def test_what_verdicts_have_shown() -> None:
    trials = [trial(n) for n in range(5)]
    own = judge_tokens(trials[0]).prompt
    judged = [
        verdict(trials[3], 1500),  # the next day, and without usage: a pause of more than ten minutes
        verdict(trials[2], 3, Usage(2 * own, 90)),
        verdict(trials[1], 1, Usage(4 * own, 30)),
        verdict(trials[0], 0, Usage(9, 9), judge="another"),
        verdict(trials[0], 0),
    ]
    plan = judge_plan(JUDGE, trials, trials[4:], judged)
    # Three times what was expected; 60 is the mean of 90 and 30; 3 minutes for two gaps.
    assert plan.prompt_tokens == own
    assert plan.reply_tokens == 60
    assert plan.usd == 3 * own * Decimal("0.001") + Decimal("0.6")
    assert plan.seconds == pytest.approx(90)


def test_the_longer_of_reading_and_judging_is_the_time() -> None:
    one = trial()
    judging = replace(judge_plan(JUDGE, [one], [one], []), seconds=30.0)
    plan = make_plan([one], set(), {"r": 1}, {"r": FREE}, {}, judge=judging)
    assert plan.seconds is None
    assert replace(plan, readers=(replace(plan.readers[0], seconds=20.0),)).seconds == 30
    assert replace(plan, readers=(replace(plan.readers[0], seconds=40.0),)).seconds == 40
    unknown = replace(judging, seconds=None)
    assert replace(plan, readers=(replace(plan.readers[0], seconds=40.0),), judge=unknown).seconds is None


def test_the_plan_adds_the_judge() -> None:
    one = trial()
    alone = make_plan([one], set(), {"r": 1}, {"r": PRICE}, {})
    judging = judge_plan(JUDGE, [one], [one], [])
    plan = make_plan([one], set(), {"r": 1}, {"r": PRICE}, {}, judge=judging)
    assert plan.calls == 2
    assert plan.tokens_at_most - alone.tokens_at_most == judging.tokens_at_most
    assert (alone.usd, alone.usd_at_most, judging.usd) != (None, None, None)
    assert plan.usd == (alone.usd or 0) + (judging.usd or 0)
    assert plan.usd_at_most == (alone.usd_at_most or 0) + (judging.usd_at_most or 0)
    unpriced = judge_plan(replace(JUDGE, price=None), [one], [one], [])
    assert make_plan([one], set(), {"r": 1}, {"r": PRICE}, {}, judge=unpriced).usd is None


def test_a_judge_as_it_is_asked() -> None:
    assert asked_judge(None, {}) is None
    judge = resolve_judge("m", "https://gateway.example/v1")
    assert asked_judge(judge, {}) == AskedJudge("m", None, 3, 2048)
    own = own_price(Decimal(1), Decimal(1), Decimal(2))
    assert asked_judge(judge, {"m": own}) == AskedJudge("m", own, 3, 2048)
    near = asked_judge(resolve_judge("m", "http://127.0.0.1:1/v1"), {})
    assert near
    assert near.price == FREE
