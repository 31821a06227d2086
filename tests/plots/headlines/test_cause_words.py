from dataclasses import replace

from niah.analysis.causes.causes import Cause, CauseKind
from niah.analysis.frame import trial_frame
from niah.plots.headlines.cause_words import cause_words
from niah.runs.trial import TrialRecord

BASE = TrialRecord("t", "c", "pizza", "essays", 1000, 0.0, 1, "lc", "simulated", 0, "scored", 1)


def test_the_two_most_frequent_causes_are_told() -> None:
    records = [replace(BASE, trial_id=str(at), case_id=str(at)) for at in range(6)]
    kinds: tuple[CauseKind, ...] = (
        "invented",
        "lost in context",
        "lost in context",
        "misread",
        "invented",
    )
    why = {str(at): Cause(kind) for at, kind in enumerate(kinds)}
    says, first = cause_words(trial_frame(records), why, "simulated", "lc")
    # Of two that are as frequent, the one that the order of causes has first.
    assert first == "lost in context"
    assert says == (
        "Full context has 5 of 6 answers not right: 2 lost in context, 2 invented, others otherwise"
    )


def test_where_nothing_is_wrong_there_is_nothing_to_say() -> None:
    frame = trial_frame([BASE])
    assert cause_words(frame, {}, "simulated", "lc") == ("", None)
    assert cause_words(frame, {"t": Cause("invented")}, "other", "lc") == ("", None)


def test_what_oracle_would_explain_says_so() -> None:
    why = {"t": Cause("unexplained", lacking=("an oracle trial of the case",))}
    says, _ = cause_words(trial_frame([BASE]), why, "simulated", "lc")
    assert says.endswith("1 unexplained; asking oracle and closed-book too would explain more")
    floor = replace(BASE, trial_id="f", strategy="closed-book")
    says, _ = cause_words(trial_frame([BASE, floor]), why, "simulated", "lc")
    assert says.endswith("1 unexplained; asking oracle too would explain more")
    says, _ = cause_words(trial_frame([BASE]), {"t": Cause("unexplained")}, "simulated", "lc")
    assert says.endswith("1 unexplained")
