"""A simulated reader that fails by a known law, and what the law leads one to expect.

It gets the prompt alone, finds in it what the needles and the distractors say, and then drops, adds, hedges
or refuses by chance. Its dice are seeded by the prompt, so that the same prompt always gets the same answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from random import Random

from niah.cases.sample import AnswerKey
from niah.judges.error_types import ErrorType
from niah.readers.reader import Answer, Request, Traffic, Usage
from tests.judges.planted_phrases import NONSENSE, REFUSALS, Claim, say

_WORDS = 1_000


@dataclass(frozen=True)
class Law:
    """How the reader fails; all are chances, 0 to 1.

    Attributes:
        drop, middle, long, noisy: an element is dropped with ``drop``, and ``middle`` more in the middle of
            the prompt, ``long`` more for every thousand words of it, ``noisy`` more times the noise.
        threshold, lured: above that noise each distractor's element in the prompt is added with ``lured``.
        hedge, refuse: of answers that name anything, and of all.
        memory: where the prompt tells nothing at all, the whole answer comes from memory.
    """

    drop: float = 0.03
    middle: float = 0.15
    long: float = 0.10
    noisy: float = 0.10
    threshold: float = 0.30
    lured: float = 0.25
    hedge: float = 0.15
    refuse: float = 0.08
    memory: float = 0.30


@dataclass(frozen=True)
class Sight:
    """What the reader makes out in a prompt.

    Attributes:
        words: of the whole prompt.
        depths: of every element that stands in the context, 0 to 1, its depth.
        lures: distractors' elements that stand there.
    """

    key: AnswerKey
    words: int
    depths: dict[str, float]
    lures: tuple[str, ...]

    @property
    def noise(self) -> float:
        """Share of lures among all that looks like an answer; 0 where nothing does."""
        return len(self.lures) / max(1, len(self.lures) + len(self.depths))

    def drops(self, law: Law) -> dict[str, float]:
        """Of each element in sight, the chance that it is dropped."""
        common = law.drop + law.long * self.words / _WORDS + law.noisy * self.noise
        return {name: common + law.middle * (1 - abs(2 * at - 1)) for name, at in self.depths.items()}

    def adds(self, law: Law) -> float:
        """The chance of each lure to be added."""
        return law.lured if self.noise > law.threshold else 0.0


@dataclass(frozen=True)
class Intent:
    """What the reader means to say, before any words."""

    found: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    hedged: bool = False
    refused: bool = False

    def missing(self, key: AnswerKey) -> tuple[str, ...]:
        """The elements that it does not name."""
        return tuple(element.name for element in key.elements if element.name not in self.found)

    def error_type(self, key: AnswerKey) -> ErrorType:
        """The type by the words of design section 7, worked out from the intent alone."""
        missing = bool(self.missing(key))
        if self.wrong:
            return "missing_and_wrong" if missing else "wrong_only"
        if not key.elements:
            return "correct"  # There, all that is left is a refusal.
        if self.refused:
            return "self_doubt_incomplete"
        if not self.found:
            return "other"
        if self.hedged:
            return "self_doubt_incomplete" if missing else "self_doubt_complete"
        return "missing_only" if missing else "correct"


@dataclass(frozen=True)
class Reading:
    """One prompt that was read."""

    prompt: str
    sight: Sight
    intent: Intent
    answer: str


@dataclass
class PlantedReader:
    """Reads by the law; ``readings`` holds all that it read, in order."""

    law: Law
    keys: Sequence[AnswerKey]
    name: str = "simulated"
    concurrency: int = 1
    traffic: Traffic = field(default_factory=Traffic)
    settings: dict[str, str | int] = field(default_factory=dict)
    readings: list[Reading] = field(default_factory=list)

    def check(self) -> None:
        pass

    async def __aenter__(self) -> PlantedReader:
        return self

    async def __aexit__(self, *exc: object) -> None:
        pass

    async def read(self, request: Request) -> Answer:
        random = Random(hashlib.sha256(request.prompt.encode()).digest())
        sight = look(request.prompt, self._by_question)
        intent = intend(sight, self.law, random)
        answer = phrased(intent, sight.key, random)
        self.readings.append(Reading(request.prompt, sight, intent, answer))
        return Answer(answer, Usage(), 0.0)

    @cached_property
    def _by_question(self) -> dict[str, AnswerKey]:
        return {key.question: key for key in self.keys}


def look(prompt: str, by_question: dict[str, AnswerKey]) -> Sight:
    """What stands in a prompt of the template ``u-niah``."""
    text, _, question = prompt.rpartition("\n\nQuestion: ")
    key = by_question[question]
    folded = text.casefold()
    places = {element.name: folded.find(element.name.casefold()) for element in key.elements}
    lures = {element.name for distractor in key.distractors for element in distractor.elements}
    return Sight(
        key,
        words=len(prompt.split()),
        depths={name: at / len(folded) for name, at in places.items() if at >= 0},
        lures=tuple(sorted(name for name in lures if name.casefold() in folded)),
    )


def intend(sight: Sight, law: Law, random: Random) -> Intent:
    """What is said of what was seen, by the law."""
    names = tuple(element.name for element in sight.key.elements)
    if not sight.depths and not sight.lures and names and random.random() < law.memory:
        return Intent(found=names)
    if random.random() < law.refuse:
        return Intent(refused=True)
    kept = tuple(name for name, chance in sight.drops(law).items() if random.random() >= chance)
    added = tuple(name for name in sight.lures if random.random() < sight.adds(law))
    hedged = random.random() < law.hedge and bool(kept or added)
    return Intent(kept, added, hedged)


def phrased(intent: Intent, key: AnswerKey, random: Random) -> str:
    """The intent in words."""
    if intent.refused or not (key.elements or intent.wrong):
        return random.choice(REFUSALS)
    claims = _claims(intent, key)
    random.shuffle(claims)
    return say(claims, intent.hedged, random) if claims else random.choice(NONSENSE)


def _claims(intent: Intent, key: AnswerKey) -> list[Claim]:
    """Where elements have keys, what is wrong is given to those that are left without, or to all in turn."""
    own = {element.name: element.key for element in key.elements}
    free = [own[name] for name in intent.missing(key)] or list(own.values()) or [""]
    wrong = [(name, free[at % len(free)]) for at, name in enumerate(intent.wrong)]
    return [*((name, own[name]) for name in intent.found), *wrong]


def expected(sight: Sight, law: Law) -> dict[ErrorType, float]:
    """The chance of every error type, worked out from the law alone."""
    elements = len(sight.key.elements)
    recalls = law.memory if elements and not sight.depths and not sight.lures else 0.0
    drops = sight.drops(law).values()
    pure = (1 - sight.adds(law)) ** len(sight.lures)
    complete = prod(1 - chance for chance in drops) if len(drops) == elements else 0.0
    nothing = prod(drops) if elements else 0.0
    partly = 1 - complete - nothing
    says = (1 - recalls) * (1 - law.refuse)
    refuses = (1 - recalls) * law.refuse
    if not elements:
        return {"wrong_only": says * (1 - pure), "correct": refuses + says * pure}
    return {
        "correct": recalls + says * pure * complete * (1 - law.hedge),
        "self_doubt_complete": says * pure * complete * law.hedge,
        "missing_only": says * pure * partly * (1 - law.hedge),
        "self_doubt_incomplete": refuses + says * pure * partly * law.hedge,
        "wrong_only": says * (1 - pure) * complete,
        "missing_and_wrong": says * (1 - pure) * (1 - complete),
        "other": says * pure * nothing,
    }
