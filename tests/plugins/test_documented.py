"""The package of docs/python-and-plugins.md, built and installed, does what the page says."""

from __future__ import annotations

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from niah.cases.sample import AnswerKey
from niah.needles.needle_set import Element
from niah.plugins.kinds import registries
from niah.readers.reader import Answer, Request
from niah.readers.resolve import AddedReader, ReaderSpec
from niah.strategies.presets import SelectionRequest
from niah.strategies.strategy import parse
from niah.text.chunks import as_chunks
from niah.text.tokenizer import count, get_tokenizer

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python-and-plugins.md").read_text(encoding="utf-8")
PACKAGE = PAGE.partition("## A package of your own")[2]
MODULE = "\n\n".join(re.findall(r"```python\n(.*?)```", PACKAGE, re.DOTALL))
(PROJECT,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
TEXT = "The ferry leaves at six. Its bell rings twice, for luck \U0001f514.\n\n" * 40


@pytest.fixture(scope="module")
def package() -> dict[str, Any]:
    """What the page's module defines, by name."""
    defined: dict[str, Any] = {}
    exec(MODULE, defined)
    return defined


def test_it_has_one_of_everything_that_can_be_added() -> None:
    points = tomllib.loads(PROJECT)["project"]["entry-points"]
    assert set(points) == {registry.group for registry in registries()}
    rows = set(re.findall(r"^\| `(niah\.\w+)` \|", PAGE, re.MULTILINE))
    assert rows == set(points)


def test_its_retrieval_does_what_the_page_says(package: dict[str, Any]) -> None:
    tokenizer = get_tokenizer("cl100k")
    assert package["Overlap"]().score("When leaves the ferry?", ["the ferry", "a bell"]) == [1, 0]
    assert package["Longest"]().score("", ["aa", "b"]) == [2, 1]
    assert package["OUTWARDS"].arrange([0, 1, 2, 3]) == [3, 1, 0, 2]
    spans = list(package["STEPS"].cut(TEXT, tokenizer.starts(TEXT), 50, 0))
    assert "".join(TEXT[start:end] for start, end in spans) == TEXT
    chunks = as_chunks(spans, tokenizer.starts(TEXT))
    assert max(chunk.token_end - chunk.token_start for chunk in chunks) <= 53
    assert parse(package["QUICK"].definition).retrieval
    assert package["THIRD"].tokens(0, 900) == 300
    request = SelectionRequest("When?", TEXT, 2000, lambda text: count(tokenizer, text))
    assert package["first_half"](request) == TEXT[: len(TEXT) // 2]


def test_its_judge_its_metric_and_its_reader_do_too(package: dict[str, Any]) -> None:
    key = AnswerKey("q", "Who?", ("Ada",), elements=(Element("Ada"),))
    assert [package["ALL_NAMED"].verdict(said, key).score for said in ("It was Ada.", "Nobody.")] == [10, 1]
    assert package["ALL_NAMED"].unsuited(AnswerKey("q", "Who?", ("Ada",)))
    assert [package["same_length"](said, "Ada") for said in ("Bob", "Nobody", "")] == [1, 0.5, 0]
    reader = AddedReader(ReaderSpec("echo"), package["make_echo"](ReaderSpec("echo")))
    read = asyncio.run(reader.read(Request("Who?", 50)))
    assert isinstance(read, Answer)
    assert read.text == "Who?"
