"""A right number told of a change the other way: "they shrank by 8.5 %", asked by how much they grew."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.reading.spans import sentence_around
from niah.judges.rubric.reading.statements import tidied_question

_UP = lazy_pattern(
    r"\b(?:gr[eo]w(?:s|n|ing|th)?|ris(?:e[sn]?|ing)|rose|increas\w*|climb\w*|gain(?:s|ed)?|went\s+up|go(?:es)?\s+up|raised"
    r"|wuchs(?:en)?|gewachsen|st(?:ieg(?:en)?|eigt)|gestiegen|zugenommen|erhöht\w*|augment\w+|progress(?:é|ent|aient)\w*"
    r"|aument\w+|creci\w+|crescer\w*|cresceu|cresciut\w+|salit\w+)\b"
)
_DOWN = lazy_pattern(
    r"\b(?:shr[aiu]nk\w*|f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|declin\w+|decreas\w+|reduc(?:ed|tion)\w*|went\s+down|go(?:es)?\s+down"
    r"|lowered|plung\w+|dwindl\w+|contracted|lost|schrumpf\w+|geschrumpft|sank(?:en)?|gesunken|gefallen|abgenommen|verringert\w*"
    r"|baiss\w+|diminu\w+|recul\w+|chut\w+|disminuy\w+|cay[óe]\w*|baj(?:ó|aron|ado)|diminu\w+|ca[ií]r\w*|caiu|cal[ao]t\w+|sces[aeio]|diminuit\w+)\b"
)
_NOT = lazy_pattern(
    r"\b(?:not|never|no|nicht|kein\w*|pas|non|não|after|before|instead|rather|than|nach|après|tras|dopo)\b|n't\b"
)


def told_the_other_way(text: str, mentions: Sequence[Mention], key: AnswerKey) -> Iterator[Mention]:
    """The right numbers of which a sentence tells a change to the side that no text of the needle set tells.

    Args:
        text: masked.
        mentions: the right numbers that it names.
        key: what was asked.
    """
    asked = _asked_ways(key)
    if asked is None:
        return
    own, other = asked
    for mention in mentions:
        start, end = sentence_around(text, mention)
        said = text[start:end]
        if other.search(said) and not own.search(said) and not _NOT.search(said):
            yield mention


@lru_cache(maxsize=256)
def _asked_ways(key: AnswerKey) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """The way of the change that a question asks for, and the other one; None where the texts have both."""
    question = tidied_question(key)
    told = normalise("\n".join((question, *key.references, *(needle.text for needle in key.needles))))
    for own, other in ((_UP, _DOWN), (_DOWN, _UP)):
        if own.search(question) and not other.search(told):
            return own, other
    return None
