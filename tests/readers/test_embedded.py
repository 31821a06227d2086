"""The packaged model, read by llama.cpp in this process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from niah.errors import UserError
from niah.readers.embedded import EmbeddedReader
from niah.readers.reader import EMBEDDED, EMBEDDED_WINDOWS, Answer, Failure, Request, Response

LETTER = "Maria lives in Lisbon. Her bicycle is red."
OTHER = "Rui lives in Porto. His boat is green."
QUESTION = "What is the colour of Maria's bicycle?"


@pytest.fixture(autouse=True)
def _small_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EMBEDDED_WINDOWS, EMBEDDED, 2048)


def read(*requests: Request) -> list[Response]:
    """Replies of one reader, asked one after another."""

    async def main() -> list[Response]:
        async with EmbeddedReader(EMBEDDED) as reader:
            return [await reader.read(request) for request in requests]

    return asyncio.run(main())


def test_it_reads_and_reads_alike_while_the_event_loop_goes_on() -> None:
    request = Request(f"{LETTER}\n\n{QUESTION}", max_tokens=40)

    async def main() -> tuple[list[Response], int, dict[str, str | int]]:
        async with EmbeddedReader(EMBEDDED) as reader:
            asked = asyncio.gather(*(reader.read(r) for r in (request, Request("Say hello.", 10), request)))
            turns = 0
            while not asked.done():
                await asyncio.sleep(0.01)
                turns += 1
            return await asked, turns, reader.settings

    (first, _, third), turns, settings = asyncio.run(main())
    assert settings["context"] == 2048
    assert isinstance(first, Answer)
    assert isinstance(third, Answer)
    assert "red" in first.text
    assert first.text == third.text
    assert (first.usage.prompt_tokens or 0) > 20
    assert turns > 5


@pytest.mark.slow  # answers alike: tests/contract/test_embedded.py
def test_a_shared_prefix_is_read_once_and_the_answer_is_as_alone() -> None:
    first = Request(f"{LETTER * 30}\n\nWho is she?", 5)
    second = Request(f"{LETTER * 30}{OTHER * 30}\n\n{QUESTION}", 12)
    third = Request(f"{LETTER * 30}{OTHER * 30}\n\nDescribe both people in a sentence each.", 60)
    _, *after = read(first, second, third, third)
    for got, alone in zip(after, [*read(second), *read(third) * 2], strict=True):
        assert (got.usage.cached_tokens or 0) > 300
        assert alone.usage.cached_tokens == 0
        assert getattr(got, "text", "got") == getattr(alone, "text", "alone")


def test_longer_than_the_window_overflows_and_the_next_question_is_answered(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EMBEDDED_WINDOWS, EMBEDDED, 512)
    too_long, next_one = read(Request(LETTER * 100, 10), Request("Count to ten, in words.", 3))
    assert isinstance(too_long, Failure)
    assert too_long.outcome == "overflow"
    assert "exceeds the available context size (512 tokens)" in too_long.reason
    assert isinstance(next_one, Failure)
    assert (next_one.outcome, next_one.usage.completion_tokens) == ("truncated", 3)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "read: No such file"), (b"", "does not begin with GGUF"), (b"GGUFjunk", "ends too early")],
)
def test_a_file_that_is_no_model(tmp_path: Path, content: bytes | None, said: str) -> None:
    file = tmp_path / "x.gguf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError, match=said):
        asyncio.run(EmbeddedReader(str(file)).__aenter__())
