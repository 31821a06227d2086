"""What is charged on top for something else: "$1,340 a month, plus $95 if you also rent the parking"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.owners.owner_words import pairs_of_words

_ADDS_UP = re.compile(r"\b(?:total|altogether|overall|sum|all\s+in|in\s+all|combined|together|including)\b")
_ON_TOP = lazy_pattern(
    rf"{MASK}[^.;:!?\n{MASK}]{{0,40}}?[\s,(]\s*(?:\+|plus|(?:and|with)\s+(?:an?\s+)?(?:another|extra|additional|further))\s+"
    r"(?:(?:an?|another)\s+)?(?:(?:extra|additional|further)\s+)?\Z"
)
_FOR_SOMETHING = lazy_pattern(
    rf"(?:\s+(?!for\b|if\b|when\b|should\b)\w+){{0,2}}\s+(?:for|if|when|in\s+case|should)\b(?P<what>[^.;:!?\n{MASK}]*)"
)
_WHAT = re.compile(rf"(?P<what>[^.,;:!?()\n{MASK}]*)")
_REACH = 80


def extras(
    text: str,
    mentions: Sequence[Mention],
    tellings: Mapping[str, frozenset[str]],
    owner_words: Callable[[str], Iterable[str]],
    question: str,
) -> set[Mention]:
    """The wrong mentions that are added to a right one, for what the question does not speak of.

    Args:
        text: masked.
        mentions: every mention in it, in reading order.
        tellings: of each wrong element, the words that tell whose it is.
        owner_words: the words of a text that may tell whose a thing is.
        question: normalised.
    """
    if ("plus" not in text and "and " not in text and "+" not in text) or _ADDS_UP.search(question):
        return set()
    found = set()
    for before, mention in pairwise(mentions):
        if mention.right or not before.right:
            continue
        said = _FOR_SOMETHING.match(text, mention.end) or _WHAT.match(text, mention.end)
        telling = tellings.get(mention.name, frozenset())
        if (
            said
            and _ON_TOP.search(text, max(0, mention.start - _REACH), mention.start)
            and not telling.isdisjoint((*owner_words(said["what"]), *pairs_of_words(said["what"])))
        ):
            found.add(mention)
    return found
