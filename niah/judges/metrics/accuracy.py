"""Accuracy in multiple-choice questions."""

from __future__ import annotations

from niah.errors import NeedleError
from niah.judges.metrics.choices import parse_choice


def accuracy(answer: str, reference: str) -> float:
    """1 if the answer decides for the option that ``reference`` names, otherwise 0.

    An answer that decides for none, or for several, gets 0 (see ``niah.judges.metrics.choices``). Letters and
    numbers are the same options: "B" is "[[2]]".

    Raises:
        NeedleError: ``reference`` names no option.
    """
    wanted = parse_choice(reference)
    if wanted is None:
        message = f"accuracy compares options, and the reference {reference!r} names none."
        raise NeedleError(message, "Give an option such as B or [[2]], or choose another metric.")
    return float(parse_choice(answer) == wanted)
