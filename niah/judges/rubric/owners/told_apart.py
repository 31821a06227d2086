"""Where an answer tells two facts apart by words of each: "to passengers on R and to goods trains on W".

Where one thing is asked for, or one for each key, and the answer has a right and a wrong value in parts of
their own: the one fact is told by a word of the wrong value's owner, the other by a word of the question that
the owner's text has not. The wrong value told as its owner's is a side fact. The right one told as the
owner's, with the wrong one as what was asked for, is not found: the answer has exchanged them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.owners.side_facts import NOT_ASIDE
from niah.judges.rubric.reading.spans import mentions_inside

_PART_END = lazy_pattern(
    r"[.!?](?=\s|\Z)|[,;:\n()](?=\s|\Z|[(])|\s-(?=\s)|\s(?:and|but|while|whereas|though|although|then)(?=[\s,])"
    rf"|(?P<compares>(?<!{MASK})\s(?:after|before|than)(?=\s))"
)


class Facts(NamedTuple):
    """Words that tell two facts apart.

    Attributes:
        owner: those of a wrong element's owner.
        asked: those of the question and its answer that the owner's text has not.
    """

    owner: frozenset[str]
    asked: frozenset[str]


class _Part(NamedTuple):
    """A part of a text that names something; ``compared``: whether it follows on "after" or "than"."""

    text: str
    words: Collection[str]
    mentions: Sequence[Mention]
    compared: bool


def told_apart(
    text: str,
    mentions: Sequence[Mention],
    facts: Callable[[str], Facts],
    words: Callable[[str], Collection[str]],
    *,
    one_thing: bool,
) -> frozenset[Mention]:
    """The wrong values told as their owner's; and all right ones, if each is told as a wrong one's owner's.

    Args:
        text: masked.
        mentions: those in it that are not ruled out, in reading order.
        facts: of a wrong element, by its name.
        words: of a part of the text.
        one_thing: whether one thing is asked for.
    """
    parts = list(_parts(text, mentions, words))
    right = {mention for mention in mentions if mention.right}
    asides: set[Mention] = set()
    exchanged: set[Mention] = set()
    for before, after in pairwise(parts):
        for one, other in ((before, after), (after, before)):
            if not _all_right(one) or any(mention.right for mention in other.mentions):
                continue
            of_wrong = [facts(mention.name) for mention in other.mentions]
            compared = after.compared
            if _has_values_aside(other, of_wrong) and all(
                _tells(each, other, one, compared=compared and one is before) for each in of_wrong
            ):
                asides.update(other.mentions)
            if one_thing and all(
                _tells(each, one, other, compared=compared and one is after) for each in of_wrong
            ):
                exchanged.update(one.mentions)
    return frozenset(asides | right if exchanged == right else asides)


def _parts(
    text: str, mentions: Sequence[Mention], words: Callable[[str], Collection[str]]
) -> Iterator[_Part]:
    start, compares = 0, False
    for end in (*_PART_END.finditer(text), None):
        stop = end.end() if end else len(text)
        inside = mentions_inside(mentions, (start, stop))
        said = text[start:stop]
        if inside and not said.endswith("?"):
            yield _Part(said, words(said), inside, compares)
        start, compares = stop, bool(end and end["compares"])


def _all_right(part: _Part) -> bool:
    return all(mention.right for mention in part.mentions)


def _has_values_aside(part: _Part, facts: Collection[Facts]) -> bool:
    """Whether a part has values alone, and no word that adds them: names in a row may be one list.

    Beside a value of the same fact a name is none of a list: "begun in 1771 by Roque".
    """
    values = [any(map(str.isdigit, mention.name)) for mention in part.mentions]
    of_one_fact = any(values) and len(set(facts)) == 1
    return (all(values) or of_one_fact) and not NOT_ASIDE.search(part.text)


def _tells(facts: Facts, of_owner: _Part, of_asked: _Part, *, compared: bool) -> bool:
    """Whether one part is told by the owner's words, and the other by the question's.

    What something is compared with needs but the owner's.
    """
    if facts.owner.isdisjoint(of_owner.words) or not facts.owner.isdisjoint(of_asked.words):
        return False
    return compared or not facts.asked.difference(of_owner.words).isdisjoint(of_asked.words)
