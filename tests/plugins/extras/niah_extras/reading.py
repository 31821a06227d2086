"""A reader and a format of question sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from niah.plugins import Answer, QuestionSetFormat, ReaderSpec, Request, Usage


class _Parrot:
    """Says the sentence of its prompt with most of the question's words."""

    concurrency = 4

    async def read(self, request: Request) -> Answer:
        if "does the crane" in request.prompt:
            raise OSError("the parrot has flown")
        text, _, question = request.prompt.rpartition("Question:")
        asked = set(re.findall(r"\w{4,}", question.lower()))
        sentences = re.split(r"(?<=[.?!])\s+", text)
        best = max(sentences, key=lambda sentence: len(asked & set(re.findall(r"\w{4,}", sentence.lower()))))
        return Answer(best, Usage(len(request.prompt) // 4, len(best) // 4, 0), 0.01)


def make_parrot(wanted: ReaderSpec) -> _Parrot:
    """Repeats what it has read."""
    return _Parrot()


def _questions(path: Path) -> Iterator[dict[str, Any]]:
    """Blocks of three lines: document, question, answer."""
    for number, block in enumerate(path.read_text().strip().split("\n\n"), start=1):
        document, question, answer = block.splitlines()
        yield {"id": f"q{number}", "document": document, "question": question, "answers": [answer]}


PLAIN = QuestionSetFormat(".qa", "blocks of three lines: document, question, answer", _questions)
