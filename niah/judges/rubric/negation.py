"""Which of the elements that an answer names it only rules out: "X is not one of them", "except X"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import foreign_cues
from niah.judges.rubric.languages.denials import denied_mentions
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern

# Stands for every character of a mention, so that no cue is read inside a name. It is not a word character.
MASK = "\u2588"

_WINDOW = 64

# After these, "not" denies something other than the mention that follows.
_NOT_A_DENIAL = (
    r"only|just|merely|sure|certain|clear|confident|entirely|completely|quite|forget|forgetting|to\s+be|100"
)
_CLAUSE_BREAK = r"but|because|since|as|although|though|however|which|while|also|so"
_FILLER = rf"(?:[ \t]+(?!(?:{_CLAUSE_BREAK})\b)[\w'-]+){{0,3}}?[ \t]*\Z"

# "Should not take more than X", "must not exceed X" say where it ends; "was not lit until X" where it begins.
_BOUND = (
    r"(?:until|till|(?:more|greater|higher|larger|longer|later|older|heavier|less|fewer|lower|smaller|shorter|younger|earlier)\s+than"
    r"|exceed|surpass|(?:go|be|rise|get|fall|drop|stay)\s+(?:above|over|beyond|past|below|under))"
)
_NO_BOUND = rf"(?!(?:[ \t]+[\w'-]+){{0,2}}?[ \t]+{_BOUND}\b)"

# "Not because of X" denies a reason; "it did not sail because of X", "it could not because of X" give one.
_REASON = (
    r"(?:(?<!did\s)(?<!does\s)(?<!do\s)(?<!could\s)(?<!would\s)(?<!can\s)(?<!will\s)(?<!has\s)(?<!have\s)(?<!had\s)"
    r"(?<!may\s)(?<!might\s)(?<!should\s)(?<!must\s)(?<!if\s)(?<!why\s)\b(?:not|never|nor)|\b(?:is|was|are|were)n't)\s+(?:because(?:\s+of)?"
    r"|(?:as\s+a|the)\s+(?:result|consequence)\s+of|on\s+account\s+of|for\s+(?:want|lack|fear)\s+of)"
)

# Rules out the whole list that follows.
_EXCLUDES = lazy_pattern(
    r"\b(?:except(?:\s+for)?|excluding|excludes?|omitting|omits?|neither|without(?!\s+(?:a\s+)?(?:doubt|question))"
    r"|rather\s+than|instead\s+of|leav(?:e|es|ing)\s+out|ignor(?:e|es|ing)|as\s+opposed\s+to|unlike|(?:all|everything|anything)\s+but"
    r"|(?<!nothing\s)(?<!none\s)(?<!one\s)(?<!nobody\s)(?<=\w\s)other\s+than"
    rf"|(?:none|no\s+(?:mention|sign|trace))\s+of){_FILLER}"
    rf"|\b(?:rather\s+than|instead\s+of)\s+because(?:\s+of)?{_FILLER}"
    rf"|(?:\b(?:not|never|no\s+longer)|n't)\s+(?:include|contain|mention|list|involve|require|use|count)\w*{_FILLER}"
    r"|\bnot\s+(?:found|included|mentioned|listed|required|part\s+of\s+\w+)\s*:\s*\Z"
)
_INDISPENSABLE = re.compile(
    r"(?:\b(?:no|not|never|nobody|nothing|none|cannot|hardly|incomplete|impossible)|n't)\b[^.;:\n]*\bwithout\b[^.;:,\n]*\Z"
)
# Rules out what follows, up to the first comma.
_DENIES = lazy_pattern(
    rf"(?:\b(?:not|never|cannot|nor)|n't)(?!\s+(?:{_NOT_A_DENIAL})\b){_NO_BOUND}{_FILLER}"
    rf"|{_REASON}{_FILLER}"
    r"|\bno(?!\s+(?:doubt|question))(?:[ \t]+[\w'-]+)?[ \t]*\Z"
    r"|\bnothing(?:\s+at\s+all)?\s+(?:(?:went|goes|fell|came|passed|(?:was|is)\s+(?:left|given|bequeathed|willed|promised|paid|awarded))\s+to"
    r"|(?:was\s+left\s+)?for)(?:[ \t]+(?:the|an?|his|her|their|its|old|poor))?(?:[ \t]+\w+)?[ \t]*\Z"
    r"|[\u2717\u2718\u2716\u274c]\ufe0f?[ \t]*\Z"
)

# One of these stands wherever the last two match, and is found much sooner.
_SIGN_OF_DENIAL = re.compile(
    "no|n't|never|neither|excep|exclud|omit|without|rather|instead|leav|ignor|opposed|unlike|but|other"
    "|[\u2717\u2718\u2716\u274c]"
)

# Rules out what stands before, one thing or a whole list. "Not explicitly named" is doubt, not denial.
_CORRECTED = (
    r"(?:'?s)?[\s.,;:(-]*\b(?:no[\s,]+wait|wait[\s,]+no|scratch\s+that|strike\s+that|or\s+rather|no[\s,]+(?:sorry|hang\s+on|hold\s+on)|hang\s+on|sorry[\s,]+(?:no\b|i\s+mean)"
    r"|no[\s,]+(?:that|this)\s+(?:is|was|one|would)\b|correction\s*:)"
)
CORRECTED = lazy_pattern(_CORRECTED)
"""Behind a mention: it is taken back, unless what follows tells that it was another one."""
_LEAD = r"(?:[ \t]+ones?\b)?[ \t]*,?[ \t]*(?:which[ \t]+|that[ \t]+)?"
_AGAIN = r"(?:the\s+only|only|just|to\s+be|the\s+same|explicitly|directly|specifically|clearly|necessarily)\b"
_AMISS = r"(?:excluded|wrong|incorrect|irrelevant|unrelated|false|a\s+distractor|distractors)\b"
_SAYS_NO_MORE = r"\s*(?:[.,;:!)\n]|\Z)"
# "X got nothing"; not "nothing but pearls", and not "nothing before".
_NOTHING = (
    rf"nothing(?:\s+(?:at\s+all|whatsoever|whatever))?"
    rf"(?={_SAYS_NO_MORE}|\s+(?:from|in|by|under|and|while|out|though)\b)"
)
_GOT_NOTHING = (
    r"[ \t]+(?:(?:\w+ly\s+)?(?:got|gets|receive[sd]|inherit(?:s|ed)|had|has|owns"
    r"|(?:was|is)\s+(?:left|given|bequeathed|promised|paid))"
    rf"\s+)?{_NOTHING}"
)
_NAMED_BUT_NOT = (
    rf"{_LEAD}(?:is|are|was|were)\s+(?:\w+\s+)?(?:mentioned|listed|named)[^.;\n]{{0,60}}?\bbut\s+(?:(?:is|are|was|were)(?:\s+not|n't)|not)"
    r"\s+(?:(?:as\s+)?one\s+of|as\s+(?:an?|one)\b|part\s+of|among|counted|included|required)\b"
)
_ONE_DENIED = lazy_pattern(
    rf"{_LEAD}(?:is|was|does|did|has|should)(?:\s+not|n't)(?:\s+(?!{_AGAIN})|{_SAYS_NO_MORE})"
    rf"|{_LEAD}(?:(?:is|was)\s+{_AMISS}|would\s+be\s+(?:{_AMISS}|a\s+mistake\b))"
    r"|[ \t]*[:(,-]+[ \t]*(?:no|false|excluded|incorrect)[ \t]*(?:[(),;\n]|\.?\s*\Z)"
    r"|[ \t]*[:(,-]*[ \t]*not\s+(?:part|one|included|among|relevant|valid|required|listed|counted|correct)\b"
    r"|[ \t]*[:(,-]*[ \t]*[\u2717\u2718\u2716\u274c]\ufe0f?[ \t]*(?:[\n,;)]|\Z)"
    r"|[ \t]+(?:is|was)\s+no\s+(?!doubt|question|other|less|longer|more)\w+"
    rf"|{_CORRECTED}"
)
_NOTHING_OR_NOT = lazy_pattern(rf"{_GOT_NOTHING}|{_NAMED_BUT_NOT}")
_LIST_DENIED = lazy_pattern(
    rf"{_LEAD}(?:are|were|do|did|have|should)(?:\s+not|n't)(?:\s+(?!{_AGAIN})|{_SAYS_NO_MORE})|{_LEAD}(?:are|were)\s+{_AMISS}"
)
# "The accordion, the saw and the glockenspiel do not", where one of them is no element's name.
_ITEM = rf"(?:(?:the|an?|his|her|its|their)\s+)?(?:\w+\s+){{0,2}}(?:\w+|{MASK}++)"
_LIST_BEFORE = lazy_pattern(
    rf"\s*(?:(?:and|but|while|whereas|though)\s+)?{_ITEM}(?:,\s*{_ITEM})*,?\s+(?:and|or)\s+(?:(?:the|an?|his|her|its|their)\s+)?(?:\w+\s+)?"
)
_SENTENCE_OVER = re.compile(r"[.!?;:\n]")
# Sets a wrong element aside. A right one may well stand "in another chapter", or after "while".
_ASIDE_AFTER = lazy_pattern(
    rf"{_LEAD}(?:(?:is|are|was|were)\s+(?:\w+\s+)?(?:for|from|at|of|in|by)|belongs?\s+to)"
    r"\s+(?:(?:an|the)?\s*other|a\s+different|elsewhere)\b"
    rf"|{_LEAD}(?:is|are|was|were)\s+(?:(?:only|just|merely)\s+(?:an?|for|at|in|of|from)\b|(?:an\s+)?(?:elective|optional)\b)"
    rf"|{_LEAD}(?:is|are|was|were)\s+(?:\w+\s+)?(?:mentioned|listed|named)[^.;\n]*\bbut\b"
    r"|[ \t]*,[ \t]*(?:by|in)\s+contrast\b"
    rf"|[ \t]*,?(?:[ \t]+(?!(?:{_CLAUSE_BREAK})\b)[\w']+){{0,5}}?[ \t]+never\b"
)
# "The text also mentions X, but that belongs to another question."
# But: "X, but that is not certain" still claims it.
_UNPROVEN = (
    r"(?!\s+(?:\w+ly\s+)?(?:sure|certain|clear|confirmed|proven|explicit|stated|mentioned|specified|said"
    r"|given|known|named)\b)"
)
_BUT_THAT = lazy_pattern(
    rf"[^.;:\n{MASK}]{{0,40}}?[ \t,]\b(?:but|so)\s+(?:that|this|it|they|those|these)\s+"
    r"(?:would|belongs?|refers?|concerns?"
    r"|(?:do|does|did)(?:\s+not|n't)\s+(?:count|apply|belong|qualify|fit|matter)"
    rf"|(?:is|are|was|were)(?:\s+not|n't){_UNPROVEN}"
    r"|(?:is|are|was|were)\s+(?:only|just|merely)\s+(?:on\s+loan|lent|borrowed|hired|rented|leased)"
    r"|(?:is|are|was|were)\s+(?:for|of|from|at|in|another|something|said|wrong|rejected|refused|abolished"
    r"|dropped|discarded|a\s+mistake|only\s+(?:for|at|in)))\b"
)
_ASIDE_BEFORE = re.compile(
    r"\b(?:while|although|though|whereas|ahead\s+of)\b"
    r"(?![^,.;:\n]*\b(?:likely|probably|presumably|perhaps|maybe|possibly|guess|suspect|assume|i\s+think)\b)[^,.;:\n]*\Z"
    r"|\b(?:confus\w*|mistak\w*|mix(?:ed)?\s+up)\s+(?:\w+\s+){0,3}?(?:with|for)\s+(?:the\s+|an?\s+)?\Z"
)
# "Not included: X (a reason), Y" sets wrong elements aside in its sentence, or in the lines below.
_HEADING = lazy_pattern(
    r"(?:^|(?<=[.;!?(]))[ \t]*(?:(?:the[ \t]+)?(?:runners?[ -]up|rejected|ruled[ \t]+out|ignored|discarded"
    r"|distractors?|for[ \t]+comparison|by[ \t]+contrast)"
    r"|not[ \t]+(?:[\w'-]+[ \t]+){0,2}?(?:included|taken|counted|part|required|relevant|asked|among|refunded"
    r"|chosen|selected|eligible|correct|applicable))\b"
    rf"[^:\n{MASK}]{{0,30}}:[ \t]*(?:(?:(?![.!?]\s)[^\n])+|(?:\n[^\n]+)+)",
    re.MULTILINE,
)
_LINK = re.compile(r"[ \t]*,?[ \t]*(?:(and|or|nor|as\s+well\s+as)\b)?[ \t]*(?:the|a|an)?[ \t]*")


# "No, instead of X it is Y": X is taken back wherever it was said before.
_INSTEAD = lazy_pattern(
    r"(?:\A|[.!?;:\n-])\s*(?:(?:no|nein|halt|non|não|нет|wait|sorry|actually|correction|korrektur|pardon|perdón)\b[\s,.:!-]*)*"
    r"(?:instead\s+of|in\s+place\s+of|rather\s+than|(?:an)?statt|anstelle|au\s+lieu|plutôt\s+que|en\s+(?:lugar|vez)|em\s+vez|ao\s+invés"
    r"|invece|anziché|al\s+posto|вместо)(?:\s+(?:von|de[ris]?|du|des|del|d[aeio]\w*))?(?:\s*d')?\s+"
    r"(?:(?:the|an?|der|des|dem|den|einer?s?|les?|la|un|une|el|los|las|il|lo|gli|um|uma|os?|as)\s+)?\Z"
)
_SIGNS_OF_INSTEAD = (
    *(
        "instead",
        "place of",
        "rather",
        "statt",
        "anstelle",
        "lieu",
        "plut\u00f4t",
        "lugar",
        "vez",
        "inv\u00e9s",
    ),
    *("invece", "anzich\u00e9", "posto", "вместо"),
)
_IT_IS = lazy_pattern(
    r"\s*,?\s*(?:(?:it|this|that|they|there|es|ce|esto|eso|questo)\s+)?(?:(?:is|was|are|were|should\s+be|must\s+be|ist|sind|war|waren"
    r"|c'est|c'était|ce\s+sont|est|es|era|eran|fue|son|é|era|foi|são|è|sono|это|был[аио]?)(?:\s+es)?|'s)?(?:\s+(?:zu\s+)?\w+)?\s*,?\s*"
    r"(?:(?:the|an?|der|die|das|den|dem|les?|la|un|une|el|los|las|il|lo|gli|um|uma|os?|as)\s+|l')?"
)
# "In the" in Portuguese, and read as their own denial in Spanish and Italian.
_NO = re.compile(r"\bno\b")


class _Series(NamedTuple):
    """Mentions listed one after the other. ``commas``: any between them; ``last``: the final connector."""

    mentions: tuple[Mention, ...]
    commas: bool
    last: str


def mask_mentions(tidied: str, mentions: Sequence[Mention]) -> str:
    """``tidied`` with every mention blacked out, length kept."""
    pieces, end = [], 0
    for mention in mentions:
        pieces += [tidied[end : mention.start], MASK * (mention.end - mention.start)]
        end = mention.end
    return "".join([*pieces, tidied[end:]])


@lru_cache(maxsize=8)
def without_mentions(text: str) -> str:
    """A masked text without its mentions: names tell nothing of its language."""
    return text.replace(MASK, "")


def are_one_list(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether mentions follow one another with nothing but commas, "and", "or" and articles between them."""
    return all(_LINK.fullmatch(text, one.end, other.start) for one, other in pairwise(mentions))


def ruled_out(text: str, mentions: Sequence[Mention], own: tuple[Language, ...] = ()) -> set[Mention]:
    """The mentions that the text denies, excepts or gives to something else.

    A denial spreads over a list: "except A, B and C" rules out all three, "A and B are not" both. A plain
    "not A, B is" stops at the comma unless the list ends in "or".

    Args:
        text: masked (see ``mask_mentions``).
        mentions: every mention in it, in reading order.
        own: languages of the needle set.
    """
    foreign = foreign_cues(without_mentions(text), own)
    english = _NO.sub("--", text) if foreign else text
    out = {mention for series in _series(text, mentions) for mention in _ruled_out(english, series)}
    out |= _in_denied_lists(english, mentions, out) if out else out
    out |= _under_heading(text, mentions)
    out |= denied_mentions(text, mentions, foreign) if foreign else set()
    return out | _said_before(text, mentions, out) if out else out


def _said_before(text: str, mentions: Sequence[Mention], out: Collection[Mention]) -> set[Mention]:
    """What stands before a sentence that puts another in its place: "X. No, instead of X it is Y"."""
    if not any(map(text.__contains__, _SIGNS_OF_INSTEAD)):
        return set()
    found: set[Mention] = set()
    for one, new in pairwise(mentions):
        instead = _INSTEAD.search(text, 0, one.start) if one in out and new not in out else None
        before = [said for said in mentions if instead and said.end <= instead.start()]
        # "X and Z. Correction: instead of X": what Z had to do with it is read with the other corrections.
        if not before or CORRECTED.match(text, before[-1].end):
            continue
        if _IT_IS.fullmatch(text, one.end, new.start):
            found.update(said for said in before if said.name == one.name)
    return found


def _in_denied_lists(text: str, mentions: Sequence[Mention], out: Collection[Mention]) -> set[Mention]:
    """What stands with one that is ruled out in a list of which the sentence says that it is not."""
    found: set[Mention] = set()
    for last in out:
        if not _LIST_DENIED.match(text, last.end):
            continue
        breaks = [match.end() for match in _SENTENCE_OVER.finditer(text, 0, last.start)]
        start = breaks[-1] if breaks else 0
        if _LIST_BEFORE.fullmatch(text, start, last.start):
            found.update(mention for mention in mentions if start <= mention.start < last.start)
    return found


def _under_heading(text: str, mentions: Sequence[Mention]) -> set[Mention]:
    if ":" not in text or all(mention.right for mention in mentions):
        return set()
    headed = [match.span() for match in _HEADING.finditer(text)]
    return {
        mention
        for mention in mentions
        if not mention.right and any(start < mention.start < end for start, end in headed)
    }


def _ruled_out(text: str, series: _Series) -> tuple[Mention, ...]:
    first, last = series.mentions[0], series.mentions[-1]
    before = text[max(0, first.start - _WINDOW) : first.start]
    after = text[last.end : last.end + _WINDOW]
    list_denied = _LIST_DENIED.match(after)
    if list_denied and len(series.mentions) > 1:
        return series.mentions
    if _SIGN_OF_DENIAL.search(before) and not ("without" in before and _INDISPENSABLE.search(before)):
        if _EXCLUDES.search(before):
            return series.mentions
        if _DENIES.search(before):
            return series.mentions if not series.commas or series.last in ("or", "nor") else (first,)
    if list_denied or _ONE_DENIED.match(after):
        return (last,)
    if ("nothing" in after or "but" in after) and _NOTHING_OR_NOT.match(after):
        return (last,)
    if all(mention.right for mention in series.mentions):
        return ()
    aside = _ASIDE_AFTER.match(after) or _BUT_THAT.match(after) or _ASIDE_BEFORE.search(before)
    return tuple(mention for mention in series.mentions if aside and not mention.right)


def _series(text: str, mentions: Sequence[Mention]) -> list[_Series]:
    """The mentions in groups between which stand only commas, "and", "or" and articles."""
    found: list[_Series] = []
    group, commas, last = list(mentions[:1]), False, ""
    for before, mention in pairwise(mentions):
        link = _LINK.fullmatch(text, before.end, mention.start)
        if link:
            group.append(mention)
            commas, last = commas or "," in link[0], link[1] or ""
        else:
            found.append(_Series(tuple(group), commas, last))
            group, commas, last = [mention], False, ""
    return [*found, _Series(tuple(group), commas, last)] if group else found
