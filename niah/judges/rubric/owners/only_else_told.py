"""Refusals that name what the text has instead: "it has the price of the first oven, but not of this".

Read only where there is nothing to find, and only beside what a distractor plants: "only her initials are
given" may be all that an answer guesses with.
"""

from __future__ import annotations

import re

from niah.cases.sample import AnswerKey
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.owners.beside_refusal import GUESS
from niah.judges.rubric.owners.owner_words import forms_asked, forms_of_common_words

_TELLS = (
    r"(?:gives?|mentions?|names?|states?|tells?|lists?|specif(?:y|ies)|provides?|identif(?:y|ies)|credits?|records?|says?"
    r"|learn|know|hear|find)"
)
_TOLD = r"(?:given|mentioned|stated|named|specified|identified|listed|known|told|recorded|provided|credited)"
_OF_WHAT = r"(?:of|for|about|on|the|its|their|his|her|who|whose|what|when|where|how|which)"
_BUT_NOT = lazy_pattern(
    rf"\b(?:{_TELLS}|{_TOLD})\b(?P<told>[^.;\n]{{1,200}}?)(?:\bbut|,|\band)\s+not\s+{_OF_WHAT}\b(?![^.;\n]*{MASK})"
)
_ONLY = lazy_pattern(
    rf"\bonly\s+(?!{MASK})(?P<what>[^.;\n]{{1,120}}?)\s(?:is|are|was|were)\s+(?:\w+ly\s+)?{_TOLD}\b"
    rf"|\b(?:{_TELLS}\s+(?:\w+\s+)?only|only\s+{_TELLS})\b(?=[^.;\n]*{MASK})"
)
_NOTHING = r"(?:unknown|unclear|unnamed|n/a|null|none|not\s+\w+|\?+)"
_ROW = lazy_pattern(
    rf"(?:\A|\n)[^\w\n]*(?:{_NOTHING}[^\w\n]*,(?P<of>[^\n]*\w[^\n]*)"
    rf"|(?P<label>[^,\n{MASK}]*\w[^,\n{MASK}]*),\s*{_NOTHING}[^\w\n{MASK}]*(?=\n|\Z))"
)
_CONCLUDES = re.compile(r"\b(?:so|therefore|thus|hence|must|could|might|may|can)\b")
_SENTENCE = re.compile(r"[^.!?;\n]+(?:[.!?](?=\S)[^.!?;\n]+)*")
_WORD = re.compile(r"[^\W\d_]{3,}")


def tells_only_something_else(text: str, key: AnswerKey) -> bool:
    """Whether a masked answer refuses by saying that something else alone is told, and guesses nothing."""
    if MASK not in text or GUESS.search(text) or _CONCLUDES.search(text):
        return False
    sentences = [said[0] for said in _SENTENCE.finditer(text) if MASK in said[0]]
    if any(_BUT_NOT.search(said) or _ONLY.search(said) for said in sentences):
        return True
    asked = forms_asked(key) - forms_of_common_words(("en",), plain=False)
    return any(not asked.isdisjoint(_WORD.findall(row["of"] or row["label"])) for row in _ROW.finditer(text))
