"""Whether what an answer calls untold is another question than the one asked: "how tall it is is not stated".

Read only beside a complete answer. Such a remark seldom means what was asked, but it shares words with it:
the lighthouse whose steps are asked for is the one whose height is not told. So the words that ask are
compared ("how tall" is not "how many", "who" is no number), then the noun ("the width of the bridge"), then
whether the remark has a word that the question has not: that alone does not do behind "however" and its like.
"""

from __future__ import annotations

import re
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.forms.numbers import number_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.normalise import normalise, tidy

_ASKS = r"(?P<asks>who|whom|whose|when|where|why|how|what|which)\b(?P<rest>[^.;!?\n]{0,80})"
_BEHIND = lazy_pattern(rf"\s+(?:me\s+|us\s+|you\s+)?(?:(?:in|at|on|by|for|to|of|from|with|about)\s+)?{_ASKS}")
_OPENS = r"(?:\A|[.;,!?:\n(]|\b(?:and|but|though|although|however|while))\s*"
_BEFORE = lazy_pattern(
    rf"{_OPENS}(?:(?:in|at|on|by|for|to|of|from|with)\s+)?{_ASKS.replace('{0,80}', '{2,80}')}\Z"
)
# "The width of the bridge", "the contents of the letter": the noun, and whose it is.
_NOUN = lazy_pattern(
    rf"{_OPENS}(?:the|their|its|his|her)\s+(?P<noun>(?:[\w']+\s+){{1,3}}?)(?:of|for)\s+(?P<rest>[^.;,!?:\n]{{2,60}})\Z"
)
# "That they have to be on a leash"; not "that this is certain".
_THAT = lazy_pattern(rf"\s+that\s+(?P<rest>[^.;!?:\n{MASK}]{{3,80}})(?=[.;!?:\n]|\Z)")
_CERTAIN = lazy_pattern(
    r"(?:this|that|these|those)\s+(?:is|are|was|were|applies|holds)\b.*"
    r"|.*\b(?:certain|sure|true|correct|right|case|explicit\w*|answer|one|so)\b"
)
_OTHER_FACT = 3
"""Of so many words of what is not told, at most one is the question's, where it is another fact."""
_ASKED = lazy_pattern(
    r"\b(who|whom|whose|when|where|why|how|what|which)\b(?:\s+(?:is|are|was|were)\s+(?:the|its|his|her|their)\b)?"
    r"(?:\s+(\w+))?(?:\s+(\w+))?"
)
_TURNS_ROUND = lazy_pattern(
    r"\b(?:second\s+thoughts?|reflection|however|but|although|sorry|actually|in\s+fact|wait|yet|then\s+again|re-?read\w*"
    r"|though(?!\W*\Z)|unfortunately|nevertheless|admittedly|explicit\w*|direct\w*|really|correct\w*|mistake\w*)\b|\bno\b(?=\s*[,.:;-])"
)
_IN_ONE_PLACE = lazy_pattern(
    r"[^.;!?\n]{0,40}?\bin\s+(?:just\s+|only\s+)?(?:one|a\s+single)\s+(?:sentence|place|passage|line|paragraph|spot|breath|go)\b"
)
# "I can't tell which of the two is right" doubts what was answered.
_WHICH = lazy_pattern(
    r"\s+(?:of|one|ones|it|is|are|was|were|would|may|might|appl(?:y|ies)|belongs?|counts?|holds?)\b(?!\s+(?:in|inside|within|on|behind|under)\b)"
)
_LEADS = lazy_pattern(
    r"(?:\A|[.?!:;,]\s+|\band\s+)(?:(?:in|at|on|by|for|to|of|from|with|under)\s+)?"
    r"(?:who|whom|whose|when|where|why|how|what|which)\b"
)
_INSIDE = lazy_pattern(r"\s+(?:is|are|was|were|lay|lies)\s+(?:in|inside|within|on|behind|under)\b")
_SENTENCE_OVER = re.compile(r"[.!?\n]")
_REACH = 100
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\w+")


def _words_of(said: str) -> frozenset[str]:
    return frozenset(_WORD.findall(said))


_TIMES = _words_of("time date day year month hour week century decade season weekday minute moment")
_PLACES = _words_of(
    """
    place town city village country inn street port harbour harbor station room house island region county
    location building district quarter square shop site state province spot hall
    """
)
_PERSON = lazy_pattern(
    r"(?!(?:paper|letter|order|number|corner|water|river|winter|summer|colour|color|floor|door|matter|weather|other|after|never"
    r"|ever|under|over|later)s?\Z)"
    r"(?:name|identity|person|man|woman|people|heir|thief|recipient|servant|president|merchant|addressee|payee|bride|groom"
    r"|\w{3,}(?:[^aeiou]er|or|ist|ian|ess))s?\Z"
)
_MEASURES = (
    _words_of("high tall height heights"),
    _words_of("long length far distance wide duration"),
    _words_of("wide width broad breadth"),
    _words_of("deep depth"),
    _words_of("old age"),
    _words_of("heavy weight mass"),
    _words_of("fast speed quick quickly"),
    _words_of("big large size"),
    _words_of(
        """
        many much often number count total quantity amount sum tally figure price cost rent fee worth value
        frequency expensive percentage share
        """
    ),
)
"""What "how" asks with, and nouns for the same: of two groups each asks for something else."""
_COMMON = _words_of(
    """
    is are was were be been being do does did has have had can could would will may might must should the a an
    of for to in on at by it its he she they them him her his their this that these those exactly else exact
    long and or not no nor never any some all each who whom whose what which when where why
    how i we you there here so really actually precisely from with into out up
    """
)
_ANYTHING = _words_of(
    """
    answer answers information question item items name names number numbers list text thing things detail
    details called said told one ones matter fact facts
    """
)


# What is said in general for what the question says in particular.
_SAID_FOR = (
    (
        _words_of("made make makes created creates produced produces maker creator"),
        _words_of(
            """
            drew drawn draw draws painted paint paints built build builds wrote written write composed compose
            carved carve designed design sewed sewn baked invented invent forged wove woven built cast made
            """
        ),
    ),
    (
        _words_of("cost costs price paid pay pays spent spend charged expense"),
        _words_of("cost costs price paid pay pays spent spend charged charge"),
    ),
)
_FOR_WHOM = lazy_pattern(
    r"\b(?:to|for)\s+wh(?:om|ich\s+\w+)\b|\bwhom?\b[^.?!]*\b(?:receiv|inherit|addressee|recipient|get\b|gets\b|got\b)"
    r"|\bwhom?\b[^.?!]*\b(?:address|send|sent|give|gave|left|leave|bequeath)\w*[^.?!]*\bto\b"
)
_IS_RECEIVED = lazy_pattern(
    r"\b(?:received?|receives|got|gets?|inherit(?:s|ed)?|recipients?|addressees?)\b"
    r"|\b(?:is|was|were|been)\s+(?:sent|given|addressed|posted|directed|meant|intended|left|bequeathed)\b"
)
_NUMBERS = ("who", "where")
"""What asks for no number."""


def asks_another_question(match: re.Match[str], key: AnswerKey) -> bool:
    """Whether what a complete answer calls untold is something that the question does not ask for.

    Args:
        match: what says so, in a masked text (see ``niah.judges.rubric.abstention``).
        key: what was asked.
    """
    text, start, end = match.string, match.start(), match.end()
    if _IN_ONE_PLACE.match(text, end):
        return True
    before = text[max(0, start - _REACH) : start]
    beside = before.rpartition(MASK)[2] + _SENTENCE_OVER.split(text[end : end + _REACH])[0]
    turned = _TURNS_ROUND.search(beside) is not None
    if that := _THAT.match(text, end):
        return not turned and _is_other_fact(that["rest"], key)
    if not _asked(key):
        return False
    if clause := _BEHIND.match(text, end) or _BEFORE.search(before):
        return _is_other_clause(clause["asks"], clause["rest"], key, turned=turned)
    if of := _NOUN.search(before):
        return _is_other_noun(of["noun"].split()[-1].removesuffix("'s"), of["rest"], key, turned=turned)
    return False


def _is_other_fact(rest: str, key: AnswerKey) -> bool:
    """Whether "that they have to be on a leash" says something of which the question has a third at most."""
    words = [word for word in _WORD.findall(rest) if word not in _COMMON | _ANYTHING]
    if not words or _CERTAIN.match(rest):
        return False
    return _OTHER_FACT * sum(not _is_more(word, key) for word in words) <= len(words)


def asks_for_a_time(key: AnswerKey) -> bool:
    """Whether the question asks when, in any words: "at what time", "in which year"."""
    return "when" in _asked(key)


def _is_other_clause(asks: str, rest: str, key: AnswerKey, *, turned: bool) -> bool:
    """Whether "who planted them" or "how tall it is" is another question."""
    asked, kind = _asked(key), _kind(asks, *_WORD.findall(rest)[:2])
    if (
        kind in ("why", "how")
        or (kind == "what" and not asked.isdisjoint({"why", "how"}))
        or _WHICH.match(rest)
    ):
        return False
    if asks == "what" and _INSIDE.match(rest) and not _INSIDE.search(tidy(key.question)):
        return True
    if kind != "what" and kind not in asked and (asked.isdisjoint({"what"}) or _has_another_shape(kind, key)):
        return True
    return not turned and _has_more(rest, key)


def _is_other_noun(noun: str, rest: str, key: AnswerKey, *, turned: bool) -> bool:
    """Whether "the width of the bridge" is something else, by the noun and by whose it is."""
    asked, kind = _asked(key), _kind_of_noun(noun)
    if noun == "name" and asked.isdisjoint({"who", "what"}):
        return {_kind_of_noun(word) for word in _WORD.findall(rest)}.isdisjoint(asked)
    if kind in asked or noun in _ANYTHING or not _is_more(noun, key):
        return not turned and _has_more(rest, key)
    if kind != "what" and (asked.isdisjoint({"what"}) or _has_another_shape(kind, key)):
        return True
    return not turned


def _has_another_shape(kind: str, key: AnswerKey) -> bool:
    """Whether nothing that was asked for can answer to ``kind``: a number to "who", a name to "how much"."""
    numbers = [bool(_DIGIT.search(each.name) or number_of(normalise(each.name))) for each in key.elements]
    return all(numbers) if kind in _NUMBERS else kind.startswith("how") and not any(numbers)


def _has_more(said: str, key: AnswerKey) -> bool:
    """Whether a text has a word that the question has not, nor says in another: "who received the letter"."""
    if _asks_for_receiver(key):
        said = _IS_RECEIVED.sub(" ", said)
    return any(_is_more(word, key) for word in _WORD.findall(said))


def is_asked_for(word: str, key: AnswerKey) -> bool:
    """Whether a field of this name holds what the question asks for: "painter", where it asks who painted."""
    return word not in _COMMON | _ANYTHING and not _is_more(word, key)


def _is_more(word: str, key: AnswerKey) -> bool:
    if word in _COMMON | _ANYTHING:
        return False
    kind = _kind_of_noun(word)
    if word != "total" and kind != "what" and kind in _asked(key):
        return False
    words = _words_of_question(key)
    if any(word in said and not words.isdisjoint(asked) for said, asked in _SAID_FOR):
        return False
    return not any(word == one or begin_alike(word, one) for one in words)


@lru_cache(maxsize=256)
def _asks_for_receiver(key: AnswerKey) -> bool:
    return _FOR_WHOM.search(tidy(key.question)) is not None


@lru_cache(maxsize=256)
def _words_of_question(key: AnswerKey) -> frozenset[str]:
    return frozenset(form for word in _WORD.findall(tidy(key.question)) for form in inflections(word))


@lru_cache(maxsize=256)
def _asked(key: AnswerKey) -> frozenset[str]:
    """What the question asks with: "who", "when", "where", "what", or "how" with a group of ``_MEASURES``."""
    question = tidy(key.question)
    kinds = {_kind(*filter(None, match.groups())) for match in _ASKED.finditer(question)}
    return frozenset(kinds if not kinds or _LEADS.search(question) else {*kinds, "what"})


def _kind(asks: str, first: str = "", second: str = "") -> str:
    if asks in ("who", "whom", "whose"):
        return "who"
    if asks == "how":
        return _measure(first) or "how"
    if asks in ("what", "which"):
        kinds = [_kind_of_noun(word) for word in (first, second) if word not in _COMMON]
        return next((kind for kind in kinds if kind != "what"), "what")
    return asks


def _kind_of_noun(noun: str) -> str:
    """Which question a noun answers to; "what" where nothing tells."""
    for form in inflections(noun):
        if form in _TIMES:
            return "when"
        if form in _PLACES:
            return "where"
        if measure := _measure(form):
            return measure
    return "who" if _PERSON.match(noun) and noun not in _ANYTHING else "what"


def _measure(word: str) -> str:
    return next((f"how {place}" for place, group in enumerate(_MEASURES) if word in group), "")
