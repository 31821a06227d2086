"""Surnames alone: "Achterberg saw it" names Prudence Achterberg, if nobody else is called so.

A full name is two to four words that the needle set writes with capitals and never without. Its last word,
with its "van" or "de la", stands for it where the answer writes that with a capital too, beside no other
capital of another name; not where two names share it, or the question names it; and not the last word of a
place ("Pomfret Gate"), which is a word of any sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of, told_in, wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.names.russian import russian_stems
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_SPACED_SCRIPT = re.compile("[a-z\u00df-\u024f\u0430-\u045f'\u2019-]+")
_PARTICLES = frozenset(
    """van von der den de del della dello degli dei di da do dos das la le los du des af av zu zum ter ten
    bin ibn al el san y e agli ai allo alla alle negli nei nello nella nelle dagli dai dallo dalla dalle
    dal sul sulla au aux na no nas nos pela pelo""".split()  # noqa: SIM905
)
_TITLES = frozenset(
    """mr mrs ms miss dr prof sir dame lady lord madam captain father sister brother frau herr doktor madame
    mademoiselle monsieur señor señora don doña senhor senhora dona signor signora signorina maestro frère
    sœur господин госпожа доктор the der die das el la le il""".split()  # noqa: SIM905
)
# Last words of the names of places and things.
_PLACES = frozenset(
    """street road lane avenue square gate mews hill house hall room court bridge river lake mill farm inn
    arms station school church chapel abbey castle tower park garden gardens wood woods forest island bay
    harbour market row yard green field close place terrace museum theatre library hospital hotel cup club
    bank society institute company office line show festival prize award trophy press times post herald
    quay pier
    ferry fell moor cross point head
    pont rue place tour moulin château gare
    calle plaza puente torre molino rua praça ponte via piazza
    улица площадь мост парк завод дом театр музей озеро река гора переулок проспект вокзал""".split()  # noqa: SIM905
)
# Words that may begin a sentence before a name; another capital there may be a first name.
_OPENING = frozenset(
    """by with while when then so but and or because although since yes no not only both also for from to
    that in on at as if either neither apparently actually probably clearly today finally here there
    von mit nur auch und oder aber weil als während wohl laut nach dann so ja nein nicht
    par avec et ou mais car seul seule selon puis alors oui non c'est pas
    por con y o pero según sólo solo fue sí entonces com e ou mas foi segundo só sim então
    per ma secondo fu sì allora anche solo non
    и а но или это по с не только также да нет видимо значит""".split()  # noqa: SIM905
)
_ASKS_WHO = re.compile(
    r"\b(?:who|whom|whose|wer|wen|wem|wessen|qui|quién|quiénes|quem|chi|кто|кого|кому|кем|ком|чей|чья|чьё|чьи)\b",
    re.IGNORECASE,
)
_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|nicht|ein|eine|wird|wurde)\b")
_SENTENCE_BEGINS = lazy_pattern(
    r"(?:\A|[.!?:;\n*#|>(\"\u201c\u00ab\u201e\u2013\u2014-])[\s*_\"\u201c\u00ab(]*\Z"
)
_APART = re.compile(r"[\s*_]+\Z")
_LEAST = 3
"""Letters of a surname."""
_MOST_WORDS = 4
_MOST_NAMES = 200


@dataclass(frozen=True)
class _FullName:
    """``surname`` is its words as they are compared, joined by spaces; ``first`` the words before it."""

    element: str
    right: bool
    first: frozenset[str]
    surname: tuple[str, ...]


def surnames_alone(spoken: str, text: str, mentions: Sequence[Mention], key: AnswerKey) -> list[Mention]:
    """Mentions of elements that the answer names by their surnames and nowhere in full.

    Args:
        spoken: the answer with its capitals.
        text: the same, normalised.
        mentions: what it names; what they cover is no surname alone.
        key: what was asked.
    """
    names = _full_names(key)
    if not names:
        return []
    named = {mention.name for mention in mentions}
    taken = {place for mention in mentions for place in range(mention.start, mention.end)}
    found: list[Mention] = []
    for name in names:
        if name.element in named:
            continue
        forms = _forms_in(spoken, name)
        for form in sorted(forms, key=len, reverse=True):
            for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text):
                if taken.isdisjoint(range(*match.span())):
                    taken.update(range(*match.span()))
                    found.append(Mention(name.element, name.right, *match.span()))
    return found


def _forms_in(spoken: str, name: _FullName) -> set[str]:
    """The surname as the answer writes it, normalised; none if it writes it small, or of another."""
    words = list(_WORD.finditer(spoken))
    forms: set[str] = set()
    for place, word in enumerate(words):
        if not _is_case_of(_folded(word[0]), name.surname[-1]):
            continue
        written = _by_itself(word[0], name.surname[-1])
        if not written[0].isupper() or _is_of_another(spoken, words, place, name):
            return set()
        forms.add(normalise(written).strip())
    return forms


def _is_of_another(spoken: str, words: Sequence[re.Match[str]], place: int, name: _FullName) -> bool:
    """Whether another name's capital stands beside a surname: "Callum Achterberg", "Sato Holdings"."""
    word = words[place]
    if place + 1 < len(words) and _folded(word[0]) != f"{name.surname[-1]}s":
        after, between = words[place + 1], spoken[word.end() : words[place + 1].start()]
        if after[0][0].isupper() and (between.isspace() or between.strip() == "&") and "\n" not in between:
            return True
    before = place - 1
    while before >= 0 and _folded(words[before][0]) in _PARTICLES:
        before -= 1
    if before < 0 or not words[before][0][0].isupper():
        return False
    first = words[before]
    begins = _SENTENCE_BEGINS.search(spoken[max(0, first.start() - 8) : first.start()]) is not None
    begins = begins and _folded(first[0]) in _OPENING
    beside = _APART.fullmatch(spoken, first.end(), words[before + 1].start()) is not None
    own = any(_is_case_of(_folded(first[0]), one) for one in name.first)
    return beside and not begins and not own and _folded(first[0]) not in _TITLES


def _folded(word: str) -> str:
    return word.casefold().replace("\u2019", "'").replace("\u0451", "\u0435")


def _is_case_of(word: str, name: str) -> bool:
    """Whether a word is a name, or its genitive or another case."""
    if word in (name, f"{name}s", f"{name}'s", f"{name}'"):
        return True
    if word.partition("'")[2] == name:  # d'Achterberg
        return True
    return not russian_stems(name).isdisjoint(russian_stems(word))


def _by_itself(word: str, name: str) -> str:
    """The word without what an apostrophe adds: the "d'" before it, the "'s" behind it."""
    before, _, behind = word.replace("\u2019", "'").partition("'")
    if _folded(behind) == name:
        return behind
    return before if behind in ("", "s") else word


@lru_cache(maxsize=256)
def _full_names(key: AnswerKey) -> tuple[_FullName, ...]:
    """The full names among a key's elements whose surnames are nobody else's."""
    told = told_in(key)
    counted = {(name.element, name.right) for name in names_of(key)}
    both = (*((one, True) for one in key.elements), *((one, False) for one in wrong_elements(key)))
    elements = [(one, right) for one, right in both if (one.name, right) in counted]
    if len(elements) > _MOST_NAMES:
        return ()
    small = {_folded(word) for text in told for word in _WORD.findall(text) if word[0].islower()}
    who = _ASKS_WHO.search(key.question) is not None
    if not who and _GERMAN.search(key.question):
        return ()
    names = [
        name
        for element, right in elements
        for written in dict.fromkeys(element.names)
        if (name := _full_name(written, element.name, right, small))
    ]
    owners = {(name.element, one) for name in names for one in _shared(name.surname[-1])}
    shared = Counter(one for _, one in owners)
    in_full = "|".join(re.escape(written) for element, _ in elements for written in element.names)
    asked = {_folded(word) for word in _WORD.findall(re.sub(in_full, "", key.question))}
    return tuple(
        name
        for name in dict.fromkeys(names)
        if all(shared[one] == 1 for one in _shared(name.surname[-1]))
        and name.surname[-1] not in asked
        and (who or name.surname[-1] not in _PLACES)
        and not _is_told_of_others(name, told)
    )


def _shared(surname: str) -> frozenset[str]:
    return russian_stems(surname) or frozenset((surname,))


def _full_name(written: str, element: str, right: bool, small: set[str]) -> _FullName | None:
    if not re.fullmatch(rf"{_WORD.pattern}(?:\.?\s+{_WORD.pattern})*", written.strip()):
        return None
    words = [word for word in _WORD.findall(written) if _folded(word).rstrip(".") not in _TITLES]
    folded = [_folded(word) for word in words]
    if not 2 <= len(words) <= _MOST_WORDS or not all(map(_SPACED_SCRIPT.fullmatch, folded)):
        return None
    capitals = [w for w, f in zip(words, folded, strict=True) if f not in _PARTICLES]
    if folded[-1] in small or not all(word[0].isupper() for word in capitals):
        return None
    last = len(words) - 1
    begins = last
    while begins > 1 and folded[begins - 1] in _PARTICLES:
        begins -= 1
    if len(folded[last]) < _LEAST or folded[last] in _PARTICLES:
        return None
    return _FullName(element, right, frozenset(folded[:begins]), tuple(folded[begins:]))


def _is_told_of_others(name: _FullName, told: Sequence[str]) -> bool:
    """Whether the needle set's texts use the surname beside a capital of somebody or something else."""
    for text in told:
        words = list(_WORD.finditer(text))
        for place, word in enumerate(words):
            if _is_case_of(_folded(word[0]), name.surname[-1]) and _is_of_another(text, words, place, name):
                return True
    return False
