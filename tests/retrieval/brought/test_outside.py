"""Functions and services that are asked, and what is said of those that fail."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import pytest

from niah.errors import OutsideError, StrategyError
from niah.readers.http.retries.patience import Patience
from niah.retrieval.brought.function import UserFunction, load_function
from niah.retrieval.brought.loading import outside
from niah.retrieval.brought.service import UserService
from niah.text.embedding.watch import EmbeddingWatch, watched
from tests.loopback import Post, Reply, replying

QUICK = Patience(attempts=3, first_wait_s=0.01, longest_wait_s=0.05, limited_s=0.012)


def alone(question: str) -> list[str]:
    return []


async def later(question: str, chunks: list[str]) -> list[str]:
    await asyncio.sleep(0)
    return chunks[::-1]


def leaves(question: str, chunks: list[str]) -> list[str]:
    raise SystemExit("the index is gone")


class Rag:
    def find(self, question: str, chunks: list[str]) -> list[str]:
        return chunks


came_back: list[str] = []


def hangs(question: str, chunks: list[str]) -> list[str]:
    time.sleep(60)
    came_back.append(question)
    return chunks


def test_a_function_may_be_async_and_is_found_in_a_file(tmp_path: Path) -> None:
    assert UserFunction("py:later", later).ask(question="Which?", chunks=["a", "b"]) == ["b", "a"]
    file = tmp_path / "turned_rag.py"
    file.write_text(
        "class Rag:\n    @staticmethod\n    def find(question, chunks):\n        return chunks[1:]\n"
    )
    assert outside(f"py:{file}:Rag.find").ask(question="Which?", chunks=["a", "b"]) == ["b"]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (leaves, "py:mine failed: SystemExit: the index is gone."),
        (hangs, "py:mine failed: nothing came back within 0.3 s."),
    ],
)
def test_a_function_that_fails(function: Callable[..., Any], says: str) -> None:
    came_back.clear()
    with pytest.raises(OutsideError) as error:
        UserFunction("py:mine", function, limit_s=0.3).ask(question="Which?", chunks=[])
    assert error.value.message == says
    assert not came_back, "nobody waits for it"


def test_nobody_waits_for_a_function_whose_run_was_broken_off() -> None:
    watch = EmbeddingWatch(lambda line: None)
    watch.stop()
    came_back.clear()
    with watched(watch), pytest.raises(CancelledError):
        UserFunction("py:mine", hangs).ask(question="Which?", chunks=[])
    assert not came_back


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (
            "./absent.py:find",
            "cannot be loaded: FileNotFoundError: no file ./absent.py. Mend it, or its name.",
        ),
        ("no_such_module:find", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'."),
        ("json:no_such", "cannot be loaded: AttributeError: module 'json' has no attribute 'no_such'."),
        ("json:__name__", "is no function: its type is str. Name a function, or a method as py:MODULE:"),
        (
            f"{__name__}:alone",
            "alone takes (question: 'str') -> 'list[str]', and is called with two arguments",
        ),
        (f"{__name__}:Rag", "document. Of a class make an object in that file, and name it, or its method"),
        (f"{__name__}:Rag.find", "document. Of a class make an object in that file"),
    ],
)
def test_a_function_that_is_not_there(reference: str, says: str) -> None:
    with pytest.raises(StrategyError, match="py:") as error:
        load_function(reference)
    assert says in str(error.value)


def test_a_service_gets_the_fields_as_json() -> None:
    posts: list[Post] = []

    def reply(post: Post) -> Reply:
        posts.append(post)
        return Reply({"order": [1]})

    with replying(reply) as address:
        assert outside(f"{address}/find").ask(question="Wo?", chunks=["ä", "b"]) == {"order": [1]}
    assert (posts[0].path, posts[0].body) == ("/find", {"question": "Wo?", "chunks": ["ä", "b"]})


FAULTS = [
    (Reply({"detail": "no index"}, 404), 1, "HTTP 404: no index"),
    (Reply(b"<h1>Bad gateway</h1>", 502), 3, "after 3 attempts: HTTP 502: <h1>Bad gateway</h1>"),
    (Reply({"error": "slow down"}, 429), 2, "HTTP 429: slow down"),
    (Reply({"error": "later"}, 429, {"Retry-After": "600"}), 1, "asked to wait 600 s: HTTP 429: later"),
    (Reply(b"chunks: none"), 1, "HTTP 200: the reply is no JSON: unexpected character"),
    (Reply(b"data: {}\n\n", 200, {"Content-Type": "text/event-stream"}), 1, "no JSON but a stream of events"),
    (Reply(b'{"chunks": ["a'), 1, "HTTP 200: the reply is no JSON"),
    (Reply(b"", 302, {"Location": "http://example.com/"}), 1, "HTTP 302: no message"),
    (Reply(b"{}", 200, {"Content-Encoding": "br"}), 3, "encoded as 'br', which was not asked for"),
]


@pytest.mark.parametrize(("fault", "attempts", "says"), FAULTS)
def test_a_service_that_fails(fault: Reply, attempts: int, says: str) -> None:
    posts: list[Post] = []

    def reply(post: Post) -> Reply:
        posts.append(post)
        return fault

    with replying(reply) as address, pytest.raises(OutsideError) as error:
        UserService(address, patience=QUICK).ask(question="Which?", chunks=[])
    assert says in error.value.message
    assert error.value.message.startswith(f"{address} failed: ")
    assert len(posts) == attempts


def test_a_service_that_hangs_and_one_that_comes_back() -> None:
    replies = iter([Reply({}, 503), Reply({"order": []})])

    def hang(post: Post) -> Reply:
        time.sleep(1)
        return Reply({})

    with replying(hang) as address, pytest.raises(OutsideError, match=r"no complete reply within 0\.2 s"):
        UserService(address, limit_s=0.2).ask(question="Which?", chunks=[])
    with replying(lambda post: next(replies)) as address:
        assert UserService(address, patience=QUICK).ask(question="Which?", chunks=[]) == {"order": []}


def test_nothing_listens() -> None:
    with replying(lambda post: Reply({})) as address:
        pass
    with pytest.raises(StrategyError, match=r"nothing answers at http://127.*Start the service"):
        outside(address)
    with pytest.raises(OutsideError, match="after 3 attempts"):
        UserService(address, patience=QUICK).ask(question=json.dumps("Which?"), chunks=[])
