"""Prompts that a reader's window does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from niah.readers.preflight import ServedWindow
from niah.runs.cost.estimate import tokens_of
from niah.runs.trial import Trial


def too_long_for(windows: Mapping[str, ServedWindow], trials: Iterable[Trial]) -> list[str]:
    """A line for each reader that gets prompts which its window does not hold, by our own count.

    Args:
        windows: by reader, those that are known.
        trials: that are to be asked.
    """
    asked: dict[str, int] = {}
    beyond: dict[str, int] = {}
    for trial in trials:
        window = windows.get(trial.reader)
        if window and not trial.strategy.system:
            asked[trial.reader] = asked.get(trial.reader, 0) + 1
            takes = tokens_of(trial).prompt + trial.room
            beyond[trial.reader] = beyond.get(trial.reader, 0) + (takes > window.tokens)
    return [
        f"{name} holds {windows[name].tokens:,} tokens, as {windows[name].source} says; {number:,} of its "
        f"{asked[name]:,} trials take more with the room for their answer, and may come back as overflow, or "
        "cut by the server. truncate: back cuts their contexts before."
        for name, number in beyond.items()
        if number
    ]
