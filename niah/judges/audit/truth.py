"""What a judge should say, from what an answer claims: by ``niah.judges.rubric.rubric``, no text read."""

from __future__ import annotations

from collections.abc import Sequence

from niah.cases.sample import AnswerKey
from niah.judges.audit.claims import Claim
from niah.judges.rubric.doubt import Doubt
from niah.judges.rubric.elements import wrong_elements
from niah.judges.rubric.rubric import score, score_of_refusal
from niah.judges.verdict import Verdict


def truth(key: AnswerKey, claims: Sequence[Claim] = (), doubt: Doubt = "none") -> Verdict:
    """The verdict on an answer that makes these claims, in any words.

    A right element claimed for another's key is wrong: "17685 (copper gate)". A refusal makes no claim and
    has the doubt "withdrawn".
    """
    own = {(element.name, element.key) for element in key.elements}
    held = {claim.name for claim in claims if (claim.name, claim.key) in own and claim.right}
    found = tuple(element.name for element in key.elements if element.name in held)
    missing = tuple(element.name for element in key.elements if element.name not in held)
    wrong = _wrong(key, claims, own)
    withdrawn = doubt == "withdrawn"
    if key.elements:
        points = score(len(found), len(missing), len(wrong), withdrawn=withdrawn)
    else:
        points = score_of_refusal(len(wrong), refused=withdrawn)
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


def _wrong(key: AnswerKey, claims: Sequence[Claim], own: set[tuple[str, str]]) -> tuple[str, ...]:
    invented = {claim.name for claim in claims if not claim.right}
    planted = dict.fromkeys(element.name for element in wrong_elements(key))
    misgiven = {f"{c.name} ({c.key})" for c in claims if c.right and (c.name, c.key) not in own}
    return (*(name for name in planted if name in invented), *sorted(misgiven))
