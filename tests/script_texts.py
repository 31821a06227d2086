"""Texts of many scripts and kinds, composed by a seed from our own sentences under ``tests/data/scripts``."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import yaml

_FOLDER = Path(__file__).parent / "data" / "scripts"
LINES = ("logs", "code", "csv", "verse", "markdown")
LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml") if path.stem not in LINES))
KINDS = (*LANGUAGES, *LINES)

_SLOT = re.compile(r"\{(\w+)\}")


@lru_cache
def _parts(kind: str) -> dict[str, Any]:
    parts: dict[str, Any] = yaml.load(
        (_FOLDER / f"{kind}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return parts


def compose(kind: str, paragraphs: int, seed: int = 1) -> list[list[str]]:
    """Paragraphs of sentences, or of lines (of code and Markdown: blocks); neighbours differ."""
    random, parts = Random(f"{kind}|{seed}"), _parts(kind)
    templates = parts.get("sentences") or parts["lines"]
    size = (1, 1) if kind in ("code", "markdown") else (12, 12) if kind in ("csv", "logs") else (3, 8)
    return [
        [
            _filled(template, parts["words"], random)
            for template in random.sample(templates * 6, random.randint(*size))
        ]
        for _ in range(paragraphs)
    ]


def separator(kind: str) -> str:
    """What stands between two sentences or lines of a paragraph."""
    between: str = _parts(kind).get("separator", "\n")
    return between


def compose_text(kind: str, characters: int, seed: int = 1) -> str:
    """At least that many characters of it, as a file would hold them."""
    between = "\n" if kind in ("csv", "logs") else "\n\n"
    paragraphs = [separator(kind).join(parts) for parts in compose(kind, characters // 60 + 2, seed)]
    ends = list(accumulate(len(paragraph) + len(between) for paragraph in paragraphs))
    text = between.join(paragraphs[: bisect_left(ends, characters) + 1])
    header = "number,name,place,date,thing,worth\n" if kind == "csv" else ""
    return f"{header}{text}\n"


def _filled(template: str, words: dict[str, list[str]], random: Random) -> str:
    def number(low: int, high: int) -> int:
        # 347 is what the needle of the matrix tells.
        return random.choice([figure for figure in range(low, high + 1) if figure != 347])

    figures = {
        "n": lambda: str(number(2, 990)),
        "hour": lambda: str(number(2, 12)),
        "day": lambda: str(number(1, 30)),
        "year": lambda: str(number(1702, 1988)),
        "date": lambda: f"2031-{number(1, 12):02}-{number(1, 28):02}",
        "time": lambda: f"{number(0, 23):02}:{number(0, 59):02}:{number(0, 59):02}",
    }

    def fill(slot: re.Match[str]) -> str:
        name = slot[1]
        return figures[name]() if name in figures else random.choice(words[name])

    text = _SLOT.sub(fill, template.replace("{{", "\0").replace("}}", "\1"))
    text = text.replace("\0", "{").replace("\1", "}")
    return text[0].upper() + text[1:] if text[0].isalpha() and words.get("name") else text
