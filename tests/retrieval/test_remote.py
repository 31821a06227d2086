"""A real HTTP server on loopback that speaks the OpenAI embeddings protocol, and misbehaves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from niah.cache import Cache
from niah.errors import ReaderConfigError, StrategyError, UserError
from niah.readers.retry import Patience
from niah.retrieval.dense import DenseRetriever
from niah.retrieval.remote import RemoteEncoder
from niah.text.embedding import Embedder
from tests.loopback import Post, replying
from tests.loopback import Reply as HttpReply

MODEL = "openai/text-embedding-3-small"
KEY = "sk-private-0123456789"
QUICK = Patience(attempts=3, timeout_s=5.0, first_wait_s=0.01, longest_wait_s=2.0, gone_s=0)

Reply = tuple[int, Any]


def counted(text: str) -> list[float]:
    """An embedding that a test can foresee: how many a, b and c there are, and a little of its own."""
    return [float(text.count(letter)) for letter in "abc"] + [0.5]


def well(body: dict[str, Any]) -> Reply:
    texts = body["input"]
    data = [{"object": "embedding", "index": i, "embedding": counted(text)} for i, text in enumerate(texts)]
    return 200, {"object": "list", "data": data, "model": body["model"], "usage": {"prompt_tokens": 1}}


@dataclass
class Endpoint:
    """Answers by ``reply``."""

    reply: Callable[[dict[str, Any]], Reply] = well
    posts: list[Post] = field(default_factory=list)

    @property
    def inputs(self) -> list[list[str]]:
        return [post.body["input"] for post in self.posts]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    endpoint = Endpoint()

    def reply(post: Post) -> HttpReply:
        endpoint.posts.append(post)
        status, answer = endpoint.reply(post.body)
        return HttpReply(answer, status)

    with replying(reply) as address:
        monkeypatch.setenv("OPENAI_API_BASE", f"{address}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield endpoint


def unit(text: str) -> list[float]:
    row = np.array(counted(text))
    return list((row / np.linalg.norm(row)).astype(np.float32))


def encoded(texts: list[str], model: str = MODEL) -> list[Any]:
    return RemoteEncoder(model, QUICK).encode(texts, "passage")


def test_embeddings_are_scaled_and_in_order(endpoint: Endpoint) -> None:
    def backwards(body: dict[str, Any]) -> Reply:
        status, good = well(body)
        return status, good | {"data": good["data"][::-1]}

    endpoint.reply = backwards
    rows = encoded(["aab", "c", "aab"])
    assert [row.tolist() for row in rows] == [[unit("aab")], [unit("c")], [unit("aab")]]
    assert {row.dtype for row in rows} == {np.dtype(np.float32)}
    assert endpoint.inputs == [["aab", "c", "aab"]]
    (post,) = endpoint.posts
    assert (post.body["model"], post.headers["Authorization"]) == ("text-embedding-3-small", f"Bearer {KEY}")


def test_a_text_longer_than_the_model_reads_comes_in_windows(endpoint: Endpoint) -> None:
    # 512 tokens is what litellm knows of the model; 700 words make more.
    text = " ".join(["bee"] * 699 + ["aardvark"])
    (rows,) = encoded([text], "openai/of-unknown-limit")
    (sent,) = endpoint.inputs
    assert len(rows) == len(sent) == 3
    assert sent[-1].endswith("aardvark")
    assert all(len(window.split()) <= 0.7 * 512 for window in sent)


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (401, ReaderConfigError, "refuses to embed: HTTP 401"),
        (400, StrategyError, "could not embed: HTTP 400"),
        (404, StrategyError, "could not embed: HTTP 404"),
    ],
)
def test_a_refusal_is_not_tried_again(
    endpoint: Endpoint, status: int, error: type[UserError], says: str
) -> None:
    endpoint.reply = lambda body: (status, {"error": {"message": f"Incorrect API key: {KEY}"}})
    with pytest.raises(error, match=says) as caught:
        encoded(["ab"])
    assert len(endpoint.posts) == 1
    assert KEY not in str(caught.value)


def test_a_retriever_over_it_asks_for_each_text_once(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Cache("vectors", path=tmp_path / "vectors.sqlite")

    def retriever() -> DenseRetriever:
        return DenseRetriever(Embedder(MODEL, RemoteEncoder(MODEL, QUICK), disk))

    chunks = ["bbb", "aaac", "ccc", "bbb"]
    scores = retriever().score("aaa", chunks)
    # Of (3, 0, 0, 1/2) and (3, 0, 1, 1/2): 9.25 / sqrt(9.25 x 10.25), in float16's 11 bits each.
    assert scores.argmax() == 1
    assert scores[1] == pytest.approx((9.25 / 10.25) ** 0.5, abs=2**-11)
    assert scores[0] == scores[3]
    assert sorted(chain.from_iterable(endpoint.inputs)) == ["aaa", "aaac", "bbb", "ccc"]
    endpoint.posts.clear()
    assert retriever().score("aaa", chunks).tolist() == scores.tolist()
    assert endpoint.posts == []
    # The same model's name at another address is another model.
    monkeypatch.setenv("OPENAI_API_BASE", os.environ["OPENAI_API_BASE"].replace("127.0.0.1", "localhost"))
    retriever().score("aaa", chunks)
    assert endpoint.posts != []
