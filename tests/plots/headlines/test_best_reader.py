"""Which reader is best, as a page says it first."""

from __future__ import annotations

from dataclasses import replace

from niah.analysis.frame import trial_frame
from niah.plots.headlines.best_reader import best_reader
from niah.runs.trial import TrialRecord

BASE = TrialRecord("t", "c", "pizza", "essays", 1000, 0.0, 1, "lc", "alder", 0, "scored", 10)


def trials(reader: str, strategy: str, scores: list[int | None]) -> list[TrialRecord]:
    """One for each seed; None has no score."""
    return [
        replace(
            BASE,
            reader=reader,
            strategy=strategy,
            case_id=f"pizza_s{seed}",
            seed=seed,
            score=score,
            outcome="scored" if score is not None else "refused",
        )
        for seed, score in enumerate(scores)
    ]


def test_the_best_strategy_of_each_on_the_same_cases() -> None:
    records = [
        *trials("alder", "lc", [5] * 6),
        *trials("alder", "dos", [10] * 5 + [None]),
        *trials("alder", "oracle", [10] * 6),
        *trials("birch", "lc", [7] * 6),
    ]
    # By 10 - 7 on the five cases that both have a score of.
    assert best_reader(trial_frame(records)) == (
        "alder is ahead of birch by 3.0 (all 5 clusters alike) over the 5 cases with a score of both, "
        "each with its best strategy: alder 10 (dos), birch 7.0 (full context)"
        ". With full context each, birch is ahead of alder by 2.0 (all 6 clusters alike): 7.0 against 5.0"
    )


def test_a_lead_that_luck_could_give() -> None:
    records = [*trials("alder", "lc", [10, 1, 10, 7, 1, 10]), *trials("birch", "lc", [7, 5, 3, 10, 5, 7])]
    assert best_reader(trial_frame(records)).startswith("alder is not clearly ahead of birch: +0.3 (95 %: -")


def test_readers_that_are_level_with_retrieval_are_told_apart_by_full_context() -> None:
    both = [trial for reader in ("alder", "birch") for trial in trials(reader, "dos", [10] * 6)]
    whole = [*trials("alder", "lc", [9] * 6), *trials("birch", "lc", [7] * 6)]
    assert best_reader(trial_frame([*both, *whole])) == (
        "alder is not clearly ahead of birch: +0.0 (all 6 clusters alike) over the 6 cases with a score of"
        " both, each with its best strategy: alder 10 (dos), birch 10 (dos)"
        ". With full context each, alder is ahead of birch by 2.0 (all 6 clusters alike): 9.0 against 7.0"
    )
    unclear = [*trials("alder", "lc", [9, 1, 9, 1, 9, 1]), *trials("birch", "lc", [1, 9, 1, 9, 1, 8])]
    assert "ith full context each" not in best_reader(trial_frame([*both, *unclear]))


def test_few_cases_tell_nothing() -> None:
    records = [*trials("alder", "lc", [10, 10]), *trials("birch", "lc", [7, 7])]
    assert best_reader(trial_frame(records)) == (
        "Not sure: alder scores 3.0 higher than birch over the 2 cases with a score of both, each with its"
        " best strategy: alder 10 (full context), birch 7.0 (full context), from 2 seeds of one needle set: "
        "too few to tell"
    )


def test_no_case_in_common() -> None:
    records = [*trials("alder", "lc", [10, None]), *trials("birch", "lc", [None, 7])]
    assert best_reader(trial_frame(records)).endswith("; no case has a score of both")


def test_one_reader_is_compared_with_nobody() -> None:
    assert best_reader(trial_frame(trials("alder", "lc", [10] * 6))) == ""
    unread = [*trials("alder", "lc", [10]), *trials("birch", "oracle", [10])]
    assert best_reader(trial_frame(unread)) == ""
