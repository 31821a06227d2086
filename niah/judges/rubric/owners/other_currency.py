"""A right amount told in dollars where the needles tell another currency: "$350" for 350 rupees."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern

_DOLLAR = re.compile(r"\$|dollar|\busd\b", re.IGNORECASE)
_ANOTHER = lazy_pattern(
    r"[€£¥₩₽₹]|\b(?:euros?|eur|pounds?|sterling|rupees?|yen|yuan|won|roubles?|rubles?|francs?|crowns?|kron(?:or|er|e)"
    r"|marks?|florins?|guilders?|pesos?|pesetas?|lir[ae]|z[lł]ot(?:y|ys|ych)|reais|real|dinars?|dirhams?|shillings?|pence"
    r"|thalers?|ducats?|drachmas?)\b",
    re.IGNORECASE,
)
# The sign of another dollar is one too; a formula is set between two of them.
_AMOUNT = re.compile(r"(?P<sign>(?<![A-Za-z$])(?:US|[ACS])?\$\s?)?(?P<number>\d+(?:[.,]\d+)*)(?!\s?\$)")
_GROUPS = re.compile(r"[.,](?=\d{3}(?!\d))")


def told_in_dollars(
    spoken: str, tidied: str, mentions: Sequence[Mention], key: AnswerKey
) -> Iterator[Mention]:
    """The right numbers that an answer has with a dollar's sign alone, which are of another currency.

    Args:
        spoken: the answer as the reader gave it: a tidied one has no dollars.
        tidied: the same, tidied.
        mentions: the right numbers that it names.
        key: what was asked.
    """
    if "$" not in spoken or not _is_of_another_currency(key):
        return
    amounts = [(bool(found["sign"]), _plain(found["number"])) for found in _AMOUNT.finditer(spoken)]
    alone = {number for sign, number in amounts if sign} - {number for sign, number in amounts if not sign}
    for mention in mentions:
        said = tidied[mention.start : mention.end]
        number = _AMOUNT.search(said)
        if number and _plain(number["number"]) in alone and not _ANOTHER.search(said):
            yield mention


def _plain(number: str) -> str:
    return _GROUPS.sub("", number)


@lru_cache(maxsize=256)
def _is_of_another_currency(key: AnswerKey) -> bool:
    """Whether each element is an amount of a currency, and no text of the needle set speaks of dollars."""
    said = (key.question, *key.references, *(needle.text for needle in key.needles))
    names = [" ".join(element.names) for element in key.elements]
    return all(map(_ANOTHER.search, names)) and not any(map(_DOLLAR.search, (*said, *names)))
