"""The judge without a model: a score from elements found, missing and wrong (u-niah paper, section 3.1.3).

    agreement = found / (elements + wrong)

| score | the paper                           | here                                                      |
| ----- | ----------------------------------- | --------------------------------------------------------- |
| 10    | aligned, order and wording free     | all found, nothing wrong                                  |
| 7     | aligned with minor omissions        | agreement >= 2/3, unless both missing and wrong           |
| 5     | moderate, with inaccuracies         | agreement >= 1/3                                          |
| 3     | minor relevance                     | something found                                           |
| 1     | unrelated or totally wrong          | nothing found                                             |

Where the text does not answer: 10 for saying so, 5 for saying so and naming a wrong element too, else 1.

An answer is read in this order: reasoning is cut, then what is marked as the answer counts (a box, an answer
line, what follows a correction), else all of it. It reads no paraphrase and translates nothing. What it
cannot read it calls ``unsure``, for a model or a person to decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from niah.cases.sample import AnswerKey
from niah.judges.choices import parse_choice
from niah.judges.normalise import (
    MONTHS,
    UNIT,
    Word,
    folded,
    measured,
    plain_text,
    strip_reasoning,
    unit_of,
    words,
)
from niah.judges.verdict import (
    HIGHEST,
    LOWEST,
    RuleJudge,
    Score,
    Unsure,
    Verdict,
    is_unanswerable,
    with_elements,
)
from niah.needles.needle_set import Element
from niah.needles.options import option_letters
from niah.text.mentions import SMALL_WORDS, is_loud
from niah.text.words.korean import is_with_particles

VERSION = "24"


def rubric_score(found: int, missing: int, wrong: int) -> Score:
    """The score for so many elements found, missing and wrong."""
    if not found:
        return 1
    if not (missing or wrong):
        return 10
    asked_or_said = found + missing + wrong
    if 3 * found >= 2 * asked_or_said and not (missing and wrong):
        return 7
    return 5 if 3 * found >= asked_or_said else 3


def refusal_score(wrong: int, *, refused: bool) -> Score:
    """The score where the text does not answer the question."""
    return (5 if wrong else 10) if refused else 1


# --- phrases --------------------------------------------------------------------------------------


class _Phrases(NamedTuple):
    answer: re.Pattern[str]
    refusal: re.Pattern[str]
    hedge: re.Pattern[str]
    aside: re.Pattern[str]
    withdrawal: re.Pattern[str]
    denies: re.Pattern[str]
    denied: re.Pattern[str]
    correction: re.Pattern[str]


_UNSPACED = ("zh", "ja", "ko")
_NOT_A_DENIAL = (
    "only|just|merely|simply|later|earlier|less|more|until|explicitly|directly|clearly|doubt|surprising"
)


@lru_cache(maxsize=1)
def _phrases() -> tuple[_Phrases, _Phrases]:
    """The phrases of English alone, and of all languages."""
    file = Path(__file__).with_name("phrases.yaml")
    every = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return _compiled({"en": every["en"]}), _compiled(every)


def _compiled(languages: dict[str, dict[str, str]]) -> _Phrases:
    def joined(kind: str, among: Iterable[str] = languages) -> str:
        return "|".join(languages[name][kind] for name in among if kind in languages[name]) or r"(?!)"

    spaced = [name for name in languages if name not in _UNSPACED]
    unspaced = [name for name in languages if name in _UNSPACED]
    refusals = "|".join(f"(?:{each})" for one in languages.values() for each in one["refusal"])
    denies = (
        rf"(?<!\w)(?:{joined('not', spaced)}|\w+n't)(?! (?:{_NOT_A_DENIAL})\b)(?:\W+\w+){{0,5}}?\W*\Z"
        rf"|(?<!\w)(?P<besides>{joined('instead', spaced)})(?:\W+\w+){{0,4}}?\W*\Z"
        rf"|[❌✗✘]\W*\Z|(?:{joined('not', unspaced)}|{joined('instead', unspaced)})\W{{0,2}}\Z"
    )
    article = "(?:(?:the|my|so|thus|therefore|die|la|el|le|il|a|o)[ ,]+)*"
    marked = (
        rf"^[ \t]*{article}(?:{joined('answer')})s?(?: is| are| ist| est| es)?\s*[:=]+[ \t]*"
        r"|\b(?:final|correct|the|my) answers? (?:is|are):[ \t]*"
    )
    after = (
        rf"\s?:\s*(?:no|nein|non|false)\b|\W{{0,4}}[❌✗✘]|\s?(?:{joined('not', unspaced)})(?!\w)"
        rf"|\W{{0,3}}(?:\w+ )?(?:{joined('wrong', spaced)})(?! (?:{_NOT_A_DENIAL})\b)"
    )
    return _Phrases(
        answer=re.compile(marked, re.MULTILINE),
        refusal=re.compile(refusals),
        hedge=re.compile(joined("hedge")),
        aside=re.compile(rf"(?<!\w)(?:{joined('aside')})(?!\w)|[(]"),
        withdrawal=re.compile(joined("withdrawal")),
        denies=re.compile(denies),
        denied=re.compile(after),
        correction=re.compile(rf"(?:\A|[.!?,;:\n—–(-])\s*(?:{joined('correction')})"),
    )


_HINTS = re.compile(
    r"[^\x00-\x7f‘’“”–—−°€£µ]|\b(?:nicht|kein|nichts|ist|der|das|ne|pas|la|le|el|en|il|di|da|que|het|niet|det|inte|nie"
    r"|jest|bir|de)\b",
    re.IGNORECASE,
)


def _phrases_for(text: str) -> _Phrases:
    """English phrases for English text, which is searched sooner; else those of all languages."""
    english, every = _phrases()
    return every if _HINTS.search(text) else english


# --- names ----------------------------------------------------------------------------------------


class _Name(NamedTuple):
    """One way to write an element, a wrong element or a key."""

    words: tuple[Word, ...]
    role: str  # "right", "wrong" or "key"
    name: str
    loud: bool = False  # a name that is a small word of English in other case
    bare: bool = False  # a number without its unit, which the question names


@dataclass(frozen=True)
class Mention:
    """A place where an answer names an element (or a key): words ``first`` to ``last``, the last not
    included."""

    name: str
    role: str
    first: int
    last: int


def wrong_elements(key: AnswerKey) -> tuple[Element, ...]:
    """The elements that the distractors plant, then the traps in the needles themselves."""
    planted = (element for distractor in key.distractors for element in distractor.elements)
    return (*planted, *key.traps)


@lru_cache(maxsize=16384)
def _singular(text: str) -> str:
    if len(text) < 4 or not text.endswith("s") or text.endswith(("ss", "us", "is")) or not text.isalpha():
        return text
    if text.endswith(("ches", "shes", "xes", "sses", "oes")):
        return text[:-2]
    return f"{text[:-3]}y" if text.endswith("ies") else text[:-1]


@lru_cache(maxsize=65536)
def _cut(text: str) -> tuple[Word, ...]:
    return tuple(words(measured(plain_text(text))))


def _spellings(name: str) -> Iterator[tuple[Word, ...]]:
    """The ways to write a name: as it is, without its article, and numbers, codes and times in their other
    forms."""
    cut = _cut(name)
    yield cut
    if len(cut) > 1 and cut[0].text in {"the", "a", "an"}:
        yield cut[1:]
    if len(cut) == 1 and (text := cut[0].text).isdigit() and len(text) > 3:
        groups = f"{int(text):,}".split(",")
        yield from (_cut(" ".join(groups)), _cut(" ".join(text)), _plain(".".join(groups)))
        if len(text) % 2 == 0:
            yield _cut(" ".join(text[at : at + 2] for at in range(0, len(text), 2)))
    elif len(cut) == 1 and (code := re.fullmatch(r"([^\W\d]+)(\d+)", cut[0].text)):
        yield _plain(code[1], code[2])
    elif len(cut) > 1 and "-" in name and " " not in name:
        yield _plain("".join(word.text for word in cut))
    if date := _DATE_WORDS.fullmatch(" ".join(word.text for word in cut)):
        day, month, year = int(date[2]), MONTHS.index(date[1]) + 1, date[3]
        yield from (_plain(str(day), str(month), year), _plain(str(month), str(day), year))
        yield from (_plain(f"{day:02}.{month:02}.{year}"), _plain(f"{day}.{month}.{year}"))
    named = len(cut) > 1 and all(word.raw[:1].isupper() and word.text.isalpha() for word in cut)
    if named and len(cut[-1].text) > 3 and cut[0].text not in _NO_FORENAMES:
        yield cut[-1:]
    if cut and (time := re.fullmatch(r"(\d{1,2}):(\d\d)", cut[0].text)):
        half = cut[1].text if len(cut) == 2 else ""
        hour, minute = int(time[1]), time[2]
        if half in {"am", "pm"}:
            yield _plain(f"{hour % 12 + 12 * (half == 'pm')}:{minute}")
        elif len(cut) == 1 and 12 <= hour < 24:
            yield _plain(f"{hour - 12 or 12}:{minute}", "pm")


_DATE_WORDS = re.compile(rf"({'|'.join(MONTHS)}) (\d{{1,2}}) (\d{{4}})")
_NO_FORENAMES = frozenset(
    re.findall(
        r"\w+", "north south east west new old great little upper lower saint st mount lake port fort big"
    )
)


def _plain(*texts: str) -> tuple[Word, ...]:
    return tuple(Word(text, text, 0, 0) for text in texts)


class _Names:
    """All names of an answer key, found in a text in one pass; of names that begin alike the longest
    counts."""

    def __init__(self, names: Iterable[_Name]) -> None:
        self.by_first: dict[str, list[_Name]] = {}
        for name in names:
            if name.words:
                self.by_first.setdefault(_singular(name.words[0].text), []).append(name)
        for alike in self.by_first.values():
            alike.sort(key=lambda name: -len(name.words))
        self.hangul = any("가" <= first[0] <= "힣" for first in self.by_first)

    def find(self, said: Sequence[Word]) -> list[Mention]:
        """The mentions, in the order of the text."""
        found: list[Mention] = []
        at = 0
        while at < len(said):
            for name in self._beginning(said[at].text):
                if self._fits(name, said, at):
                    found.append(Mention(name.name, name.role, at, at + len(name.words)))
                    if name.role != "key":
                        at += len(name.words) - 1
                    break
            at += 1
        return found

    def _beginning(self, text: str) -> list[_Name]:
        alike = self.by_first.get(_singular(text), [])
        if not alike and self.hangul:
            return [name for end in range(len(text) - 1, 0, -1) for name in self.by_first.get(text[:end], [])]
        return alike

    @staticmethod
    def _fits(name: _Name, said: Sequence[Word], at: int) -> bool:
        if at + len(name.words) > len(said):
            return False
        for place, wanted in enumerate(name.words):
            word = said[at + place]
            if place and word.border > (2 if wanted.border else 0):
                return False
            if word.text != wanted.text:
                plural = wanted.raw[:1].islower() and _singular(word.text) == _singular(wanted.text)
                if not (plural or is_with_particles(word.text, wanted.text)):
                    return False
        past = at + len(name.words)
        if name.bare and past < len(said) and said[past].text.startswith(UNIT):
            return False
        return not name.loud or said[at].raw == name.words[0].raw or len(said) <= 1


@lru_cache(maxsize=256)
def _names_of(key: AnswerKey) -> _Names:
    """Every name of the elements, of the wrong ones that are neither right nor in the question, and of the
    keys."""

    asked_for = {_singular(word.text) for word in _cut(key.question)}
    asked_for |= {unit_of(word.raw) for word in _cut(key.question)}

    def all_of(elements: Iterable[Element], role: str) -> list[_Name]:
        return [
            _Name(
                cut,
                role,
                element.name,
                is_loud(name),
            )
            for element in elements
            for name in element.names
            for cut in _spellings(name)
        ] + [
            _Name((number[0],), role, element.name, bare=True)
            for element in elements
            for name in element.names
            for cut in [_cut(name)]
            for number in [[word for word in cut if _NUMERIC.fullmatch(word.text)]]
            if len(number) == 1 < len(cut)
            and all(_singular(word.text) in asked_for for word in cut if word is not number[0])
        ]

    every = (*key.elements, *wrong_elements(key))
    last = Counter(cut[-1].text for element in every for cut in {_cut(element.name)} if cut)
    known = {word.text for word in _cut(key.question)}

    def is_clear(name: _Name) -> bool:
        """Whether a surname alone is one person's, and no word of the question."""
        whole = _cut(name.name)
        alone = len(name.words) == 1 < len(whole) and name.words[0] == whole[-1] and name.role != "key"
        return not alone or (last[name.words[0].text] == 1 and name.words[0].text not in known)

    right = list(filter(is_clear, all_of(key.elements, "right")))
    spared = {tuple(word.text for word in name.words) for name in right}
    wrong = list(filter(is_clear, all_of(wrong_elements(key), "wrong")))
    asked = {mention.name for mention in _Names(wrong).find(_cut(key.question))}
    options = {trap.name for trap in key.traps if trap.derived}
    kept = [
        name
        for name in wrong
        if tuple(word.text for word in name.words) not in spared
        and (name.name in options or name.name not in asked)
    ]
    return _Names((*right, *kept, *_keys_of(key)))


def _keys_of(key: AnswerKey) -> Iterator[_Name]:
    """Each key by its words, and by those alone that no other key has: "copper" of "copper gate"."""
    names = tuple(
        dict.fromkeys(element.key for element in (*key.elements, *wrong_elements(key)) if element.key)
    )
    cuts = {name: _cut(name) for name in names}
    for name, cut in cuts.items():
        yield _Name(cut, "key", name)
        others = {word.text for other, said in cuts.items() if other != name for word in said}
        own = tuple(word for word in cut if word.text not in others | SMALL_WORDS)
        if own and own != cut:
            yield _Name(own, "key", name)


# --- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Reading:
    """What of an answer counts.

    Attributes:
        text: measured; ``low`` is the same in small letters.
        said: its words.
        mentions: of elements, wrong elements and keys.
        label: which part it is; "" for all.
        corrected: whether the answer corrects itself.
        withdrawn: whether it takes all of it back.
    """

    text: str
    low: str
    said: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    phrases: _Phrases
    label: str = ""
    corrected: bool = False
    withdrawn: bool = False

    @property
    def values(self) -> list[Mention]:
        """The mentions that are no keys."""
        return [mention for mention in self.mentions if mention.role != "key"]

    @cached_property
    def refused(self) -> bool:
        """Whether it says somewhere that the text does not tell."""
        return bool(self.phrases.refusal.search(self.low))

    def start(self, mention: Mention) -> int:
        return self.said[mention.first].start

    def end(self, mention: Mention) -> int:
        word = self.said[mention.last - 1]
        return word.start + len(word.raw)


def _reading(text: str, names: _Names, label: str = "", *, corrected: bool = False) -> _Reading:
    said = tuple(words(text))
    low = folded(text)
    return _Reading(text, low, said, tuple(names.find(said)), _phrases_for(text), label, corrected)


_BOXED = re.compile(
    r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}|<answer>(.*?)</answer>|\[\[([^\[\]\n]+)\]\]", re.DOTALL
)
_STATED = "the answer as stated"
_THE_ANSWER_IS = re.compile(
    r"\b(?:final|correct|right|short|my|the) answer (?:to [^.\n]{3,80}? )?(?:is|was|would be|must be)\b[ :]*"
    r"([^\n]+)"
)
_EXPLAINS = re.compile(
    r"^\W*(?:explanation|reason(?:ing)?|note|source|evidence|quote|justification|because)\b",
    re.MULTILINE | re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def _read(answer: str, key: AnswerKey, names: _Names) -> _Reading:
    """The part of an answer that counts: a box, the answer line, what follows a correction, else all."""
    spoken = strip_reasoning(answer)
    boxed = (
        [next(filter(None, found), "") for found in _BOXED.findall(spoken)]
        if "[[" in spoken or "{" in spoken or "<" in spoken
        else []
    )
    whole = measured(plain_text(spoken))
    low = folded(whole)
    phrases = _phrases_for(whole)
    parts = (
        [(measured(plain_text(boxed[-1])), "the box")]
        if boxed and len(boxed) >= min(1, len(key.elements))
        else []
    )
    if marked := list(phrases.answer.finditer(low)):
        behind = whole[marked[-1].end() :]
        parts += [
            (part, "the answer line")
            for part in (_PARAGRAPH.split(_EXPLAINS.split(behind)[0].strip())[0], behind)
        ]
    if len(key.elements) < 2 and (stated := list(_THE_ANSWER_IS.finditer(low))):
        parts.append((whole[stated[-1].start(1) : stated[-1].end(1)], _STATED))
    reading = None
    for part, label in parts:
        reading = _reading(part, names, label)
        if reading.values or (reading.refused and label != _STATED):
            break
        if part.strip() and label == "the box":
            break
    else:
        reading = _reading(whole, names)
    if withdrawn := list(phrases.withdrawal.finditer(reading.low)):
        rest = reading.text[withdrawn[-1].end() :]
        anew = _reading(rest, names, "what follows a withdrawal", corrected=True)
        return anew if any(one.role == "right" for one in anew.mentions) else replace(reading, withdrawn=True)
    return _corrected(reading, key, names)


def _corrected(reading: _Reading, key: AnswerKey, names: _Names) -> _Reading:
    """The reading from its last correction on, where that names something as well."""
    named = reading.values
    if len(named) < 2:
        return reading
    for cue in reversed(list(reading.phrases.correction.finditer(reading.low))):
        before = {mention.name for mention in named if reading.start(mention) < cue.start()}
        after = {mention.name for mention in named if reading.start(mention) >= cue.start()}
        if before and after and (after - before or len(before) > 1):
            if len(after) >= len(key.elements):
                return _reading(reading.text[cue.end() :], names, "what follows a correction", corrected=True)
            return replace(reading, corrected=True)
    return reading


# --- claims ---------------------------------------------------------------------------------------

_CLAUSE = re.compile(
    r"[,;:.!?\n()]\s|[;\n]|\b(?:but|however|although|though|while|whereas|sondern|aber|mais|pero|sino|ma|mas|но|а)\b|而是|但"
)


_NOTHING = re.compile(r"\b(?:nothing|no|not|only|any(?:thing)?)\b|n't\b")


def _is_denied(reading: _Reading, mention: Mention) -> bool:
    """Whether the clause says of what is mentioned that it is not so: "not X", "rather than X", "X is
    wrong"."""
    start, end = reading.start(mention), reading.end(mention)
    before = reading.low[max(0, start - 70) : start]
    borders = [clause.end() for clause in _CLAUSE.finditer(before)]
    denial = reading.phrases.denies.search(before[borders[-1] :] if borders else before)
    if denial and denial["besides"] and _NOTHING.search(reading.low, max(0, start - 250), start):
        return False  # "nothing is said other than X" says X
    if denial:
        return True
    return bool(reading.phrases.denied.match(reading.low, end))


@lru_cache(maxsize=256)
def _owners_of(key: AnswerKey) -> dict[str, frozenset[str]]:
    """Of each wrong element the words of its distractor that neither question, needle nor element has."""
    known = {
        word.text for text in (key.question, *(needle.text for needle in key.needles)) for word in _cut(text)
    }
    return {
        element.name: frozenset(
            word.text
            for word in _cut(distractor.text)
            if word.raw[:1].isupper() and word.text not in known | SMALL_WORDS
        )
        - {word.text for name in element.names for word in _cut(name)}
        for distractor in key.distractors
        for element in distractor.elements
    }


def _sentence(reading: _Reading, mention: Mention) -> range:
    """The places of the words of the sentence or line that a mention is in."""
    first, last = mention.first, mention.last
    while first and reading.said[first].border < 2:
        first -= 1
    while last < len(reading.said) and reading.said[last].border < 2:
        last += 1
    return range(first, last)


def _has_its_owner(reading: _Reading, mention: Mention, owners: dict[str, frozenset[str]]) -> bool:
    """Whether a wrong element is in one sentence with the name of the thing that it belongs to."""
    own = owners.get(mention.name, frozenset())
    return bool(own) and any(reading.said[at].text in own for at in _sentence(reading, mention))


_SHORT_ANSWER = 25
_A_PARAGRAPH = 60
"""Words; a longer answer quotes the text, whose own denials are no refusals of a complete answer."""


def _is_hedged(reading: _Reading) -> bool:
    """Whether a short answer, or a sentence that names something, has a word of doubt that is no element
    itself."""
    for hedge in reading.phrases.hedge.finditer(reading.low):
        if any(reading.start(one) <= hedge.start() < reading.end(one) for one in reading.mentions):
            continue
        if len(reading.said) <= _SHORT_ANSWER:
            return True
        for one in reading.mentions:
            sentence = _sentence(reading, one)
            if reading.said[sentence[0]].start <= hedge.start() <= reading.said[sentence[-1]].start:
                return True
    return False


_SHORT_LINE = 4


def _is_claimed(reading: _Reading, wrong: Mention, claimed: Sequence[Mention], *, near: bool) -> bool:
    """Whether an answer with something right claims a wrong thing as well, and does not only speak of it.

    It does in one sentence with a right one, or alone on a line, unless that speaks of other times or things.

    Args:
        near: whether the right one has to be at most two words away.
    """
    sentence = _sentence(reading, wrong)
    start = reading.said[sentence[0]].start
    end = reading.said[sentence[-1]].start + len(reading.said[sentence[-1]].raw)
    heading = reading.low[:start].rstrip().rpartition("\n")[2]
    headed = len(sentence) <= _SHORT_LINE and heading.endswith((":", "not count"))
    aside = reading.phrases.aside
    if aside.search(reading.low, start, end + 1) or (headed and aside.search(heading)):
        return False
    away = [
        max(wrong.first - one.last, one.first - wrong.last)
        for one in claimed
        if one.role == "right" and one.first in sentence
    ]
    if near:
        return min(away, default=3) < 3
    return bool(away) or len(sentence) - (wrong.last - wrong.first) <= _SHORT_LINE


# --- keys -----------------------------------------------------------------------------------------


def _by_key(reading: _Reading, values: Sequence[Mention], key: AnswerKey) -> dict[Mention, str]:
    """The key that each value is given for; "" where no key is near. Without any key values go by their
    place."""
    keys = [mention for mention in reading.mentions if mention.role == "key"]
    asked = list(dict.fromkeys(element.key for element in key.elements))
    if not keys:
        return (
            dict(zip(values, asked, strict=False)) if len(values) == len(asked) else dict.fromkeys(values, "")
        )
    given: dict[Mention, str] = {}
    last = ""
    for line in _groups(reading, sorted([*keys, *values], key=lambda one: one.first)):
        names = [one for one in line if one.role == "key"]
        said = [one for one in line if one.role != "key"]
        roles = "".join("k" if one.role == "key" else "v" for one in line)
        if not names:
            given |= dict.fromkeys(said, last)
        elif not said:
            pass
        elif (len(names) > 1 and re.fullmatch("k+v+", roles) and len(names) == len(said)) or (
            len(names) > 1 and re.fullmatch("v+k+", roles) and len(names) == len(said)
        ):
            given |= {value: name.name for name, value in zip(names, said, strict=True)}
        elif re.fullmatch("(?:vk)+", roles) and len(names) > 1:
            given |= {value: line[line.index(value) + 1].name for value in said}
        elif re.fullmatch("(?:k+v+)+", roles):
            for place, one in enumerate(line):
                if one.role != "key":
                    before = line[place - 1]
                    given[one] = (
                        before.name
                        if before.role == "key"
                        else given[before]
                        if one.name == before.name
                        else ""
                    )
        else:
            given |= _nearest(reading, names, said)
        last = names[-1].name if names else last
    return given


def _nearest(reading: _Reading, names: Sequence[Mention], values: Sequence[Mention]) -> dict[Mention, str]:
    """The nearest pairs of names and values, each name once, and "" for the values that are left."""
    given: dict[Mention, str] = dict.fromkeys(values, "")
    pairs = sorted(
        (_distance(reading, name, value), name.first, value.first, name, value)
        for name in names
        for value in values
    )
    used: set[int] = set()
    for _, place, _, name, value in pairs:
        if place not in used and not given[value]:
            given[value] = name.name
            used.add(place)
    return given


def _groups(reading: _Reading, marks: Sequence[Mention]) -> list[list[Mention]]:
    """The marks of each sentence or line; a line of keys alone and the line of as many values are one."""
    groups: list[list[Mention]] = []
    end = 0
    for mark in marks:
        parted = any(word.border == 2 for word in reading.said[end + 1 : mark.first + 1])
        doubled = groups and groups[-1][-1].role == mark.role == "key" and groups[-1][-1].name == mark.name
        if doubled and not parted:
            groups[-1][-1] = mark
        elif parted or not groups:
            groups.append([mark])
        else:
            groups[-1].append(mark)
        end = mark.last - 1
    merged: list[list[Mention]] = []
    for group in groups:
        alone = (
            merged
            and all(one.role == "key" for one in merged[-1])
            and all(one.role != "key" for one in group)
        )
        if alone and len(merged[-1]) == len(group):
            merged[-1] = [*merged[-1], *group]
        else:
            merged.append(group)
    return merged


def _distance(reading: _Reading, name: Mention, value: Mention) -> float:
    first, last = (name.last, value.first) if name.first < value.first else (value.last, name.first)
    parted = sum(word.border for word in reading.said[first : last + 1])
    return last - first + 4 * parted + (0.5 if name.first > value.first else 0)


# --- what is wrong --------------------------------------------------------------------------------

_NUMERIC = re.compile(r"(?:neg)?\d[\d.:]*(?:em?\d+)?")


@lru_cache(maxsize=1024)
def _known_words(key: AnswerKey) -> frozenset[str]:
    texts = (key.question, *key.references, *(needle.text for needle in key.needles))
    return frozenset(word.text for text in texts for word in _cut(text))


def _shape(said: Sequence[Word], at: int) -> tuple[int, str]:
    """How many signs a number has, and its unit: numbers of one shape may be taken for each other."""
    unit = said[at + 1].text if at + 1 < len(said) and said[at + 1].text.startswith(UNIT) else ""
    return (0 if unit else len(said[at].text), unit)


def _invented_numbers(reading: _Reading, names: Iterable[str], key: AnswerKey, fewest: int) -> list[Mention]:
    """Numbers of the shape of the elements named that no text of the needle set has, by their place."""
    shapes = {
        _shape(cut, at)
        for name in names
        for cut in [_cut(name)]
        for at, word in enumerate(cut)
        if _NUMERIC.fullmatch(word.text) and (len(word.text) >= fewest or _shape(cut, at)[1])
    }
    if not shapes:
        return []
    taken = {at for mention in reading.mentions for at in range(mention.first, mention.last)}
    return [
        Mention(word.raw, "number", at, at + 1)
        for at, word in enumerate(reading.said)
        if at not in taken
        and _NUMERIC.fullmatch(word.text)
        and word.text not in _known_words(key)
        and _shape(reading.said, at) in shapes
    ]


_MOST_IN_AN_ITEM = 5
_IN_ITEMS = frozenset({"a", "an", "the", "of", "with", "in", "on", "for", "to"})


def _invented_items(reading: _Reading, key: AnswerKey) -> list[str]:
    """The items of an answer that is a bare list, of which no word is known and none is named."""
    if len(key.elements) < 2 or any(map(str.isdigit, "".join(element.name for element in key.elements))):
        return []
    behind = reading.text.rpartition(":")[2] if reading.text.count(":") == 1 else reading.text
    lines = [line for line in behind.strip().split("\n") if line.strip()]
    items = lines if len(lines) > 1 else re.split(r"[,;]\s*(?:and\s+)?|\s+and\s+", behind.strip().rstrip("."))
    cuts = [_cut(item) for item in items if item.strip()]
    if len(cuts) < 2 or ":" in behind or any(len(cut) > _MOST_IN_AN_ITEM for cut in cuts) or reading.refused:
        return []
    known = {_singular(word) for word in _known_words(key)} | SMALL_WORDS
    names = _names_of(key)
    return [
        " ".join(word.raw for word in cut)
        for cut in cuts
        if cut
        and not names.find(cut)
        and all(word.text in _IN_ITEMS or word.text not in SMALL_WORDS for word in cut)
        and not any(_singular(word.text) in known for word in cut if word.text not in SMALL_WORDS)
    ]


# --- the verdict ----------------------------------------------------------------------------------


def judge_by_rubric(answer: str, key: AnswerKey) -> Verdict:
    """The verdict of the rules on an answer."""
    known = with_elements(key)
    reading = _read(answer, known, _names_of(known))
    named = (
        _polar(reading, known) if _is_polar(known) else reading.values or _lettered(answer, reading, known)
    )
    denied = [one for one in named if not _is_polar(known) and _is_denied(reading, one)]
    quotable = _denied_in_the_text(known) if denied else frozenset()
    claimed = [one for one in named if one not in denied or one.name in quotable]
    if not known.elements:
        return _unanswerable(reading, claimed, known)
    found, misgiven = _found(reading, claimed, known)
    if known.ordered and len(found) > 1:
        found, misgiven = _in_order(claimed, found, known)
    missing = tuple(element.name for element in known.elements if element.name not in found)
    named_wrong, aside = _wrong(reading, claimed, found, missing, known)
    wrong = tuple(dict.fromkeys((*misgiven, *named_wrong)))
    score = 1 if reading.withdrawn else rubric_score(len(found), len(missing), len(wrong))
    why = _open(reading, found, missing, wrong, set_aside=bool(denied or aside))
    hedged = _is_hedged(reading)
    parts = {
        f"{len(found)} of {len(known.elements)} found": True,
        f"missing: {', '.join(missing)}": found and missing,
        f"wrong: {', '.join(wrong)}": wrong,
        "refused": reading.refused and missing,
        "hedged": hedged,
        "taken back": reading.withdrawn,
        f"taken as the answer: {reading.label}": reading.label,
        "by the reference alone": known is not key,
    }
    return Verdict(
        score,
        found,
        missing,
        wrong,
        hedged
        or reading.withdrawn
        or (reading.refused and (bool(missing) or len(reading.said) <= _A_PARAGRAPH)),
        "rubric",
        VERSION,
        "; ".join(text for text, said in parts.items() if said),
        unsure=Unsure(why, 1 if wrong or score == HIGHEST else score, HIGHEST) if why else None,
    )


def _unanswerable(reading: _Reading, claimed: Sequence[Mention], key: AnswerKey) -> Verdict:
    """The verdict where the right answer is to say that the text does not tell."""
    owners = _owners_of(key) if reading.refused else {}
    said = [one for one in claimed if not _has_its_owner(reading, one, owners)]
    if reading.refused:
        said = [one for one in said if one.first < 3 or reading.phrases.hedge.search(reading.low)]
    wrong = tuple(dict.fromkeys(one.name for one in said))
    why = ""
    if claimed and reading.refused:
        why = "it refuses, and names something"
    elif reading.said and not reading.refused and not wrong:
        why = "it neither refuses plainly nor names a known answer"
    reason = "; ".join(
        ("refused" if reading.refused else "not refused", *(f"wrong: {name}" for name in wrong))
    )
    hedged = not reading.refused and _is_hedged(reading)
    score = refusal_score(len(wrong), refused=reading.refused)
    unsure = Unsure(why, LOWEST, HIGHEST) if why else None
    return Verdict(score, (), (), wrong, hedged, "rubric", VERSION, reason, unsure=unsure)


def _found(
    reading: _Reading, claimed: Sequence[Mention], key: AnswerKey
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the elements found, and of the right values that are given for a wrong key."""
    if not key.elements[0].key:
        said = {one.name for one in claimed if one.role == "right"}
        return tuple(element.name for element in key.elements if element.name in said), ()
    strange = _invented_numbers(reading, [element.name for element in key.elements], key, 2)
    given = _by_key(reading, sorted([*claimed, *strange], key=lambda one: one.first), key)
    if reading.corrected:
        last = {name: value for value, name in given.items()}
        given = {value: name for value, name in given.items() if not name or last[name] == value}
    pairs = {(value.name, name) for value, name in given.items()}
    own = {(element.name, element.key) for element in key.elements}
    asked = {element.key for element in key.elements}
    named = {one.name for one in reading.mentions if one.role == "key"}
    return (
        tuple(
            element.name
            for element in key.elements
            for name, its in [(element.name, element.key)]
            if (name, its) in pairs or ((name, "") in pairs and its not in named)
        ),
        tuple(
            f"{value.name} ({name})"
            for value, name in given.items()
            if value.role == "right" and name in asked and (value.name, name) not in own
        ),
    )


def _in_order(
    claimed: Sequence[Mention], found: Sequence[str], key: AnswerKey
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The elements in their place, and those out of the longest run in order, as wrong ones."""
    places = {element.name: at for at, element in enumerate(key.elements)}
    said = [places[one.name] for one in claimed if one.role == "right"]
    first, last = list(dict.fromkeys(said)), list(dict.fromkeys(reversed(said)))[::-1]
    out = {key.elements[place].name for place in min(_misplaced(first), _misplaced(last), key=len)}
    return tuple(name for name in found if name not in out), tuple(
        f"{name} (out of order)" for name in sorted(out)
    )


def _misplaced(places: Sequence[int]) -> set[int]:
    """Those outside the longest rising run of ``places``."""
    best: tuple[int, ...] = ()
    runs: list[tuple[int, ...]] = [()]
    for place in places:
        longest = max((run for run in runs if not run or run[-1] < place), key=len)
        runs.append((*longest, place))
        best = max(best, runs[-1], key=len)
    return set(places) - set(best)


def _wrong(
    reading: _Reading,
    claimed: Sequence[Mention],
    found: Sequence[str],
    missing: Sequence[str],
    key: AnswerKey,
) -> tuple[list[str], list[Mention]]:
    """What an answer claims that is wrong, and the wrong elements that it only speaks of."""
    strange = _invented_numbers(reading, missing or found, key, 2 if missing else 3)
    others = [one for one in claimed if one.role == "wrong"]
    if key.elements[0].key and others:
        asked = {"", *(element.key for element in key.elements)}
        given = _by_key(reading, reading.values, key)
        others = [one for one in others if given.get(one, "") in asked]
    owners = _owners_of(key) if found else {}
    taken_back = _taken_back(reading, others)
    aside = [
        one
        for one in (*others, *strange)
        if one.name in taken_back
        or _has_its_owner(reading, one, owners)
        or (found and not _is_claimed(reading, one, claimed, near=one.role == "number" and not missing))
    ]
    named = [one.name for one in (*others, *strange) if one not in aside]
    return named + (_invented_items(reading, key) if found else []), aside


def _taken_back(reading: _Reading, wrong: Sequence[Mention]) -> set[str]:
    """The wrong elements right before a correction, or named before and after one."""
    gone: set[str] = set()
    for cue in reading.phrases.correction.finditer(reading.low) if reading.corrected else ():
        gone |= {one.name for one in wrong if 0 <= cue.start() - reading.end(one) <= 8}
        before = {one.name for one in wrong if reading.start(one) < cue.start()}
        gone |= before & {one.name for one in wrong if reading.start(one) >= cue.end()}
    return gone


def _open(
    reading: _Reading, found: Sequence[str], missing: Sequence[str], wrong: Sequence[str], *, set_aside: bool
) -> str:
    """Why rules cannot be sure of an answer; "" where they can."""
    said = {_singular(word.text) for word in reading.said}
    parts = [{_singular(word.text) for word in _cut(name)} - SMALL_WORDS for name in missing]
    near = any(len(wanted) > 1 and 2 * len(wanted & said) >= len(wanted) for wanted in parts)
    reasons = {
        "it corrects itself": reading.corrected or reading.withdrawn,
        "it denies something that it names, or leaves it with its owner": set_aside,
        "it refuses, and names something asked for": reading.refused and found,
        "something is missing, perhaps said in other words": missing and not reading.refused and not wrong,
        "a missing value is there in another form": near,
        "complete, with something wrong as well": wrong and not missing,
    }
    return next((why for why, holds in reasons.items() if holds and reading.said), "")


# --- yes and no, letters, denials in the needles --------------------------------------------------

_POLAR = {
    "yes": "yes",
    "no": "no",
    "true": "yes",
    "false": "no",
    "ja": "yes",
    "nein": "no",
    "oui": "yes",
    "non": "no",
}
_POLAR |= {"si": "yes", "correct": "yes", "incorrect": "no", "да": "yes", "нет": "no"}


def _is_polar(key: AnswerKey) -> bool:
    return len(key.elements) == 1 and key.elements[0].name.casefold() in {"yes", "no", "true", "false"}


def _polar(reading: _Reading, key: AnswerKey) -> list[Mention]:
    """The first yes or no of an answer, the last one after a correction, or what else it is called."""
    right = _POLAR[key.elements[0].name.casefold()]
    others = {trap.name.casefold(): trap.name for trap in key.traps}
    said = []
    for at, word in enumerate(reading.said):
        parted = at + 1 == len(reading.said) or reading.said[at + 1].border
        if word.text in _POLAR and (parted or word.text != "no"):
            is_right = _POLAR[word.text] == right
            name = key.elements[0].name if is_right else others.get(word.text, word.text)
            said.append(Mention(name, "right" if is_right else "wrong", at, at + 1))
    if not said:
        return [one for one in reading.values if reading.said[one.first].text not in _POLAR]
    if len({one.role for one in said}) > 1 and reading.phrases.correction.search(reading.low):
        return said[-1:]
    return said[:1]


@lru_cache(maxsize=256)
def _letters_of(key: AnswerKey) -> dict[str, str]:
    options = [
        *(element.name for element in key.elements),
        *(trap.name for trap in key.traps if trap.derived),
    ]
    return option_letters(key.question, options) if len(options) > 1 else {}


def _lettered(answer: str, reading: _Reading, key: AnswerKey) -> list[Mention]:
    """The option that an answer gives by its letter alone."""
    letters = _letters_of(key)
    if not letters:
        return []
    place = parse_choice(strip_reasoning(answer))
    option = letters.get(chr(ord("A") + place - 1)) if place else None
    if option is None:
        return []
    right = {element.name for element in key.elements}
    return (
        [Mention(option, "right" if option in right else "wrong", 0, min(1, len(reading.said)))]
        if reading.said
        else []
    )


@lru_cache(maxsize=256)
def _denied_in_the_text(key: AnswerKey) -> frozenset[str]:
    """Elements that the needle set itself names in a denial: who quotes it denies nothing."""
    names, denied = _names_of(key), set()
    for text in (*key.references, *(needle.text for needle in key.needles)):
        reading = _reading(measured(plain_text(text)), names)
        denied |= {one.name for one in reading.mentions if one.role == "right" and _is_denied(reading, one)}
    return frozenset(denied)


def _unsuited(key: AnswerKey) -> str:
    """Why rules cannot judge answers to a question: whole sentences are put in other words."""
    if key.elements or is_unanswerable(key):
        return ""
    if key.options:
        return "it has options, and the rubric does not read their letters"
    if min(len(reference.split()) for reference in key.references) > 3:
        return "nobody has written down the elements of its answer"
    return ""


RUBRIC = RuleJudge(
    "rubric", VERSION, "by rules, from the elements of the answer: needs no model and no key",
    lru_cache(maxsize=4096)(judge_by_rubric), _unsuited,
)  # fmt: skip
