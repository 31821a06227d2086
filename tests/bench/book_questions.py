"""Questions over long pieces of books, derived by rule from their text: nobody's invention, no model's.

    python -m tests.bench.book_questions BOOKS OUT

BOOKS is a folder of books as text files (*.txt). OUT gets gaps.jsonl, of which half the questions have
options, gaps-mcq.jsonl, of which all have, and the documents of both: 15 pieces of 5,000 to 60,000 tokens,
cut at paragraphs. Nothing of the books is in this repository.

A question shows some twenty words of the text with a gap where a name or a number stood; they are its
evidence. It asks where, who or how many by the words around the gap; with options it asks which of four, all
from the same piece.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

SIZES = (5, 8, 10, 12, 15, 18, 20, 25, 30, 35, 40, 45, 50, 52, 55)
"""Thousands of tokens, one document each."""

EACH = 12
_FEWEST = 5
_CHARACTERS_A_TOKEN = 4.33
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NAME = r"[A-Z][a-z]{3,}(?: [A-Z][a-z]{3,})?"
_GAPS = {
    "Where": re.compile(rf"\b(?:at|in|to|from) (?P<answer>{_NAME})(?![\w'’])"),
    "Who": re.compile(rf"\b(?:M(?:r|rs)\.|[Mm]iss|with|said|cried|replied) (?P<answer>{_NAME})(?![\w'’])"),
    "How many": re.compile(rf" (?P<answer>{'|'.join(_NUMBERS)}) [a-z]+s\b"),
}
_ASKS = {
    "Where": "Where is this, by the gap,",
    "Who": "Who fills the gap",
    "How many": "How many are in the gap",
}
_BEFORE, _AFTER = 14, 9
"""How many words of the text a question shows before and after the gap."""

_TOO_OFTEN = 60
_ASKING = re.compile(r"\b(?:how|why|what|when|where|which|who|whom|whose)\b", re.IGNORECASE)
_NO_NAMES = {
    "Heaven",
    "Providence",
    "Sunday",
    "Christmas",
    "Monsieur",
    "Madame",
    "Lord",
    "Lady",
    "Then",
    "That",
}


@dataclass(frozen=True)
class _Fact:
    kind: str
    passage: str
    shown: str
    answer: str


def write_question_sets(books: Path, out: Path, sizes: tuple[int, ...] = SIZES, each: int = EACH) -> int:
    """Write both sets; returns how many questions each has. Raises ValueError where books are too short."""
    out.mkdir(parents=True, exist_ok=True)
    documents = list(_documents(books, sizes))
    mixed, choices = [], []
    for document in documents:
        for place, fact in enumerate(_chosen(document["text"], each)):
            free, choice = _questions(document, fact, place)
            mixed.append(choice if place % 2 else free)
            choices.append(choice)
    for name, questions in (("gaps", mixed), ("gaps-mcq", choices)):
        _write(out / f"{name}.jsonl", questions)
        _write(out / f"{name}.documents.jsonl", documents)
    return len(mixed)


def _documents(books: Path, sizes: tuple[int, ...]) -> Iterator[dict[str, str]]:
    texts = {
        path.stem: path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
        for path in sorted(books.glob("*.txt"))
    }
    begins = {
        name: text.find("\n\n", 20_000) for name, text in texts.items()
    }  # after title page and contents
    for place, size in enumerate(sizes):
        name = list(texts)[place % len(texts)]
        start, text = begins[name], texts[name]
        end = text.find("\n\n", start + round(size * 1000 * _CHARACTERS_A_TOKEN))
        if end < 0:
            raise ValueError(f"{name} has no {size},000 tokens left.")
        begins[name] = end
        yield {
            "id": f"{name}-{size}k",
            "title": f"{name}, {size},000 tokens",
            "text": text[start:end].strip() + "\n",
        }


def _chosen(text: str, count: int) -> list[_Fact]:
    """Facts of all kinds in turn, spread over the document; always the same for a text."""
    by_kind = [list(_facts(text, kind)) for kind in _GAPS]
    share = count // len(by_kind)
    chosen = [fact for facts in by_kind for fact in facts[:: max(1, len(facts) // share)][:share]]
    left = [fact for facts in by_kind for fact in facts if fact not in chosen]
    chosen += left[: count - len(chosen)]
    if len(chosen) < _FEWEST:
        raise ValueError(f"only {len(chosen)} facts in a document of {len(text):,} characters.")
    return chosen


def _facts(text: str, kind: str) -> Iterator[_Fact]:
    seen = set[str]()
    plain = " ".join(text.split())
    words = Counter(plain.split())
    for found in _GAPS[kind].finditer(plain):
        answer = found["answer"]
        before = plain[: found.start("answer")].split(" ")[-_BEFORE:]
        after = plain[found.end("answer") :].split(" ")[:_AFTER]
        passage, shown = (f"{' '.join(before)}{gap}{' '.join(after)}" for gap in (answer, "____"))
        if _ASKING.search(shown) or "“" in shown or plain.count(passage) != 1:
            continue
        if answer in seen or answer in shown or set(answer.split()) & _NO_NAMES or words[answer] > _TOO_OFTEN:
            continue
        seen.add(answer)
        yield _Fact(kind, passage, shown, answer)


def _questions(
    document: dict[str, str], fact: _Fact, place: int
) -> tuple[dict[str, object], dict[str, object]]:
    """The same question for a free answer, and with options."""
    others = [each for each in _others(document["text"], fact) if each != fact.answer][:3]
    options = [*others]
    right = place % (len(others) + 1)
    options.insert(right, fact.answer)
    common: dict[str, object] = {
        "id": f"{document['id']}-{place}",
        "document_id": document["id"],
        "evidence": [fact.passage],
        "source": document["id"].rpartition("-")[0],
    }
    gap = f"in these words: “{fact.shown}”"
    free = {**common, "question": f"{_ASKS[fact.kind]} {gap}", "answers": [fact.answer]}
    choice = {**common, "question": f"Which fills the gap {gap}", "options": options, "answer_index": right}
    return free, choice


def _others(text: str, fact: _Fact) -> list[str]:
    if fact.kind == "How many":
        return Random(fact.passage).sample([each for each in _NUMBERS if each != fact.answer], 3)
    names = Counter(re.findall(rf"(?<=[a-z,] ){_NAME}", " ".join(text.split())))
    known = sorted(set(names) - {fact.answer})
    return Random(fact.passage).sample([name for name in known if name not in fact.passage], 3)


def _write(path: Path, lines: list[dict[str, object]] | list[dict[str, str]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(write_question_sets(Path(sys.argv[1]), Path(sys.argv[2])))
