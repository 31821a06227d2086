"""Who fell short of what is asked: "X turned back", where it is asked who reached, finished or arrived."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK, are_one_list
from niah.judges.rubric.reading.statements import tidied_question

_GETS_THERE = (
    r"(?:reach(?:e[sd]|ing)?|finish(?:e[sd]|ing)?|arriv(?:e[sd]?|ing)|complet(?:e[sd]?|ing)|summit(?:s|ed|ing)?"
    r"|ma(?:k(?:es?|ing)|de)\s+it|g[eo]t(?:ting|s)?\s+(?:to|there)|c(?:o|a)m(?:es?|ing)\s+(?:in|home|through)"
    r"|cross(?:e[sd]|ing)?|climb(?:s|ed|ing)?|ascend(?:s|ed|ing)?|land(?:s|ed|ing)?)"
)
_ASKS_WHO_GOT_THERE = lazy_pattern(rf"\b(?:who|which|what|name|list)\b.*\b{_GETS_THERE}\b")
_ASKS_WHO_DID_NOT = lazy_pattern(
    r"\b(?:not|never|without|fail(?:ed|s)?|turn(?:ed|s)?|gave|gives?|abandon\w*|only\s+almost|except)\b|n't\b"
)
_ATTEMPT = (
    r"(?:(?:the|his|her|their|its|this)\s+)?(?:\w+\s+)?(?:climb|ascent|attempt|race|search|swim|crossing|effort"
    r"|journey|march|run|ride|voyage|try|quest|trek)\b"
)
_GIVES_UP = (
    r"(?:\s+(?:just|short|below|near|half|halfway|at|in|on|with|because|due|before|out|from|under|and|when|as|since)\b"
    r"|\s+(?:\w+\s+){1,3}(?:met(?:re|er)s?|feet|yards|miles?|kilomet(?:re|er)s?|hours?|days?|steps)\b|\s*(?:[.,;:!)\n-]|\Z))"
)
_FALLS_SHORT = lazy_pattern(
    r"\s*(?:[:(-]\s*)?(?:,\s*[^,.;\u2588]{1,50},\s*)?(?:who\s+)?(?:(?:however|though|instead|also|both|all|already|\w+ly)\s+)*"
    r"(?:(?:had|has|have|was|were|is|are)\s+)?(?:(?:forced|obliged|compelled|made|decided|chose|needed)\s+)?(?:to\s+)?(?:"
    rf"turn(?:s|ed)?\s+(?:back|around|round)(?={_GIVES_UP}|\s+{_ATTEMPT})|g[ai]ve[ns]?\s+up(?={_GIVES_UP}|\s+{_ATTEMPT})"
    rf"|(?:dropped|drops|drop)\s+out(?={_GIVES_UP}|\s+of\s+{_ATTEMPT})|f[ea]ll(?:s|en)?\s+short\b|abandon(?:s|ed)?\s+{_ATTEMPT}"
    rf"|(?:fail(?:s|ed)?|unable)\s+to\s+{_GETS_THERE}\b|never\s+{_GETS_THERE}\b"
    r"|(?:stay|remain|wait)(?:s|ed)?\s+(?:behind|(?:at|in|on|back\s+(?:at|in))\s+(?:the\s+)?(?:base\b|\w*\s?camp\b|tent|hut|shore"
    r"|ship|harbour|harbor|port|valley|home|start))"
    r")"
)
_SIGNS = (
    "back",
    "round",
    "up",
    "out",
    "short",
    "abandon",
    "fail",
    "unable",
    "never",
    "stay",
    "remain",
    "wait",
)
# He got there all the same, or was there when he turned back.
_ALL_THE_SAME = lazy_pattern(
    r"\b(?:but|yet|then|later|eventually|finally|still|nevertheless|nonetheless|afterwards?|after|having|once|twice|times?|again"
    r"|initially|first|until|till|next|second|before\s+(?:he|she|they|it|\w+ly))\b"
    rf"|(?<!before )(?<!without )(?<!than )\b{_GETS_THERE}\b"
    r"|\b(?:at|from|on|upon)\s+(?:the\s+)?(?:\w+\s+)?(?:summit|top|peak|end|finish|finishing|goal|line|other)\b"
)
_HE_GOT_THERE = lazy_pattern(rf"\b(?:he|she|they|it|who|all|both)\s+(?:\w+\s+){{0,4}}?{_GETS_THERE}\b")
# "If X turned back", "it is not true that X turned back".
_NOT_SAID = lazy_pattern(
    r"\b(?:if|when|after|before|until|nor|neither|not|never|says?|said|claim\w*|rumou?r\w*|thought|believed?|expect\w*|wrong\w*"
    r"|nearly|almost|nobody|whether|that|false)\b|n't\b"
)
_SENTENCE_OVER = re.compile(r"[.!?\n](?=\s|\Z)")
_CLAUSE_OVER = re.compile(r"[.!?;:,(\n]")
_REACH = 80


def fallen_short(text: str, mentions: Sequence[Mention], key: AnswerKey) -> set[Mention]:
    """The mentions of whom a clause says that they did not get to what the question asks.

    A wrong one only where it is named but once.

    Args:
        text: masked.
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    question = tidied_question(key)
    if not any(map(text.__contains__, _SIGNS)) or not _ASKS_WHO_GOT_THERE.search(question):
        return set()
    if _ASKS_WHO_DID_NOT.search(question):
        return set()
    often = Counter(mention.name for mention in mentions)
    found: set[Mention] = set()
    for place, mention in enumerate(mentions):
        if _fell_short(text, mention):
            found.update(_listed_with(text, mentions[: place + 1]))
    return {mention for mention in found if mention.right or often[mention.name] == 1}


def _fell_short(text: str, mention: Mention) -> bool:
    verb = _FALLS_SHORT.match(text, mention.end)
    if not verb:
        return False
    before = _CLAUSE_OVER.split(text[max(0, mention.start - _REACH) : mention.start])[-1]
    if _NOT_SAID.search(before):
        return False
    following = text.find(MASK, verb.end())
    stop = following if following >= 0 else len(text)
    over = _SENTENCE_OVER.search(text, verb.end(), stop)
    end = over.start() if over else stop
    return not (_ALL_THE_SAME.search(text, verb.end(), end) or _HE_GOT_THERE.search(text, end, stop))


def _listed_with(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The last mention, and those joined to it by a mere "and": a comma may end another clause."""
    listed = [mentions[-1]]
    for before, after in pairwise(reversed(mentions)):
        if not are_one_list(text, (after, before)) or "," in text[after.end : before.start]:
            break
        listed.append(after)
    return listed
