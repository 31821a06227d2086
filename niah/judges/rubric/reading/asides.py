"""What weighs less than a plain statement: earlier values, first thoughts, sums, questions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import CuePattern, Cues, corrections, cues_in
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK, without_mentions
from niah.judges.rubric.owners.side_facts import GENERIC
from niah.judges.rubric.reading.spans import mentions_in_any, mentions_inside
from niah.judges.rubric.reading.statements import Clauses, Statement, asked_words, tidied_question
from niah.judges.rubric.reading.sums import terms_of_sums, totals_of_parts

_M = rf"{MASK}++(?:'s)?"
_CHANGED = (
    r"(?:corrected|changed|amended|revised|updated|raised|lowered|increased|reduced|moved|renamed|switched|replaced"
    r"|altered|cut|adjusted|set)"
)
# The group "old" is what was so before; the first two are looked for, the third stands at a mention.
_FROM = re.compile(
    rf"\bfrom\s+(?:\w+\s+){{0,3}}?(?P<old>{_M})\s+(?:\w+\s+){{0,4}}?to\s+(?:\w+\s+){{0,4}}?{_M}"
)
_REPLACING = lazy_pattern(
    r"\b(?:replac(?:ed?|es|ing)|supersede[sd]?|superseding|succeeded|overr[iou]des?|ersetzt|remplace|remplaçant|sustituye|sustituyendo"
    r"|reemplaza|sostituisce|substitui|заменяет)\s*:?\s+(?!(?:by|with|durch|am|im|in|ab|vo[mn]|seit|par|por|con|da)\b)(?:[\w']+\s+){0,3}?"
    rf"\(?(?P<old>{_M})"
)
_FROM_SIGN = re.compile("from")
_REPLACING_SIGN = re.compile(
    "replac|supersed|succeeded|overr|ersetzt|rempla|sustitu|reempla|sostit|substit|замен"
)
"""Stand in every match of the two, and are found much sooner."""
_NEAR = 400
"""Characters behind a mention in which it is said to give way; no sentence of an answer needs more."""
_GIVES_WAY = lazy_pattern(
    rf"{_M}(?:"
    r"\W+(?:(?:was|were|is|has|had|been|which|and|later|since|then|subsequently|soon|finally|afterwards)\W+)*"
    rf"{_CHANGED}\s+(?:\w+\s+){{0,4}}?(?:to|by|with|into)\b"
    r"|\s+(?:used\s+to\b|did\s+so\s+(?:until|till|before)\b|\w+\s+(?:until|till)\b|gave\s+way\s+to|became|(?:no\s+longer|does\s+not|doesn't)\s+appl(?:y|ies)\b|(?:is|was)\s+no\s+longer\s+(?:valid|in\s+force|current|charged|due)\b|makes\s+way\s+for|turned\s+into|was\s+succeeded\s+by)\b"
    rf"|\s*(?:->|\u2192|=>)\s*{_M}"
    r"|\s*,?\s+(?:until|till|before\s+(?:that|it|the\s+change|being)|in\s+(?:the\s+)?(?:old|earlier|first)\b))"
)
_HIDDEN = lazy_pattern(
    r"\b(?:one|you|some|readers?|people|many)\s+(?:might|may|could|would)\s+(?:\w+\s+)?(?:think|assume|expect|guess|say|be\s+tempted)"
    r"|\btempting\b|\bat\s+first\s+(?:glance|sight|reading|blush)\b|\bseems?\s+at\s+first\b"
)
_SIGNS_OF_HIDDEN = ("might", "may", "could", "would", "tempting", "first")
"""One of these stands in every match of ``_HIDDEN``, and is found much sooner."""


class Asides:
    """Why a mention weighs less than a plain statement, in words; "" where it does not."""

    def __init__(
        self,
        tidied: str,
        text: str,
        statements: Sequence[Statement],
        clauses: Clauses,
        cues: Cues,
        key: AnswerKey,
    ) -> None:
        asks_for_then, compares = _asked_for(tidied_question(key), cues)
        mentions = [mention for statement in statements for mention in statement.mentions]
        self._why: dict[Mention, str] = {}
        if not asks_for_then:
            self._note(_after(cues.earlier, text, clauses, mentions), "an earlier value or thought")
            self._note(_changed(text, mentions), "an earlier value")
            self._note(_corrected(text, statements, mentions, cues, key), "a value corrected")
            self._note(_called_earlier(text, mentions, cues), "an earlier value or thought")
            self._note(_followed(text, mentions), "an earlier value")
        if any(map(text.__contains__, _SIGNS_OF_HIDDEN)):
            self._note(_after(_HIDDEN, text, clauses, mentions), "a first impression")
        self.totals_of_parts = totals_of_parts(tidied, mentions, asked_words(key))
        """Wrong totals, each with the part that was asked for."""
        terms = terms_of_sums(tidied, mentions).difference(self.totals_of_parts.values())
        self._note(terms, "a term of a sum")
        self._note(_of_the_other(text, mentions), "what it is compared with")
        if compares:
            self._note(_compared(text, statements, cues), "what it is compared with")
        self._note(_asked_or_left_open(text, statements), "a question")
        self._note(_done_otherwise(text, statements, key), "another thing that was done")
        self._note(_on_the_way_up(text, clauses, mentions, key), "an earlier value")
        self._note(_in_brackets_behind(text, mentions, self._why), "an earlier value or thought")

    def _note(self, mentions: Collection[Mention], why: str) -> None:
        for mention in mentions:
            self._why.setdefault(mention, why)

    def why(self, mention: Mention) -> str:
        """Of a mention that claims nothing once anything is stated plainly."""
        return self._why.get(mention, "")


def asks_to_compare(key: AnswerKey) -> bool:
    """Whether the question asks for one out of many that are compared."""
    return _asked_for(tidied_question(key), cues_in(languages_of_key(key)))[1]


def weighs_names(text: str, mentions: Sequence[Mention], cues: Cues) -> bool:
    """Whether anything may make one name of a list weigh less than the others.

    Args:
        text: masked, of ASCII signs but for the masks; without digits, brackets and questions.
        mentions: the names of one list, the only ones in it.
        cues: of its languages.
    """
    return (
        bool(_changed(text, mentions))
        or bool(_called_earlier(text, mentions[-1:], cues))
        or _may_compare(without_mentions(text))
    )


@lru_cache(maxsize=256)
def _asked_for(question: str, cues: Cues) -> tuple[bool, bool]:
    """Whether a question asks for what was so before, and for one out of many that are compared."""
    return cues.earlier.search(question) is not None, cues.superlative.search(question) is not None


def _after(cue: CuePattern, text: str, clauses: Clauses, mentions: Sequence[Mention]) -> set[Mention]:
    """The mentions that follow a cue in its clause."""
    cues = [match.span() for match in cue.finditer(text)]
    if not cues:
        return set()
    colons = [match.start() for match in _COLON.finditer(text)]
    # "Das ist der alte Fahrplan: ..." says it of what stands before.
    scopes = []
    for start, end in cues:
        said_of_it = _IS.search(text, max(0, start - _SHORT_WAY), start) is not None
        told = end - 1 if said_of_it else end
        scopes.append((told, _to_the_comma(text, told, _end_of_scope(told, clauses, colons), said_of_it)))
        bracket = _IN_BRACKETS.match(text, end)
        scopes += [bracket.span()] if bracket else []
    return set(mentions_in_any(mentions, scopes))


# "The original deadline (3 July)".
_IN_BRACKETS = lazy_pattern(
    rf"(?:[ \t]+[^\W\d]+){{0,2}}[ \t]*\([^(){MASK}\n]{{0,20}}{MASK}+[^(){MASK}\n]{{0,20}}\)"
)
_OPEN_ENDS = ("?", "\uff1f", "...", "\u2026")


def _asked_or_left_open(text: str, statements: Sequence[Statement]) -> list[Mention]:
    if not any(map(text.__contains__, _OPEN_ENDS)):
        return []
    return [
        mention
        for statement in statements
        if text[statement.start : statement.end].rstrip().endswith(_OPEN_ENDS)
        for mention in statement.mentions
    ]


def _done_otherwise(text: str, statements: Sequence[Statement], key: AnswerKey) -> set[Mention]:
    """Wrong numbers in a part of a sentence with a verb of its own: "built in 1872 and closed in 1931".

    Another part has the right one, with a verb of the question that this one has not.
    """
    if len(key.elements) != 1:
        return set()
    asked, found = frozenset(map(_stem, asked_words(key))), set[Mention]()
    for statement in statements:
        numbers = [one for one in statement.mentions if one.name[:1].isdigit()]
        if len({one.right for one in statement.mentions}) < _BOTH or len(numbers) != _BOTH:
            continue
        first, second = numbers
        part = _PARTS.search(text, first.end, second.start)
        if not part:
            continue
        halves = [text[statement.start : part.start()], text[part.end() : statement.end]]
        right, wrong = halves if first.right else reversed(halves)
        said, done = (frozenset(map(_stem, words.findall(wrong))) for words in (_WORD, _DONE))
        asked_for = frozenset(map(_stem, _DONE.findall(right))) & asked
        if done - asked and asked_for - said and not _ADDS.search(wrong):
            found.add(second if first.right else first)
    return found


def _stem(word: str) -> str:
    return word[:_LEAST_LETTERS]


_BOTH = 2
_PARTS = lazy_pattern(r"[,;]\s+(?:(?:and|und|et|y|e|и)\s+)?|\s+(?:and|und|et|y|e|и)\s+")
_DONE = lazy_pattern(
    rf"\b(?:(?<={MASK}\s)(?:[^\W\d_]{{2,}})?(?:ge|er|be|ver|zer|ein|um|ab|auf|an)[^\W\d_]{{2,}}(?:t|en)"
    r"|[^\W\d_]{2,}ed|built|began|begun|laid|made|sold|bought|sunk|[^\W\d_]{3,}(?:é|ée|és|ées|ado|ada|ido|ida|ato|ata|ito|ita|uto|uta))\b"
)
_ADDS = lazy_pattern(r"\b(?:or|also|again|too|oder|auch|wieder|ou|aussi|o|también|também|anche|или|также)\b")


def _in_brackets_behind(
    text: str, mentions: Sequence[Mention], weak: Collection[Mention]
) -> frozenset[Mention]:
    """What stands in brackets right behind a mention that weighs less: "i first thought X (1891)"."""
    if not weak:
        return frozenset()
    brackets = (_BRACKETS.match(text, one.end) for one in weak)
    return frozenset(mentions_in_any(mentions, [found.span() for found in brackets if found]))


_BRACKETS = re.compile(r"\s?\([^()\n]{1,60}\)")


def _corrected(
    text: str, statements: Sequence[Statement], mentions: Sequence[Mention], cues: Cues, key: AnswerKey
) -> set[Mention]:
    """The last wrong mention before a correction that names something else; and where it is explained."""
    corrected = set()
    for match in corrections(text, cues):
        place = bisect_right(mentions, match.start(), key=lambda mention: mention.end)
        before = mentions[place - 1] if place else None
        if before is None or match.start() - before.end > _REACH:
            continue
        if before.right and not _RETRACTS.search(match[0]):
            continue
        place = bisect_right(statements, match.end(), key=lambda statement: statement.end)
        following = statements[place : place + 3]
        after = mentions_inside(mentions, (match.end(), following[-1].end if following else len(text)))
        if any(mention.name != before.name for mention in after):
            corrected.add(before)
            again = (one for one in after if one.name == before.name and not one.right)
            corrected.update(one for one in again if _is_explained(text, one, key))
    return corrected


def _is_explained(text: str, mention: Mention, key: AnswerKey) -> bool:
    """Whether a value is said to be something else than was asked for: "1771 is when the work began"."""
    said = _IS_SAID_TO_BE.match(text, mention.end)
    words = set(_WORD.findall(said["what"])) if said else set()
    telling = {word for word in words if len(word) >= _LEAST_LETTERS} - asked_words(key) - GENERIC
    return bool(telling) and words.isdisjoint(asked_words(key) - GENERIC)


_IS_SAID_TO_BE = lazy_pattern(
    rf"\s+(?:is|was|est|était|fut|ist|war|es|era|fue|è|é|foi)\s+(?!not\b|nicht\b|pas\b)(?P<what>[^.;:()\n{MASK}]+)"
)
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_LETTERS = 4


_REACH = 120
_RETRACTS = re.compile(r"scratch|strike|wait|hold\s+on|hang\s+on|misread|correction|stand\s+corrected")
_COLON = re.compile(r"(?<=\w) ?:\s")
_IS = lazy_pattern(
    r"\b(?:is|was|that's|ist|war|est|était|es|era|fue|é|foi|è|fu|это|был[аои]?)\s+(?:(?:the|an?|der|die|das|noch|le|la|el|il|o|a)\s+"
    r"|l')?\Z|[这這那]是\Z"
)
_SHORT_WAY = 24


def _end_of_scope(start: int, clauses: Clauses, colons: Sequence[int]) -> int:
    """A cue reaches to the end of its clause, or to a colon that is not its own (as in "previously: X")."""
    end = clauses.ending_after(start)
    place = bisect_right(colons, start)
    return min(end, colons[place]) if place < len(colons) else end


def _to_the_comma(text: str, start: int, end: int, said_of_it: bool) -> int:
    """Where an eastern clause ends that says something whole: "旧罐3200升,...", "那是旧的,..."."""
    # The patterns take what ends at the first comma: where none is near, no cue reads on to the clause's end.
    if text.find(",", start, min(end, start + _NEAR)) == -1:
        return end
    clause = (_EASTERN_WORDS if said_of_it else _EASTERN_CLAUSE).match(text, start, end)
    return clause.end() if clause else end


_EASTERN_WORDS = lazy_pattern(rf"[^,{MASK}]*[\u3040-\u9fff\uac00-\ud7a3](?=,)")
_EASTERN_CLAUSE = lazy_pattern(
    rf"[^,]*[{MASK}\d][^,{MASK}]*[\u3040-\u9fff\uac00-\ud7a3](?=,)|[^,{MASK}]*(?:고|며|나|데|만|니)(?=,)"
    rf"|[^,{MASK}]*[\u3040-\u9fff\uac00-\ud7a3]{MASK}+(?=,\s?[^\s{MASK}])"
)


def _compared(text: str, statements: Sequence[Statement], cues: Cues) -> set[Mention]:
    """The wrong mentions that follow "ahead of" or stand with "came second", behind the right ones."""
    found = set()
    for statement in statements:
        right = [mention.end for mention in statement.mentions if mention.right]
        start = max(right, default=statement.start)
        if cues.compared.search(text, start, statement.end):
            found |= {m for m in statement.mentions if not m.right and m.start >= start}
    return found


def _changed(text: str, mentions: Sequence[Mention]) -> set[Mention]:
    cues = [cue for sign, cue in ((_FROM_SIGN, _FROM), (_REPLACING_SIGN, _REPLACING)) if sign.search(text)]
    starts = {match.start("old") for cue in cues for match in cue.finditer(text)}
    return {m for m in mentions if m.start in starts or _GIVES_WAY.match(text, m.start, m.start + _NEAR)}


# Of values that a needle names before the right one: an opening bid, a first count.
_BEGINS = lazy_pattern(
    r"\b(?:open(?:ed|s|ing)?|start(?:ed|s|ing)?|began|begun|begins?|beginning|first|second(?!\s+(?:thought|look|glance|reading))|initial(?:ly)?"
    r"|rose|went\s+up|climb\w*"
    r"|stood|stuck|stalled|paused|called|offered|asked|bids?|bidding|after|through|via|over|until|reached"
    r"|begann\w*|zunächst|zuerst|erst\w*|eröffn\w*|startgebot|stieg|nach|d'abord|premi\w+|mise\s+à\s+prix|commen\w+|ouvert\w*"
    r"|primer\w*|primeir\w*|empez\w+|comenz\w+|começ\w+|abri\w+|salida|subi\w+|prim[aoi]|inizi\w*|partenza|partì|salì"
    r"|начал\w*|перв\w+|сначала|поднял\w*|затем)\b|起拍|开始|開始|先|首次|最初|初め|始|처음|시작|먼저"
)


def _on_the_way_up(text: str, clauses: Clauses, mentions: Sequence[Mention], key: AnswerKey) -> set[Mention]:
    """Values that stand in the needle of the right one, told as what came before it."""
    if len(key.elements) != 1 or not mentions:
        return set()
    traps = {trap.name for trap in key.traps}
    last = max((mention.start for mention in mentions if mention.right), default=-1)
    found = set()
    for mention in mentions:
        if mention.name in traps and (mention.start < last or mention.start > last > -1):
            start, end = clauses.around(mention)
            end = min(end, last) if mention.start < last else end
            if _BEGINS.search(text, start, end):
                found.add(mention)
    return found


_COPULA = lazy_pattern(
    r"\W{0,3}(?:is|are|was|were|had been|being)\s+(?:only\s+|just\s+|merely\s+)?"
    r"(?:(?:my|our|the|an?|his|her|its)\s+)?"
    # "X, aber das war der alte Code", "X, pero ese era el horario antiguo", "X,但那是旧的".
    r"|\W{0,3}(?:(?:aber|doch|mais|pero|mas|ma|но|однако)\s+)?(?:(?:das|dies|dieser?|es|ese|eso|esa|este|esto|esse|essa"
    r"|isso|isto|quello|quella|questo|questa)\s+|c')?(?:war|ist|était|est|era|es|fue|foi|é|fu|è)\s+(?:nur\s+|noch\s+)?"
    r"(?:(?:der|die|das|ein|eine|le|la|l'|un|une|el|lo|il|una|o|a|um|uma)\s*)?"
    r"|\W{0,3}(?:но\s+|однако\s+)?(?:это|то)\s+(?:был[аои]?\s+)?|\W{0,3}(?:但是?|不[过過]|可是?)?[那这這]是"
    r"|(?:でした|だった|です)?が、(?:それ|これ)は|(?:이었|였)?지만,?\s(?:그것은|그건|이건|이것은)\s?"
)


# "Unlike the troupe of Orme, which sold 915, hers sold ...": what is told of the other one.
_UNLIKE = lazy_pattern(
    r"(?:\b(?:unlike|in\s+contrast\s+(?:to|with)|as\s+opposed\s+to|contrairement\s+(?:à|aux?)|à\s+la\s+différence\s+d\w*"
    r"|anders\s+als|im\s+(?:gegensatz|unterschied)\s+zu[mr]?|a\s+diferencia\s+del?|al\s+contrario\s+(?:que|del?|dell\w+)"
    r"|ao\s+contrário\s+d\w+|diferentemente\s+d\w+|a\s+differenza\s+d\w+|diversamente\s+da\w*|в\s+отличие\s+от)\b)"
    r"[^,.;:\n]{1,80},\s*(?:\w+\s+){0,2}?(?:which|who|where|whose|qui|que|dont|où|d[ei][re]|das|den|dem|quien|donde|cuy\w+"
    r"|quem|onde|che|chi|dove|котор\w+|где|что)\b[^,.;:\n]{1,100}?,"
    r"|(?:\A|(?<=[.。!?\n]))[^.。!?\n,]{1,60}?(?:とは?(?:異な[りっ]|違[いっ]|ちが[いっ])|に(?:対し|比べ)|와(?:는)?\s달리|과(?:는)?\s달리|에\s비해)"
)


_SIGNS_OF_ANOTHER = (
    *("unlike", "contrast", "opposed", "contrairement", "anders", "gegensatz", "unterschied", "diferencia"),
    *("contrario", "diferentemente", "differenza", "diversamente"),
)
"""One of these stands in every match of ``_UNLIKE`` that is of ASCII signs."""


def _may_compare(text: str) -> bool:
    return not text.isascii() or any(map(text.__contains__, _SIGNS_OF_ANOTHER))


def _of_the_other(text: str, mentions: Sequence[Mention]) -> set[Mention]:
    if all(mention.right for mention in mentions) or not _may_compare(without_mentions(text)):
        return set()
    spans = [match.span() for match in _UNLIKE.finditer(text)]
    return {mention for mention in mentions_in_any(mentions, spans) if not mention.right}


def _called_earlier(text: str, mentions: Sequence[Mention], cues: Cues) -> set[Mention]:
    """The mentions of which is said that they were first: "X was my initial answer"."""
    called = set()
    for mention in mentions:
        copula = _COPULA.match(text, mention.end, mention.end + _NEAR)
        if copula and (_FIRST.match(text, copula.end()) or cues.earlier.match(text, copula.end())):
            called.add(mention)
    return called


def _followed(text: str, mentions: Sequence[Mention]) -> set[Mention]:
    """Wrong values that another follows: "in R52 in May, and then in T29"."""
    return {m for m in mentions if not m.right and _AND_THEN.match(text, m.end, m.end + _NEAR)}


_AND_THEN = re.compile(
    rf"[^.;:\n{MASK}]{{0,40}}?,?\s+(?:and|but)\s+(?:then|now|later|afterwards|finally|since\s+then)\s+(?:\w+\s+){{0,2}}{MASK}"
)
_FIRST = re.compile(
    r"(?:first|initial|original|old|older|former|previous|earlier|tentative|outdated|superseded|provisional)\b"
)
