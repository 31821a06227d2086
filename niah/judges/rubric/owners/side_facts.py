"""Which wrong elements stand in a side fact that shares its sentence: "launched in 1871 and sold in 1874".

Only where an "and", a participle or the like parts the sentence, what is on the wrong element's side of it
tells by a word of its owner whose it is, and the two things cannot be one list: "Anna Berg and her brother
Otto Lind" names both, "Anna Berg built it and Otto Lind painted the chapel" one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.detect import FUNCTION_WORDS
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK

PARTING = lazy_pattern(
    r",?\s(?:and|und|et|y|e|и)(?=[\s,])|,?\s(?:after\s+which|whereupon|before\s+being|before\s+it\s+was)\s"
    r"|,\s(?=(?:she|he|it|they|sie|er|elle|il|ella|ela|lei|она|он)\s)"
    r"|,\s(?=[^\W\d_]+(?:ing|ed)\s(?:\w+\s){0,2}?(?:by|in|on|at|to|from|for)\s|[^\W\d_]+t\s(?:hat|hatte|wurde)\s)"
)
# The wrong thing is named as one more of what was asked for, or it is open which of the two it is.
NOT_ASIDE = lazy_pattern(
    r"\b(?:also|too|both|together|jointly|again|another|other|same|either|or|between|them"
    r"|says?|said|claims?|thinks?|reports?|according|maybe|perhaps|possibly|likely"
    r"|auch|ebenfalls|beide|zusammen|wieder|oder|aussi|ensemble|ou|deux|también|juntos|ambos|também|anche|insieme"
    r"|entramb[ie]|o|также|тоже|вместе|или)\b"
)
GENERIC = frozenset(
    re.findall(
        r"\w+",
        """
        code codes cod- passcode key keys number numbers date dates time times year years day days price
        prices cost costs value values figure figures amount total name names sum one ones person people
        place city town zahl nummer datum jahr preis name code nombre numéro prix
        année nom número fecha precio año
        """,
    )
)
_PLACING = (
    r"(?:on|in|at|by|to|from|with|for|near|into|under|am|im|in|an|auf|um|bei|zu|zum|zur|mit|nach|für|aus|seit|ab|vor|à|en|dans"
    r"|par|pour|chez|depuis|dès|por|para|con|desde|hasta|em|no|na|com|per|nel|nella|dal|dalla|в|на|с|к|of|von|de|du|di|des|del)"
)
_FINITE = r"(?:is|was|were|are|had|has|ist|war|wurde|hat|est|était|fut|es|fue|era|foi|è|был|была)"
_ARTICLE = r"(?:the|an?|der|die|das|den|dem|les?|la|l'|el|los|las|il|lo|um|uma|os?|as)"
_STARTS_WITH_PLACING = lazy_pattern(rf"\s*(?:{_PLACING}|{_ARTICLE}|as|who|which|whose|[,(:])(?!\w)")
_NO_PREDICATE = lazy_pattern(rf"\s*(?:{_PLACING}(?!\w)|(?:as|who|which|whose)\b|[,(:.]|\Z)")
_PLACING_FIRST = lazy_pattern(rf"\s*{_PLACING}(?!\w)")
# "And her brother Otto" adds to a list; "and sold to Otto", "and his tutor was Otto" do not.
_LEADS_TO_A_NAME = lazy_pattern(
    rf"(?<!\w)(?:{_FINITE}|(?!of\s|von\s|de\s|du\s|di\s|des\s|del\s){_PLACING})\s+(?:{_ARTICLE}\s+)?\Z"
)
_PARENTHESIS = lazy_pattern(rf"\A\s*,[^,{MASK}]*,")
_WORD = lazy_pattern(r"[^\W_]+")
_LONGER = lazy_pattern(r"[^\W_]{3,}")


class SideFacts:
    """The side facts of one text."""

    def __init__(
        self,
        text: str,
        mentions: Sequence[Mention],
        owner_words: Callable[[str], Iterable[str]],
        asked: Collection[str],
    ) -> None:
        """Of a masked text.

        Args:
            text: masked.
            mentions: every mention in it, in reading order.
            owner_words: the words of a text that may tell whose a thing is.
            asked: words of the question that tell what it asks for.
        """
        self._text, self._mentions = text, mentions
        self._owner_words, self._asked = owner_words, asked

    def holds(self, mention: Mention, clause: tuple[int, int], owner: frozenset[str]) -> bool:
        """Whether a wrong mention stands in a side fact of a clause that names a right element.

        ``owner``: the words that tell whose it is.
        """
        text, (start, end) = self._text, clause
        partings = [match.span() for match in PARTING.finditer(text, start, end)]
        if not partings or NOT_ASIDE.search(text, start, end):
            return False
        telling = owner - GENERIC - FUNCTION_WORDS
        place = sum(parting[1] <= mention.start for parting in partings)
        begin = partings[place - 1][1] if place else start
        stop = partings[place][0] if place < len(partings) else end
        own, rest = text[begin:stop], f"{text[start:begin]} {text[stop:end]}"
        if self._names_right(begin, stop) or not self._tells(own, telling):
            return False
        if self._asks(own) > self._asks(rest):
            return False
        if not self._names_right(start, begin):
            following = text[stop:end].split(MASK)[0]
            return _says_more(text[mention.end : stop]) or self._asks(following) > 0
        before = _PARENTHESIS.sub("", text[begin : mention.start])
        if self._tells(before, telling) and not _PLACING_FIRST.match(before) and _leads_to(before, mention):
            return True
        last = max(one.end for one in self._mentions if one.right and one.end <= begin)
        behind = "" if _NO_PREDICATE.match(text, mention.end) else text[mention.end : stop]
        return _says_more(text[last : partings[place - 1][0]]) and self._tells(behind, telling)

    def _names_right(self, start: int, end: int) -> bool:
        return any(one.right and start <= one.start < end for one in self._mentions)

    def _tells(self, part: str, telling: frozenset[str]) -> bool:
        return not telling.isdisjoint(self._owner_words(part))

    def _asks(self, part: str) -> int:
        return len(set(_LONGER.findall(part)).intersection(self._asked))


def _leads_to(before: str, mention: Mention) -> bool:
    return any(map(str.isdigit, mention.name)) or _LEADS_TO_A_NAME.search(before) is not None


def _says_more(gap: str) -> bool:
    """Whether words stand between a value and the "and" that are no mere place, time or apposition."""
    return _WORD.search(gap) is not None and not _STARTS_WITH_PLACING.match(gap)
