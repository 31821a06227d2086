"""The example package of docs/plugins.md does what the page says."""

from __future__ import annotations

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Any

from niah.cases.sample import AnswerKey
from niah.needles.needle_set import Element
from niah.readers.added import AddedReader, WantedReader
from niah.readers.reader import Answer, Request
from niah.strategies.named import SelectionRequest
from niah.strategies.strategy import parse
from niah.text.chunks import as_chunks
from niah.text.tokenizer import count, get_tokenizer

PAGE = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")
TEXT = "The ferry leaves at six. Its bell rings twice, for luck \U0001f514.\n\n" * 40


def test_the_example_package() -> None:
    package: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, package)
    tokenizer = get_tokenizer("cl100k")
    assert package["Overlap"]().score("When leaves the ferry?", ["the ferry", "a bell"]) == [1, 0]
    assert package["Longest"]().score("", ["aa", "b"]) == [2, 1]
    assert package["OUTWARDS"].arrange([0, 1, 2, 3]) == [3, 1, 0, 2]
    spans = list(package["STEPS"].cut(TEXT, tokenizer.starts(TEXT), 50, 0))
    assert "".join(TEXT[start:end] for start, end in spans) == TEXT
    chunks = as_chunks(spans, tokenizer.starts(TEXT))
    assert max(chunk.token_end - chunk.token_start for chunk in chunks) <= 53
    assert parse(package["QUICK"].definition).retrieval
    key = AnswerKey("q", "Who?", ("Ada",), elements=(Element("Ada"),))
    assert [package["ALL_NAMED"].verdict(said, key).score for said in ("It was Ada.", "Nobody.")] == [10, 1]
    assert package["ALL_NAMED"].unsuited(AnswerKey("q", "Who?", ("Ada",)))
    reader = AddedReader(WantedReader("echo"), package["make_echo"](WantedReader("echo")))
    read = asyncio.run(reader.read(Request("Who?", 50)))
    assert isinstance(read, Answer)
    assert read.text == "Who?"
    request = SelectionRequest("When?", TEXT, 2000, lambda text: count(tokenizer, text))
    assert package["first_half"](request) == TEXT[: len(TEXT) // 2]
    (project,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    for group in tomllib.loads(project)["project"]["entry-points"].values():
        for named in group.values():
            assert named.removeprefix("my_package:") in package
