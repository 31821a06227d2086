"""Hash-Hop as a document: exactly as long as asked for, its answers those that following the lines gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cases.questions.hash_hop import HashHop, write_hash_hop
from niah.cases.questions.question_set import load_questions
from niah.errors import UserError
from niah.text.tokenizer import get_tokenizer


def written(folder: Path, asked: HashHop) -> tuple[str, list[dict[str, Any]]]:
    """The document's text, and the questions as they stand in the file."""
    out = folder / "hops.jsonl"
    lines = write_hash_hop(out, asked)
    document = json.loads((folder / "hops.documents.jsonl").read_text())["text"]
    assert len(document.split("\n")) == lines
    load_questions(out)
    return document, [json.loads(line) for line in out.read_text().splitlines()]


def follow(document: str, question: str) -> list[str]:
    """Every hash that the lines lead to from the one that is asked about."""
    leads = dict(line.split(" -> ") for line in document.split("\n"))
    at = next(word.strip(".") for word in question.split() if word.strip(".") in leads)
    reached = list[str]()
    while at in leads:
        at = leads[at]
        reached.append(at)
    return reached


@pytest.mark.parametrize(
    ("tokens", "hops", "steps", "tokenizer", "seed"),
    [
        (20_000, 1, False, "cl100k", 1),
        (60_001, 2, False, "cl100k", 2),
        (100_000, 3, True, "o200k", 3),
        (250_007, 6, True, "cl100k", 4),
    ],
)
def test_tokens_are_exact_and_answers_are_what_the_lines_lead_to(
    tmp_path: Path, tokens: int, hops: int, steps: bool, tokenizer: str, seed: int
) -> None:
    document, questions = written(tmp_path, HashHop(tokens, hops, 50, steps, seed, tokenizer))
    assert len(get_tokenizer(tokenizer).encode(document)) == tokens
    assert len({each["question"] for each in questions}) == 50
    for each in questions:
        reached = follow(document, each["question"])
        assert len(reached) == hops
        expected = [*reached[:-2], " and ".join(reached[-2:])] if steps else reached[-1:]
        assert each["answers"] == [", ".join(expected)]
        assert all(line in document for line in each["evidence"])


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (HashHop(500, 1), "500 tokens are too few"),
        (HashHop(10_000, 7), "7 hops: there are 1 to 6"),
        (HashHop(5_000, 6, 400), "Ask for more tokens, or for fewer than 400 questions"),
        (HashHop(10_000, 1, tokenizer="minilm"), "do not add up line by line"),
    ],
)
def test_what_cannot_be_made_leaves_nothing(tmp_path: Path, asked: HashHop, says: str) -> None:
    with pytest.raises(UserError) as caught:
        write_hash_hop(tmp_path / "hops.jsonl", asked)
    assert says in f"{caught.value.message} {caught.value.remedy}"
    assert not list(tmp_path.iterdir())
