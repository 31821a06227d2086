"""Estimates against what is really sent, and by hand."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.judges.registry import resolve_judge
from niah.readers.reader import Usage
from niah.runs.config import RunConfig
from niah.runs.cost.estimate import Plan, estimate, judge_prompt_tokens, tokens_of
from niah.runs.cost.prices import Price, Rates
from niah.runs.execution.prepare import prepare
from niah.runs.file.read import RunContents
from niah.runs.trial import PreparationCall, Trial
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer
from tests.analysis.small_trials import Row, row

PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01")),))


def trial(
    strategy: str = "lc", length: int = 1000, reader: str = "r", depth: float = 50, **case: Any
) -> Trial:
    made = Case("three-gates", "essays", length, depth, **case)
    return Trial(sample_of(made), parse(strategy), reader, 0, 64)


def record(of: Trial, usage: Usage, own: int | None = None, **more: Any) -> Row:
    """What a run file holds of a finished trial."""
    known = {
        **{"trial_id": of.trial_id, "case_id": of.sample.sample_id, "strategy": of.strategy.name},
        **{"reader": of.reader, "repeat": of.repeat, "outcome": "scored", "own_prompt_tokens": own},
        **{"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens},
        **{"definition": of.strategy.definition, **more},
    }
    return row(**known)


def config(trials: list[Trial], judge: str = "rubric", price: Price | None = PRICE) -> RunConfig:
    names = dict.fromkeys(one.reader for one in trials)
    asked = resolve_judge(judge, None if judge == "rubric" else "https://gateway.example/v1")
    readers = [SimpleNamespace(name=name, settings={"provider": "none"}, concurrency=1) for name in names]
    made = {
        "readers": readers,
        "preparing": (),
        "preparer": None,
        "judge": asked,
        "strategies": list(dict.fromkeys(one.strategy for one in trials)),
        "prices": {name: price for name in (*names, "m") if price},
    }
    return cast(RunConfig, SimpleNamespace(**made))


def plan(
    todo: list[Trial],
    records: list[Row] = [],  # noqa: B006
    judge: str = "rubric",
    price: Price | None = PRICE,
    preparations: list[PreparationCall] = [],  # noqa: B006
) -> Plan:
    run = cast(
        RunContents,
        SimpleNamespace(
            latest_first=records,
            preparations=preparations,
            samples={t.sample.sample_id: t.sample for t in todo},
        ),
    )
    return estimate(config(todo, judge, price), todo, todo, run)


@pytest.mark.parametrize("length", [700, 3000])
@pytest.mark.parametrize(
    "strategy",
    [
        *("lc", "closed-book", "oracle", "oracle+noise-0.7", "mixpr/top-5/norm+noise-0.8"),
        *("tfidf/top-3/norm@100", "tfidf/top-3/norm@100+noise-0.9", "tfidf/half/document@600-100+noise-0.6"),
        *(
            "tfidf/top-2/document",
            "tfidf/top-auto/sides",
            "tfidf/budget-300/norm",
            "tfidf/top-5/norm@sentences",
        ),
    ],
)
def test_no_prompt_is_above_its_bound(strategy: str, length: int) -> None:
    planned = trial(strategy, length)
    prepared = prepare(planned, lambda _: None)
    sent = count(get_tokenizer("cl100k"), prepared.request.prompt)
    tokens = tokens_of(planned)
    assert sent <= tokens.prompt_at_most
    assert tokens.prompt <= tokens.prompt_at_most


def test_bounds_by_hand() -> None:
    # Closed-book sends the prompt alone: P. Every other bound is P and 32 above what stands in its place.
    empty = tokens_of(trial("closed-book", 2000))
    prompt, room = empty.prompt, 2000 - empty.prompt
    bounds = {
        "closed-book": (0, 0),
        "lc": (room, room),
        "tfidf/half/norm": (room // 2, room // 2),
        "tfidf/budget-300/norm": (300, 300),
        "tfidf/top-5/norm@100": (500, 540),  # 8 more each where they are joined
        "tfidf/top-auto/norm@100": (500, 540),  # 3 needles: 5 chunks
        "tfidf/top-50/norm@100": (room, room + 50 * 8),  # the context has no more than its room
        "tfidf/top-10/norm": (room * 600 // 500, 10 * 608),  # windows share 100 tokens
        "tfidf/top-5/norm@100+noise-0.8": (1500, room),  # 3 needles' passages are a fifth of 15
    }
    for strategy, (expected, most) in bounds.items():
        tokens = tokens_of(trial(strategy, 2000))
        assert (tokens.prompt, tokens.prompt_at_most) == (prompt + expected, prompt + most + 32), strategy


def test_a_plan_by_hand() -> None:
    trials = [trial(length=1000), trial(length=2000)]
    (reader,) = (made := plan(trials)).parts
    answer = tokens_of(trials[0]).answer
    assert (reader.calls, reader.prompt_tokens, reader.answer_tokens) == (2, 3000, 2 * answer)
    # 3000 x 0.001 + answers x 0.01; 32 more for each of two chats, 64 tokens for each answer.
    assert made.usd == 3 + 2 * answer * Decimal("0.01")
    assert made.most.tokens == 3064 + 128
    assert made.most.usd == Decimal("4.344")
    lacks_a_verdict = record(trials[1], Usage(), outcome="judge_error")
    unjudged = plan(trials, [lacks_a_verdict])
    assert (unjudged.calls, unjudged.most) == (1, plan(trials[:1]).most)
    assert plan(trials, price=None).usd is None
    assert plan([]).usd == 0


def test_answers_are_expected_as_long_as_those_seen() -> None:
    # The mean of 10 and 20 tokens, 15 x 0.01; an error tells nothing.
    done = [record(trial(), usage) for usage in (Usage(1100, 10), Usage(3100, 20), Usage())]
    assert plan([trial(length=1000)], done).usd == Decimal("1.15")


def test_judging_by_hand() -> None:
    trials = [trial(length=length) for length in (1000, 2000)]
    own = judge_prompt_tokens(trials[0].sample.key, "cl100k")
    (judge,) = (made := plan(trials, judge="m")).of("judge")
    # Two verdicts, of 200 tokens each.
    assert (judge.calls, judge.prompt_tokens, judge.answer_tokens) == (2, 2 * own, 400)
    assert judge.usd == 2 * own * Decimal("0.001") + 4
    assert made.most.usd == (plan(trials).most.usd or 0) + judge.usd
    assert plan([trial(length=600)] * 100, judge="rubric+m").of("judge")[0].calls == 35


def test_a_model_that_prepares_counts_with_its_bounds_until_it_has_begun() -> None:
    trials = [trial("readagent-2", 4000)]
    (preparing,) = plan(trials).of("preparing")
    assert (preparing.most.tokens or 0) == preparing.prompt_tokens + preparing.answer_tokens > 0
    assert preparing.usd == preparing.most.usd
    made = [PreparationCall(
        trials[0].strategy.definition, trials[0].sample.sha256, trial_id, "", "gist", "r", Usage(), None,
        from_cache=False, is_understood=True, is_cut=False,
    ) for trial_id in ("", trials[0].trial_id)]  # fmt: skip
    assert plan(trials, preparations=made[:1]).of("preparing")[0].calls == 1
    assert plan(trials, preparations=made).of("preparing")[0].calls == 0
