"""Which of the names that an answer has said it withdraws: "I take the coat back", "only the harpoon stands".

The sentence that withdraws is cut into parts at its commas. A part withdraws or keeps by its verb; one
without a verb goes with the part before it. What alone is kept ("only X", or "I withdraw the rest") leaves
nothing else standing; otherwise what the parts that withdraw point at is gone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import without_mentions
from niah.judges.rubric.reading.mended.pointed import REST, Pointing
from niah.judges.rubric.reading.spans import TextRange

_LET_GO = r"(?:strike|scratch|drop|remove|delete|cross|leave)"
# "Please disregard that" takes back all that was said, "disregard that one" a part of it.
_PASS_OVER = (
    r"(?:disregard|ignore|omit|discard)\b(?!\s+(?:(?:that|this|it|them|these|those)\b(?=\s*(?:[.,:;!)\n-]|\Z|and\b|as\b|since\b"
    r"|because\b))|everything|all\b|what\b|(?:my|the|this|that)\s+(?:\w+\s+)?(?:above|answers?|list|repl(?:y|ies)|responses?)\b))"
)
_WITHDRAWS = lazy_pattern(
    r"\b(?:i|i'll|i'd|we|me|must|to|please)\s+(?:\w+\s+){0,2}?(?:withdraw|retract|take\b[^.;\n]{0,60}?\b(?:back|out|off))\b"
    rf"|\b(?:i|i'll|i'd|we|me|please)\s+(?:must\s+|have\s+to\s+|would\s+)?{_LET_GO}\b"
    r"|(?:\A|[.;:,!\n-])\s*(?:so\s+|but\s+|no,?\s+|wait,?\s+)?(?:strike|scratch|withdraw|drop|retract|take\b[^.;\n]{0,60}?\b(?:back|out|off))\b"
    r"|\b(?:i'm|i\s+am|we're|we\s+are)\s+(?:(?!not\b|never\b)\w+\s+){0,2}?(?:withdrawing|retracting|striking|scratching|dropping|removing|deleting"
    r"|taking\b[^.;\n]{0,60}?\b(?:back|out|off))\b"
    rf"|(?:\bplease|(?:\A|[.;!\n]))\s*(?:so\s+|but\s+|no,?\s+|wait,?\s+)?{_PASS_OVER}"
    r"|(?:\A|[.;:!\n])\s*(?:remove|delete)\b[^.;\n]{0,40}?\bfrom\s+(?:the|my|this|that)\s+(?:list|answer)\b"
    r"|\b(?:nehme|ziehe)\b[^.;\n]{0,60}?\bzurück\b|\bzurück(?:ziehen|nehmen)\b|\bstreich(?:e|en)\s+(?:ich|sie|wir)\b|\bich\s+streiche\b|\bwiderrufe\b"
    r"|\b(?:je|j')\s*(?:l[ae]s?\s+|l')?(?:retire|rétracte|raye|enlève|supprime|reprends)\b|\bretirer\b|\bretirez\b"
    r"|\b(?:retiro|retirar\w*|retracto|tacho|descarto|elimino|quito|risco)\b"
    r"|\b(?:ritiro|ritirare|ritratto|depenno|cancello|tolgo)\b"
    r"|\b(?:беру|забираю|возьму)\s[^.;\n]{0,40}?(?:назад|обратно)\b|\b(?:беру|забираю)\s+назад\b|\b(?:снимаю|отзываю|вычёркиваю|вычеркиваю|исключаю|убираю)\b"
    r"|收回|撤回|撤[销銷]|[划劃]掉|去掉|[删刪]掉|取り消|取り下げ|外し(?:ます|て|ておき)|除き(?:ます|たい)|철회|취소|거두어|거둡|빼(?:겠|주|야)|제외(?:하겠|합)"
)
_SIGNS_OF_WITHDRAWAL = (
    *("withdraw", "retract", "take", "strike", "scratch", "drop", "remove", "delete", "cross", "leave"),
    *("disregard", "ignore", "omit", "discard", "taking", "striking", "removing", "deleting"),
    *("nehme", "ziehe", "streich", "widerrufe", "retire", "raye", "supprime", "reprends", "retir", "tacho"),
    *("descarto", "elimino", "quito", "risco", "ritir", "ritratto", "depenno", "cancello", "tolgo"),
)
_SIGNS_BEYOND_ASCII = (
    *("zur\u00fcck", "r\u00e9tracte", "enl\u00e8ve", "беру", "забираю", "возьму", "снимаю", "отзываю", "выч"),
    *(
        "исключаю",
        "убираю",
        "收回",
        "撤",
        "掉",
        "取り",
        "外し",
        "除き",
        "철회",
        "취소",
        "거두어",
        "거둡",
        "빼",
        "제외",
    ),
)
"""One of these stands in every match of ``_WITHDRAWS``, and is found much sooner."""
_KEEPS = lazy_pattern(
    r"\b(?:stands?|holds?|(?:am|'m|feel)\s+(?:\w+\s+)?(?:sure|certain)|keep|remains?|bleib\w*|gilt|gelten|sicher|halte\b[^.;\n]{0,30}?\bfest"
    r"|mainti\w+|maintenir|reste\w*|demeure\w*|tient|tiennent|sûre?s?|certaine?s?|manten\w+|mantém|segur[oa]s?|sigue\w*|permanec\w+"
    r"|continua\w*|vale[mn]?|resta\w*|riman\w+|sicur[oa]|confermo|confirmo|confirme|оста\w+|подтверждаю|в\s+силе|уверен[аы]?|верн[ыоа])\b"
    r"|不[变變]|仍然|依然|仍[为為是]|保留|[维維]持|成立|确定|確定|変わ(?:り|ら)|そのまま|維持|有効|確か|間違い(?:あり|な)|유지|그대로|변함|맞습니다|유효|확실"
)
_ONLY = lazy_pattern(
    r"\b(?:only|just|alone|nur|allein|seule?s?|seulement|uniquement|sólo|solo|solamente|únicamente|só|apenas|somente|soltanto|solamente"
    r"|только|лишь)\b|只有|[仅僅]|只|だけ|のみ|뿐|(?<=[가-힣█])만(?=[\s,.])"
)
# "I withdraw the whole answer", "none of this is in the text".
_WHOLE = lazy_pattern(
    r"\b(?:answer|reply|response|everything|whole|entire|none\s+of\s+(?:this|that|it|these)|antwort|alles|nichts\s+davon|réponse|tout"
    r"|respuesta|todo|resposta|tudo|risposta|tutto|ответ\w*|все|ничего)\b|回答|答案|全部|一切|すべて|全て|답변|전부|모두"
)
_SENTENCE_END = lazy_pattern(r"[.!?;]+(?=\s|\Z)|[\u3002\uff01\uff1f]|\n+")
_PART_END = re.compile(
    r",|:(?=\s)|\bbut\b|\bwhile\b|\baber\b|\bdoch\b|\bmais\b|\bpero\b|\bmas\b|\bma\b|\bmentre\b|\bно\b|\bа\b|但|が、|지만"
)
_REACH = 3
"""Sentences behind a withdrawal in which it may be said what stands."""


@dataclass(frozen=True)
class Withdrawn:
    """A withdrawal of some names.

    Attributes:
        names: what is withdrawn.
        start, end: of the sentences that say so, and what stands.
    """

    names: frozenset[str]
    start: int
    end: int


def withdrawn_part(text: str, mentions: Sequence[Mention], key: AnswerKey) -> Withdrawn | None:
    """What an answer withdraws of the names that it has said; None where it names none of them.

    Args:
        text: masked.
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    if not (mentions and _may_withdraw(without_mentions(text))):
        return None
    verb = _WITHDRAWS.search(text, mentions[0].end)
    if verb is None:
        return None
    sentences = _sentences(text)
    at = next(place for place, (_, end) in enumerate(sentences) if verb.end() <= end)
    said = list(dict.fromkeys(one.name for one in mentions if one.end <= sentences[at][0]))
    first = sentences[at][0]
    if not said:  # all in one sentence: "A, B and C, though I withdraw C"
        first = _begin_of_part(text, sentences[at], verb.end())
        said = list(dict.fromkeys(one.name for one in mentions if one.end <= first))
    if at and _ONLY.search(text, *sentences[at - 1]) and _KEEPS_OR_STANDS_BY.search(text, *sentences[at - 1]):
        before = [one.name for one in mentions if one.end <= sentences[at - 1][0]]
        if before:
            first, said = sentences[at - 1][0], list(dict.fromkeys(before))
    if not said:
        return None
    last = sentences[min(at + _REACH, len(sentences) - 1)][1]
    if any(_WHOLE.search(text, *sentence) for sentence in sentences[at + 1 :]):
        return None  # what follows is of all of it
    parts = _parts(text, (first, last))
    pointing = Pointing(text, mentions, said, key)
    lets_go = [span for kind, span in parts if kind == "withdraws"]
    gone = _pointed(pointing, lets_go)
    kept = _pointed(pointing, [span for kind, span in parts if kind == "keeps"])
    alone = _pointed(pointing, [span for kind, span in parts if kind == "keeps alone"])
    if alone or (kept and not gone and any(REST.search(text, *span) for span in lets_go)):
        gone = frozenset(said) - (alone or kept)
    gone -= kept | alone
    return Withdrawn(gone, first, last) if gone else None


def _may_withdraw(text: str) -> bool:
    if any(map(text.__contains__, _SIGNS_OF_WITHDRAWAL)):
        return True
    return not text.isascii() and any(map(text.__contains__, _SIGNS_BEYOND_ASCII))


_KEEPS_OR_STANDS_BY = lazy_pattern(rf"{_KEEPS.pattern}|\bstand\s+by\b")
_Kind = Literal["withdraws", "keeps", "keeps alone", ""]


def _sentences(text: str) -> list[TextRange]:
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    borders = [0, *ends] if ends and ends[-1] == len(text) else [0, *ends, len(text)]
    return [(start, end) for start, end in pairwise(borders) if text[start:end].strip()]


def _begin_of_part(text: str, sentence: TextRange, offset: int) -> int:
    cuts = [match.start() for match in _PART_END.finditer(text, sentence[0], offset)]
    return cuts[-1] if cuts else sentence[0]


def _parts(text: str, span: TextRange) -> list[tuple[_Kind, TextRange]]:
    """The parts of some sentences with what they do; up to the first sentence that does nothing."""
    found: list[tuple[_Kind, TextRange]] = []
    for start, end in _sentences(text[: span[1]]):
        if end <= span[0]:
            continue
        begin = max(start, span[0])
        cuts = [match.start() for match in _PART_END.finditer(text, begin + 1, end)]
        ranges = list(zip([begin, *cuts], [*cuts, end], strict=True))
        kinds = [_kind(text[slice(*each)]) for each in ranges]
        if not any(kinds):
            break
        kind: _Kind = next(one for one in kinds if one)
        for own, span_of_part in zip(kinds, ranges, strict=True):
            kind = own or kind
            found.append((kind, span_of_part))
    return found


def _kind(part: str) -> _Kind:
    if _WITHDRAWS.search(part):
        return "withdraws"
    if _KEEPS_OR_STANDS_BY.search(part):
        return "keeps alone" if _ONLY.search(part) else "keeps"
    return ""


def _pointed(pointing: Pointing, spans: Sequence[TextRange]) -> frozenset[str]:
    return frozenset().union(*map(pointing.at, spans))
