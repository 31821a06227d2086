"""A model behind a real HTTP endpoint, right where it is planted: with all of a text, parts, or none."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

from tests.loopback import Post, Reply, completion, replying

Fate = Literal["known", "both", "only_lc", "only_rag", "neither"]
Seen = Literal["nothing", "parts", "everything"]
FATES: Mapping[Fate, float] = {"known": 0.15, "both": 0.38, "only_lc": 0.2, "only_rag": 0.12, "neither": 0.15}
"""How often each is planted. Of what is not known, only_lc is 20 in 85, only_rag 12 in 85."""

_RIGHT: Mapping[Fate, tuple[Seen, ...]] = {
    "known": ("nothing", "parts", "everything"),
    "both": ("parts", "everything"),
    "only_lc": ("everything",),
    "only_rag": ("parts",),
    "neither": (),
}
_TAIL = 4000
_INSTRUCTIONS = 500
"""Characters at most, beside context, question and options."""


@dataclass
class PlantedSides:
    """The endpoint's model.

    Attributes:
        questions: lines of a question set.
        lengths: characters of each document.
        fates: of each question, by id.
        address: of the endpoint, once it serves.
        answered: how often it answered (id, what it saw, whether right).
    """

    questions: Sequence[Mapping[str, Any]]
    lengths: Mapping[str, int]
    fates: Mapping[str, Fate]
    address: str = ""
    answered: Counter[tuple[str, Seen, bool]] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, post: Post) -> Reply:
        """What it says to a prompt."""
        prompt = post.body["messages"][0]["content"]
        question = self.asked(prompt)
        seen = self.seen(prompt, question)
        is_right = seen in _RIGHT[self.fates[question["id"]]]
        with self._lock:
            self.answered[question["id"], seen, is_right] += 1
        return Reply(completion(self.words(question, seen, is_right=is_right), len(prompt) // 4))

    def asked(self, prompt: str) -> Mapping[str, Any]:
        """The question at the end of a prompt, after a context that may hold its words."""
        end = prompt[-_TAIL:]
        return max(self.questions, key=lambda one: end.rfind(one["question"]))

    def seen(self, prompt: str, question: Mapping[str, Any]) -> Seen:
        """How much of its document the prompt holds."""
        if len(prompt) > 0.95 * self.lengths[question["document_id"]]:
            return "everything"
        bare = len(question["question"]) + sum(map(len, question.get("options", ()))) + _INSTRUCTIONS
        return "parts" if len(prompt) > bare else "nothing"

    def words(self, question: Mapping[str, Any], seen: Seen, *, is_right: bool) -> str:
        """An answer. Of two words or more, full context at least gets the first right."""
        if options := question.get("options"):
            right: int = question["answer_index"]
            return "ABCDEFGH"[right if is_right else (right + 1) % len(options)]
        answer: str = question["answers"][0]
        if is_right:
            return f"It is {answer}."
        return f"{answer.split()[0]} Nobodyish" if is_nearer(question, seen) else "Nobodyish"


def is_nearer(question: Mapping[str, Any], seen: Seen) -> bool:
    """Whether a wrong answer to it shares a word with the reference."""
    return seen == "everything" and not question.get("options") and len(question["answers"][0].split()) > 1


def planted_fates(questions: Sequence[Mapping[str, Any]], seed: int) -> dict[str, Fate]:
    """Drawn by ``FATES``; documents differ in how well retrieval does on them."""
    rng = Random(seed)
    tilt = {name: rng.uniform(-0.08, 0.08) for name in sorted({one["document_id"] for one in questions})}
    fates = {}
    for one in questions:
        off = tilt[one["document_id"]]
        weights = [
            FATES["known"],
            FATES["both"],
            FATES["only_lc"] + off,
            FATES["only_rag"] - off,
            FATES["neither"],
        ]
        fates[one["id"]] = rng.choices(list(FATES), weights)[0]
    return fates


def expected_parts(questions: Sequence[Mapping[str, Any]], fates: Mapping[str, Fate]) -> dict[str, int]:
    """What the table lc-vs-rag must count, of the questions that are not known."""
    counts = Counter(fates.values())
    nearer = sum(fates[one["id"]] == "neither" and is_nearer(one, "everything") for one in questions)
    both, lc, rag, neither = (counts[fate] for fate in ("both", "only_lc", "only_rag", "neither"))
    return {
        "pairs": both + lc + rag + neither,
        "lc_correct": both + lc,
        "rag_correct": both + rag,
        "both": both,
        "only_lc": lc,
        "only_rag": rag,
        "neither": neither,
        "lc_better": lc + nearer,
        "rag_better": rag,
    }


@contextmanager
def planted_sides(path: Path, lengths: Mapping[str, int], seed: int) -> Iterator[PlantedSides]:
    """Serve a reader of the question set at ``path``, over documents of so many characters."""
    questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    reader = PlantedSides(questions, lengths, planted_fates(questions, seed))
    with replying(reader.reply) as address:
        reader.address = f"{address}/v1"
        yield reader
