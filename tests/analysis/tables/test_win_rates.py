from __future__ import annotations

from dataclasses import replace

from niah.analysis.frame import trial_frame
from niah.analysis.tables.win_rates import win_lose, win_rates
from niah.plots.table_words import note_of, shown_row
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import at, trial

# lc and topk: 10:10, 7:10, 10:7, 1:5 at 1,000 and 2,000 tokens, 5:5 at 20,000; seeds are clusters.
SCORES = [(1000, 1, 10, 10), (1000, 2, 7, 10), (2000, 1, 10, 7), (2000, 2, 1, 5), (20_000, 1, 5, 5)]


def records() -> list[TrialRecord]:
    pairs = [
        trial(strategy, score, case=at(length, seed))
        for length, seed, lc, rag in SCORES
        for strategy, score in (("lc", lc), ("topk", rag))
    ]
    unpaired = [
        trial("topk", 10, case=at(3000)),
        trial("lc", 10, case=at(4000)),
        trial("topk", None, case=at(4000)),
        trial("oracle", 10),
    ]
    return pairs + unpaired


def test_rates_by_length_and_over_all() -> None:
    every, first, second, *unpaired, last = win_rates(trial_frame(records())).rows
    # 3 and 2 of the pairs have rag above or equal: 10:10, 7:10, 1:5 | 5:5; the loss is 10:7.
    # Of two clusters there is a number, which people do not read: too few.
    assert (every[:4], every[6:]) == (("simulated", "topk", "all", 0.8), (5, 2, 2, 2, 1, 2))
    assert (first[:4], first[6:]) == (("simulated", "topk", 1000, 1.0), (2, 2, 1, 1, 0, 0))
    assert (second[:4], second[6:]) == (("simulated", "topk", 2000, 0.5), (2, 2, 1, 0, 1, 0))
    table = win_rates(trial_frame(records()))
    assert {tuple(shown_row(table, row)[4:6]) for row in table.rows if row[3] is not None} == {
        ("too few", "too few")
    }
    assert note_of(table).endswith(
        " too few: of fewer than 5 clusters, or where it would be the whole scale, an interval tells nothing."
    )
    assert [(row[2], row[3], row[-1]) for row in unpaired] == [(3000, None, 1), (4000, None, 1)]
    # One cluster says nothing of others.
    assert last == ("simulated", "topk", 20_000, 1.0, None, None, 1, 1, 0, 1, 0, 0)


def test_who_sent_everything_is_named_since_it_can_but_tie() -> None:
    made = [
        trial(strategy, 10, case=at(length), prompt_tokens=tokens)
        for length in (1000, 2000)
        for strategy, tokens in (("lc", length), ("dos", length + 5), ("topk", min(length, 1500)))
    ]
    assert win_rates(trial_frame(made)).note.endswith(
        " The whole context was sent, so that ties say nothing, by dos at every length; topk at 1k tokens."
    )
    # One that is a tenth shorter is not whole.
    less = [replace(each, prompt_tokens=900) if each.strategy != "lc" else each for each in made]
    assert "whole context" not in win_rates(trial_frame(less)).note


def test_a_strategy_that_nothing_stands_beside_has_no_rate() -> None:
    (every, short) = win_rates(trial_frame([trial("topk", 10)])).rows
    assert every == ("simulated", "topk", "all", None, None, None, 0, 0, 0, 0, 0, 1)
    assert short[2:] == (1000, *every[3:])


def test_readers_and_repeats_are_not_mixed() -> None:
    alone = [trial("lc", 10), trial("topk", 10, reader="other"), trial("topk", 10, repeat=1)]
    assert [row[6] for row in win_rates(trial_frame(alone)).rows] == [0, 0, 0, 0]


def test_the_matrix_by_hand() -> None:
    # Strictly (10): both 10:10; only lc 10:7; only rag 7:10; neither 1:5, 5:5.
    # Loosely (7 and more): both 10:10, 7:10, 10:7; neither the other two.
    assert win_lose(trial_frame(records())).rows == (
        ("simulated", "topk", "strict", 5, 1, 1, 1, 2),
        ("simulated", "topk", "loose", 5, 3, 0, 0, 2),
    )


def test_no_records_no_rows() -> None:
    frame = trial_frame([])
    assert (win_rates(frame).rows, win_lose(frame).rows) == ((), ())
