from dataclasses import replace

import numpy as np
import pytest

from niah.analysis.crossover.crossover import Crossover, crossovers, switch_place
from niah.analysis.crossover.crossover_table import crossover_table
from niah.analysis.frame import trial_frame
from niah.runs.trial import TrialRecord
from tests.analysis.crossover.planted_crossovers import LENGTHS, WORLDS, planted


def found(records: list[TrialRecord]) -> Crossover:
    (crossing,) = crossovers(trial_frame(records))
    return crossing


def test_the_switch_pays_from_where_its_gains_add_up_to_most() -> None:
    gains = np.array([[-1.0, 0.5, -0.2, 3.0], [-1.0, -1.0, -1.0, -1.0], [2.0, -1.0, 0.5, 1.0], [0, 0, 0, 0]])
    assert switch_place(gains).tolist() == [1, 4, 0, 4]


def test_the_switch_is_where_an_isotonic_fit_exceeds_nothing() -> None:
    # The max-min formula of isotonic regression, against the suffix of the greatest sum.
    rng = np.random.default_rng(1)
    for gains in rng.standard_normal((200, 6)):
        fit = [
            max(min(gains[start : end + 1].mean() for end in range(place, 6)) for start in range(place + 1))
            for place in range(6)
        ]
        above = [place for place in range(6) if fit[place] > 0]
        assert switch_place(gains) == (above[0] if above else 6)


@pytest.mark.parametrize("world", WORLDS)
def test_a_planted_crossover_comes_out_within_one_length(world: str) -> None:
    truth, places = WORLDS[world][1], [*LENGTHS, None]
    runs = [found(planted(world, 8, np.random.default_rng(run))) for run in range(12)]
    off = [abs(places.index(run.length) - places.index(truth)) for run in runs]
    assert max(off) <= 1
    held = [places.index(run.earliest) <= places.index(truth) <= places.index(run.latest) for run in runs]
    assert sum(held) >= 10
    assert {run.strategy for run in runs} <= {"dos", "topk"}


@pytest.mark.parametrize(
    ("scores_less", "strategy"),
    [(0.0, "mixpr"), (0.2, "mixpr"), (1.0, "dos")],
    ids=["level", "near", "worse"],
)
def test_of_strategies_that_are_level_with_the_best_the_one_that_reads_least_is_named(
    scores_less: float, strategy: str
) -> None:
    records = planted("cliff at 16k", 8, np.random.default_rng(0))
    brief = [
        replace(
            each,
            trial_id=f"{each.trial_id} brief",
            strategy="mixpr",
            score=None if each.score is None else max(1, each.score - scores_less),
            prompt_tokens=500,
        )
        for each in records
        if each.strategy == "dos"
    ]
    assert found(records).strategy == "dos"
    crossing = found([*records, *brief])
    assert (crossing.strategy, crossing.length) == (strategy, 16_000)


def test_both_sides_are_told_with_what_they_take() -> None:
    crossing = found(planted("cliff at 16k", 8, np.random.default_rng(0)))
    assert [gap.length for gap in crossing.gaps] == list(LENGTHS)
    long = crossing.gaps[-1]
    assert (long.context.prompt_tokens, long.retrieval.prompt_tokens) == (128_000, 2_000)
    assert long.context.cost == pytest.approx(0.128)
    assert long.lead.estimate == pytest.approx(long.retrieval.score - long.context.score)
    assert crossing.above is not None
    assert crossing.below is not None
    assert crossing.above.estimate > 2 > 0 > crossing.below.estimate
    weighed = sum(
        (gap.context if gap.length < 16_000 else gap.retrieval).score * gap.lead.n for gap in crossing.gaps
    )
    assert crossing.mixed.score == pytest.approx(weighed / sum(gap.lead.n for gap in crossing.gaps))


def test_a_reader_without_either_side_has_no_crossover() -> None:
    records = planted("never", 2, np.random.default_rng(0))
    for side in ("lc", "dos"):
        assert crossovers(trial_frame([record for record in records if record.strategy == side])) == []
    assert crossovers(trial_frame([replace(each, outcome="refused", score=None) for each in records])) == []


def test_lengths_that_full_context_cannot_read_are_named() -> None:
    records = [
        replace(each, outcome="overflow", score=None)
        if each.strategy == "lc" and each.context_length == 128_000
        else each
        for each in planted("never", 4, np.random.default_rng(0))
    ]
    crossing = found(records)
    assert [each.length for each in crossing.unread] == [128_000]
    assert crossing.unread[0].retrieval.score == np.mean(
        [each.score for each in records if each.strategy == "dos" and each.context_length == 128_000]
    )
    assert [gap.length for gap in crossing.gaps] == list(LENGTHS[:-1])


def test_documents_are_taken_by_bands_of_length() -> None:
    records = [
        replace(
            each, context_length=each.context_length - 1_000 - (each.seed or 0), depth=None, seed=None,
            needle_set=None, question_set="mine", origin="given", document_id=f"d{each.seed}",
            case_id=f"{each.case_id} {each.depth}",
        )
        for each in planted("cliff at 16k", 8, np.random.default_rng(0))
    ]  # fmt: skip
    crossing = found(records)
    assert not crossing.is_grid
    assert [gap.length for gap in crossing.gaps] == [2**power for power in (12, 13, 14, 15, 16, 17)]
    assert crossing.length == 16_384


def test_its_table_says_what_to_send_at_each_length() -> None:
    table = crossover_table(trial_frame(planted("cliff at 16k", 8, np.random.default_rng(0))))
    send = [row[table.columns.index("send")] for row in table.rows]
    assert send == ["everything", "everything", "dos", "dos", "dos", "dos"]
    assert {type(value) for row in table.rows for value in row} <= {str, int, float}
    first = table.columns.index("context_cost")
    for cost, shown in ((0.0, {(None, None)}), (0.25, {(0.25, 0.25)})):
        paid = [replace(each, cost=cost) for each in planted("cliff at 16k", 8, np.random.default_rng(0))]
        assert {row[first : first + 2] for row in crossover_table(trial_frame(paid)).rows} == shown
    assert crossover_table(trial_frame([])).rows == ()
    whole = [each for each in planted("never", 8, np.random.default_rng(0)) if each.strategy == "lc"]
    level = crossover_table(trial_frame([*whole, *(replace(each, strategy="dos") for each in whole)]))
    assert {row[level.columns.index("send")] for row in level.rows} == {"either"}
