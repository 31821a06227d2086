"""Where a retrieving strategy sent everything: its budget, or its share, was more than the context has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.lengths import length_groups, length_labels
from niah.analysis.trial_columns import Trials

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST, _MOST = 0.99, 1.1
"""Prompts of so many times full context's tokens hold the same: chunks are joined by other blanks, or have
heads. What takes more than that asked several times."""


def is_whole(tokens: float | None, whole: float | None) -> bool:
    """Whether a prompt is as long as full context's; False where either is not known."""
    return tokens is not None and whole is not None and _LEAST * whole <= tokens <= _MOST * whole


def sends_whole(frame: Trials) -> NDArray[np.bool_]:
    """Shape (n,): whether a retrieving trial's prompt is as long as full context's of the same question.

    False where either does not say, or full context was not asked.
    """
    question, tokens = np.asarray(frame["question"]), np.asarray(frame["prompt_tokens"], dtype=np.float64)
    context = np.asarray(frame["sends_context"])
    whole = np.full(int(question.max(initial=-1)) + 1, np.nan)
    whole[question[context]] = tokens[context]
    times = tokens / whole[question]
    found: NDArray[np.bool_] = np.asarray(frame["retrieves"]) & (times >= _LEAST) & (times <= _MOST)
    return found


def whole_lengths(frame: Trials) -> dict[tuple[str, str], str]:
    """By reader and strategy, at which lengths all of its trials sent the whole context: "500 and 1k tokens",
    "every length"; without those that did at none.
    """
    sent = sends_whole(frame)
    asked = np.asarray(frame["retrieves"]) & ~np.isnan(np.asarray(frame["prompt_tokens"], dtype=np.float64))
    every: dict[tuple[str, str], list[int | str]] = {}
    whole: dict[tuple[str, str], list[int | str]] = {}
    for (reader, strategy), length, rows in length_groups(frame, "reader", "strategy"):
        if asked[rows].any():
            every.setdefault((reader, strategy), []).append(length)
            if sent[rows][asked[rows]].all():
                whole.setdefault((reader, strategy), []).append(length)
    return {
        names: "every length" if len(own) == len(every[names]) else f"{_listed(own)} tokens"
        for names, own in whole.items()
    }


def _listed(lengths: list[int | str]) -> str:
    numbers = [length for length in lengths if isinstance(length, int)]
    words = length_labels(numbers) if len(numbers) == len(lengths) else list(map(str, lengths))
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
