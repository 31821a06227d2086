"""Answers that take back a part of what they said, and say that the rest stands: "I withdraw the place"."""

from __future__ import annotations

from collections.abc import Sequence

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern

_WITHDRAWS = lazy_pattern(
    r"\b(?:(?:i|i'll|must|to)\s+(?:\w+\s+){0,2}?(?:withdraw|retract|take\s+back)|(?:nehme|ziehe)\s[^.;\n]{0,60}?zurück"
    r"|zurück(?:ziehen|nehmen)|je\s+(?:l[ae]s?\s+|l')?(?:retire|rétracte)|retirer?\b|retiro|retirar\w*|retracto|ritiro|ritirare"
    r"|ritratto|(?:беру|забираю|возьму)\s[^.;\n]{0,40}?(?:назад|обратно)|снимаю|отзываю)\b|收回|撤回|撤[销銷]|取り消|取り下げ|철회|취소|거두어"
)
_SIGNS_OF_WITHDRAWAL = (
    *("back", "withdraw", "retract", "zurück", "retir", "rétract", "ritir", "ritratt", "назад", "обратно"),
    *("снимаю", "отзываю", "收回", "撤", "取り", "철회", "취소", "거두어"),
)
"""One of these stands in every match of ``_WITHDRAWS``, and is found much sooner."""
_KEEPS = lazy_pattern(
    r"\b(?:stands?|holds?|still\s+(?:sure|certain|right|correct)|remains?\s+(?:valid|correct|right|unchanged)|bleib\w*"
    r"|gilt|gelten|weiterhin|halte\s[^.;\n]{0,30}?fest|mainti\w+|reste\w*|demeure\w*|tient|manten\w+|mantenho|mantém|sigue\w*"
    r"|permanec\w+|continua\w*|vale|resta\w*|riman\w+|mantengo|confermo|confirmo|confirme|оста\w+|подтверждаю|в\s+силе)\b"
    r"|不[变變]|仍然|依然|仍[为為是]|保留|[维維]持|成立|[没沒]有[问問][题題]|変わ(?:り|ら)|そのまま|維持|有効|間違い(?:あり|な)|유지|그대로|변함|맞습니다|유효"
)


def is_partly_withdrawn(text: str, mentions: Sequence[Mention], key: AnswerKey) -> bool:
    """Whether a complete answer withdraws something once it has named all, and not all of it.

    It says that the rest stands, and names again at most a part.

    Args:
        text: masked.
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    if not any(map(text.__contains__, _SIGNS_OF_WITHDRAWAL)):
        return False
    withdrawal = _WITHDRAWS.search(text)
    if withdrawal is None or not _KEEPS.search(text, withdrawal.end()):
        return False
    right = {element.name for element in key.elements}
    said = {mention.name for mention in mentions if mention.start < withdrawal.start()}
    again = {mention.name for mention in mentions if mention.start > withdrawal.start()}
    return right <= said and not right <= again
