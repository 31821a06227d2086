"""Every answer that an audit builds from one needle set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from niah.cases.sample import AnswerKey
from niah.judges.audit.hostile import hostile_probes
from niah.judges.audit.probe import (
    PROBE_TYPES,
    Claim,
    Probe,
    ProbeType,
    names_any,
    right_claims,
    swapped,
    true_verdict,
    wrong_claims,
)
from niah.judges.audit.texts import plain_answer, sayings, wordings
from niah.judges.rubric.doubt import Doubt
from niah.text.mentions import mentions

_CITED = 3
_WRONG_AT_MOST = 3
_FEW = 5


def build_probes(key: AnswerKey, seed: int, *, every_base: bool = False) -> tuple[Probe, ...]:
    """All answers to ``key``; the seed chooses what is left out, in which order, and the wording.

    Args:
        key: any, also of a user.
        seed: the same seed gives the same answers.
        every_base: put every hostile text around every base, not around one in turn.
    """
    random = Random(f"{seed} {key.name}")
    plain = _answers if key.elements else _answers_where_nothing_is_told
    return (*plain(key, random), *hostile_probes(key, random, every_base=every_base))


def _answers(key: AnswerKey, random: Random) -> Iterator[Probe]:
    right, wrong = right_claims(key), wrong_claims(key)
    yield _said(key, "complete", "plain", right)
    yield Probe(key, "complete", "reference answer", key.answer, true_verdict(key, right))
    for dropped in range(1, len(right)):
        name = f"{dropped} of {len(right)} left out"
        yield _said(key, "missing", name, _some(right, len(right) - dropped, random))
    for added in range(1, min(_WRONG_AT_MOST, len(wrong)) + 1):
        claims = (*right, *random.sample(wrong, added))
        yield _said(key, "wrong", f"{added} added", claims)
    yield from _missing_and_wrong(key, right, wrong, random)
    if right[0].key and len(right) > 1:
        yield _said(key, "swapped keys", "two keys exchanged", swapped(_shuffled(right, random)))
    if len(right) > 1:
        yield _said(key, "reordered", "reversed", right[::-1])
        yield _said(key, "reordered", "shuffled", _shuffled(right, random))
    contents = _contents(right, wrong, random)
    yield from _worded(key, contents)
    yield from _verbose(key, contents, random)
    yield from _set_aside(key, right, wrong, random)
    yield from _doubtful(key, contents)
    yield from _empty_handed(key)


def _missing_and_wrong(
    key: AnswerKey, right: Sequence[Claim], wrong: Sequence[Claim], random: Random
) -> Iterator[Probe]:
    """From one element to all replaced by wrong ones, at most as many as there are."""
    for count in range(1, min(len(right), len(wrong), _WRONG_AT_MOST) + 1):
        claims = _replaced(right, random.sample(wrong, count), random)
        yield _said(key, "missing and wrong", f"{count} of {len(right)} replaced", claims)


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


def _worded(key: AnswerKey, contents: Sequence[tuple[str, tuple[Claim, ...]]]) -> Iterator[Probe]:
    for name, wording in wordings().paraphrases.items():
        for what, claims in contents:
            answer = wording.phrase(claims, key)
            yield Probe(key, "paraphrased", f"{name}, {what}", answer, true_verdict(key, claims))
    for name, wording in wordings().formats.items():
        for what, claims in contents:
            answer = wording.phrase(claims, key)
            yield Probe(key, "format", f"{name}, {what}", answer, true_verdict(key, claims))


def _verbose(
    key: AnswerKey, contents: Sequence[tuple[str, tuple[Claim, ...]]], random: Random
) -> Iterator[Probe]:
    for what, claims in contents:
        said, expected = plain_answer(claims, key), true_verdict(key, claims)
        preamble = random.choice(sayings().preambles)
        parts: dict[str, tuple[str, ...]] = {"long preamble": (preamble, said, sayings().closing)}
        if not names_any(key.question, key):
            parts["repeats the question"] = (f"You ask: {key.question}", preamble, said)
        cited = _citations(key, claims)
        if cited:
            parts["cites passages"] = (said, "My sources:", *cited)
        for name, paragraphs in parts.items():
            yield Probe(key, "verbose", f"{name}, {what}", "\n\n".join(paragraphs), expected)


def _citations(key: AnswerKey, claims: Sequence[Claim]) -> list[str]:
    """Needles that say no more than the claims do, as an answer would cite them."""
    held = {claim.name for claim in claims if claim.right}
    traps = [name for trap in key.traps for name in trap.names]
    cited = [
        f"“{needle.text}”"
        for needle in key.needles
        if needle.elements
        and held.issuperset(needle.elements)
        and not (traps and mentions(needle.text, traps))
    ]
    return cited[:_CITED]


def _set_aside(
    key: AnswerKey, right: tuple[Claim, ...], wrong: tuple[Claim, ...], random: Random
) -> Iterator[Probe]:
    for position, saying in enumerate(sayings().asides if wrong else (), 1):
        answer = saying.replace("{wrong}", random.choice(wrong).name)
        answer = answer.replace("{answer}", plain_answer(right, key))
        yield Probe(key, "set aside", f"saying {position}", answer, true_verdict(key, right))


def _doubtful(key: AnswerKey, contents: Sequence[tuple[str, tuple[Claim, ...]]]) -> Iterator[Probe]:
    for what, claims in contents:
        answer = plain_answer(claims, key)
        kind: ProbeType = "doubt, complete" if what == "complete" else "doubt, incomplete"
        yield from _each(key, kind, what, sayings().hedges, answer, claims, "hedged")
        yield from _each(key, "taken back", what, sayings().retractions, answer, claims, "withdrawn")


def _empty_handed(key: AnswerKey) -> Iterator[Probe]:
    yield from _each(key, "refusal", "", (*sayings().refusals, *sayings().ignorance), "", (), "withdrawn")
    yield from _unrelated(key)


def _answers_where_nothing_is_told(key: AnswerKey, random: Random) -> Iterator[Probe]:
    refused = true_verdict(key, doubt="withdrawn")
    wrong = wrong_claims(key)
    yield Probe(key, "complete", "reference answer", key.answer, refused)
    yield from _each(key, "complete", "", sayings().refusals, "", (), "withdrawn")
    for added in range(1, min(_WRONG_AT_MOST, len(wrong)) + 1):
        yield _said(key, "wrong", f"{added} named", random.sample(wrong, added))
    for saying in sayings().refusals[:_FEW]:
        answer = f"{random.choice(sayings().preambles)}\n\n{saying}\n\n{sayings().closing}"
        yield Probe(key, "verbose", "long preamble", answer, refused)
    if wrong:
        one = (random.choice(wrong),)
        yield from _worded(key, [("with a wrong element", one)])
        said = plain_answer(one, key)
        yield from _each(key, "doubt, incomplete", "wrong element", sayings().hedges, said, one, "hedged")
        yield from _each(key, "taken back", "wrong element", sayings().retractions, said, one, "withdrawn")
        for position, saying in enumerate(sayings().asides, 1):
            answer = saying.replace("{wrong}", one[0].name).replace("{answer}", "The text does not say.")
            yield Probe(key, "set aside", f"saying {position}", answer, refused)
    yield from _unrelated(key)


def _unrelated(key: AnswerKey) -> Iterator[Probe]:
    unrelated = [saying for saying in sayings().unrelated if not names_any(saying, key)]
    yield from _each(key, "unrelated", "", unrelated, "", (), "none")


def _each(
    key: AnswerKey,
    kind: ProbeType,
    what: str,
    every: Sequence[str],
    answer: str,
    claims: Sequence[Claim],
    doubt: Doubt,
) -> Iterator[Probe]:
    """A probe for each saying, around ``answer`` where it has room for one."""
    expected = true_verdict(key, claims, doubt)
    for position, saying in enumerate(every, 1):
        name = ", ".join(filter(None, (f"saying {position}", what)))
        yield Probe(key, kind, name, saying.replace("{answer}", answer), expected)


def _said(key: AnswerKey, kind: ProbeType, name: str, claims: Sequence[Claim]) -> Probe:
    return Probe(key, kind, name, plain_answer(claims, key), true_verdict(key, claims))


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


def draw_probes(probes: Sequence[Probe], limit: int, seed: int) -> tuple[Probe, ...]:
    """At most ``limit`` of the probes, drawn by the seed, in their own order.

    Shares are rounded by largest remainders, but while there is room each type keeps one probe at least: a
    type that nobody tried would pass unseen.
    """
    if limit >= len(probes):
        return tuple(probes)
    places = {name: [i for i, p in enumerate(probes) if p.type == name] for name in PROBE_TYPES}
    shares = _shares({name: len(of_type) for name, of_type in places.items() if of_type}, limit)
    random = Random(seed)
    drawn = {place for name, count in shares.items() for place in random.sample(places[name], count)}
    return tuple(probe for place, probe in enumerate(probes) if place in drawn)


def _shares(sizes: dict[ProbeType, int], limit: int) -> dict[ProbeType, int]:
    """How many of each type; they add up to ``limit``, and none is greater than its type."""
    by_size = sorted(sizes, key=lambda name: -sizes[name])
    shares = dict.fromkeys(by_size[:limit], 1)
    total = sum(sizes.values())
    for _ in range(limit - len(shares)):
        room = [name for name in shares if shares[name] < sizes[name]]
        shares[max(room, key=lambda name: sizes[name] * limit / total - shares[name])] += 1
    return shares
