"""What is asked of each generated kind, worked out from the context's text and the question alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import yaml

from niah.files import shipped


def frontier(context: str, question: str) -> set[str]:
    """The nodes at the depth in the question, by a breadth-first search."""
    edges = re.findall(r"(?m)^([0-9a-f]{10}) -> ([0-9a-f]{10})$", context)
    start, depth = re.search(r"[0-9a-f]{10}", question), re.search(r"depth (\d+)", question)
    assert start is not None
    assert depth is not None
    level, seen = {start[0]}, {start[0]}
    for _ in range(int(depth[1])):
        level = {right for left, right in edges if left in level} - seen
        seen |= level
    return level


_ENTRY = re.compile(r"(?m)^(\d{4}-\d\d-\d\d), (the \w+ shop): ([^,]+), ([^,]+), (\d+) pence(?:, [^.]*)?\.$")


def _entries(context: str, question: str) -> list[tuple[str, str, str, int]]:
    """Day, buyer, goods and pence of the entries of the shop in the question."""
    return [
        (day, buyer, goods, int(pence))
        for day, shop, buyer, goods, pence in _ENTRY.findall(context)
        if shop in question
    ]


def commonest(context: str, question: str) -> set[str]:
    """What most entries of the shop are for."""
    (first, most), (_, next_most) = Counter(each[2] for each in _entries(context, question)).most_common(2)
    assert most > next_most
    return {first}


def latest(context: str, question: str) -> set[str]:
    """Who is named in the shop's entry with the greatest date."""
    return {max(_entries(context, question))[1]}


def _family(name: str) -> dict[str, Any]:
    """A family's file; of boats-de, what it says in that language."""
    name, _, language = name.partition("-")
    read: dict[str, Any] = yaml.safe_load((shipped("needles") / "families" / f"{name}.yaml").read_text())
    return dict(read["languages"][language]) if language else read


_WANTED = {"who": r"[^\W\da-z_][\w'-]+(?: [\w'-]+){0,3}?", "code": r"\d+"}


def _pattern(template: str, given: dict[str, str], wanted: str) -> str:
    """The template as a pattern: the wanted slot is found, what is given stands, the others are anything."""
    parts = re.split(r"\{\{\s*(\w+)[^}]*\}\}", template)
    known = {name: re.escape(text) for name, text in given.items()} | {wanted: f"({_WANTED[wanted]})"}
    names = [known.get(name, ".+?") for name in parts[1::2]]
    texts = map(re.escape, parts[::2])
    return "".join(text + name for text, name in zip(texts, [*names, ""], strict=True))


def riddle(context: str, question: str) -> set[str]:
    """Who is told of in the sentence that answers the riddle in the question."""
    (found,) = [each for each in _family("latent")["riddles"] if each["question"] == question]
    return set(re.findall(_pattern(found["needle"], {}, "who"), context))


def boat_code(family: str) -> Callable[[str, str], set[str]]:
    """A solver: the number that is told of the boat in the question, in the family's own language."""

    def found(context: str, question: str) -> set[str]:
        read = _family(family)
        (boat,) = [name for name in read["each"]["boat"]["one_of"] if re.search(_whole(name), question)]
        patterns = [_pattern(needle, {"boat": boat}, "code") for needle in read["needles"]]
        return {code for pattern in patterns for code in re.findall(pattern, context)}

    return found


def _whole(name: str) -> str:
    """A name that is all of what stands between two quotation marks."""
    return rf"[“„«「]\s?{re.escape(name)}\s?[”“»」]"
