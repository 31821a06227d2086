"""A sample: one question with all that is needed to ask it, judge its answer and report it."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, lru_cache
from itertools import permutations
from math import comb
from pathlib import Path
from random import Random
from typing import Literal

from niah.cases.case import Case, Placed
from niah.needles.needle_set import BY_POSITION, Distractor, Element, Needle, NeedleSet, Passage, QuestionKind


@dataclass(frozen=True)
class AnswerKey:
    """What is asked, and what an answer to it is judged by; shared by all samples of one question."""

    name: str  # of the needle set ("rainbow-potion") or of the question in its set
    question: str
    references: tuple[str, ...] = ()  # the fullest first; none where the question cannot be answered
    options: tuple[str, ...] = ()
    answer_index: int | None = None  # which of the options is right, from 0
    elements: tuple[Element, ...] = ()  # what a complete answer names; none where they are unknown
    needles: tuple[Needle, ...] = ()  # whose texts carry the elements; of a given question, its evidence
    distractors: tuple[Distractor, ...] = ()
    passages: tuple[Passage, ...] = ()
    traps: tuple[Element, ...] = ()  # wrong elements that the needles themselves mention
    kind: QuestionKind | str | None = None
    answer_tokens: int = 256  # room an answer needs
    ordered: bool = False  # whether the elements have to be given in their order
    # Of a guesser the mean score, see ``guessed``; a sample's fingerprint is made of the representation.
    floor: float = field(default=1.0, repr=False)

    @property
    def answer(self) -> str:
        """The fullest reference answer; "" where there is none."""
        return self.references[0] if self.references else ""

    @property
    def by_position(self) -> bool:
        """Whether the n-th word of an answer is compared with the n-th element."""
        return self.kind in BY_POSITION

    def __hash__(self) -> int:
        """Reckoned once: judges look things up by the key, and a key may hold thousands of needles."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))

    def __getstate__(self) -> dict[str, object]:
        """The fields alone: in another process the same text has another hash."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@lru_cache(maxsize=1024)
def answer_key(needle_set: NeedleSet) -> AnswerKey:
    """What answers to a needle set are judged by; an option that is not the answer is a wrong element."""
    right = {name for element in needle_set.elements for name in element.names}
    others = (Element(option, derived=True) for option in needle_set.options if option not in right)
    traps = (*needle_set.traps, *others)
    return AnswerKey(
        name=needle_set.name,
        question=needle_set.question,
        references=(needle_set.answer,) if needle_set.answer else (),
        elements=needle_set.elements,
        needles=needle_set.needles,
        distractors=needle_set.distractors,
        passages=needle_set.passages,
        traps=traps,
        kind=needle_set.kind,
        answer_tokens=needle_set.answer_tokens,
        ordered=needle_set.ordered,
        floor=_guessed_set(needle_set, len({each.name for each in traps})),
    )


def _guessed_set(asked: NeedleSet, traps: int) -> float:
    """The floor of a needle set: its guesser takes one of the answers that question and needles offer."""
    many = len(asked.elements)  # values in one needle alone, and lists to be found, a guesser never has
    if asked.kind == "recall":
        return guessed(len(asked.needles))
    if asked.kind == "copy":  # by the word that is repeated, all the way
        return float(_score(many - 1, many))
    if asked.kind == "conflicting":
        return float(sum(comb(many, found) * _score(found, many) for found in range(many + 1)) / 2**many)
    if asked.options or (traps and many == 1 and asked.kind == "aggregation"):
        return guessed(many + traps, many, ordered=asked.ordered)
    if many > 1 and asked.offered:
        return guessed(int(asked.offered), many, ordered=asked.ordered)
    return 1 + 9 / asked.offered if asked.offered else 1.0


def guessed(offered: int, asked: int = 1, *, ordered: bool = False) -> float:
    """The mean score, 1 to 10, of who takes ``asked`` of the answers ``offered``; 1 where none is offered."""
    if not offered:
        return 1.0
    ways = [comb(asked, found) * comb(offered - asked, asked - found) for found in range(asked + 1)]
    scores = [*(_score(found, asked) for found in range(asked)), _in_any_order(asked) if ordered else 10]
    return float(sum(count * score for count, score in zip(ways, scores, strict=True)) / sum(ways))


@cache
def _in_any_order(many: int) -> float:
    """The mean score of all answers in any order: what is out of the longest run in order is wrong."""
    rng, places, scores = Random(many), range(many), list[int]()
    for order in permutations(places) if many < 8 else (rng.sample(places, many) for _ in range(2000)):
        ends = list[int]()  # of the runs so far, by length, the lowest end
        for place in order:
            at = bisect(ends, place)
            ends[at : at + 1] = [place]
        scores.append(_score(len(ends), many))
    return sum(scores) / len(scores)


def _score(found: int, asked: int) -> int:
    """The rubric's score where a wrong value stands for each that is not found."""
    return 10 if found == asked else 5 if 2 * found >= asked else 3 if found else 1


@dataclass(frozen=True)
class GivenDocument:
    """Where the text of a given question is: a file, the document's id in it, its digest."""

    path: Path
    document_id: str
    sha256: str


@dataclass(frozen=True)
class Sample:
    """One question about one context. A facet that a sample has not got is None, never a stand-in."""

    sample_id: str  # readable, stable, unique in a run; of a generated sample, its case id
    origin: Literal["generated", "given"]
    key: AnswerKey
    source: Case | GivenDocument  # what rebuilds the context
    prompt: str
    tokenizer: str
    tokens: int  # of the context
    prompt_tokens: int  # P, of instructions and question
    sha256: str  # of the context's text
    fingerprint: str  # of what is behind the names: needle set, haystack or document, prompt template
    needles: tuple[Placed, ...] = ()  # of a given question its evidence, where it is known
    distractors: tuple[Placed, ...] = ()
    passages: tuple[Placed, ...] = ()
    question_set: str | None = None  # None for a generated sample
    source_name: str | None = None  # where a given question comes from ("QuALITY"), where it says so

    @property
    def case(self) -> Case | None:
        """The recipe of a generated sample."""
        return self.source if isinstance(self.source, Case) else None

    @property
    def needle_set(self) -> str | None:
        """The needle set's name, as the suite gave it."""
        return self.case.needle_set if self.case else None

    @property
    def haystack(self) -> str | None:
        """The haystack's name or path."""
        return self.case.haystack if self.case else None

    @property
    def context_length(self) -> int:
        """L: tokens of the whole prompt; asked for of a generated sample, counted of a given one."""
        return self.case.context_length if self.case else self.tokens + self.prompt_tokens

    @property
    def depth(self) -> float | None:
        """Where the first needle stands, in %."""
        return self.case.depth if self.case else None

    @property
    def seed(self) -> int | None:
        """What drew the facts and the background."""
        return self.case.seed if self.case else None

    @property
    def document_id(self) -> str | None:
        """The given document's name."""
        return self.source.document_id if isinstance(self.source, GivenDocument) else None

    @property
    def evidence_is_known(self) -> bool:
        """Whether retrieval can be held against needles: not where no one said where the answer stands."""
        return self.origin == "generated" or bool(self.needles)

    @property
    def context_room(self) -> int:
        """L - P: tokens that a context may have; without those that are reserved."""
        reserved = self.case.reserve if self.case else 0
        return self.context_length - reserved - self.prompt_tokens
