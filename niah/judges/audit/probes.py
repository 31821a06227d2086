"""Every answer that an audit builds from one needle set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from niah.judges.audit.claims import Claim, names_any, right_claims, swapped, wrong_claims
from niah.judges.audit.hostile import hostile_probes
from niah.judges.audit.probe import Probe, ProbeType
from niah.judges.audit.sayings import (
    ASIDES,
    CLOSING,
    HEDGES,
    IGNORANT,
    PREAMBLES,
    SILENT_TEXT,
    UNRELATED,
    WITHDRAWALS,
)
from niah.judges.audit.truth import truth
from niah.judges.audit.wording import FORMATS, PARAPHRASES, PLAIN
from niah.judges.rubric.doubt import Doubt
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mentions

_CITED = 3
_WRONG_AT_MOST = 3
_FEW = 5


def probes(needle_set: NeedleSet, seed: int, *, every_base: bool = False) -> tuple[Probe, ...]:
    """All answers to ``needle_set``; the seed chooses what is left out, in which order, and the wording.

    Args:
        needle_set: any, also of a user.
        seed: the same seed gives the same answers.
        every_base: put every hostile text around every base, not around one in turn.
    """
    random = Random(f"{seed} {needle_set.name}")
    plain = _answers if needle_set.elements else _answers_where_nothing_is_told
    return (*plain(needle_set, random), *hostile_probes(needle_set, random, every_base=every_base))


def _answers(needle_set: NeedleSet, random: Random) -> Iterator[Probe]:
    right, wrong = right_claims(needle_set), wrong_claims(needle_set)
    yield _said(needle_set, "complete", "plain", right)
    yield Probe(needle_set, "complete", "reference answer", needle_set.answer, truth(needle_set, right))
    for dropped in range(1, len(right)):
        name = f"{dropped} of {len(right)} left out"
        yield _said(needle_set, "missing", name, _some(right, len(right) - dropped, random))
    for added in range(1, min(_WRONG_AT_MOST, len(wrong)) + 1):
        claims = (*right, *random.sample(wrong, added))
        yield _said(needle_set, "wrong", f"{added} added", claims)
    yield from _missing_and_wrong(needle_set, right, wrong, random)
    if right[0].key and len(right) > 1:
        yield _said(needle_set, "swapped keys", "two keys exchanged", swapped(_shuffled(right, random)))
    if len(right) > 1:
        yield _said(needle_set, "reordered", "reversed", right[::-1])
        yield _said(needle_set, "reordered", "shuffled", _shuffled(right, random))
    contents = _contents(right, wrong, random)
    yield from _worded(needle_set, contents)
    yield from _verbose(needle_set, contents, random)
    yield from _set_aside(needle_set, right, wrong, random)
    yield from _doubtful(needle_set, contents)
    yield from _empty_handed(needle_set)


def _missing_and_wrong(
    needle_set: NeedleSet, right: Sequence[Claim], wrong: Sequence[Claim], random: Random
) -> Iterator[Probe]:
    """From one element to all replaced by wrong ones, at most as many as there are."""
    for count in range(1, min(len(right), len(wrong), _WRONG_AT_MOST) + 1):
        claims = _replaced(right, random.sample(wrong, count), random)
        yield _said(needle_set, "missing and wrong", f"{count} of {len(right)} replaced", claims)


def _contents(
    right: tuple[Claim, ...], wrong: tuple[Claim, ...], random: Random
) -> tuple[tuple[str, tuple[Claim, ...]], ...]:
    """What an answer in some wording is to claim: everything, too little, or something wrong."""
    contents = [("complete", right)]
    if len(right) > 1:
        contents.append(("incomplete", _some(right, len(right) // 2, random)))
    if wrong:
        contents.append(("with a wrong element", _replaced(right, [random.choice(wrong)], random)))
    return tuple(contents)


def _worded(needle_set: NeedleSet, contents: Sequence[tuple[str, tuple[Claim, ...]]]) -> Iterator[Probe]:
    for name, words in PARAPHRASES.items():
        for what, claims in contents:
            answer = words(claims, needle_set)
            yield Probe(needle_set, "paraphrased", f"{name}, {what}", answer, truth(needle_set, claims))
    for name, form in FORMATS.items():
        for what, claims in contents:
            answer = form(claims, needle_set)
            yield Probe(needle_set, "format", f"{name}, {what}", answer, truth(needle_set, claims))


def _verbose(
    needle_set: NeedleSet, contents: Sequence[tuple[str, tuple[Claim, ...]]], random: Random
) -> Iterator[Probe]:
    for what, claims in contents:
        said, expected = PLAIN(claims, needle_set), truth(needle_set, claims)
        preamble = random.choice(PREAMBLES)
        parts: dict[str, tuple[str, ...]] = {"long preamble": (preamble, said, CLOSING)}
        if not names_any(needle_set.question, needle_set):
            parts["repeats the question"] = (f"You ask: {needle_set.question}", preamble, said)
        cited = _citations(needle_set, claims)
        if cited:
            parts["cites passages"] = (said, "My sources:", *cited)
        for name, paragraphs in parts.items():
            yield Probe(needle_set, "verbose", f"{name}, {what}", "\n\n".join(paragraphs), expected)


def _citations(needle_set: NeedleSet, claims: Sequence[Claim]) -> list[str]:
    """Needles that say no more than the claims do, as an answer would cite them."""
    held = {claim.name for claim in claims if claim.right}
    traps = [name for trap in needle_set.traps for name in trap.names]
    cited = [
        f"“{needle.text}”"
        for needle in needle_set.needles
        if needle.elements
        and held.issuperset(needle.elements)
        and not (traps and mentions(needle.text, traps))
    ]
    return cited[:_CITED]


def _set_aside(
    needle_set: NeedleSet, right: tuple[Claim, ...], wrong: tuple[Claim, ...], random: Random
) -> Iterator[Probe]:
    for position, saying in enumerate(ASIDES if wrong else (), 1):
        answer = saying.replace("{wrong}", random.choice(wrong).name)
        answer = answer.replace("{answer}", PLAIN(right, needle_set))
        yield Probe(needle_set, "set aside", f"saying {position}", answer, truth(needle_set, right))


def _doubtful(needle_set: NeedleSet, contents: Sequence[tuple[str, tuple[Claim, ...]]]) -> Iterator[Probe]:
    for what, claims in contents:
        answer = PLAIN(claims, needle_set)
        kind: ProbeType = "doubt, complete" if what == "complete" else "doubt, incomplete"
        yield from _each(needle_set, kind, what, HEDGES, answer, claims, "hedged")
        yield from _each(needle_set, "taken back", what, WITHDRAWALS, answer, claims, "withdrawn")


def _empty_handed(needle_set: NeedleSet) -> Iterator[Probe]:
    yield from _each(needle_set, "refusal", "", (*SILENT_TEXT, *IGNORANT), "", (), "withdrawn")
    yield from _unrelated(needle_set)


def _answers_where_nothing_is_told(needle_set: NeedleSet, random: Random) -> Iterator[Probe]:
    refused = truth(needle_set, doubt="withdrawn")
    wrong = wrong_claims(needle_set)
    yield Probe(needle_set, "complete", "reference answer", needle_set.answer, refused)
    yield from _each(needle_set, "complete", "", SILENT_TEXT, "", (), "withdrawn")
    for added in range(1, min(_WRONG_AT_MOST, len(wrong)) + 1):
        yield _said(needle_set, "wrong", f"{added} named", random.sample(wrong, added))
    for saying in SILENT_TEXT[:_FEW]:
        answer = f"{random.choice(PREAMBLES)}\n\n{saying}\n\n{CLOSING}"
        yield Probe(needle_set, "verbose", "long preamble", answer, refused)
    if wrong:
        one = (random.choice(wrong),)
        yield from _worded(needle_set, [("with a wrong element", one)])
        said = PLAIN(one, needle_set)
        yield from _each(needle_set, "doubt, incomplete", "wrong element", HEDGES, said, one, "hedged")
        yield from _each(needle_set, "taken back", "wrong element", WITHDRAWALS, said, one, "withdrawn")
        for position, saying in enumerate(ASIDES, 1):
            answer = saying.replace("{wrong}", one[0].name).replace("{answer}", "The text does not say.")
            yield Probe(needle_set, "set aside", f"saying {position}", answer, refused)
    yield from _unrelated(needle_set)


def _unrelated(needle_set: NeedleSet) -> Iterator[Probe]:
    sayings = [saying for saying in UNRELATED if not names_any(saying, needle_set)]
    yield from _each(needle_set, "unrelated", "", sayings, "", (), "none")


def _each(
    needle_set: NeedleSet,
    kind: ProbeType,
    what: str,
    sayings: Sequence[str],
    answer: str,
    claims: Sequence[Claim],
    doubt: Doubt,
) -> Iterator[Probe]:
    """A probe for each saying, around ``answer`` where it has room for one."""
    expected = truth(needle_set, claims, doubt)
    for position, saying in enumerate(sayings, 1):
        name = ", ".join(filter(None, (f"saying {position}", what)))
        yield Probe(needle_set, kind, name, saying.replace("{answer}", answer), expected)


def _said(needle_set: NeedleSet, kind: ProbeType, name: str, claims: Sequence[Claim]) -> Probe:
    return Probe(needle_set, kind, name, PLAIN(claims, needle_set), truth(needle_set, claims))


def _some(claims: Sequence[Claim], count: int, random: Random) -> tuple[Claim, ...]:
    """So many of the claims, in their own order."""
    kept = sorted(random.sample(range(len(claims)), count))
    return tuple(claims[place] for place in kept)


def _shuffled(claims: Sequence[Claim], random: Random) -> tuple[Claim, ...]:
    return tuple(random.sample(claims, len(claims)))


def _replaced(right: Sequence[Claim], wrong: Sequence[Claim], random: Random) -> tuple[Claim, ...]:
    """The right claims, some of them replaced by the wrong ones, which take over their keys."""
    claims = list(right)
    for place, claim in zip(random.sample(range(len(right)), len(wrong)), wrong, strict=True):
        claims[place] = replace(claim, key=right[place].key)
    return tuple(claims)
