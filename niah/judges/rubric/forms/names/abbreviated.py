"""Names with a word that is commonly cut short: "Tallow St.", "Mt. Orrin", "Lindenstr."."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SHORT = {
    "street": "st",
    "road": "rd",
    "avenue": "ave?",
    "lane": "ln",
    "square": "sq",
    "saint": "st",
    "mount": "mt",
    "doctor": "dr",
    "professor": "prof",
    "captain": "capt",
    "colonel": "col",
    "lieutenant": "lt",
    "sergeant": "sgt",
    "station": "stn",
    "company": "co",
    "brothers": "bros",
    "platz": "pl",
    "sankt": "st",
    "avenida": "avda?|av",
    "boulevard": "bd|blvd",
    "piazza": "p\\.?za",
    "santa": "sta",
}
_STRASSE = re.compile(r"(?:(?<=\w)| )strasse\Z")
_WORD = re.compile(r"[a-z]+")


def abbreviated(name: str) -> Iterator[str]:
    """Expressions for a normalised name of two words or more with one of them cut short."""
    if _STRASSE.search(name):
        yield re.escape(_STRASSE.sub("", name)).replace("\\ ", r"\s+") + r"\s?str\b\.?"
    words = name.split(" ")
    if len(words) < 2 or not all(map(_WORD.fullmatch, words)):
        return
    for place, word in enumerate(words):
        if short := _SHORT.get(word):
            yield r"\s+".join((*words[:place], rf"(?:{short})\b\.?", *words[place + 1 :]))
