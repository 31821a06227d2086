"""A harbour town in fourteen languages: sentences of chance, needles among them, questions about those."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

_FILE = Path(__file__).parents[1] / "data" / "harbour.yaml"
_PARTS = ("when", "who", "did", "where")


@dataclass(frozen=True)
class Harbour:
    """One language's town: ``texts`` begin with the needles, and question i is about ``texts[i]``."""

    language: str
    texts: list[str]
    questions: list[str]


@lru_cache
def _written() -> dict[str, dict[str, Any]]:
    written: dict[str, dict[str, Any]] = yaml.load(_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return written


def languages() -> list[str]:
    return list(_written())


def harbour(language: str, seed: int, background: int = 500) -> Harbour:
    """The needles, as many sentences that resemble them, and ``background`` distinct sentences of chance."""
    written, draw = _written()[language], random.Random(seed)
    sentences = dict[str, None]()
    while len(sentences) < background:
        sentence = written["sentence"].format_map({part: draw.choice(written[part]) for part in _PARTS})
        sentences[sentence] = None
    needles, questions, others = zip(*written["needles"], strict=True)
    return Harbour(language, [*needles, *others, *sentences], list(questions))
