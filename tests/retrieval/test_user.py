"""Functions and services of users: what they may return. Those that fail: tests/runs/test_own_services.py."""

from __future__ import annotations

import asyncio
import ssl
import threading
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from niah.event_loop import in_thread, run_to_end
from niah.readers.reader import Answer, Usage
from niah.retrieval.user import ask_of, read_ranking, read_system_reply
from tests.loopback import Reply, replying

CHUNKS = ["The fox  is red.", "The hen is grey.", "The owl is wise. It sleeps."]


async def later(question: str, chunks: list[str]) -> list[str]:
    await asyncio.sleep(0)
    return chunks[::-1]


class Rag:
    def find(self, question: str, chunks: list[str]) -> list[str]:
        return chunks


def node(text: str) -> SimpleNamespace:
    return SimpleNamespace(node=SimpleNamespace(text=text), score=0.5)


@pytest.mark.parametrize(
    ("reply", "best_first", "foreign"),
    [
        ({"scores": np.array([3, 1, 2])}, [0, 2, 1], 0),
        ([(SimpleNamespace(page_content="The hen is grey."), 0.9)], [1], 0),
        ([node("It sleeps."), node("The fox is red.")], [2, 0], 0),
    ],
)
def test_what_a_retriever_may_return(reply: object, best_first: list[int], foreign: int) -> None:
    given = read_ranking(reply, CHUNKS)
    ranking = np.argsort(-given.scores, kind="stable")[: given.returned]
    assert (ranking.tolist(), given.foreign) == (best_first, foreign)


def red(*chunks: str) -> Answer:
    return Answer("Red.", Usage(), 0, sources=chunks or None)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        (SimpleNamespace(response="Red.", source_nodes=[node("a")]), red("a")),
        (SimpleNamespace(content="Red."), red()),
        ({"answer": "half \ud800", "usage": {"prompt_tokens": 7}}, Answer("half ?", Usage(7), 0)),
    ],
)
def test_what_an_application_may_return(reply: object, read: Answer) -> None:
    assert read_system_reply(reply) == read


def test_certificates_are_read_once_for_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Mock(wraps=ssl.create_default_context)
    monkeypatch.setattr(ssl, "create_default_context", made)
    with replying(lambda post: Reply([0.5])) as address:
        assert [ask_of(address)(question="Which?", chunks=["a"]) for _ in range(3)] == [[0.5]] * 3
    assert made.call_count <= 1


def test_a_function_may_be_async_and_is_found_in_a_file(tmp_path: Path) -> None:
    assert ask_of(f"py:{__name__}:later")(question="Which?", chunks=["a", "b"]) == ["b", "a"]
    file = tmp_path / "turned_rag.py"
    names = "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\n"
    file.write_text(
        f"{names}class Rag:\n kept: int\n @staticmethod\n def find(question, chunks):\n  return chunks[1:]\n"
    )
    assert ask_of(f"py:{file}:Rag.find")(question="Which?", chunks=["a", "b"]) == ["b"]


def test_no_thread_keeps_a_process_from_ending() -> None:
    async def is_daemon() -> bool:
        return threading.current_thread().daemon

    begun = threading.Event()
    future = in_thread(begun.wait, "waits")
    (thread,) = (each for each in threading.enumerate() if each.name == "waits")
    assert (run_to_end(is_daemon()), thread.daemon, future.cancel()) == (True, True, False)
    begun.set()
    assert future.result(60)
