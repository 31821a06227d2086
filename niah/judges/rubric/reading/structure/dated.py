"""Rows and labels that say until when a value held, beside others that say since when another does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.reading.layout import Layout
from niah.judges.rubric.reading.spans import TextRange
from niah.judges.rubric.reading.statements import tidied_question

_UNTIL = lazy_pattern(
    r"\W*(?:up\s+to|until|till|before|prior\s+to|bis|vor|jusqu'\w+|avant|hasta|antes|até|fino|prima|до)\b"
    r"|.{0,60}(?:まで|以前|까지|이전|之前|为止|為止)\W*\Z"
)
_SINCE = lazy_pattern(
    r"\W*(?:since|from|after|as\s+of|now|today|current(?:ly)?|at\s+present|seit\w*|ab|nach|heute|jetzt|aktuell\w*"
    r"|depuis|à\s+partir|après|aujourd'hui|actuel\w*|desde|a\s+partir|después|hoy|actual\w*|depois|hoje|atual\w*|dal\w*"
    r"|dopo|oggi|attual\w*|с|со|после|сейчас|теперь|ныне)\b"
    r"|.{0,60}(?:以降|から|以来|以後|现在|現在|今|之后|之後|以后|起|이후|부터|현재|지금)\W*\Z"
)
_THEN = lazy_pattern(
    r"\b(?:before|until|till|prior|formerly|previously|used\s+to|first|original\w*|vor|bis|früher|damals|ursprünglich|avant"
    r"|jusqu|auparavant|antes|hasta|até|prima|fino|до|раньше|прежде)\b|以前|之前|原来|当初|まで|이전|까지|예전|원래"
)


def superseded_spans(
    text: str, layout: Layout, leads: Iterable[tuple[TextRange, TextRange]], key: AnswerKey
) -> list[TextRange]:
    """What stands in a row or behind a label that says "until ...", where another says "since ...".

    Args:
        text: masked.
        layout: of it.
        leads: headings and labels, each with what it leads in.
        key: what was asked; nothing is superseded where the question asks for what was so before.
    """
    rows = [
        ((row.cells[0][0], row.cells[0][1]), (row.start, row.end))
        for table in layout.tables()
        for row in table
        if row.cells and MASK not in text[slice(*row.cells[0])]
    ]
    labelled = [*rows, *leads]
    if len(labelled) < 2 or _asks_for_then(key):
        return []
    old = [span for label, span in labelled if _UNTIL.match(text[slice(*label)])]
    return old if old and any(_SINCE.match(text[slice(*label)]) for label, _ in labelled) else []


@lru_cache(maxsize=256)
def _asks_for_then(key: AnswerKey) -> bool:
    return _THEN.search(tidied_question(key)) is not None
