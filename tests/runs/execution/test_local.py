"""Trials prepared in this process, and stopped while their texts are embedded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from niah.cache import Cache
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.readers.reader import Answer, Request, Response, Traffic, Usage
from niah.retrieval import registry
from niah.retrieval.dense import DenseRetriever
from niah.runs.execution.local import LocalExecutor
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from niah.text.embedding import Embedder
from niah.text.encoders import TextSide

if TYPE_CHECKING:
    from niah.text.encoders import Vectors


class _Slow:
    """Takes a twentieth of a second for each text."""

    block_bytes = 1
    identity = "slow"
    reads_tokens = None

    def __init__(self) -> None:
        self.encoded = 0

    def load(self) -> None:
        pass

    def mark(self, side: TextSide) -> str:
        return ""

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        time.sleep(0.05 * len(texts))
        self.encoded += len(texts)
        return [np.ones((1, 2), dtype=np.float32) for _ in texts]


class _Idle:
    """A reader that nothing is asked of."""

    name = "m"
    concurrency = 1
    traffic = Traffic(waiting=3)

    def __init__(self) -> None:
        self.settings: dict[str, str | int] = {}

    def check(self) -> None:
        pass

    async def __aenter__(self) -> _Idle:
        return self

    async def __aexit__(self, *exc: object) -> None:
        pass

    async def read(self, request: Request) -> Response:
        return Answer("", Usage(), 0.0)


def test_whoever_stops_waits_for_a_block_and_no_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = _Slow()
    embedder = Embedder("minilm", slow, Cache("vectors", path=tmp_path / "vectors.sqlite"))
    monkeypatch.setitem(registry._made, "minilm", DenseRetriever(embedder))
    trial = Trial(sample_of(Case("three-gates", "essays", 32_000, 50)), parse("dos"), "m", 0, 10)

    async def encoded_when_stopped() -> int:
        async with LocalExecutor(_Idle(), print) as executor:
            preparing = asyncio.ensure_future(executor.prepare(0, trial))
            while not executor.traffic.preparing.startswith("embedding 2 of"):
                await asyncio.sleep(0.01)
            assert executor.traffic.waiting == 3
            preparing.cancel()
            encoded = slow.encoded
        assert executor.traffic.preparing == ""
        return encoded

    at_stop = asyncio.run(asyncio.wait_for(encoded_when_stopped(), 60))
    # All of it would be some 400 texts, one in a block.
    assert slow.encoded - at_stop < 20
