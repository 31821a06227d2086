"""The judge without a model: a score from elements found, missing and wrong (u-niah paper, section 3.1.3).

Reasoning is cut; then what is marked as the answer counts (a box, an answer line), then what follows a
correction, else all. No paraphrase is read; what cannot be read is ``unsure``, for a model or a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import yaml

from niah.cases.sample import AnswerKey
from niah.judges.normalise import (
    NUMBER,
    UNIT,
    Word,
    folded,
    plain,
    singular,
    strip_reasoning,
    unit_of,
    words,
    words_of,
)
from niah.judges.verdict import HIGHEST, RuleJudge, Score, Unsure, Verdict, is_unanswerable, with_elements
from niah.needles.needle_set import Element
from niah.text.mentions import SMALL_WORDS, is_loud, is_with_particles

VERSION = "30"


def rubric_score(found: int, missing: int, wrong: int) -> Score:
    """The score by agreement = found / (elements + wrong): 7 from 2/3 on, 5 from 1/3 on (docs/judges.md)."""
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


_UNSPACED = ("zh", "ja", "ko")
_FOREIGN = re.compile(
    r"[^\x00-\x7f‘’“”–—−°€£µ]|\b(?:nicht|kein|nichts|ist|der|das|ne|pas|la|le|el|en|il|di|da|que|het|niet|det|inte"
    r"|nie|jest|bir|de)\b",
    re.IGNORECASE,
)


@cache
def _phrases(*, english: bool) -> dict[str, re.Pattern[str]]:
    """Patterns over folded text, of English alone, which is searched sooner, or of all languages."""
    file = Path(__file__).with_name("phrases.yaml").read_text(encoding="utf-8")
    every: dict[str, dict[str, Any]] = yaml.load(file, Loader=yaml.CSafeLoader)
    used = {"en": every["en"]} if english else every

    def any_of(*kinds: str, among: Iterable[str] = tuple(used)) -> str:
        found = [used[name][kind] for kind in kinds for name in among if kind in used[name]]
        return "|".join(found) or r"(?!)"

    spaced, unspaced = ([name for name in used if (name in _UNSPACED) == wanted] for wanted in (False, True))
    refusals = "|".join(f"(?:{each})" for one in used.values() for each in one["refusal"])
    no, small = any_of("not", "instead", among=spaced), r"the|a|an|in|on|at|by|from|der|die|das|la|le|el|il"
    no_unspaced = any_of("not", "instead", among=unspaced)
    copula = "is|was|are|were|ist|war|est|es|era|e"
    marked = (
        rf"^[ \t]*(?:(?:the|my|so|thus|therefore|die|la|el|le|il|a|o)[ ,]+)*(?:{any_of('answer')})s?"
        r"(?: is| are| ist| est| es)?\s*[:=]+[ \t]*|\b(?:final|correct|the|my) answers? (?:is|are):[ \t]*"
    )
    near = rf"(?:{no}|\w+n't|no longer)(?!\w)"
    false = rf"{near}|(?:wrong|incorrect|false|untrue)\b"
    patterns = {
        "answer": f"(?m:{marked})",
        "refusal": refusals,
        "hedge": any_of("hedge"),
        "aside": rf"(?<!\w)(?:{any_of('aside')})(?!\w)|[(]",
        "withdrawal": any_of("withdrawal"),
        "correction": rf"(?:\A|[.!?,;:\n—–(-])\s*(?:{any_of('correction')})",
        "denial": rf"(?<!\w)(?:{no})(?: (?:{small}))?[\s\"'(]+\Z|(?:{no_unspaced})\W{{0,2}}\Z",
        "doubted before": rf"(?<!\w)(?:{near}|(?:wrong|false|untrue)\b)[^.!?,;:\n]*\Z",
        "doubted behind": rf"\A[\s\"')]*(?:(?:{copula}) )?(?:{false})|\A\W{{0,2}}(?:{no_unspaced})",
    }
    return {kind: re.compile(pattern) for kind, pattern in patterns.items()}


class _Name(NamedTuple):
    """One way to write an element, a wrong element or a key."""

    words: tuple[Word, ...]
    role: str  # "right", "wrong" or "key"
    name: str
    loud: bool = False  # a name that is a small word of English in other case
    bare: bool = False  # a number without its unit, which the question names


_Names: TypeAlias = dict[str, list[_Name]]


class Mention(NamedTuple):
    """A place where an answer names an element or a key: words ``first`` up to ``last``."""

    name: str
    role: str
    first: int
    last: int


def wrong_elements(key: AnswerKey) -> tuple[Element, ...]:
    """The elements that the distractors plant, then the traps in the needles themselves."""
    planted = (element for distractor in key.distractors for element in distractor.elements)
    return (*planted, *key.traps)


def _spellings(name: str) -> Iterator[tuple[Word, ...]]:
    """The ways to write a name: as it is, without its article, a number in groups."""
    cut = words_of(name)
    yield cut
    if len(cut) > 1 and cut[0].text in {"the", "a", "an"}:
        yield cut[1:]
    text = cut[0].text if len(cut) == 1 else ""
    if 3 < len(text) < 20 and text.isdigit() and text[0] != "0":
        groups = f"{int(text):,}".split(",")
        for parts in (groups, text, [".".join(groups)]):
            yield tuple(Word(part, part, 0, 0) for part in parts)


def _mentions(said: Sequence[Word], names: _Names) -> tuple[Mention, ...]:
    """The mentions of names, in the order of the text; of names that begin alike the longest counts."""
    found: list[Mention] = []
    at = 0
    while at < len(said):
        text = said[at].text
        alike = names.get(singular(text), [])
        if not alike and "가" <= text[-1:] <= "힣":  # a name with Korean particles behind it
            heads = (text[:end] for end in range(len(text) - 1, 0, -1))
            alike = [name for head in heads for name in names.get(head, [])]
        name = next((name for name in alike if _fits(name, said, at)), None)
        past = at + (len(name.words) if name else 1)
        if name:
            found.append(Mention(name.name, name.role, at, past))
        at = past
    return tuple(found)


def _fits(name: _Name, said: Sequence[Word], at: int) -> bool:
    past = at + len(name.words)
    if past > len(said):
        return False
    for place, wanted in enumerate(name.words):
        word = said[at + place]
        if word.text != wanted.text:
            plural = wanted.raw[:1].islower() and singular(word.text) == singular(wanted.text)
            if not (plural or is_with_particles(word.text, wanted.text)):
                return False
    if name.bare and past < len(said) and said[past].text.startswith(UNIT):
        return False
    return not name.loud or said[at].raw == name.words[0].raw or len(said) <= 1


@lru_cache(maxsize=256)
def _names_of(key: AnswerKey) -> _Names:
    """By first word, the longest first: names of elements, of wrong ones, of keys."""
    asked = {singular(word.text) for word in words_of(key.question)}
    units = {unit_of(word.raw) for word in words_of(key.question)}

    def names_of(elements: Iterable[Element], role: str) -> Iterator[_Name]:
        for element in elements:
            for name in element.names:
                for cut in _spellings(name):
                    yield _Name(cut, role, element.name, is_loud(name))
                whole = words_of(name)
                numbers = [word for word in whole if NUMBER.fullmatch(word.text)]
                rest = {singular(word.text) for word in whole if word not in numbers}
                if len(numbers) == 1 and rest and rest <= asked | units:
                    yield _Name((numbers[0],), role, element.name, bare=True)

    # The sort keeps their order: what is right as well as wrong is right.
    every = (*names_of(key.elements, "right"), *names_of(wrong_elements(key), "wrong"), *_keys_of(key))
    by_first: _Names = {}
    for name in sorted(every, key=lambda name: -len(name.words)):
        if name.words:
            by_first.setdefault(singular(name.words[0].text), []).append(name)
    return by_first


def _keys_of(key: AnswerKey) -> Iterator[_Name]:
    """Each key by its words, and by those alone that no other key has: "copper" of "copper gate"."""
    every = (*key.elements, *wrong_elements(key))
    cuts = {element.key: words_of(element.key) for element in every if element.key}
    for name, cut in cuts.items():
        yield _Name(cut, "key", name)
        others = {word.text for other, said in cuts.items() if other != name for word in said}
        own = tuple(word for word in cut if word.text not in others | SMALL_WORDS)
        if own and own != cut:
            yield _Name(own, "key", name)


class _Reading:
    """The part of an answer that counts."""

    def __init__(self, text: str, names: _Names, label: str = "", *, corrected: bool = False) -> None:
        self.text, self.low, self.said = text, folded(text), tuple(words(text))  # text is measured
        self.label = label  # which part it is; "" for all
        self.corrected, self.withdrawn = corrected, False  # whether the answer takes all of it back
        self.phrases = _phrases(english=not _FOREIGN.search(text))
        self.mentions = _mentions(self.said, names)
        self.values = [mention for mention in self.mentions if mention.role != "key"]

    @cached_property
    def refused(self) -> bool:
        """Whether it says somewhere that the text does not tell."""
        return bool(self.phrases["refusal"].search(self.low))

    @property
    def hedged(self) -> bool:
        """Whether an answer of at most a paragraph has a word of doubt."""
        return len(self.said) <= _A_PARAGRAPH and bool(self.phrases["hedge"].search(self.low))

    def start(self, mention: Mention) -> int:
        return self.said[mention.first].start

    def is_denied(self, mention: Mention) -> bool:
        """Whether a denial is right before a mention: "not X", "rather than X"."""
        start = self.start(mention)
        return bool(self.phrases["denial"].search(self.low[max(0, start - 30) : start]))

    def is_doubted(self, mention: Mention) -> bool:
        """Whether words before a mention, or right behind it, may deny it: "it can't be X", "X is wrong"."""
        start, last = self.start(mention), self.said[mention.last - 1]
        before, behind = self.low[max(0, start - 40) : start], self.low[last.start + len(last.raw) :][:30]
        parts = (("doubted before", before), ("doubted behind", behind))
        return any(self.phrases[kind].search(text) for kind, text in parts)


_BOX = re.compile(
    r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}|<answer>((?:(?!<answer>).)*?)</answer>|\[\[([^\[\]\n]+)\]\]",
    re.DOTALL,
)


def _read(answer: str, key: AnswerKey, names: _Names) -> _Reading:
    """The part of an answer that counts: a box, the answer line, what follows a correction, else all.

    A correction has to name as much as is asked for.
    """
    boxed = _BOX.sub(
        lambda box: f"\nAnswer: {next(filter(None, box.groups()), '')}\n\n", strip_reasoning(answer)
    )
    whole = plain(boxed)
    marked = list(_phrases(english=not _FOREIGN.search(whole))["answer"].finditer(folded(whole)))
    reading = _Reading(whole[marked[-1].end() :], names, "the answer line") if marked else None
    if not reading or not (reading.values or reading.refused):
        reading = _Reading(whole, names)
    if withdrawn := list(reading.phrases["withdrawal"].finditer(reading.low)):
        rest = reading.text[withdrawn[-1].end() :]
        anew = _Reading(rest, names, "what follows a withdrawal", corrected=True)
        if any(one.role == "right" for one in anew.mentions):
            return anew
        reading.withdrawn = True
        return reading
    cues = reading.phrases["correction"].finditer(reading.low) if len(reading.values) > 1 else ()
    for cue in reversed(list(cues)):
        before = {one.name for one in reading.values if reading.start(one) < cue.start()}
        after = {one.name for one in reading.values if reading.start(one) >= cue.start()}
        if before and after and (after - before or len(before) > 1):
            if len(after) >= len(key.elements):
                return _Reading(reading.text[cue.end() :], names, "what follows a correction", corrected=True)
            reading.corrected = True
            break
    return reading


_A_PARAGRAPH = 60  # words; a longer answer quotes the text, whose own denials and doubts are not the answer's


def _is_claimed(reading: _Reading, wrong: Mention, claimed: Sequence[Mention]) -> bool:
    """Whether a wrong thing is claimed: next to a right one or alone, and not of another time or thing."""
    said, first, past = reading.said, wrong.first, wrong.last  # of its sentence or line
    while first and said[first].border < 2:
        first -= 1
    while past < len(said) and said[past].border < 2:
        past += 1
    end = said[past - 1].start + len(said[past - 1].raw)
    if reading.phrases["aside"].search(reading.low, said[first].start, end + 1):
        return False
    with_right = any(one.role == "right" and first <= one.first < past for one in claimed)
    return with_right or past - first - (wrong.last - wrong.first) <= 2


def _by_key(reading: _Reading, claimed: Sequence[Mention], key: AnswerKey) -> dict[Mention, str]:
    """The key that each value claimed or invented is given for; "" where no key is near.

    In a line "k k v v" or "v v k k" they go in turn, else by the key before, or behind a first value.
    """
    keys = [mention for mention in reading.mentions if mention.role == "key"]
    asked = list(dict.fromkeys(element.key for element in key.elements if element.key))
    if not asked:
        return {}
    strange = _invented_numbers(reading, [element.name for element in key.elements], key)
    values = sorted([*claimed, *strange], key=lambda one: one.first)
    if not keys:
        in_turn = len(values) == len(asked)
        return dict(zip(values, asked, strict=True)) if in_turn else dict.fromkeys(values, "")
    given: dict[Mention, str] = {}
    last = ""
    for line in _lines(reading, sorted([*keys, *values], key=lambda one: one.first)):
        names = [one.name for one in line if one.role == "key"]
        said = [one for one in line if one.role != "key"]
        roles = "".join("k" if one.role == "key" else "v" for one in line)
        by_number = [*names, *names[-1:]] if names and roles[0] == "v" else [last, *names]
        if len(names) == len(said) > 1 and re.fullmatch("k+v+|v+k+", roles):
            given |= dict(zip(said, names, strict=True))
        else:
            given |= {one: by_number[roles[: line.index(one)].count("k")] for one in said}
        last = [last, *names][-1]
    return given


def _lines(reading: _Reading, marks: Sequence[Mention]) -> list[list[Mention]]:
    """The marks of each sentence or line; a line of keys alone and the line of as many values are one."""
    lines: list[list[Mention]] = []
    end = 0
    for mark in marks:
        parted = any(word.border == 2 for word in reading.said[end + 1 : mark.first + 1])
        if parted or not lines:
            lines.append([])
        lines[-1].append(mark)
        end = mark.last - 1
    for line, after in pairwise(lines):
        are_keys = [{one.role == "key" for one in each} for each in (line, after)]
        if len(line) == len(after) and are_keys == [{True}, {False}]:
            line += after
            after.clear()
    return [line for line in lines if line]


@lru_cache(maxsize=1024)
def _known_words(key: AnswerKey) -> frozenset[str]:
    texts = (key.question, *key.references, *(needle.text for needle in key.needles))
    return frozenset(word.text for text in texts for word in words_of(text))


def _shape(said: Sequence[Word], at: int) -> tuple[int, str]:
    """How many signs a number has, and its unit: numbers of one shape may be taken for each other."""
    unit = said[at + 1].text if at + 1 < len(said) and said[at + 1].text.startswith(UNIT) else ""
    return (0 if unit else len(said[at].text), unit)


def _invented_numbers(reading: _Reading, names: Iterable[str], key: AnswerKey) -> list[Mention]:
    """Numbers of the shape of the elements named that no text of the needle set has, by their place."""
    shapes = {
        _shape(cut, at)
        for cut in map(words_of, names)
        for at, word in enumerate(cut)
        if NUMBER.fullmatch(word.text) and (len(word.text) > 1 or _shape(cut, at)[1])
    }
    if not shapes:
        return []
    taken = {at for mention in reading.mentions for at in range(mention.first, mention.last)}
    return [
        Mention(word.raw, "number", at, at + 1)
        for at, word in enumerate(reading.said)
        if at not in taken
        and NUMBER.fullmatch(word.text)
        and word.text not in _known_words(key)
        and _shape(reading.said, at) in shapes
    ]


_IN_ITEMS = frozenset({"a", "an", "the", "of", "with", "in", "on", "for", "to"})
_NO_ITEMS = frozenset(
    {"respectively", "though", "etc", "sure", "certainly", "well", "course", "okay", "ok", "yes", "indeed"}
    | {"however", "too", "also", "hopefully", "unsure", "sorry", "apparently", "specifically", "order"}
)
_BETWEEN_ITEMS = re.compile(r"\n|[,;]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")


def _invented_items(reading: _Reading, key: AnswerKey) -> list[str]:
    """The items of a bare list that no one asked for: names of the question, or without a known word."""
    if reading.refused:
        return []
    behind = reading.text.rpartition(":")[2].strip().rstrip(".")
    cuts = [words_of(item) for item in _BETWEEN_ITEMS.split(behind) if item.strip()]
    if len(cuts) < 2 or any(len(cut) > 5 for cut in cuts):
        return []
    known = ({singular(word) for word in _known_words(key)} | SMALL_WORDS | _NO_ITEMS) - _IN_ITEMS
    asked = {word.text for word in words_of(key.question)}
    names = _names_of(key)
    return [
        " ".join(word.raw for word in cut)
        for cut in cuts
        if not _mentions(cut, names)
        and (
            known.isdisjoint({singular(word.text) for word in cut})
            or all(word.raw[:1].isupper() and word.text in asked for word in cut)
        )
    ]


def judge_by_rubric(answer: str, key: AnswerKey) -> Verdict:
    """The verdict of the rules on an answer."""
    if key.by_position:
        return _by_position(answer, key)
    known = with_elements(key)
    reading = _read(answer, known, _names_of(known))
    polar = _polar(reading, known)
    named = reading.values if polar is None else polar
    denied = [one for one in named if polar is None and reading.is_denied(one)]
    claimed = [one for one in named if one not in denied]
    if not known.elements:
        return _unanswerable(reading, claimed, known)
    given = _by_key(reading, claimed, known)
    found, misgiven = _found(reading, claimed, given, known)
    if known.ordered and len(found) > 1:
        found, misgiven = _in_order(claimed, found, known)
    lacking = [element for element in known.elements if element.name not in found]
    missing = tuple(element.name for element in lacking)
    asked = {element.key for element in lacking if element.key}
    suspects = [one for one in claimed if one.role == "wrong"]
    suspects += _invented_numbers(reading, missing or found, known)
    # Next to something right it may only speak of them, but for those given for a key that lacks its value.
    spared = [one for one in suspects if found and given.get(one) not in asked]
    aside = [one for one in spared if not _is_claimed(reading, one, claimed)]
    named_wrong = [one.name for one in suspects if one not in aside]
    extra = _invented_items(reading, known) if found else []
    # Next to a single value or a number such words may be about it; a name may be another answer.
    is_list = len(known.elements) > 1 and not any(NUMBER.search(one.name) for one in known.elements)
    named_wrong += extra if is_list else []
    wrong = tuple(dict.fromkeys((*misgiven, *named_wrong)))
    score = 1 if reading.withdrawn else rubric_score(len(found), len(missing), len(wrong))
    refused = reading.refused and (bool(missing) or len(reading.said) <= _A_PARAGRAPH)
    parts = {
        f"{len(found)} of {len(known.elements)} found": True,
        f"missing: {', '.join(missing)}": found and missing,
        f"wrong: {', '.join(wrong)}": wrong,
        "refused": reading.refused and missing,
        "hedged": reading.hedged,
        "taken back": reading.withdrawn,
        f"taken as the answer: {reading.label}": reading.label,
        "by the reference alone": known != key,
    }
    reason = "; ".join(text for text, said in parts.items() if said)
    doubt = reading.hedged or reading.withdrawn or refused
    verdict = Verdict(score, found, missing, wrong, doubt, "rubric", VERSION, reason)
    planted = {element.name for element in wrong_elements(known)}
    unknown = not planted.issuperset(named_wrong)
    doubted = polar is None and any(one.role == "right" and reading.is_doubted(one) for one in claimed)
    more = not is_list and any(item.istitle() for item in extra)
    why = _open(reading, verdict, unknown=unknown, set_aside=bool(denied or aside or doubted), more=more)
    lowest = 1 if wrong or score == HIGHEST else score
    return replace(verdict, unsure=Unsure(why, lowest, HIGHEST)) if why else verdict


def _by_position(answer: str, key: AnswerKey) -> Verdict:
    """The verdict on words to be copied: from the first of them on, the n-th word is the n-th element."""
    wanted = [word.text for word in words_of(key.answer) if word.text not in SMALL_WORDS]
    whole = plain(strip_reasoning(answer))
    marked = list(_phrases(english=True)["answer"].finditer(folded(whole)))
    parts = [whole[marked[-1].end() :] if marked else "", whole]
    cuts = ([word.text for word in words(part) if word.text not in SMALL_WORDS] for part in parts)
    said = next((each for each in cuts if not set(wanted).isdisjoint(each)), [])
    said = list(dropwhile(lambda word: word not in wanted, said))
    names = [element.name for element in key.elements]
    found = tuple(name for name, word, own in zip(names, wanted, said, strict=False) if word == own)
    missing = tuple(name for name in names if name not in found)
    wrong = [f"{at}: {said[at - 1]}" for at, name in enumerate(names[: len(said)], 1) if name not in found]
    wrong += [f"{len(said) - len(wanted)} words too many"] if len(said) > len(wanted) else []
    reason = "; ".join((f"{len(found)} of {len(wanted)} words in their place", *wrong[-1:]))
    score = rubric_score(len(found), len(missing), len(wrong))
    refused = bool(_phrases(english=True)["refusal"].search(folded(whole))) and not found
    return Verdict(score, found, missing, tuple(wrong), refused, "rubric", VERSION, reason)


def _unanswerable(reading: _Reading, claimed: Sequence[Mention], key: AnswerKey) -> Verdict:
    """The verdict where the right answer is to say that the text does not tell."""
    said = claimed
    if reading.refused and not reading.phrases["hedge"].search(reading.low):
        said = [one for one in claimed if one.first < 3]  # what else it names it only speaks of
    wrong = tuple(dict.fromkeys(one.name for one in said))
    why = "it refuses, and names something" if claimed and reading.refused else ""
    if reading.said and not reading.refused and not wrong:
        why = "it neither refuses plainly nor names a known answer"
    reason = "; ".join(["refused" if reading.refused else "not refused", *(f"wrong: {one}" for one in wrong)])
    hedged = not reading.refused and reading.hedged
    score = refusal_score(len(wrong), refused=reading.refused)
    unsure = Unsure(why, 1, HIGHEST) if why else None
    return Verdict(score, (), (), wrong, hedged, "rubric", VERSION, reason, unsure=unsure)


def _found(
    reading: _Reading, claimed: Sequence[Mention], given: Mapping[Mention, str], key: AnswerKey
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the elements found, and of the right values that are given for a wrong key."""
    if not key.elements[0].key:
        said = {one.name for one in claimed if one.role == "right"}
        return tuple(element.name for element in key.elements if element.name in said), ()
    pairs = {(value.name, name) for value, name in given.items()}
    own = {(element.name, element.key) for element in key.elements}
    named = {one.name for one in reading.mentions if one.role == "key"}
    # A value without a key is the element's whose key is not named.
    found = pairs | {(name, its) for name, its in own if (name, "") in pairs and its not in named}
    misgiven = [
        f"{value.name} ({name})"
        for value, name in given.items()
        if value.role == "right" and name in {its for _, its in own} and (value.name, name) not in own
    ]
    right = (element.name for element in key.elements if (element.name, element.key) in found)
    return tuple(right), tuple(misgiven)


def _in_order(
    claimed: Sequence[Mention], found: Sequence[str], key: AnswerKey
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The elements in their place, and those out of the longest run in order, as wrong ones."""
    places = {element.name: at for at, element in enumerate(key.elements)}
    said = [places[one.name] for one in claimed if one.role == "right"]
    last = list(dict.fromkeys(reversed(said)))[::-1]
    runs: list[tuple[int, ...]] = [()]
    for place in last:
        longest = max((run for run in runs if not run or run[-1] < place), key=len)
        runs.append((*longest, place))
    rising = max(runs, key=len)
    out = [key.elements[place].name for place in last if place not in rising]
    return tuple(name for name in found if name not in out), tuple(f"{name} (out of order)" for name in out)


def _open(reading: _Reading, verdict: Verdict, *, unknown: bool, set_aside: bool, more: bool) -> str:
    """Why rules cannot be sure of an answer; "" where they can."""
    found, missing, wrong = verdict.found, verdict.missing, verdict.wrong
    said = {singular(word.text) for word in reading.said}
    parts = [{singular(word.text) for word in words_of(name)} - SMALL_WORDS for name in missing]
    near = any(len(wanted) > 1 and 2 * len(wanted & said) >= len(wanted) for wanted in parts)
    reasons = {
        "it corrects itself": reading.corrected or reading.withdrawn,
        "it denies something that it names, or only speaks of it": set_aside,
        "it refuses, and names something asked for": reading.refused and found,
        "something is missing, perhaps said in other words": missing and not reading.refused and not wrong,
        "a missing value may be there in another form": missing and (near or unknown),
        "complete, with something wrong as well": wrong and not missing,
        "there is more next to it": more,
    }
    return next((why for why, holds in reasons.items() if holds and reading.said), "")


_POLAR = dict.fromkeys(("yes", "true", "correct", "ja", "oui", "si", "да"), "yes")
_POLAR |= dict.fromkeys(("no", "false", "incorrect", "nein", "non", "нет"), "no")


def _polar(reading: _Reading, key: AnswerKey) -> list[Mention] | None:
    """The first yes or no of an answer (the last where it corrects itself); None of other questions."""
    name = key.elements[0].name if len(key.elements) == 1 else ""
    if name.casefold() not in {"yes", "no", "true", "false"}:
        return None
    wrong = {trap.name.casefold(): trap.name for trap in key.traps}
    said = []
    for at, word in enumerate(reading.said):
        alone = at + 1 == len(reading.said) or reading.said[at + 1].border
        if word.text in _POLAR and (alone or word.text != "no"):
            right = _POLAR[word.text] == _POLAR[name.casefold()]
            called = name if right else wrong.get(word.text, word.text)
            said.append(Mention(called, "right" if right else "wrong", at, at + 1))
    if not said:
        return [one for one in reading.values if reading.said[one.first].text not in _POLAR]
    return said[-1:] if reading.phrases["correction"].search(reading.low) else said[:1]


def _unsuited(key: AnswerKey) -> str:
    """Why rules cannot judge answers to a question: whole sentences are put in other words."""
    if key.elements or is_unanswerable(key):
        return ""
    if key.options:
        return "it has options, and the rubric does not read their letters"
    if min(len(reference.split()) for reference in key.references) > 3:
        return "its reference has more than three words and no elements"
    return ""


RUBRIC = RuleJudge(
    "rubric", VERSION, "by rules, from the elements of the answer: needs no model and no key",
    lru_cache(maxsize=4096)(judge_by_rubric), _unsuited,
)  # fmt: skip
