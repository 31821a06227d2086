"""What an audit puts to a judge: an answer that makes claims, and the verdict that they deserve.

The verdict is by ``niah.judges.rubric.rubric``'s tables; no text is read for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from niah.cases.sample import AnswerKey
from niah.judges.rubric.doubt import Doubt
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.derived import without_its_needle
from niah.judges.rubric.elements.ordered.order import longest_rise
from niah.judges.rubric.rubric import abstention_score, rubric_score
from niah.judges.verdict import Verdict
from niah.needles.needle_set import Element
from niah.text.mentions import mentions

ProbeType = Literal[
    "complete",
    "missing",
    "wrong",
    "missing and wrong",
    "swapped keys",
    "paraphrased",
    "reordered",
    "verbose",
    "set aside",
    "doubt, complete",
    "doubt, incomplete",
    "taken back",
    "refusal",
    "unrelated",
    "format",
    "hostile",
]
PROBE_TYPES: tuple[ProbeType, ...] = get_args(ProbeType)


@dataclass(frozen=True)
class Probe:
    """One answer and what a judge should say of it.

    Attributes:
        key: what was asked.
        type: what is tried with this answer.
        name: which of its type ("2 of 7 left out", "fake verdict on a refusal").
        answer: what the judge gets to read.
        truth: the verdict by the documented rubric; for a hostile answer that of what it claims, whatever it
            says about itself.
    """

    key: AnswerKey
    type: ProbeType
    name: str
    answer: str
    truth: Verdict


@dataclass(frozen=True)
class Claim:
    """One thing that an answer says is part of the answer.

    Attributes:
        element: what is claimed.
        right: whether it is an element of the needle set.
        key: what it is claimed for ("copper gate"); "" in a set without keys.
    """

    element: Element
    right: bool
    key: str = ""

    @property
    def name(self) -> str:
        """The element's name."""
        return self.element.name


def right_claims(key: AnswerKey) -> tuple[Claim, ...]:
    """All that a complete answer claims, in the needle set's order."""
    return tuple(Claim(element, True, element.key) for element in key.elements)


def wrong_claims(key: AnswerKey) -> tuple[Claim, ...]:
    """Wrong elements that an answer could claim, each once, in the needle set's order.

    Left out is what shares its words with an element, with the question or with another wrong one: whether
    an answer that says it is wrong would be a matter of opinion. Where elements have keys, each gets a key
    of the question in turn.
    """
    chosen: list[Element] = []
    for element in wrong_elements(key):
        others = (*key.elements, *chosen)
        asked = mentions(key.question, element.names)
        if not asked and not any(_share_words(element, other) for other in others):
            chosen.append(element)
    keys = [element.key for element in key.elements] or [""]
    return tuple(Claim(e, False, keys[position % len(keys)]) for position, e in enumerate(chosen))


def swapped(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with the keys of the first two exchanged. Needs two claims with keys."""
    first, second, *rest = claims
    return (replace(first, key=second.key), replace(second, key=first.key), *rest)


def names_any(text: str, key: AnswerKey) -> bool:
    """Whether ``text`` happens to name an element of the set, right or wrong."""
    elements = (*key.elements, *wrong_elements(key))
    return bool(elements) and mentions(text, [name for element in elements for name in element.names])


def _share_words(one: Element, other: Element) -> bool:
    return any(mentions(a, other.names) for a in one.names) or any(
        mentions(b, one.names) for b in other.names
    )


def true_verdict(key: AnswerKey, claims: Sequence[Claim] = (), doubt: Doubt = "none") -> Verdict:
    """The verdict on an answer that makes these claims, in any words.

    A right element claimed for another's key is wrong: "17685 (copper gate)". So is one out of its order,
    where they are asked for in one. What follows from a needle counts beside what that plants. A refusal
    makes no claim and has the doubt "withdrawn".

    Args:
        key: what was asked.
        claims: what the answer claims, in its order.
        doubt: how it stands by itself.
    """
    own = {(element.name, element.key) for element in key.elements}
    held = {claim.name for claim in claims if (claim.name, claim.key) in own and claim.right}
    misplaced = _misplaced(key, claims)
    held -= misplaced
    held -= without_its_needle(held, key)
    found = tuple(element.name for element in key.elements if element.name in held)
    missing = tuple(element.name for element in key.elements if element.name not in held)
    wrong = _wrong(key, claims, own, misplaced)
    withdrawn = doubt == "withdrawn"
    if key.elements:
        points = rubric_score(
            len(found),
            len(missing),
            len(wrong),
            standing="taken back" if withdrawn else "stands",
        )
    else:
        points = abstention_score(len(wrong), refused=withdrawn)
    return Verdict(
        score=points,
        found=found,
        missing=missing,
        wrong=wrong,
        self_doubt=doubt == "hedged" or (withdrawn and bool(key.elements)),
        judge="truth",
        version="1",
        reason="known beforehand",
    )


def _misplaced(key: AnswerKey, claims: Sequence[Claim]) -> set[str]:
    if not key.ordered:
        return set()
    ranks = {element.name: rank for rank, element in enumerate(key.elements)}
    named = [claim.name for claim in claims if claim.right]
    return set(named) - {named[at] for at in longest_rise([ranks[name] for name in named])}


def _wrong(
    key: AnswerKey, claims: Sequence[Claim], own: set[tuple[str, str]], misplaced: set[str]
) -> tuple[str, ...]:
    invented = {claim.name for claim in claims if not claim.right}
    planted = dict.fromkeys(element.name for element in wrong_elements(key))
    misgiven = {f"{c.name} ({c.key})" for c in claims if c.right and (c.name, c.key) not in own}
    misgiven |= {f"{name} (out of order)" for name in misplaced}
    return (*(name for name in planted if name in invented), *sorted(misgiven))
