"""What reranking will take at an endpoint, by hand and against what is really sent."""

from __future__ import annotations

from decimal import Decimal

import pytest

from niah.cases.case import Case
from niah.runs.cost.estimate.planned_use import PlannedUse
from niah.runs.cost.prices.price import NO_PRICE_SET, Price, Rates
from niah.runs.cost.prices.retrieval_prices import reranker_price
from niah.runs.cost.reranking import plan_reranking, rerankers_of
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer
from tests.samples import unbuilt

NAME = "cohere/rerank-v3.5"
PER_CALL = Price((Rates(0, Decimal(0), Decimal(0), Decimal(0)),), call=Decimal("0.002"))
PER_TOKEN = Price((Rates(0, Decimal("0.01"), Decimal("0.01"), Decimal(0)),))


def trial(length: int, axes: str = "top-5/norm@100", reader: str = "r", first: str = "bm25") -> Trial:
    case = Case("three-gates", "essays", length, 50)
    return Trial(unbuilt(case), parse(f"{first}+{NAME}/{axes}"), reader, 0, 64)


QUESTION = count(get_tokenizer("cl100k"), trial(1000).sample.key.question)


def plan(left: list[Trial], done: list[Trial] | None = None, price: Price | None = PER_CALL) -> PlannedUse:
    (made,) = plan_reranking(left, done or [], {NAME: price})
    return made


def test_a_request_for_each_case_retriever_and_cut() -> None:
    one = trial(1000)
    same = [trial(1000, "half/reverse@100"), trial(1000, reader="another")]
    assert plan([one, *same]).calls == 1
    others = [trial(2000), trial(1000, "top-5/norm@sentences"), trial(1000, first="tfidf")]
    made = plan([one, *same, *others])
    assert (made.calls, made.usd, made.answer_tokens) == (4, Decimal("0.008"), 0)
    assert plan([one, *others], [same[0]]).calls == 3


def test_tokens_by_hand() -> None:
    # Passages of 100 tokens have about 70: 14 of them in what a context of 1,000 has room for (940), the best
    # 100 of 32,000.
    assert trial(1000).sample.tokens == 940
    assert plan([trial(1000)]).prompt_tokens == 940 + 14 * QUESTION
    assert plan([trial(32_000)]).prompt_tokens == 100 * (70 + QUESTION)
    priced = plan([trial(32_000)], price=PER_TOKEN)
    assert priced.usd == priced.prompt_tokens * Decimal("0.01")
    assert plan([trial(1000)], price=None).usd is None


def test_whose_requests_are_planned() -> None:
    names = [
        "bm25+./m/top-5/norm",
        "bm25+a/b/top-5/norm",
        "lc",
        "bm25/top-5/norm",
        f"minilm+{NAME}/half/norm",
    ]
    assert rerankers_of([parse(name) for name in names]) == (NAME,)


@pytest.mark.parametrize(
    ("model", "environment", "price"),
    [
        ("cohere/rerank-v3.5", {}, PER_CALL),
        ("voyage/rerank-2", {}, Price((Rates(0, Decimal("5e-8"), Decimal("5e-8"), Decimal(0)),))),
        ("cohere/of-no-table", {}, None),
        ("nvidia_nim/nvidia/nv-rerankqa-mistral-4b-v3", {}, None),
        ("cohere/command-r", {}, None),
        ("hosted_vllm/bge", {"HOSTED_VLLM_API_BASE": "http://127.0.0.1:8000"}, NO_PRICE_SET),
        ("litellm:cohere/rerank-v3.5", {}, PER_CALL),
    ],
)
def test_prices(model: str, environment: dict[str, str], price: Price | None) -> None:
    assert reranker_price(model, environment) == price
