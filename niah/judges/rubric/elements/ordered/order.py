"""Which elements stand out of their order, where they are asked for in one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.ordered.told_order import in_told_order


def misplaced_elements(
    text: str, mentions: Sequence[Mention], out: Collection[Mention], key: AnswerKey
) -> frozenset[str]:
    """Names of right elements that the answer gives out of their order; none where order is free.

    An answer may name elements on its way, and again where it quotes. What counts is the longest list that
    names none twice, of several such lists the closest set; and of that list as many elements as can be left
    standing in order. All others that the answer names are misplaced.

    Args:
        text: masked.
        mentions: every mention in the answer, in reading order.
        out: those that the text rules out.
        key: what was asked.
    """
    if not key.ordered:
        return frozenset()
    named = [mention for mention in mentions if mention.right and mention not in out]
    given = max(_lists(named), key=lambda one: (len(one), one[0].start - one[-1].end), default=[])
    given = in_told_order(text, given, len(key.elements))
    ranks = {element.name: rank for rank, element in enumerate(key.elements)}
    in_order = {given[at].name for at in longest_rise([ranks[mention.name] for mention in given])}
    return frozenset(mention.name for mention in named) - in_order


def _lists(mentions: Sequence[Mention]) -> list[list[Mention]]:
    """The mentions in lists; one of an element that the list has already begins another."""
    lists: list[list[Mention]] = []
    seen: set[str] = set()
    for mention in mentions:
        if mention.name in seen or not lists:
            lists.append([])
            seen = set()
        lists[-1].append(mention)
        seen.add(mention.name)
    return lists


def longest_rise(ranks: Sequence[int]) -> list[int]:
    """Places of a longest rising subsequence of ``ranks``, all different, ascending (patience sorting)."""
    tops: list[int] = []  # the least rank that ends a rise of each length, as a place
    before: list[int] = []
    for place, rank in enumerate(ranks):
        length = bisect_left(tops, rank, key=lambda at: ranks[at])
        before.append(tops[length - 1] if length else -1)
        tops[length : length + 1] = [place]
    rise: list[int] = []
    place = tops[-1] if tops else -1
    while place >= 0:
        rise.append(place)
        place = before[place]
    return rise[::-1]
