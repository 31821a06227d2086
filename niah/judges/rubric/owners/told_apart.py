"""Where an answer tells two facts apart by words of each: "to passengers on R and to goods trains on W".

Where one thing of a kind is asked for, or one for each key, and the answer has a right and a wrong value in
parts of their own: the one fact is told by a word of the wrong value's owner, the other by a word of the
question that the owner's text has not. The wrong value told as its owner's is a side fact. The right one told
as an owner's, with the wrong one as what was asked for, is not found: the answer has exchanged them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.numbers import number_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.owners.side_facts import NOT_ASIDE
from niah.judges.rubric.reading.spans import mentions_inside

_PART_END = lazy_pattern(
    r"[.!?](?=\s|\Z)|\n|[,;:()](?=\s|\Z|[(])|\s-(?=\s)"
    r"|\s(?:and|but|while|whereas|though|although|then|und|aber|während|et|mais|tandis|y|pero|mientras|mas|enquanto|ma|mentre|и|но)"
    r"(?=[\s,])"
    rf"|(?<={MASK})\s(?:after|before)(?=\s(?:it|he|she|they|being|having)\s)"
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


class Asked(NamedTuple):
    """The words of a question that tell what it asks for: in all their forms, and how many they are."""

    forms: frozenset[str]
    words: int


_TAKES_BACK = lazy_pattern(
    r"\b(?:correct(?:ion|ed|ing)?|edit|actually|wait|rather|instead|in\s+fact|really|sorry|scratch|not?|nein|non|nicht|pas|sondern"
    r"|tatsächlich|eigentlich|plutôt|sino|bensì|нет|не)\b|n't\b"
)
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_LABEL = 4
"""Words before a colon, at most, that tell what stands behind it: "Signed: 4 May"."""
_AGAINST = lazy_pattern(
    r"\W*(?:against|versus|vs\.?|compared\s+(?:to|with)|contre|gegenüber|im\s+vergleich\s+zu|frente\s+a|contra|contro|rispetto\s+a\w*"
    rf"|против)\s+(?:\w+\s+){{0,2}}?{MASK}"
)
_SHORT = 15
"""Words of an answer that says no more than one thing."""
# "The deposit is", "Deposit:", "Birk sells"; not "at the deposit it is".
_SAID_OF = lazy_pattern(
    r"\A\W*(?:(?!in\b|on\b|at\b|by\b|with\b|for\b|before\b|after\b|since\b|it\b|they\b|he\b|she\b)\w+\s){0,3}?"
    r"([^\W\d_]+)(?:\s*:|\s(?:is|was|are|were|has|had|come|came|cost|pay|paid|sold|took|\w{2,}(?:s|ed))\b)"
)
_CONTRAST = lazy_pattern(
    r"\b(?:not|no|never|unlike|apart|besides|except|rather|instead|than|whereas|while|but|also|other|without|only|confus\w+)\b|n't\b"
)
_UNKNOWN = Facts(frozenset(), frozenset())


class _Part(NamedTuple):
    """A part of a text that names something; ``compared``: whether it follows on "after" or "than"."""

    text: str
    words: Collection[str]
    mentions: Sequence[Mention]
    compared: bool


def told_apart(
    text: str,
    mentions: Sequence[Mention],
    facts: Mapping[str, Facts],
    words: Callable[[str], Collection[str]],
    *,
    kind: Callable[[Mention], str] | None,
) -> frozenset[Mention]:
    """The wrong values told as their owner's; and all right ones of a kind, if each is told as an owner's.

    Args:
        text: masked.
        mentions: those in it that are not ruled out, in reading order.
        facts: of the wrong elements, by name.
        words: of a part of the text.
        kind: of what is named, where one thing of each kind is asked for; None where several of one are.
    """
    parts = list(_parts(text, mentions, words))
    asides: set[Mention] = set()
    exchanged: set[Mention] = set()
    for before, after in pairwise(parts):
        # In a list of several things its place claims each.
        if not kind and before.text.endswith("\n") and not after.text[:1].isspace():
            continue
        for one, other in ((before, after), (after, before)):
            compared = after.compared
            if _all_right(one) and not any(mention.right for mention in other.mentions):
                of_wrong = [facts.get(mention.name, _UNKNOWN) for mention in other.mentions]
                if _has_values_aside(other, of_wrong) and all(
                    _tells(each, other, one, compared=compared and one is before) for each in of_wrong
                ):
                    asides.update(other.mentions)
    if kind:
        for each in dict.fromkeys(map(kind, mentions)):
            of_kind = [
                part._replace(mentions=own)
                for part in parts
                if (own := [mention for mention in part.mentions if kind(mention) == each])
            ]
            for before, after in pairwise(of_kind):
                for one, other in ((before, after), (after, before)):
                    compared = after.compared and one is after
                    exchanged.update(_exchanged(one, other, facts, compared=compared))
        claimed = {kind(mention) for mention in mentions if mention.right and mention not in exchanged}
        asides.update(mention for mention in exchanged if kind(mention) not in claimed)
    return frozenset(asides)


def _exchanged(one: _Part, other: _Part, facts: Mapping[str, Facts], *, compared: bool) -> Iterator[Mention]:
    """The right mentions of one part told as an owner's, beside wrong ones of their kind told as right."""
    if not _all_right(one) or any(mention.right for mention in other.mentions):
        return
    own = frozenset[str]().union(*(facts.get(mention.name, _UNKNOWN).owner for mention in other.mentions))
    if own.isdisjoint(other.words) and any(
        _tells(fact, one, other, compared=compared) for fact in set(facts.values())
    ):
        yield from one.mentions


def told_beside(
    text: str,
    mentions: Sequence[Mention],
    asked: Asked,
    words: Callable[[str], frozenset[str]],
) -> frozenset[Mention]:
    """The wrong values told with words of their own, beside a right one in the question's words.

    "Rebuilt in R, after being destroyed in W": where nothing is known but the reference, nobody can say if
    the other fact is so. The right value's part has more of the question's words than the wrong one's, which
    has no other of them, and it has nothing but them, or most of them.

    Args:
        text: masked.
        mentions: those in it that are not ruled out, in reading order.
        asked: what the question asks for.
        words: those of a part of the text that tell something.
    """
    found: set[Mention] = set()
    for before, after in pairwise(_parts(text, mentions, words)):
        between = text[before.mentions[-1].end : after.mentions[0].start]
        if NOT_ASIDE.search(between) or _TAKES_BACK.search(between):
            continue
        for one, other in ((before, after), (after, before)):
            if not _all_right(one) or any(mention.right for mention in other.mentions):
                continue
            told, said = asked.forms.intersection(one.words), asked.forms.intersection(other.words)
            is_plain = asked.forms.issuperset(one.words) or 2 * len(told) > asked.words
            has_own = not asked.forms.issuperset(other.words) and not _TAKES_BACK.search(other.text)
            if said < told and is_plain and has_own and _has_values_aside(other, ()):
                found.update(other.mentions)
    return frozenset(found)


def told_as_an_owners(
    text: str,
    mentions: Sequence[Mention],
    facts: Mapping[str, Facts],
    words: Callable[[str], Collection[str]],
) -> frozenset[Mention]:
    """The right values of a short answer that says nothing but what is an owner's: "The deposit is 1,340".

    The owner's word is what the value is said of, and no word of the question stands anywhere that the
    owner's text has not.
    """
    if (
        len(_WORD.findall(text)) > _SHORT
        or not all(mention.right and is_value(mention) for mention in mentions)
        or _CONTRAST.search(text)
    ):
        return frozenset()
    said = words(text)
    owners = {fact for fact in facts.values() if fact.asked and fact.asked.isdisjoint(said)}
    told = frozenset[str]().union(*(fact.owner for fact in owners))
    parts = list(_parts(text, mentions, words)) if not told.isdisjoint(said) else []
    of_owner = [
        any(subject[1] in told for subject in _SAID_OF.finditer(part.text[: part.text.find(MASK)]))
        for part in parts
    ]
    return frozenset(mentions) if of_owner and all(of_owner) else frozenset()


def _parts(
    text: str, mentions: Sequence[Mention], words: Callable[[str], Collection[str]]
) -> Iterator[_Part]:
    start, compares = 0, False
    for end in (*_PART_END.finditer(text), None):
        stop = end.end() if end else len(text)
        inside = mentions_inside(mentions, (start, stop))
        said = text[start:stop]
        if end and end[0] == ":" and len(_WORD.findall(said)) <= (0 if inside else _LABEL):
            continue
        if inside and not said.endswith("?"):
            yield _Part(said, words(said), inside, compares or _AGAINST.match(said) is not None)
        start, compares = stop, bool(end and end["compares"])


def shape(mention: Mention) -> str:
    """How a name that has digits is written, "9:9", "platform 9"; of any other ""."""
    return _DIGITS.sub("9", normalise(mention.name)) if is_value(mention) else ""


def is_value(mention: Mention) -> bool:
    """Whether a name is a number, a date or the like, and no name of anybody."""
    return any(map(str.isdigit, mention.name)) or number_of(normalise(mention.name)).isdigit()


def _all_right(part: _Part) -> bool:
    return all(mention.right for mention in part.mentions)


def _has_values_aside(part: _Part, facts: Collection[Facts]) -> bool:
    """Whether a part has values alone, and no word that adds them: names in a row may be one list.

    Beside a value of the same fact a name is none of a list: "begun in 1771 by Roque".
    """
    values = [is_value(mention) for mention in part.mentions]
    of_one_fact = any(values) and len(set(facts)) == 1
    return (all(values) or of_one_fact) and not NOT_ASIDE.search(part.text)


def _tells(facts: Facts, of_owner: _Part, of_asked: _Part, *, compared: bool) -> bool:
    """Whether one part is told by the owner's words, and the other by the question's.

    What something is compared with needs but the owner's.
    """
    if facts.owner.isdisjoint(of_owner.words) or not facts.owner.isdisjoint(of_asked.words):
        return False
    return compared or not facts.asked.difference(of_owner.words).isdisjoint(of_asked.words)
