"""The order that a table tells in a column of its own: "| Boat | Place |", whatever order its rows have."""

from __future__ import annotations

import re
from collections.abc import Sequence

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK

# A table's bars are commas in a tidied text, and its rule is a blank line.
_HEADS = lazy_pattern(rf"(?:\A|(?<=\n))(?P<heads>[^\n{MASK}]*\s,\s[^\n{MASK}]*)\n\n(?=[^\n]*{MASK})")
_RANK = lazy_pattern(
    r"(?:(?:finishing|final)\s+)?(?:place|rank|position|pos\.?|placing|platz|rang|platzierung|reihenfolge|plaats|volgorde|classement"
    r"|puesto|lugar|posición|orden|posto|posição|posizione|ordine|plats|miejsce|sıra|место|order|step|順位|名次|순위)"
)
_CELL = re.compile(r"\W*(\d{1,2})(?:st|nd|rd|th|er?|ème|º|ª)?\W*")


def in_ranked_rows(text: str, listed: Sequence[Mention], asked: int) -> list[Mention]:
    """The mentions of a table by the numbers of its one column of places; empty where none tells.

    Args:
        text: masked.
        listed: in reading order, none named twice.
        asked: how many things there are to put in order.
    """
    heads = _HEADS.search(text) if "\n\n" in text else None
    if heads is None:
        return []
    columns = [place for place, cell in enumerate(heads["heads"].split(",")) if _RANK.fullmatch(cell.strip())]
    if len(columns) != 1:
        return []
    places: dict[int, Mention] = {}
    for mention in listed:
        start = text.rfind("\n", 0, mention.start) + 1
        end = text.find("\n", mention.end)
        cells = text[start : end if end >= 0 else len(text)].split(",")
        told = _CELL.fullmatch(cells[columns[0]]) if columns[0] < len(cells) else None
        if told is None or not 1 <= int(told[1]) <= asked:
            return []
        places[int(told[1])] = mention
    return [places[place] for place in sorted(places)] if len(places) == len(listed) else []
