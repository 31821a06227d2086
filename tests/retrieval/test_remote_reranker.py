"""A real HTTP server on loopback that speaks Cohere's rerank protocol, and misbehaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from niah.readers.patience import Patience
from niah.retrieval.remote import RemoteReranker
from tests.loopback import Post, replying
from tests.loopback import Reply as HttpReply

MODEL = "cohere/rerank-v3.5"
KEY = "co-private-0123456789"
QUICK = Patience(attempts=3, timeout_s=5.0, first_wait_s=0.01, longest_wait_s=2.0, gone_s=0)

Reply = tuple[int, Any]


def relevance(text: str) -> float:
    """That a test can foresee."""
    return text.count("bell") / 4


def well(body: dict[str, Any]) -> Reply:
    found = [{"index": i, "relevance_score": relevance(text)} for i, text in enumerate(body["documents"])]
    found.sort(key=lambda each: -each["relevance_score"])
    return 200, {"id": "1", "results": found, "meta": {"billed_units": {"search_units": 1}}}


@dataclass
class Endpoint:
    """Answers request n by reply n; the last reply stays."""

    replies: list[Callable[[dict[str, Any]], Reply]] = field(default_factory=lambda: [well])
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    endpoint = Endpoint()

    def reply(post: Post) -> HttpReply:
        endpoint.bodies.append(post.body)
        endpoint.keys.append(post.headers["Authorization"])
        reply = endpoint.replies[min(len(endpoint.bodies), len(endpoint.replies)) - 1]
        status, answer = reply(post.body)
        return HttpReply(answer, status)

    with replying(reply) as address:
        monkeypatch.setenv("COHERE_API_BASE", address)
        monkeypatch.setenv("COHERE_API_KEY", KEY)
        yield endpoint


def scores(texts: list[str], query: str = "Which bell?") -> list[float]:
    return [float(score) for score in RemoteReranker(MODEL, QUICK).relevance(query, texts)]


def test_scores_are_in_the_order_of_the_texts(endpoint: Endpoint) -> None:
    assert scores(["a bell", "gulls", "bell on bell"]) == [0.25, 0, 0.5]
    (body,) = endpoint.bodies
    assert body["query"] == "Which bell?"
    assert body["documents"] == ["a bell", "gulls", "bell on bell"]
    assert body["model"] == "rerank-v3.5"
    assert [key and key.split()[-1] for key in endpoint.keys] == [KEY]


def test_a_text_longer_than_the_model_reads_has_the_score_of_its_best_part(endpoint: Endpoint) -> None:
    assert scores(["gull " * 4000 + "bell bell bell", "bell", " "]) == [0.75, 0.25, 0]
    (body,) = endpoint.bodies
    # 8,000 tokens in parts of seven tenths of 4,096.
    assert len(body["documents"]) == 3 + 2
    assert body["documents"][-1] == "."
