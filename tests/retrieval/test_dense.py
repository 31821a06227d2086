"""Scores of embeddings by hand; an endpoint that speaks OpenAI's protocol of embeddings, and misbehaves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from niah.cache import Cache
from niah.errors import UserError
from niah.readers.reader import Patience
from niah.retrieval.dense import DenseRetriever, HybridRetriever, StaticRetriever
from niah.retrieval.remote import RemoteEncoder
from niah.text.chunks import windows
from niah.text.embedding import Embedder, TextSide
from niah.text.tokenizer import get_tokenizer
from tests.loopback import Post, replying
from tests.loopback import Reply as HttpReply


class _Known(Embedder):
    """Gives the embeddings that a function knows; notes the passages."""

    def __init__(self, rows: Callable[[str], list[list[float]]]) -> None:
        self.name, self._rows, self.embedded = "known", rows, set[str]()

    def embed(
        self, texts: Sequence[str], side: TextSide = "passage", *, anew: bool = False
    ) -> list[NDArray[np.float32]]:
        self.embedded |= {text for text in texts if side == "passage"}
        return [np.array(self._rows(text), dtype=np.float32) for text in texts]


def test_a_score_is_that_of_the_best_pair_of_windows() -> None:
    # The query's windows point east and north. "a" has one to the south, "b" one to the west and one at
    # 3-4-5 to the north-east: its cosine to the north, 0.8, beats that to the east, 0.6.
    rows: dict[str, list[list[float]]] = {
        "query": [[1, 0], [0, 1]],
        "a": [[0, -1]],
        "b": [[-1, 0], [0.6, 0.8]],
        "c": [[1, 0]],
    }
    retriever = DenseRetriever(_Known(rows.__getitem__))
    assert retriever.score("query", ["a", "b", "c", "b"]).tolist() == [0, 0.8, 1, 0.8]
    # The mean of "b" is (-0.2, 0.4), scaled by the root of 0.2.
    mean = np.array([[-0.2, 0.4], [np.sqrt(0.2), 0]]) / np.sqrt(0.2)
    assert np.allclose(retriever.vectors(["b", "c"]), mean)


ANSWER = "The lantern hangs in the boathouse. It is lit at dusk."
SENTENCES = [
    f"In year {year} the harbour took {year * 7 % 61} boats and {year * 5 % 43} crates."
    for year in range(400)
]


def _windows(sentences: Sequence[str]) -> list[str]:
    text, tokenizer = " ".join(sentences), get_tokenizer("cl100k")
    return [text[chunk.start : chunk.end] for chunk in windows(text, tokenizer.starts(text))]


@pytest.mark.parametrize("depth", [0, 100, 333])
def test_at_another_depth_only_the_needle_is_embedded(depth: int) -> None:
    counting = _Known(lambda text: [[1, 0] if "lantern" in text else [0, 1]])  # east for the answer
    DenseRetriever(counting, in_sentences=True).score("lantern", _windows([*SENTENCES, ANSWER]))
    before = set(counting.embedded)
    assert before == {*SENTENCES, "The lantern hangs in the boathouse.", "It is lit at dusk."}
    chunks = _windows([*SENTENCES[:depth], ANSWER, *SENTENCES[depth:]])
    scores = DenseRetriever(counting, in_sentences=True).score("lantern", chunks)
    assert {i for i, text in enumerate(chunks) if "The lantern hangs" in text} == set(np.flatnonzero(scores))
    assert counting.embedded == before


def test_static_vectors_are_means_of_a_table(tmp_path: Path) -> None:
    words = Tokenizer(WordLevel({"red": 0, "fox": 1, "hen": 2, "?": 3}, unk_token="?"))
    words.pre_tokenizer = Whitespace()
    words.post_processor = TemplateProcessing(single="hen $A", special_tokens=[("hen", 2)])
    words.enable_padding(length=9, pad_id=2)
    words.enable_truncation(1)
    words.save(str(tmp_path / "l2_supercat_tokenizer_config.json"))
    table = np.zeros((4, 256), dtype=np.float16)
    table[[0, 1, 2], [0, 1, 2]] = 1
    header = b'{"embedding.weight": {}}'
    file = len(header).to_bytes(8, "little") + header + table.tobytes()
    (tmp_path / "l2_supercat_256.safetensors").write_bytes(file)
    static = StaticRetriever(tmp_path)
    # "red fox" is (1, 1, 0) / sqrt(2).
    assert static.score("fox", ["red fox", "fox", "hen", ""]) == pytest.approx([0.5**0.5, 1, 0, 0], abs=1e-6)
    assert static.score("fox", []).shape == (0,)


class _Fixed:
    """Gives the scores that it was made with."""

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array(self._scores[: len(texts)])


def test_the_papers_weights_over_cosines_as_they_are() -> None:
    hybrid = HybridRetriever(dense=_Fixed(0.8, -1, 0.2), sparse=_Fixed(0.0, 0.4, 1))
    # 0.85 x 0.8; -0.85 + 0.15 x 0.4; 0.85 x 0.2 + 0.15.
    assert np.allclose(hybrid.score("q", ["a", "b", "c"]), [0.68, -0.79, 0.32])


MODEL = "openai/text-embedding-3-small"
KEY = "sk-private-0123456789"
QUICK = Patience(attempts=3, timeout_s=5.0, first_wait_s=0.01, gone_s=0)

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
    monkeypatch.setattr("niah.retrieval.remote._PATIENCE", QUICK)

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
    return RemoteEncoder(model).encode(texts, "passage")


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
    ("status", "error", "says", "posts"),
    [
        *((status, UserError, f"refuses to embed: HTTP {status}", 1) for status in (401, 403)),
        # The second time with one text alone.
        *((status, UserError, f"could not embed: HTTP {status}", 2) for status in (400, 413, 422)),
        (404, UserError, "could not embed: HTTP 404", 1),
        (500, UserError, "could not embed: after 3 attempts: HTTP 500", 3),
    ],
)
def test_what_passes_is_tried_again_and_a_refusal_is_not(
    endpoint: Endpoint, status: int, error: type[UserError], says: str, posts: int
) -> None:
    endpoint.reply = lambda body: (status, {"error": {"message": f"Incorrect API key: {KEY}"}})
    with pytest.raises(error, match=says) as caught:
        encoded(["ab", "cd"])
    assert len(endpoint.posts) == posts
    assert KEY not in str(caught.value)


def test_a_retriever_over_it_asks_for_each_text_once(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Cache("vectors", path=tmp_path / "vectors.sqlite")

    def retriever() -> DenseRetriever:
        return DenseRetriever(Embedder(MODEL, RemoteEncoder(MODEL), disk))

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
