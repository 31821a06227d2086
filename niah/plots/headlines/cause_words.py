"""Why a strategy's answers went wrong, in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from niah.analysis.causes.causes import CAUSES, Cause, CauseKind, Lack
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from pandas import DataFrame

_NAMED = 2
_ORACLE: Lack = "an oracle trial of the case"


def cause_words(
    frame: DataFrame, why: Mapping[str, Cause], reader: str, strategy: str
) -> tuple[str, CauseKind | None]:
    """Such as "Full context has 62 of 146 answers not right: 52 lost in context, 6 beyond the model".

    Args:
        frame: a run's trials.
        why: by trial id, as ``causes`` gives it.
        reader, strategy: whose answers.

    Returns: the sentence, and the most frequent cause; "" and None where no answer is wrong.
    """
    own = frame[(frame["reader"] == reader) & (frame["strategy"] == strategy)]
    kinds = [why[trial_id].kind for trial_id in own["trial_id"] if trial_id in why]
    if not kinds:
        return "", None
    counts = Counter(kinds)
    first = sorted(counts, key=lambda kind: (-counts[kind], CAUSES.index(kind)))
    told = ", ".join(f"{counts[kind]:,} {kind}" for kind in first[:_NAMED])
    more = ", others otherwise" if len(first) > _NAMED else ""
    answers = f"{len(kinds):,} of {int(own['scored'].sum()):,} answers"
    says = f"{spoken(strategy, first=True)} has {answers} not right: {told}{more}"
    lacks = any(_ORACLE in why[trial_id].lacking for trial_id in own["trial_id"] if trial_id in why)
    if "unexplained" in counts and lacks:
        floor = frame["is_floor"] & (frame["reader"] == reader)
        missing = "oracle" if floor.any() else "oracle and closed-book"
        says += f"; asking {missing} too would explain more"
    return says, first[0]
