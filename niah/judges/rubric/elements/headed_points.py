"""Points whose heading has one word of an element, and whose text the other: "1. The air. It is dry."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise

_POINT = lazy_pattern(
    r"^[ \t]*(?:(?:the|its|his|her|their)[ ])?(?P<head>[^\W\d_]{3,})(?:[.:]|[ ]{2})[ ]+"
    r"(?P<said>[^.,;:!?()\n]*?)(?=[.,;:!?()\n]|[ ]{3}|\Z)",
    re.MULTILINE,
)
_DENIES = lazy_pattern(
    r"\b(?:not|never|no|nor|neither|hardly|scarcely|less|too|without|cannot|nothing|nobody|almost|nearly)\b|n't\b"
)
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST = 2
"""Points of an answer; one alone may be any sentence."""


def headed_points(text: str, mentions: Sequence[Mention], key: AnswerKey) -> list[Mention]:
    """The elements of two words that an answer's points name apart, as they stand in the text.

    Args:
        text: normalised.
        mentions: what it names.
        key: what was asked.
    """
    points = list(_POINT.finditer(text)) if "\n" in text else []
    pairs = _pairs(key) if len(points) >= _FEWEST else {}
    if not pairs:
        return []
    named = {mention.name for mention in mentions}
    taken = [(mention.start, mention.end) for mention in mentions]
    return [
        found
        for point in points
        for found in _found(point, pairs)
        if found.name not in named and all(found.end <= start or end <= found.start for start, end in taken)
    ]


def _found(point: re.Match[str], pairs: dict[str, list[tuple[str, str, bool]]]) -> Iterator[Mention]:
    said = point["said"]
    for other, name, right in pairs.get(point["head"], ()):
        for word in _WORD.finditer(said):
            if word[0] == other and not _DENIES.search(said):
                yield Mention(name, right, point.start("head"), point.start("said") + word.end())
                return


@lru_cache(maxsize=256)
def _pairs(key: AnswerKey) -> dict[str, list[tuple[str, str, bool]]]:
    """Of each form of a last word of a name, the first word, the element and whether it is right.

    Only where no other element has either word.
    """
    if len(key.elements) < _FEWEST:
        return {}
    split: list[tuple[str, str, str, bool]] = []
    for right, elements in ((True, key.elements), (False, wrong_elements(key))):
        for element in elements:
            words = normalise(element.name).split()
            if len(words) == 2 and all(map(_WORD.fullmatch, words)) and element.name.islower():
                split.append((words[0], words[1], element.name, right))
    heads = [head for _, head, *_ in split]
    found: dict[str, list[tuple[str, str, bool]]] = {}
    for first, head, name, right in split:
        if heads.count(head) == 1:
            for form in inflections(head):
                found.setdefault(form, []).append((first, name, right))
    return found
