"""What an answer in another language than English rules out: "nicht X, sondern Y", "不是X", "Xではなく"."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from typing import Protocol, TypeVar

from niah.judges.rubric.languages.cues import CuePattern, Cues
from niah.judges.rubric.lazy_pattern import lazy_pattern

_WINDOW = 48
_CLAUSE_START = lazy_pattern(r"[,.;:!?()\n。、「」\u2588]")
# Between a denial and what it denies: an article, a preposition, "the code"; in Chinese a sign or four.
_SHORT_WAY = lazy_pattern(r"(?:\s+[^\W\d]+){0,3}\s*|[^\W\da-z]{0,8}\s*")
_ONE_WORD = re.compile(r"[^\W\d]{0,3}[ \t,]*|[ \t]+[\w']+[ \t]*,?[ \t]*")
_NOT_ONLY = lazy_pattern(
    r"\s*(?:nur|bloss|allein|seulement|uniquement|s[oó]lo|solamente|apenas|somente|solo|soltanto|только"
    r"|лишь|bara|endast|enbart|alleen|slechts|enkel|tylko|jedynie|فقط|فحسب|[仅僅只光]|sicher|sûr|segur|cert|уверен)"
)
_LIST_LINK = lazy_pattern(
    r"\s*(?:[、/]|und|oder|noch|et|ou|ni|y|o|e|ou|nem|né|и|или|ни|[和与與及跟或]|と|や|과|와|및)?\s*"
)
# "Weder A noch B", "varken A eller B", "A या B नहीं": what denies one of two denies both.
_OR_LINK = lazy_pattern(
    r"\s*,?\s*(?:oder|noch|ou|ni|o|né|nem|или|ни|eller|of|noch|lub|ani|veya|ya\s+da|या|وال?ا|أو|[وف]?لا)\s+(?:[^\W\d]{1,4}\s+)?"
    r"|(?:이나|나|或|或者|や|か|または)\s*"
)
# "Ne A ne B", "न A न B", "AでもBでもなく", "A도 B도 아니고".
_NEITHER = lazy_pattern(
    r"(?<!\w)(?P<nor>ne|न)\s+\u2588+[^.;!?\u2588]{0,12}?(?<!\w)(?P=nor)\s+\u2588+"
    r"|\u2588+でも、?\u2588+でもな|\u2588+도,? \u2588+도 아[니닌닙]"
)

# "A, B und C, nein, D": C is taken back; not in "nein, auch D".
_CORRECTS = lazy_pattern(r"[ \t]*[,\u3001-][ \t]*(?:nein|non|no|não|нет|いや)[ \t]*[,\u3001]")
_NO_OTHER = lazy_pattern(
    r"\b(?:nicht|kein\w*|sogar|auch|noch|pas|même|aussi|encore|incluso|tampoco|también|anche|neanche|nemmeno"
    r"|ancora|mesmo|também|até|nem|não|no|не|даже|тоже|ещё|еще)\b|も|まだ"
)

_DENIED_ITSELF = lazy_pattern("\u2588+\\s+(?:nicht|pas|no|non|não|не)\\b")


class _Placed(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


_P = TypeVar("_P", bound=_Placed)


def denied_mentions(text: str, mentions: Collection[_P], cues: Cues) -> set[_P]:
    """The mentions that a cue right before or behind them denies; an exception spreads over its list.

    Args:
        text: masked (see ``niah.judges.rubric.negation.mask_mentions``).
        mentions: in reading order.
        cues: of the languages of the text, English left out.
    """
    denied: set[_P] = set()
    starts = {mention.start for mention in mentions}
    for mention in mentions:
        before = _clause_before(text, mention.start)
        if (
            _leads_to(cues.denies_next, before)
            or _leads_to(cues.excludes_next, before)
            or _stands_behind(cues.denies_previous, text, mention.end, starts)
            or _is_corrected(text, mention.end, starts)
        ):
            denied.add(mention)
    ordered = list(mentions)
    for neither in _NEITHER.finditer(text):
        denied.update(one for one in ordered if neither.start() <= one.start < neither.end())
    for one, other in pairwise(ordered):
        if (one in denied) != (other in denied) and _OR_LINK.fullmatch(text, one.end, other.start):
            if other in denied and _stands_behind(cues.denies_previous, text, other.end, starts):
                denied.add(one)
            elif one in denied and _leads_to(cues.denies_next, _clause_before(text, one.start)):
                denied.add(other)
        listed = _LIST_LINK.fullmatch(text, one.end, other.start)
        # "Statt X Y" names no list; "除了X和Y" and "XとY" do.
        is_list = listed and not listed[0].isspace()
        if is_list and one in denied and _leads_to(cues.excludes_next, _clause_before(text, one.start)):
            denied.add(other)
    return denied


def _is_corrected(text: str, end: int, names: Collection[int]) -> bool:
    """Whether another name follows a mention after a mere "no"."""
    match = _CORRECTS.match(text, end)
    return match is not None and any(
        _SHORT_WAY.fullmatch(text, match.end(), name)
        and not _NO_OTHER.search(text, match.end(), name)
        and not _DENIED_ITSELF.match(text, name)
        for name in names
        if name >= match.end()
    )


def _clause_before(text: str, end: int) -> str:
    before = text[max(0, end - _WINDOW) : end]
    starts = [match.end() for match in _CLAUSE_START.finditer(before)]
    return before[starts[-1] :] if starts else before


def _leads_to(cue: CuePattern, before: str) -> bool:
    """Whether a clause's beginning, up to a mention, ends in the cue and at most a few words more."""
    return any(
        _SHORT_WAY.fullmatch(before, match.end()) and not _NOT_ONLY.match(before, match.end())
        for match in cue.finditer(before)
    )


def _stands_behind(cue: CuePattern, text: str, start: int, names: Collection[int]) -> bool:
    """Whether the cue follows at once, or after a particle, a comma or one word, and denies no other."""
    behind = _ONE_WORD.match(text, start)
    places = {start, behind.end() if behind else start}
    for place in places:
        match = cue.match(text, place)
        if match and not ("," in text[start:place] and _leads_to_a_name(text, match.end(), names)):
            return True
    return False


def _leads_to_a_name(text: str, start: int, names: Collection[int]) -> bool:
    return any(start <= name and _SHORT_WAY.fullmatch(text, start, name) for name in names)
