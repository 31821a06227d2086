"""Estimates against what is really sent and embedded, and by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.judges.registry import resolve_judge
from niah.readers.reader import Usage
from niah.runs.config import RunConfig
from niah.runs.cost.estimate import (
    Plan,
    Use,
    estimate,
    judge_prompt_tokens,
    retrieval_uses,
    tokens_of,
)
from niah.runs.cost.prices import Price, Rates
from niah.runs.execution.prepare import prepare
from niah.runs.file.read import RunContents
from niah.runs.trial import Trial, TrialRecord
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer
from tests.samples import unbuilt

PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01")),))
EMBEDDER = "openai/text-embedding-3-small"


def trial(
    strategy: str = "lc", length: int = 1000, reader: str = "r", depth: float = 50, **case: Any
) -> Trial:
    made = Case("three-gates", "essays", length, depth, **case)
    return Trial(sample_of(made), parse(strategy), reader, 0, 64)


def record(of: Trial, usage: Usage, own: int | None = None, **more: Any) -> TrialRecord:
    """What a run file holds of a finished trial."""
    sample = of.sample
    return TrialRecord(
        of.trial_id, sample.sample_id, sample.needle_set, sample.haystack, sample.context_length,
        sample.depth, sample.seed, of.strategy.name, of.reader, of.repeat, "scored",
        prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens,
        own_prompt_tokens=own, definition=of.strategy.definition, **more,
    )  # fmt: skip


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
        "prices": {name: price for name in (*names, "m", EMBEDDER) if price},
    }
    return cast(RunConfig, SimpleNamespace(**made))


def plan(
    todo: list[Trial],
    records: list[TrialRecord] = [],  # noqa: B006
    judge: str = "rubric",
    price: Price | None = PRICE,
) -> Plan:
    run = cast(
        RunContents,
        SimpleNamespace(
            latest_first=records, preparations=(), samples={t.sample.sample_id: t.sample for t in todo}
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
    lacks_a_verdict = replace(record(trials[1], Usage()), outcome="judge_error")
    unjudged = plan(trials, [lacks_a_verdict])
    assert (unjudged.calls, unjudged.most) == (1, plan(trials[:1]).most)
    assert plan(trials, price=None).usd is None
    assert plan([]).usd == 0


def test_what_was_seen_changes_what_is_expected() -> None:
    done = [
        record(trial(), Usage(1100, 10), 1000),
        record(trial(), Usage(3100, 20), 3000),
        record(trial(), Usage()),  # an error tells nothing
    ]
    made = plan([trial(length=1000)], done)
    # 4200 reported of 4000 counted, so 1050 x 0.001; the mean of 10 and 20 tokens, 15 x 0.01.
    assert made.usd == Decimal("1.2")
    # 1100 of the 1032 allowed: 1032 x 1100/1032 = 1100 tokens, then 64 x 0.01.
    assert made.most.usd == Decimal("1.1") + Decimal("0.64")


def test_judging_by_hand() -> None:
    trials = [trial(length=length) for length in (1000, 2000)]
    own = judge_prompt_tokens(trials[0].sample)
    (judge,) = (made := plan(trials, judge="m")).of("judge")
    # Two verdicts, of 200 tokens each.
    assert (judge.calls, judge.prompt_tokens, judge.answer_tokens) == (2, 2 * own, 400)
    assert judge.usd == 2 * own * Decimal("0.001") + 4
    assert made.most.usd == (plan(trials).most.usd or 0) + judge.usd
    assert plan([trial(length=600)] * 100, judge="rubric+m").of("judge")[0].calls == 35


def embedded(strategy: str, length: int, depth: float = 50, **more: Any) -> Trial:
    case = Case("three-gates", "essays", length, depth, **more)
    return Trial(unbuilt(case), parse(f"{EMBEDDER}/top-5/norm{strategy}"), "r", 0, 64)


def embedding(todo: list[Trial], done: list[Trial] = []) -> Use:  # noqa: B006
    (made,) = retrieval_uses(config(todo), todo, done)
    return made


QUESTION = count(get_tokenizer("cl100k"), embedded("@100", 1000).sample.key.question)


def test_what_is_embedded_is_near_the_estimate() -> None:
    places = [(length, depth, seed) for length in (2048, 8192) for depth in (0, 50, 100) for seed in (1, 2)]
    tokenizer = get_tokenizer("cl100k")
    texts = [build_context(Case("three-gates", "essays", *place)).text for place in places]
    for chunks in ("", "@sentences", "@100"):
        plan = parse(f"{EMBEDDER}/top-5/norm{chunks}").retrieval
        assert plan
        cut = ((text, plan.chunker.chunks(text, tokenizer.starts(text))) for text in texts)
        distinct = {text[c.start : c.end] for text, found in cut for c in found}
        tokens = sum(count(tokenizer, text) for text in distinct) + 2 * QUESTION
        planned = embedding([embedded(chunks, length, depth, seed=seed) for length, depth, seed in places])
        assert 0.75 <= planned.prompt_tokens / tokens <= 1.5, chunks


def test_embedding_by_hand() -> None:
    short, long, other = embedded("@100", 1000), embedded("@100", 3000), embedded("@100", 3000, 25)
    alone = embedding([long])
    assert alone.prompt_tokens == long.sample.tokens + QUESTION
    assert (alone.calls, alone.answer_tokens) == (2, 0)
    assert alone.usd == alone.prompt_tokens * Decimal("0.001")
    # Three needles, two passages each, are all that the others have of their own; the longest counts whole.
    assert embedding([short, long, other]).prompt_tokens == long.sample.tokens + 2 * 3 * 2 * 100 + QUESTION
    # Another strategy, repeat or reader that cuts alike embeds nothing anew, nor do finished trials.
    alike = Trial(long.sample, parse(f"{EMBEDDER}/half/document@100"), "another", 1, 64)
    hybrid = Trial(long.sample, parse(f"hybrid:{EMBEDDER}/top-5/norm@100"), "r", 0, 64)
    assert embedding([long, alike, hybrid]).prompt_tokens == alone.prompt_tokens
    assert embedding([other], [long]).prompt_tokens == 3 * 2 * 100
    one = embedded("@windows", 2000)  # steps of 500 tokens make 600/500 of it
    assert embedding([one]).prompt_tokens == -(-one.sample.tokens * 6 // 5) + QUESTION


def test_a_preparing_model_is_expected_to_take_less_than_its_bounds() -> None:
    trials = [trial("readagent-2", 4000)]
    (preparing,) = plan(trials).of("preparing")
    assert preparing.usd is not None
    assert preparing.most.usd is not None
    # Gists fill a third of their room, and so does what is asked about them.
    assert preparing.usd < preparing.most.usd / 2
    assert preparing.answer_tokens * 3 <= (preparing.most.tokens or 0) - preparing.prompt_at_most + 3 * 3


def test_reranking_reads_each_sample_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = "cohere/rerank-v3.5"
    long, alike = (
        trial(f"bm25+{name}/top-5/norm@100", 30_000),
        trial(f"bm25+{name}/half/document@100", 30_000),
    )
    (made,) = retrieval_uses(config([long]), [long, alike], [])
    # A hundred passages of 70 tokens or so, the question beside each.
    assert (made.role, made.name.removeprefix("litellm:"), made.calls) == ("reranker", name, 1)
    assert 100 * QUESTION < made.prompt_tokens <= 100 * (100 + QUESTION)
    assert retrieval_uses(config([long]), [long], [alike])[0].calls == 0
