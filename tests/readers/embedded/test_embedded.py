"""The packaged model, read through a real child server."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest

from niah.errors import ReaderConfigError
from niah.readers import Answer, Failure, Request, Response
from niah.readers.embedded.embedded import EmbeddedReader, cut_back, may_reuse

pytestmark = pytest.mark.usefixtures("smollm2")

LETTER = "Maria lives in Lisbon. Her bicycle is red."
OTHER = "Rui lives in Porto. His boat is green."
QUESTION = "What is the colour of Maria's bicycle?"


def _children() -> list[int]:
    path = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return [int(pid) for pid in path.read_text().split()]


def test_reads_and_reads_alike() -> None:
    request = Request(f"{LETTER}\n\n{QUESTION}", max_tokens=40)
    other = Request("Say hello.", max_tokens=10)

    async def main() -> list[Response]:
        async with EmbeddedReader() as reader:
            return [await reader.read(r) for r in (request, request, other, request)]

    first, second, _, third = asyncio.run(main())
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert isinstance(third, Answer)
    assert "red" in first.text
    assert first.text == second.text == third.text
    assert (first.usage.prompt_tokens or 0) > 20
    assert (first.usage.completion_tokens or 0) > 0


def test_a_shared_prefix_is_read_once() -> None:
    async def main() -> int:
        async with EmbeddedReader() as reader:
            await reader.read(Request(f"{LETTER * 30}\n\nWho is she?", 5))
            reading = await reader.read(Request(f"{LETTER * 30}{OTHER * 30}\n\n{QUESTION}", 5))
            return reading.usage.cached_tokens or 0

    assert asyncio.run(main()) > 300


def test_it_is_never_taken_for_gone_while_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.readers.http.health._LEAST_SILENCE_S", 0.01)
    monkeypatch.setattr("niah.readers.http.health._SLOW_PER_S", 1e9)
    monkeypatch.setattr("niah.readers.http.health._FAR_TOO_SLOW", 0.0)
    monkeypatch.setattr("niah.readers.http.retries.retrier.TICK_S", 0.01)
    asked: list[int] = []
    monkeypatch.setattr("niah.readers.http.retries.retrier.log_request", lambda *seen: asked.append(seen[2]))

    async def main() -> list[Response]:
        async with EmbeddedReader() as reader:
            # After a reply, it is no longer taken to be loading its model.
            prompts = ("Say hello.", f"{LETTER * 15}\n\n{QUESTION}", f"{OTHER * 30}\n\n{QUESTION}")
            return [await reader.read(Request(prompt, 20)) for prompt in prompts]

    assert all(
        response.outcome != "reader_error"
        for response in asyncio.run(main())
        if isinstance(response, Failure)
    )
    assert set(asked) == {1}, "a short question, numbered 0, would wait for the one slot"


@pytest.mark.slow
def test_the_answer_does_not_depend_on_what_was_asked_before() -> None:
    story = "\n\nTell a story about them."
    prompt = f"{LETTER * 15}{OTHER * 15}{story}"
    # What the cache holds when the prompt comes: a few tokens, all of it, nearly all, a half, less.
    before = (
        "Hello.",
        prompt,
        f"{prompt[:-20]}\n\nWho?",
        f"{LETTER * 15}{story}",
        f"{LETTER * 3}{OTHER * 15}",
    )

    async def main() -> set[str]:
        answers = set()
        async with EmbeddedReader() as reader:
            for earlier in before:
                await reader.read(Request(earlier, 2))
                reading = await reader.read(Request(prompt, 25))
                answers.add(getattr(reading, "text", ""))
        return answers

    assert len(asyncio.run(main())) == 1


@pytest.mark.parametrize(
    ("cached", "prompt", "expected"),
    [
        ("", "a" * 3000, False),  # nothing to reuse
        ("a" * 3000, "a" * 3000, False),  # nothing left to read
        ("a" * 2000, "a" * 3000, False),
        ("a" * 1999, "a" * 3000, True),
        ("a" * 1000, "a" * 3000, False),  # read in too small a piece
        ("a" * 3000, "b" * 1000, False),  # would be
        ("a" * 3000, "b" * 1001, True),
    ],
)
def test_what_may_be_reused(cached: str, prompt: str, expected: bool) -> None:
    assert may_reuse(cached, prompt) == expected


def test_short_questions_on_one_document_read_it_once_and_are_answered_as_alone() -> None:
    document = f"{LETTER * 30}{OTHER * 55}"
    first, second = (Request(f"{document}\n\n{end}", 8) for end in (QUESTION, "Who lives in Porto?"))

    async def last_answer(*requests: Request) -> Response:
        async with EmbeddedReader() as reader:
            return [await reader.read(request) for request in requests][-1]

    after, alone = (asyncio.run(last_answer(*asked)) for asked in ((first, second), (second,)))
    assert isinstance(after, Answer)
    assert isinstance(alone, Answer)
    assert after.text == alone.text
    assert (after.usage.cached_tokens or 0) > 450
    assert alone.usage.cached_tokens == 0


@pytest.mark.parametrize(
    ("cached", "prompt", "shared"),
    [
        ("", "a" * 5000, 0),
        ("a" * 5000, "a" * 5000, 3999),
        ("a" * 5000, "a" * 4900 + "b" * 100, 3999),
        ("a" * 5000, "a" * 2000, 0),  # little is saved
        ("a" * 5000, "a" * 3500 + "b" * 1500, 0),  # may be reused as it is
        ("b" * 5000, "b" * 5000, 3999),  # as the other words begin
    ],
)
def test_what_is_read_again_with_other_words_behind_it(cached: str, prompt: str, shared: int) -> None:
    first = cut_back(cached, prompt)
    assert bool(first) == bool(shared)
    assert first.startswith(prompt[:shared])
    assert not first or may_reuse(first, prompt)


def test_longer_than_the_window_overflows_and_the_next_question_is_answered() -> None:
    async def main() -> None:
        async with EmbeddedReader(context=512) as reader:
            assert reader.settings["context"] == 512
            reading = await reader.read(Request(LETTER * 100, 10))
            assert isinstance(reading, Failure)
            assert reading.outcome == "overflow"
            assert re.search(r"exceeds the available context size \(512 tokens\)", reading.reason)
            reading = await reader.read(Request("Count to a hundred, in words.", 3))
            assert reading.usage.completion_tokens == 3

    asyncio.run(main())


def test_cut_answers_are_truncated() -> None:
    async def main() -> None:
        async with EmbeddedReader() as reader:
            reading = await reader.read(Request("Tell me a long story.", 5))
            assert isinstance(reading, Failure)
            assert reading.outcome == "truncated"
            assert reading.text

    asyncio.run(main())


def test_settings_are_what_changes_answers() -> None:
    async def main() -> dict[str, str | int]:
        async with EmbeddedReader() as reader:
            return reader.settings

    settings = asyncio.run(main())
    assert settings.pop("xllamacpp")
    assert len(str(settings.pop("model_sha256"))) == 64
    assert settings == {
        "provider": "embedded",
        "model_file": "SmolLM2-135M-Instruct.Q8_0.gguf",
        "context": 8192,
        "threads": 1,
        "prompt_threads": 2,
    }


def test_concurrent_reads_take_turns() -> None:
    async def main() -> None:
        async with EmbeddedReader() as reader:
            alone = await reader.read(Request(QUESTION, 8))
            together = await asyncio.gather(*(reader.read(Request(QUESTION, 8)) for _ in range(3)))
            assert {getattr(reading, "text", "") for reading in together} == {getattr(alone, "text", "")}

    asyncio.run(main())


def test_the_child_ends_with_the_reader() -> None:
    async def main() -> list[int]:
        before = _children()
        async with EmbeddedReader():
            during = _children()
        assert len(during) == len(before) + 1
        return before

    before = asyncio.run(main())
    assert _children() == before


def test_a_server_that_dies_is_told_of_and_started_again() -> None:
    async def main() -> None:
        async with EmbeddedReader() as reader:
            long = asyncio.ensure_future(reader.read(Request(LETTER * 500, 10)))
            await asyncio.sleep(0.7)
            os.kill(_children()[-1], signal.SIGKILL)
            reading = await long
            assert isinstance(reading, Failure)
            assert reading.outcome == "reader_error"
            assert "the embedded server ended with code -9" in reading.reason
            again = await reader.read(Request(f"{LETTER}\n\n{QUESTION}", 40))
            assert isinstance(again, Answer)

    asyncio.run(main())


def test_a_missing_file() -> None:
    with pytest.raises(ReaderConfigError, match=r"no model file /nowhere/x\.gguf"):
        asyncio.run(EmbeddedReader("/nowhere/x.gguf").__aenter__())


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"junk" * 10, "it does not begin with GGUF"), (b"", "it does not begin with GGUF")],
)
def test_a_file_that_is_no_model(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "x.gguf"
    file.write_bytes(content)
    with pytest.raises(ReaderConfigError, match=rf"x\.gguf cannot be loaded: {reason}"):
        asyncio.run(EmbeddedReader(str(file)).__aenter__())


def test_a_check_tells_what_is_no_gguf_file_and_loads_nothing(tmp_path: Path) -> None:
    file = tmp_path / "x.gguf"
    for content in (b"junk" * 10, b""):
        file.write_bytes(content)
        with pytest.raises(ReaderConfigError, match=r"x\.gguf is no GGUF file\. Give the path of one\."):
            EmbeddedReader(str(file)).check()
    file.write_bytes(b"GGUF and no more")
    EmbeddedReader(str(file)).check()


def test_llama_cpps_own_words_where_it_cannot_load(tmp_path: Path) -> None:
    file = tmp_path / "x.gguf"
    file.write_bytes(b"junk" * 10)
    with pytest.raises(ReaderConfigError, match="invalid magic characters"):
        asyncio.run(EmbeddedReader(str(file), context=512).__aenter__())
