"""The order in which an answer tells things, where that is not the order in which it names them.

"Last: A. First: B.", "D came last, A first", "D was last; before him came C, before him B", "in reverse
order: ...", "before A came B".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.ordered.ranked_rows import in_ranked_rows
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK

_NTH = (*("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),)
_PLACES = {word: place for place, word in enumerate(_NTH, start=1)} | {
    **dict.fromkeys(("earliest", "winner", "victor", "champion", "won by", "won"), 1),
    **dict.fromkeys(("runner-up", "runner up"), 2),
}
_ORDINAL = rf"(?P<nth>{'|'.join(_PLACES)}|last|latest|\d{{1,2}}(?=st\b|nd\b|rd\b|th\b))(?:st|nd|rd|th)?\b"
_WORDS = r"(?:\s+(?!(?:and|then|followed|before|after|by|not|thoughts?|time)\b)[\w']+)"
_BEFORE = lazy_pattern(
    rf"\b{_ORDINAL}(?!.*\b{_ORDINAL.replace('?P<nth>', '')}){_WORDS}{{0,6}}\s*[:,=]?\s*(?:the\s+|an?\s+)?\Z"
)
_AFTER = lazy_pattern(
    rf"\s*[(:,=]?(?:\s*\b(?!(?:and|then|followed|before|after|by|not)\b)[\w']+){{0,4}}?\s*\b{_ORDINAL}"
)
_BREAK = re.compile(r"[.;!?\n]")
_REVERSED = lazy_pattern(
    r"(?<!not in )\breverse[d]?\b|\bfrom\s+(?:the\s+)?last\s+to\s+(?:the\s+)?first\b"
    r"|\b(?:latest|last)\s+(?:one\s+)?first\b|\bbackwards\b"
    r"|\b(?:in\s+ordine\s+inverso|(?<!nicht )in\s+umgekehrter\s+(?:reihen)?folge|rückwärts"
    r"|(?:dans|par)\s+(?:l')?ordre\s+inverse"
    r"|en\s+orden\s+inverso|(?:na|em|por)\s+ordem\s+inversa|в\s+обратном\s+порядке)\b|逆順|倒序|从后往前|역순"
)
_BACK = lazy_pattern(
    r"\b(?:(?:before|ahead\s+of)\s+(?:her|him|it|them|that|this)\b|preceded\s+by\b|(?:very|before\s+all\s+of\s+them)\s+first\b"
    r"|\band\s+first\b|the\s+(?:winner|victor|champion)\s+(?:was|is)\b)"
)
_INSIDE = re.compile(r"\b(?:between|middle|meanwhile|the\s+others?|the\s+rest)\b")
_COUNTED_DOWN = re.compile(r"(?:\A|\n)[^\S\n]*(\d{1,2})[.)]\s*\Z")
_MAY_TURN = lazy_pattern(
    r"\d[.)]|winner|victor|champion|won|runner|invers|umgekehrt|rückwärts|обратн|逆順|倒序|从后往前|역순|ultim|último|fine|final|letzt|dernier|fim|последн"
    r"|last|laatste|slotte|first|latest|earliest|finish|\bends?\b|th\b|nd\b|rd\b|reverse|backward|before|ahead|preceded|second|third"
)
_COMES_BEFORE = re.compile(r"\bbefore\s+(?:the\s+)?\Z")
_CAME = re.compile(r"\s+(?:came|comes|was|is|arrived|\w+ed)\s+(?:the\s+)?\Z")

_TOLD = (
    r"(?:found|find|gave|give[ns]?|says?|said|state[sd]?|mention(?:s|ed)?|tells?|told|see|have|has"
    r"|there\s+is|provide[sd]?|record(?:s|ed)?|locate|known)"
)
_NOT = r"(?:\bno\b(?!\s+(?:doubt|question|other))|\bnothing\b|\bnot\b(?!\s+only)|n't\b|\bnever\b|\bunable\b)"
# "I found no time for X", "X's arrival is not mentioned", "as for X, I could not find it".
_UNTOLD = lazy_pattern(
    rf"(?=[^{MASK}]*\b{_TOLD}\b)[^{MASK}]*{_NOT}[^{MASK}]{{0,60}}?\b(?:for|of|about|on|when|where|as\s+to|regarding|concerning)\b[^,{MASK}]{{0,30}}{MASK}"
    rf"|[^{MASK}]*{MASK}++(?:'s)?(?:\s+\w+){{0,3}}?\s+(?:is|was|are|were)(?:\s+(?:not|never|nowhere)|n't)\s+(?:\w+ly\s+)?{_TOLD}\b"
    rf"|\W*(?:and\s+|but\s+)?(?:as\s+for|for|regarding|concerning|on)\s+(?:the\s+)?{MASK}++\s*,[^{MASK}]*{_NOT}[^{MASK}]*\b{_TOLD}\b"
)
_PLACED = lazy_pattern(rf"\b(?:{_ORDINAL}|but|after|before|then)\b".replace("?P<nth>", ""))
_SENTENCE = re.compile(r"[^.!?;\n]+")


def untold(text: str, mentions: Sequence[Mention]) -> set[Mention]:
    """The mentions that stand alone in a sentence that says nothing is told of them, and gives them no place.

    Args:
        text: masked.
        mentions: every mention in it, in reading order.
    """
    found: set[Mention] = set()
    for sentence in _SENTENCE.finditer(text):
        inside = [mention for mention in mentions if sentence.start() <= mention.start < sentence.end()]
        if len(inside) == 1 and _UNTOLD.match(sentence[0]) and not _PLACED.search(sentence[0]):
            found.update(inside)
    return found


def in_told_order(text: str, given: Sequence[Mention], asked: int) -> list[Mention]:
    """The mentions of a list in the order in which a masked text says that they come.

    Args:
        text: masked.
        given: in reading order, none named twice.
        asked: how many things there are to put in order.
    """
    listed = list(given)
    if len(listed) < _FEWEST:
        return listed
    if ranked := in_ranked_rows(text, listed, asked):
        return ranked
    if not _MAY_TURN.search(text):
        return listed
    begins = [0, *(mention.end for mention in listed)]
    ends = [*(mention.start for mention in listed), len(text)]
    between = [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
    if _REVERSED.search(between[0]) or all(map(_BACK.search, between[1:-1])) or _counts_down(between):
        return listed[::-1]
    readings = [
        [_place(_BEFORE.search(_BREAK.split(gap)[-1]), asked) for gap in between[:-1]],
        [_place(_AFTER.match(_BREAK.split(gap)[0]), asked) for gap in between[1:]],
    ]
    goes_on_inside = any(map(_INSIDE.search, between))
    told = [
        (None in reading, filled)
        for reading in readings
        if (filled := _filled(reading, asked, goes_on_inside=goes_on_inside))
    ]
    chosen = [places for has_gaps, places in told if not has_gaps] or [places for _, places in told]
    if chosen and all(places == chosen[0] for places in chosen):
        order = sorted(range(len(listed)), key=chosen[0].__getitem__)
        return [listed[place] for place in order]
    if _goes_back(between) or _goes_back_elsewhere(between):
        return listed[::-1]
    if _names_the_last_first(between):
        return [*listed[1:], listed[0]]
    if _frames_the_rest(between):
        return [listed[0], *listed[2:], listed[1]]
    return _swapped(listed, between)


def _counts_down(between: Sequence[str]) -> bool:
    """Whether each thing has a number before it, down to the 1 that tidying takes: "3. C 2. B 1. A"."""
    *numbered, last = [_COUNTED_DOWN.search(gap) for gap in between[:-1]]
    numbers = [int(found[1]) for found in numbered if found] + [int(last[1]) if last else 1]
    return len(numbered) >= _FEWEST - 1 and numbers == list(range(len(between) - 1, 0, -1))


_FEWEST = 2
# "It ends at D", "the last stop is D"; and "D comes last", "D is the terminus" behind it.
_ENDS_AT = lazy_pattern(
    r"\b(?:ends?|ended|finish(?:es|ed)?|terminates?|terminated)\s+(?:up\s+)?(?:at|in|with)\s+(?:the\s+)?\Z"
    r"|\blast\s+(?:\w+\s+){0,2}?(?:is|was|comes?|came)\s+(?:the\s+)?\Z"
)
_IS_LAST = lazy_pattern(
    r"\s+(?:is|was|comes?|came)\s+(?:(?:the|its|their)\s+)?(?:very\s+)?(?:last\b(?!\s+but)|terminus|final\s+(?:one|stop|station))"
)
_TELLS_THE_REST = lazy_pattern(
    r"\bbefore\s+(?:it|that|this|then|them|him|her)\b|\b(?:starts?|started|begins?|began)\s+(?:at|in|with)\b"
)
_STANDS_BEFORE = lazy_pattern(
    r"\s+(?:(?:is|was|comes?|came)\s+)?(?:(?:right|just|directly|immediately)\s+)?before\s+(?:it|that|this|him|her)\b"
)
_IS_FIRST = lazy_pattern(r"\s+(?:(?:is|was|comes?|came)\s+)?(?:the\s+)?(?:very\s+)?first\b")
_OTHER_WAY = re.compile(r"\b(?:before|after|preceded|follow\w*|last|first)\b")


def _says_last(between: Sequence[str]) -> bool:
    """Whether the first thing named is said to be the last."""
    ends_at = _ENDS_AT.search(_BREAK.split(between[0])[-1])
    return bool(ends_at or _IS_LAST.match(_BREAK.split(between[1])[0]))


def _goes_back(between: Sequence[str]) -> bool:
    """Whether each thing named is said to come before the one named before it: "D is last, C before it"."""
    *inner, end = between[2:] or [""]
    behind = all(map(_STANDS_BEFORE.match, inner)) and (_STANDS_BEFORE.match(end) or _IS_FIRST.match(end))
    return bool(inner and behind) and _says_last(between)


# Of other languages: "per ultimo", "davor", "all'inizio"; and what comes after something.
_AT_LAST = lazy_pattern(
    r"\b(?:(?:per|da)\s+ultim[oaie]|alla\s+fine|zuletzt|als\s+letzte[rs]?|zum\s+schluss|am\s+ende"
    r"|en\s+dernier(?:\s+lieu)?|à\s+la\s+fin"
    r"|letzte[rs]?\s+(?:war|wurde)|de\s+laatste|als\s+laatste|ten\s+slotte|tot\s+slot|por\s+último|al\s+final|no\s+fim|por\s+fim|в\s+последнюю\s+очередь|последн\w+|в\s+конце)\b"
)
_AT_FIRST = lazy_pattern(
    r"\b(?:all'inizio|per\s+prim[oaie]|zuerst|als\s+erste[rs]?|(?:ganz\s+)?am\s+anfang|au\s+(?:tout\s+)?début|en\s+premier(?:\s+lieu)?"
    r"|d'abord|al\s+(?:principio|comienzo|inicio)|en\s+primer\s+lugar|no\s+(?:início|começo)|em\s+primeiro\s+lugar"
    r"|в\s+начале|сначала|перв(?:ым|ой|ыми)|(?:als|de)\s+eerste|eerst|won|winnaar\s+(?:was|is)|sieger(?:in)?\s+(?:war|wurde)|gewann|siegte"
    r"|a\s+gagné|ganó|ha\s+vinto|vinse|venceu|победил\w*)\b"
)
_COMES_EARLIER = lazy_pattern(
    r"\b(?:prima(?:\s+(?:di|del\w*|dei|degli|ancora))?|davor|vor(?:her)?|daarvoor|ervoor|avant|antes|перед|до)\b"
)
_COMES_LATER = lazy_pattern(
    r"\b(?:poi|dopo|dann|danach|nach|daarna|puis|ensuite|après|después|luego|depois|потом|затем|после)\b"
)


def _goes_back_elsewhere(between: Sequence[str]) -> bool:
    """Whether an answer in another language begins with the last thing, and goes back to the first."""
    first, *inner, end = between
    if len(inner) < _FEWEST or not _AT_LAST.search(first) or any(map(_COMES_LATER.search, inner)):
        return False
    told_first = _AT_FIRST.search(inner[-1]) or _AT_FIRST.search(_BREAK.split(end)[0])
    return bool(told_first and any(map(_COMES_EARLIER.search, inner[:-1])))


def _names_the_last_first(between: Sequence[str]) -> bool:
    """Whether the last thing is named first, and then those before it in their order."""
    if len(between) <= _FEWEST + 1 or not _says_last(between) or not _TELLS_THE_REST.search(between[1]):
        return False
    return not any(map(_OTHER_WAY.search, between[2:-1]))


# "Start with A and finish with D; between them come B and then C".
_STARTS_WITH = lazy_pattern(r"\b(?:starts?|started|begins?|began)\s+(?:with|at|in)\s+(?:the\s+)?\Z")
_AND_ENDS_WITH = lazy_pattern(
    r"\s*,?\s+(?:and|then)\s+(?:then\s+)?(?:finish(?:es|ed)?|ends?|ended)\s+(?:with|at|in)\s+(?:the\s+)?\Z"
)
_BETWEEN_THEM = lazy_pattern(r"\W+(?:in\s+)?between(?:\s+(?:them|the\s+two|these|those))?\b")


def _frames_the_rest(between: Sequence[str]) -> bool:
    """Whether the first and the last thing are named, and then what comes between them."""
    return bool(
        len(between) > _FEWEST + 1
        and _AND_ENDS_WITH.fullmatch(between[1])
        and _STARTS_WITH.search(_BREAK.split(between[0])[-1])
        and _BETWEEN_THEM.match(between[2])
        and not any(map(_OTHER_WAY.search, between[2:-1]))
    )


def _place(nth: re.Match[str] | None, asked: int) -> int | None:
    if nth is None:
        return None
    said = nth["nth"]
    return asked if said in ("last", "latest") else _PLACES.get(said) or int(said)


def _filled(reading: Sequence[int | None], asked: int, *, goes_on_inside: bool) -> list[int]:
    """A reading in which each without a place follows the one before it; empty where that is none.

    ``goes_on_inside``: what follows the last stands before it: "first A, last D, between them B and C".
    """
    if reading[0] is None or sum(place is not None for place in reading) < _FEWEST:
        return []
    places: list[int] = []
    for place in reading:
        following = places[-1] + 1 if places else 0
        if following > asked and goes_on_inside:
            following = min(set(range(1, asked + 1)).difference(places, reading), default=following)
        places.append(place if place is not None else following)
    return places if len(set(places)) == len(places) and max(places) <= asked else []


def _swapped(listed: Sequence[Mention], between: Sequence[str]) -> list[Mention]:
    """The list in which "before A came B" puts B before A."""
    order = list(listed)
    for place, (before, after) in enumerate(pairwise(between[:-1])):
        if _COMES_BEFORE.search(before) and _CAME.fullmatch(after):
            order[place], order[place + 1] = order[place + 1], order[place]
    return order
