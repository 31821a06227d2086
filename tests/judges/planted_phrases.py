"""Answers in the words of many readers: a claim is what an answer names, and for which key."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

Claim = tuple[str, str]
"""A name, and the key that it is claimed for, "" where the question has no keys."""

Phrase = Callable[[Sequence[Claim]], str]


def _listed(items: Sequence[str], last: str = " and ") -> str:
    return last.join((", ".join(items[:-1]), items[-1])) if len(items) > 1 else items[0]


def _names(claims: Sequence[Claim]) -> list[str]:
    return [name for name, _ in claims]


def _one_after_the_other(claims: Sequence[Claim]) -> str:
    openings = ["First there is", *["Then comes"] * (len(claims) - 2), "Last of all there is"]
    return " ".join(
        f"{opening} {name}." for opening, name in zip(openings[-len(claims) :], _names(claims), strict=True)
    )


def _top_to_bottom(claims: Sequence[Claim]) -> str:
    parts = [f"one meets {name}" for name in _names(claims)]
    return f"Reading from top to bottom, {'; further down '.join(parts)}. That is all I came across."


def _table(claims: Sequence[Claim]) -> str:
    return "\n".join(["| # | Name |", "|---|---|", *(f"| {i} | {n} |" for i, (n, _) in enumerate(claims, 1))])


UNKEYED: tuple[Phrase, ...] = (
    lambda claims: f"The text names {_listed(_names(claims))}.",
    lambda claims: "\n".join(f"- {name}" for name in _names(claims)),
    lambda claims: "\n".join(f"{i}. {name}" for i, name in enumerate(_names(claims), 1)),
    lambda claims: json.dumps({"answer": _names(claims)}),
    lambda claims: "; ".join(_names(claims)),
    lambda claims: f"Answer: {', '.join(_names(claims))}",
    lambda claims: f"It comes down to {_listed([f'**{name}**' for name in _names(claims)], ' as well as ')}.",
    lambda claims: f"You asked for a list, so here it is: {_listed(_names(claims)).upper()}.",
    lambda claims: f"<think>Let me go through the text once more.</think>{_listed(_names(claims))}",
    lambda claims: " ".join(f"One passage speaks of {name}." for name in _names(claims)),
    lambda claims: f"Those would be “{'”, “'.join(_names(claims))}”.",
    lambda claims: (
        f"Sure! {_listed(_names(claims))} - that is what the passages say about it. Anything else?"
    ),
    lambda claims: (
        f"Three words on the method: I skimmed, I marked, I copied. Result: {_listed(_names(claims))}"
    ),
    lambda claims: f"No two passages say the same, yet together they give {_listed(_names(claims))}.",
    lambda claims: f"What the question is after is nothing but {_listed(_names(claims))}.",
    lambda claims: f"```\n{chr(10).join(_names(claims))}\n```",
    lambda claims: f"# Answer\n\n{chr(10).join(f'+ *{name}* (see above)' for name in _names(claims))}",
    lambda claims: f"Not counting repetitions, the text has {_listed(_names(claims))}.",
    lambda claims: "\n\n".join(f"{name}: stated in the text." for name in _names(claims)),
    lambda claims: f"I would not leave out any of these: {_listed(_names(claims))}.",
    lambda claims: json.dumps(
        {"items": [{"name": name, "confidence": 0.9} for name in _names(claims)]}, indent=1
    ),
    lambda claims: " ... ".join(f"{name}!" for name in _names(claims)),
    lambda claims: f"{_listed([f'{name} [{i}]' for i, name in enumerate(_names(claims), 1)])}.",
    _one_after_the_other,
    _top_to_bottom,
    _table,
)

KEYED: tuple[Phrase, ...] = (
    lambda claims: "\n".join(f"{key}: {name}" for name, key in claims),
    lambda claims: "\n".join(f"- **{key}**: {name}" for name, key in claims),
    lambda claims: " ".join(f"The {key} has the number {name}." for name, key in claims),
    lambda claims: f"{_listed([f'{name} for the {key}' for name, key in claims])}.",
    lambda claims: json.dumps([{"for": key, "answer": name} for name, key in claims]),
    lambda claims: f"The text gives {_listed([f'{name} ({key})' for name, key in claims])}.",
    lambda claims: "\n".join(["| For | Answer |", "|---|---|", *(f"| {k} | {n} |" for n, k in claims)]),
    lambda claims: "; ".join(f"{key} = {name}" for name, key in claims),
    lambda claims: " ".join(f"{name} is what the {key} wants." for name, key in claims),
    lambda claims: " ".join(f"As for the {key}, the text says {name}." for name, key in claims),
    lambda claims: "\n".join(f"{i}) {key} -> {name}" for i, (name, key) in enumerate(claims, 1)),
    lambda claims: f"If you stand before the {'; before the '.join(f'{k}, dial {n}' for n, k in claims)}.",
    lambda claims: "\n\n".join(f"### {key}\n`{name}`" for name, key in claims),
    lambda claims: f"Here: {', '.join(f'{key} ({name})' for name, key in claims)}.",
)

HEDGES = (
    "I am not entirely sure, but ANSWER.",
    "It is hard to tell, but my best guess is this: ANSWER.",
    "ANSWER. I may be wrong about this, though.",
    "ANSWER (I can't be certain, the text is long).",
    "Perhaps ANSWER.",
    "I'm uncertain here. ANSWER.",
    "Well... ANSWER? I'm not sure at all.",
    "ANSWER, but don't hold me to it: I am only guessing.",
    "Probably ANSWER.",
    "It seems to be ANSWER.",
    "I think it might be ANSWER.",
    "I believe, without being certain, that the text says ANSWER.",
    "ANSWER. (Low confidence: I may have missed something.)",
)
"""ANSWER stands for what is claimed."""

REFUSALS = (
    "The text does not say.",
    "I could not find the answer in the text.",
    "I'm sorry, but the passages do not mention this.",
    "There is no information about this in the given text.",
    "This cannot be answered from the text.",
    "Not stated in the text.",
    "Sorry, I was unable to find that.",
    "Nothing I have read answers this question.",
    "The text never mentions it.",
    "I looked twice and found no answer to this.",
    "From what I was given, it is impossible to say.",
    '{"answer": null, "reason": "not in the text"}',
    "I don't know.",
)

NONSENSE = (
    "Long texts are best read in the evening.",
    "Everybody agrees that it had been a fine week.",
    "Thank you! Shall I translate the passages for you?",
    "It depends on how one looks at it.",
    "The passages are from several hands and in no order.",
    "Yes, gladly.",
    "1. Read the text. 2. Read it again.",
)


def hedged(hedge: str, claims: Sequence[Claim]) -> str:
    """The claims with that doubt."""
    return hedge.replace("ANSWER", _listed([f"{key} has {name}" if key else name for name, key in claims]))


def say(claims: Sequence[Claim], doubts: bool, random: Random) -> str:
    """The claims in one of the ways that fit, with doubt or without."""
    if doubts:
        return hedged(random.choice(HEDGES), claims)
    return random.choice(KEYED if claims[0][1] else UNKEYED)(claims)
