"""A yes or no that is said in a sentence: "It did not.", "The signalman never stopped the mail train.".

Read only where a question asks for a yes or no, and where the answer says neither word by itself. The first
sentence that replies counts: a short one about "it" or "he", or one that has the question's words. A denial
in it is a no, anything else a yes; the contrary of a word of the question turns that round ("she turned it
down"). A sentence that says that the text does not tell is no reply. A yes or no in another language than the
question's, said first, is one too.
"""

from __future__ import annotations

import re
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.abstention import refuses_somewhere
from niah.judges.rubric.choices.votes import vote_elsewhere
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import cues_of
from niah.judges.rubric.languages.detect import FUNCTION_WORDS, languages_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.paraphrase.lexicon import lexicon_of
from niah.judges.rubric.reading.statements import COMMON_WORDS, asked_words
from niah.text.writing import UNSPACED

YES = frozenset(
    re.findall(
        r"\S+",
        "yes true ja oui si sí sì sim да 是 是的 对 有 はい ええ 예 네 نعم أجل हाँ हां tak evet jawohl jo"
        " wahr vrai verdadero verdadeiro vero waar sant prawda doğru правда",
    )
)
NO = frozenset(
    re.findall(
        r"\S+",
        "no false nein non não нет 否 不是 没有 不 いいえ いや 아니요 아니오 아니 لا كلا नहीं nie nee nej nei"
        " hayır nao falsch faux falso onwaar falskt fałsz yanlış ложь",
    )
)
"""The words for yes and no, normalised, as answers have them."""

_SENTENCE = re.compile(r"[^.!?;\n。]+")
_WORD = lazy_pattern(rf"[{UNSPACED}]|[^\W\d_{UNSPACED}]+")
_DENIAL = lazy_pattern(
    r"\b(?:not|no\s+longer|never|nobody|none|nothing|neither|nicht|keine?[nmrs]?|nie|niemals|jamais|nunca|jamás|nessun\w*|mai"
    r"|non|não|не|никогда|ничего)\b|n't\b|\bn(?:e\b|')(?=.*\b(?:pas|jamais|rien|plus|point)\b)|\bno\b(?=\s+(?:se|lo|la|l[eo]s|l[ao]s)?\s*\w+)"
    r"|[没沒未不]|ない|なかった|ません|せず|않|못|안\s"
)
# Asked whether something was let through, and answered that it was not.
_ASKS_FOR_CONSENT = lazy_pattern(
    r"\b(?:approv|accept|adopt|agree|ratif|endors|grant|consent|permit|allow|authori[sz]"
    r"|(?:motion|bill|proposal|plan|amendment|resolution|measure|budget|referendum|ordinance|petition|merger)\b[^?.]*\b(?:pass|carr(?:y|ied)\b|succeed|go\s+through)"
    r"|pass(?:ed)?\s+(?:the|a|an)\s+(?:\w+\s+)?(?:bill|law|motion|act|resolution|budget|decree|ordinance|measure|amendment))"
)
_TURNED_DOWN = lazy_pattern(
    r"\b(?:vot(?:e|ed|ing)\s+(?:it|them|this|that|(?:the|their|his|her)\s+\w+)?\s*(?:down|against)"
    r"|veto(?:es|ed)?\b(?!\s+by\b)"
    r"|thr(?:ew|ows?|own)\s+(?:(?:it|them|this|that|(?:the|their|his|her|its)(?:\s+\w+){1,2})\s+)?out\b(?!\s+of\b)"
    r"|(?:str(?:uck|ikes?)|shot|shoots?)\s+(?:(?:it|them|this|that|(?:the|their|his|her)\s+\w+)\s+)?down\b"
    r"|(?:was|were|been|got)(?:\s+not|n't)?\s+(?:\w+ly\s+)?(?:defeated|quashed|scrapped|blocked|dismissed|rejected|declined|turned\s+down)\b"
    r"|(?:rejects?|rejected|declined|turn(?:s|ed)\s+down)\s+(?:it|them|this|that|(?:the|their|his|her|its)\s+\w+)\b(?!\s+(?:against|to\b))"
    r"|turn(?:s|ed)\s+(?:it|them|this|that|(?:the|their|his|her|its)\s+\w+)\s+down\b"
    r"|(?:fail(?:s|ed)?(?:\s+to\s+(?:pass|carry|win|gain|secure|get)\w*)?(?!\s+to\b)|fell\s+through|lost\s+the\s+vote)\b"
    r"|(?:denied|refused|withheld|without)\s+(?:it\s+|them\s+)?(?:its\s+|the\s+|their\s+|his\s+|her\s+)?"
    r"(?:approval|consent|permission|assent|permit))"
)
_DENIED_AT_ONCE = lazy_pattern(r"(?:\bnot|n't|\bnever)\s+(?:\w+\s+)?\Z")
_NOT = re.compile(r"\bnot\b|n't\b")
_THING = re.compile(r"(?:the|their|his|her|its)\s+(\w+)")
_PROPOSED = lazy_pattern(
    r"\W*(?:it|they|he|she|this|that|(?:the|their|his|her|this|that)\s+(?:\w+\s+)?"
    r"(?:motion|plans?|proposal|bill|law|measure|scheme|request|application|project|idea|budget|petition))\b"
)
_TURNED_ROUND = lazy_pattern(
    r"\b(?:over(?:rid|rod|turn|rul)|revers|reconsider|revok|lifted|in\s+the\s+end|eventually|finally|later|afterwards"
    r"|then|until|but|almost|nearly|would|tried|attempt|threat|want|could|if)"
)
_NO_DENIAL = re.compile(
    r"\bno\s+(?:doubt|question|idea|clue|way\s+(?:to|of)|telling|answer|record|evidence|information|mention)\b|\bnot\s+only\b|\bwithout\s+(?:a\s+)?doubt\b|\bkein\s+zweifel\b|\bnicht\s+nur\b"
)
_SHORT_REPLY = lazy_pattern(
    r"\W*(?:(?:indeed|so|and|but|well|in\s+fact|actually)\W+)*(?P<who>it|he|she|they|we|this|that|there|i)\s*"
    r"(?:(?P<verb>did|does|do|was|is|were|are|has|have|had|could|can|would|will|should|may|might|must)(?:n't|\b)|'s\b|'re\b|'d\b)"
)
# "It is not possible to say" is no reply, though it is about "it".
_UNTOLD = lazy_pattern(
    r"\W*(?:it|this|that)(?:\s+(?:is|was)|'s)\s*(?:n't|not|never|nowhere)\s+(?:\w+ly\s+|at\s+all\s+)?"
    r"(?P<told>possible\s+to|clear|known|stated|said|told|given|mentioned|specified|determined|established|something)\b"
)
_ENDS = re.compile(r"(?:\s*\bnot\b|n't)?\s*(?:(?:so|then|indeed|be|been|do)\b\s*)?(?:\Z|[,:(]|\s-)")
_ECHO = 0.5
_DENIED_ECHO = 0.25
"""Share of the question's words that a sentence has which replies."""
_FEW = 6
"""Words of a denial that needs no word of the question: "Das hat er nicht getan."."""
_STEM = 4
_SAID_FIRST = lazy_pattern(
    r"\W*(?:जी\s+)?([^\W_][^\s.,;:!?)\]}'\u3001\u3002]*)\s*(?:[.,;:!?)\]}'\n\u3001\u3002]|\Z)"
)
# "{renewed: false, reason: ...}", "renewed = no".
_FIELD = lazy_pattern(
    rf"(?:\A|(?<=[{{,\n]))\s*'?(?P<name>[^\W\d_][\w ]{{0,60}}?)'?\s*[:=]"
    rf"\s*'?(?P<said>{'|'.join(sorted(YES | NO))})'?\s*(?=[,;}}\n.]|\Z)"
)
_OF_THE_ANSWER = frozenset(("answer", "final answer", "response", "reply", "verdict"))
_PLAIN = frozenset(
    ("is", "was", "are", "were", "has", "have", "been", "be", "it", "the", "did", "does", "of")
)
# Polish begins so too: "it is not known", "it is not given".
_UNTOLD_IN_POLISH = lazy_pattern(
    r"\W*nie\s+(?:wiadomo|wiem|podano|podaje|wspomniano|wspomina|napisano|określono|ma\b|można|da\s+się|mówi|jest\s+(?:jasne|wiadome|podane))"
)
# "Almost certainly not - the planks had been taken away".
_SURELY_NOT = lazy_pattern(
    r"\W*((?:almost\s+|most\s+|quite\s+)?(?:certainly|definitely|surely|clearly|probably|absolutely|apparently|evidently|presumably|obviously"
    r"|of\s+course)\s+not)\s*(?:[.,;:!\n\u2013\u2014]|\s{2}|\Z)"
)
_HANGUL_END = lazy_pattern(r"([\uac00-\ud7a3]{2})[\uac00-\ud7a3]{0,4}[\s.?!]*\Z")
_QUESTION_END = re.compile(r"\?")
_BOTH = frozenset(("yes", "no"))
"""A sentence with both, as "yes on Saturdays, no on Sundays", replies neither."""
_TWO = 2
_ASKS_FOR_LEAVE = lazy_pattern(
    r"\b(?:may|can|could|allowed|permitted|permissible|darf|dürfen|erlaubt|peut|peuvent|puede|pueden|pode|podem"
    r"|può|possono)\b"
)
_ALLOWED = lazy_pattern(
    r"allowed|permitted|permissible|welcome|erlaubt|gestattet|zulässig|willkommen|autorisée?s?|permise?s?|admise?s?"
    r"|(?:ad|per)mitid[ao]s?|consentit[aoei]|ammess[aoei]|permess[aoei]"
)
_FORBIDDEN = lazy_pattern(
    r"\b(?:forbidden|prohibited|banned|barred|verboten|untersagt|interdite?s?|prohibid[ao]s?|proibid[ao]s?|vietat[aoie])\b"
)
_AUXILIARIES = frozenset(
    re.findall(r"\w+", "may can could must will would shall should might am being werden wird worden")
)
_MODALS = frozenset(re.findall(r"\w+", "darf dürfen man kann können muss müssen soll sollen"))
_ONLY = lazy_pattern(
    r"\b(?<!not )(?<!nicht )(?:only|nur|seulement|uniquement|sólo|solo|solamente|somente|apenas|soltanto)\b"
)
_WISHED = lazy_pattern(
    r"\b(?:(?:would|should|might)\s+(?:have\b|like\s+to)|want(?:s|ed)?\s+to|wish(?:es|ed)?\s+to|hope[sd]?\s+to|plan(?:s|ned)?\s+to"
    r"|ask(?:s|ed)?\s+to|tried\s+to|möchten?|wollen|voudraient|querrían|gostariam|vorrebbero)\b"
)
_DAY = lazy_pattern(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweek(?:day|end)s?\b|\b(?:mon|diens|donners|frei|sams|sonn)tags?\b|\bmittwochs?\b"
)
_YES_NO = "yes|no|ja|nein|oui|non"
_OF = r"[^.;:,!?\n]{3,60}?"
_YES_THEN_NO = lazy_pattern(
    rf"\W*(?P<first>{_YES_NO})\s(?P<of_first>{_OF})[.;,]\s+(?:(?:but|and|while|aber|und|mais|et)\s+)?"
    rf"(?P<second>{_YES_NO})\s(?P<of_second>{_OF})\W*"
)
_OF_ONE_AND_ANOTHER = lazy_pattern(
    rf"\W*(?P<of_first>{_OF})[,:]?\s(?P<first>{_YES_NO})[.;,]\s+(?:(?:but|and|while|aber|und|mais|et)\s+)?"
    rf"(?P<of_second>{_OF})[,:]?\s(?P<second>{_YES_NO})\W*"
)
_OR = frozenset(("or", "oder", "ou", "o", "или"))


def asks_yes_or_no(key: AnswerKey) -> bool:
    """Whether one element is asked for, and that is a yes or no."""
    return len(key.elements) == 1 and normalise(key.elements[0].name) in YES | NO


def yes_or_no(text: str, key: AnswerKey) -> list[Mention]:
    """The yes or no that a normalised answer gives without saying the word; empty where it gives none.

    Args:
        text: normalised.
        key: a question that asks for one.
    """
    first = _SAID_FIRST.match(text)
    if first and first[1] in YES | NO:
        element = _element(key, says_no=first[1] in NO)
        return [Mention(*element, *first.span(1))] if element else []
    if said_in_fields := _said_in_fields(text, key):
        return said_in_fields
    surely_not = _SURELY_NOT.match(text)
    if surely_not:
        element = _element(key, says_no=True)
        return [Mention(*element, *surely_not.span(1))] if element else []
    asked = _asked(key)
    turned_down = _turned_down(text, key, asked)
    if turned_down is not None:
        return turned_down
    cues = cues_of(text)
    for sentence in _SENTENCE.finditer(text):
        said = sentence[0]
        short = _SHORT_REPLY.match(said)
        untold = _UNTOLD.match(said)
        of_somebody = short is not None and short["who"] not in ("there", "i", "we")
        if (untold and _stem(untold["told"]) not in asked) or _UNTOLD_IN_POLISH.match(said):
            continue
        if (refuses_somewhere(said) and not of_somebody) or cues.refusal.search(said):
            continue
        if _BOTH.issubset(_WORD.findall(said)):
            continue
        stems = set(map(_stem, _WORD.findall(said)))
        echo = len(asked & stems) / len(asked) if asked else 0.0
        denial = _DENIAL.search(_NO_DENIAL.sub(lambda idiom: " " * len(idiom[0]), said))
        if denial is None and _ASKS_FOR_LEAVE.search(_question(key)):
            denial = _FORBIDDEN.search(said)
        contrary = _says_the_contrary(said, key)
        if not (denial or contrary) and _says_less(said, key):
            continue
        if not (
            contrary
            or _ends_alike(said, key)
            or (len(asked & stems) >= _TWO and _says_no_more(said, key, asked))
            or echo >= (_DENIED_ECHO if denial else _ECHO)
            or (short and (echo or _ENDS.match(said, short.end())))
            or (denial and len(_WORD.findall(said)) <= _FEW)
        ):
            continue
        start, end = denial.span() if denial else (len(said) - len(said.lstrip()), len(said))
        element = _element(key, says_no=(denial is None) == contrary)
        return [Mention(*element, sentence.start() + start, sentence.start() + end)] if element else []
    return []


def yes_and_no(text: str, key: AnswerKey) -> list[Mention]:
    """The yes or no of an answer that says both, each of something: "yes on Sundays, no on Saturdays".

    Empty where what one of them is said of is not just the question's, or where both are.
    """
    said = _YES_THEN_NO.fullmatch(text) or _OF_ONE_AND_ANOTHER.fullmatch(text)
    if not said or said["first"] == said["second"]:
        return []
    asked = _asked(key)
    own = [_telling(said[of]) for of in ("of_first", "of_second")]
    within = [bool(words) and asked.issuperset(map(_stem, words)) for words in own]
    if within[0] == within[1]:
        return []
    word = "first" if within[0] else "second"
    element = _element(key, says_no=said[word] in NO)
    return [Mention(*element, *said.span(word))] if element else []


def _telling(said: str) -> set[str]:
    return {word for word in _WORD.findall(said) if word not in FUNCTION_WORDS | COMMON_WORDS | _AUXILIARIES}


def _says_no_more(said: str, key: AnswerKey, asked: frozenset[str]) -> bool:
    """Whether a sentence has no word that tells anything but the question's: "Dogs are allowed there."."""
    words = {word for word in _telling(said) if _stem(word) not in asked}
    if words and _ASKS_FOR_LEAVE.search(_question(key)):
        words = {word for word in words if not _ALLOWED.fullmatch(word)}
    return not words


def _says_less(said: str, key: AnswerKey) -> bool:
    """Whether a sentence narrows what the question asks: "only on Sundays", "would like to", another day."""
    question = _question(key)
    if (_ONLY.search(said) and not _ONLY.search(question)) or (
        _WISHED.search(said) and not _WISHED.search(question)
    ):
        return True
    days = set(_DAY.findall(question))
    return bool(days) and bool(others := set(_DAY.findall(said))) and days.isdisjoint(others)


@lru_cache(maxsize=256)
def _question(key: AnswerKey) -> str:
    """What the question asks, normalised, without sentences that say how to answer."""
    question = normalise(key.question)
    asking = [said[0] for said in _SENTENCE.finditer(question) if question[said.end() :].startswith("?")]
    return " ".join(asking) or question


def _said_in_fields(text: str, key: AnswerKey) -> list[Mention]:
    """What the fields of an answer say that have the question's words for names, or their contrary.

    "{banned: false}"; a name with other words is of something else, and of two that differ neither counts.
    """
    said: dict[str, Mention] = {}
    for field in _FIELD.finditer(text):
        words = [word for word in _WORD.findall(field["name"]) if word not in _PLAIN]
        denied = [word for word in words if _DENIAL.fullmatch(word)]
        own = [word for word in words if word not in denied]
        of_leave = bool(own) and _ASKS_FOR_LEAVE.search(_question(key)) is not None
        contrary = _says_the_contrary(" ".join(words), key) or (
            of_leave and all(map(_FORBIDDEN.fullmatch, own))
        )
        known = (of_leave and all(map(_ALLOWED.fullmatch, own))) or (
            own and all(_stem(word) in _asked(key) or _skeleton(word) in _skeletons(key) for word in own)
        )
        if not (known or contrary or field["name"] in _OF_THE_ANSWER):
            continue
        turned = (len(denied) % 2 == 1) != contrary
        element = _element(key, says_no=(field["said"] in NO) != turned)
        if element:
            said.setdefault(element[0], Mention(*element, field.start("name"), field.end("said")))
    return list(said.values()) if len(said) == 1 else []


@lru_cache(maxsize=256)
def _skeletons(key: AnswerKey) -> frozenset[str]:
    """The consonants of the question's words: those of "uphold" are those of "upheld"."""
    return frozenset(map(_skeleton, _WORD.findall(normalise(key.question))))


def _skeleton(word: str) -> str:
    """The consonants of a word; the word itself where they are few."""
    consonants = _VOWEL.sub("", word)
    return consonants if len(consonants) >= _LEAST_CONSONANTS else word


_VOWEL = re.compile("[aeiouy]")
_LEAST_CONSONANTS = 3


def _turned_down(text: str, key: AnswerKey, asked: frozenset[str]) -> list[Mention] | None:
    """The no of a text that says of what was to be approved that it was thrown out; None where none is plain.

    It is plain where the question's people did it, or it befell the thing itself, and nothing says that it
    was turned round. Empty where it is denied: who did not veto a thing need not have approved it.
    """
    if not _ASKS_FOR_CONSENT.search(normalise(key.question)) or _TURNED_ROUND.search(text):
        return None
    if (vote := vote_elsewhere(text)) and not _DENIAL.search(text):
        element = _element(key, says_no=vote.against)
        return [Mention(*element, vote.start, vote.end)] if element else []
    for sentence in _SENTENCE.finditer(text):
        said = _TURNED_DOWN.search(sentence[0])
        if said is None:
            continue
        start, end = sentence.start() + said.start(), sentence.start() + said.end()
        before, rest = text[sentence.start() : start], f"{text[:start]} {text[end:]}"
        thing = _THING.search(said[0])
        if thing and _stem(thing[1]) not in asked and not _PROPOSED.match(thing[0]):
            continue
        told = _WORD.findall(f"{before} {said[0]}")
        known = not asked.isdisjoint(map(_stem, told)) or _PROPOSED.match(before) or "it" in told
        if not known or _ASKS_FOR_CONSENT.search(rest):
            return None
        if _DENIED_AT_ONCE.search(before) or _NOT.search(said[0]):
            return []
        if _DENIAL.search(sentence[0]):
            return None
        element = _element(key, says_no=True)
        return [Mention(*element, start, end)] if element else []
    return None


def _says_the_contrary(said: str, key: AnswerKey) -> bool:
    """Whether a sentence has the contrary of a word of the question: "refused" where that says "accept"."""
    question = normalise(key.question)
    lexicon = lexicon_of(tuple(dict.fromkeys((*languages_of(question).known, *languages_of(said).known))))
    asked = frozenset[str]().union(*(unit.meanings for unit in lexicon.units(question)))
    contrary = frozenset[str]().union(*(lexicon.contrary.get(meaning, frozenset()) for meaning in asked))
    return any(not unit.meanings.isdisjoint(contrary - asked) for unit in lexicon.units(said))


def _ends_alike(said: str, key: AnswerKey) -> bool:
    """Whether a Korean sentence ends in the question's verb."""
    ends = [_HANGUL_END.search(text) for text in (said, _QUESTION_END.split(normalise(key.question))[0])]
    return None not in ends and len({end[1] for end in ends if end}) == 1


def _element(key: AnswerKey, *, says_no: bool) -> tuple[str, bool] | None:
    words = NO if says_no else YES
    for element in key.elements:
        if normalise(element.name) in words:
            return element.name, True
    wrong = next((trap.name for trap in key.traps if normalise(trap.name) in words), None)
    return (wrong, False) if wrong else None


@lru_cache(maxsize=256)
def _asked(key: AnswerKey) -> frozenset[str]:
    """The beginnings of the question's words, options and the commonest left out."""
    in_question = frozenset(_WORD.findall(_question(key)))
    words = (part for word in asked_words(key) for part in _WORD.findall(word) if part in in_question)
    return frozenset(_stem(word) for word in words if word not in YES | NO | _OR | _AUXILIARIES | _MODALS)


def _stem(word: str) -> str:
    return word[:_STEM]
