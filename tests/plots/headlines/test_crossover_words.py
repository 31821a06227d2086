from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from niah.analysis.crossover.advice import side_to_send
from niah.analysis.crossover.crossover import Crossover, crossovers
from niah.analysis.frame import trial_frame
from niah.plots.headlines.crossover_words import CrossoverWords, crossover_words
from niah.plots.headlines.headline import headlines
from niah.runs.trial import TrialRecord
from tests.analysis.crossover.planted_crossovers import planted


def words(records: list[TrialRecord]) -> CrossoverWords:
    (line,) = headlines(trial_frame(records))
    assert line.crossover is not None
    return line.crossover


def run(world: str, seeds: int = 8) -> list[TrialRecord]:
    return planted(world, seeds, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("lead", "low", "high", "says"),
    [
        (-1.0, -1.8, -0.2, "it is ahead by 1.0 (95 %: 0.2 to 1.8)"),
        (1.0, 0.2, 1.8, "dos leads by 1.0 (95 %: 0.2 to 1.8)"),
        (-0.7, -1.5, 0.1, "neither is clearly ahead: difference -0.7 (95 %: -1.5 to 0.1)"),
        (-0.7, None, None, "neither is clearly ahead: difference -0.7"),
    ],
)
def test_below_it_who_leads_is_said_where_it_is_clear(
    lead: float, low: float | None, high: float | None, says: str
) -> None:
    (crossing,) = crossovers(trial_frame(run("cliff at 16k")))
    assert crossing.below is not None
    below = replace(crossing.below, estimate=lead, low=low, high=high)
    assert crossover_words(replace(crossing, below=below), "case").finding.endswith(f"; below 16k {says}")


def test_retrieval_that_loses_nothing_below_it_is_sent_at_every_length_where_it_takes_less() -> None:
    (crossing,) = crossovers(trial_frame(run("cliff at 16k")))
    assert crossing.below is not None
    level = replace(crossing.below, estimate=-0.1, low=-0.3, high=0.2)
    gaps = tuple(replace(gap, lead=level) if gap.length < 16_000 else gap for gap in crossing.gaps)
    said = crossover_words(replace(crossing, gaps=gaps, below=level), "case")
    # At 2.0k tokens a question it is the cheaper side at 4k and 8k.
    assert said.advice == (
        "Send what dos retrieves, at every length: below 16k it reads about as well for less:"
        " it loses at most 0.3"
    )
    assert {each.send for each in said.lengths} == {"retrieval"}
    assert said.brief.send == "dos"
    dear = replace(gaps[0], retrieval=replace(gaps[0].retrieval, prompt_tokens=9e9, cost=9.0))
    dearer = crossover_words(replace(crossing, gaps=(dear, *gaps[1:]), below=level), "case")
    assert dearer.advice.startswith("Send everything up to 8k and "), "at 4k full context takes less"
    behind = replace(gaps[0], lead=replace(level, high=-0.05))
    worse = crossover_words(replace(crossing, gaps=(behind, *gaps[1:]), below=level), "case")
    assert worse.advice.startswith("Send everything up to 8k and "), "at 4k full context is clearly ahead"
    loses = replace(level, low=-0.7)
    assert crossover_words(replace(crossing, gaps=gaps, below=loses), "case").advice.startswith("Send every")


@pytest.mark.parametrize(("low", "high"), [(-0.7, 1.1), (None, None)])
def test_a_mean_that_is_no_lower_below_it_is_sent_at_every_length_too(
    low: float | None, high: float | None
) -> None:
    """To send everything there would score lower than retrieval alone, and read more."""
    (crossing,) = crossovers(trial_frame(run("cliff at 16k")))
    assert crossing.below is not None
    higher = replace(crossing.below, estimate=0.2, low=low, high=high)
    gaps = tuple(replace(gap, lead=higher) if gap.length < 16_000 else gap for gap in crossing.gaps)
    said = crossover_words(replace(crossing, gaps=gaps, below=higher), "document")
    assert said.advice == ("Send what dos retrieves, at every length: below 16k it scores no lower, for less")
    dear = replace(gaps[0], retrieval=replace(gaps[0].retrieval, prompt_tokens=9e9, cost=9.0))
    dearer = crossover_words(replace(crossing, gaps=(dear, *gaps[1:]), below=higher), "document")
    assert dearer.advice.startswith("Send everything up to 8k and ")
    # What dos sends there is not what is to be sent, and not told.
    assert dearer.advice.endswith(" for dos, which takes more at lengths below 16k")
    behind = replace(gaps[0], lead=replace(higher, clusters=9, low=-2.0, high=-0.05))
    worse = crossover_words(replace(crossing, gaps=(behind, *gaps[1:]), below=higher), "document")
    assert worse.advice.endswith(" for dos; at 4k full context is clearly ahead")


def test_retrieval_that_sent_everything_is_said_to_have_done_so() -> None:
    # 27 seeds of two needle sets: fewer ties than 53 clusters do not show that nothing is lost.
    twins = [each for each in run("never", 27) if each.strategy == "lc"]

    def advice(sends: Callable[[TrialRecord], int]) -> str:
        dos = [replace(each, strategy="dos", prompt_tokens=sends(each)) for each in twins]
        return words([*twins, *dos]).advice

    assert advice(lambda each: (each.prompt_tokens or 0) + 3).endswith(
        "; at every length dos sent the whole context"
    )
    assert advice(lambda each: min(each.prompt_tokens or 0, 8000)).endswith(
        "; at 4k and 8k dos sent the whole context"
    )
    assert "whole" not in advice(lambda each: 2000)
    few = [each for each in twins if each.seed == 0]
    assert words([*few, *(replace(each, strategy="dos") for each in few)]).finding.endswith(
        "; at every length dos sent the whole context"
    )


def test_of_a_run_that_is_not_done_the_first_sentence_says_of_how_many_trials() -> None:
    records = run("cliff at 16k")
    both = [place for place, each in enumerate(records) if each.strategy in ("lc", "dos")]

    def without(count: int) -> str:
        gone = set(both[len(both) - count :])
        left = [
            replace(each, outcome="not_run", score=None) if place in gone else each
            for place, each in enumerate(records)
        ]
        return words(left).finding

    # 2 needle sets x 8 seeds x 3 depths x 6 lengths x 2 sides.
    assert len(both) == 576
    assert without(58).startswith("From 518 of 576 planned trials, full context falls behind dos from ")
    assert without(57).startswith("Full context falls behind dos from "), "fewer than one in ten"


def test_a_start_that_is_sure_and_clear_alone_is_told_as_one_length() -> None:
    (crossing,) = crossovers(trial_frame(run("cliff at 16k")))
    sure = crossover_words(replace(crossing, latest=crossing.length), "case").finding
    assert sure.startswith("Full context falls behind dos from 16k tokens on, by ")
    clear = tuple(
        replace(gap, lead=replace(gap.lead, low=0.3)) if gap.length == 16_000 else gap
        for gap in crossing.gaps
    )
    alone = crossover_words(replace(crossing, gaps=clear), "case").finding
    assert alone.startswith("Full context falls behind dos from 16k tokens on (95 %: 16k to 32k), by ")


def test_retrieval_that_takes_as_much_is_not_dearer() -> None:
    """Of two readers whose tokens below are alike, none is told to send everything there."""
    (crossing,) = crossovers(trial_frame(run("cliff at 16k")))
    assert crossing.below is not None
    level = replace(crossing.below, estimate=0.0, low=0.0, high=0.0)

    def advice(tokens: float) -> str:
        gaps = tuple(
            replace(
                gap,
                lead=level,
                retrieval=replace(gap.retrieval, prompt_tokens=tokens * gap.length, cost=None),
            )
            if gap.length < 16_000
            else gap
            for gap in crossing.gaps
        )
        return crossover_words(replace(crossing, gaps=gaps, below=level), "case").advice

    same = "Send what dos retrieves, at every length: below 16k it scores no lower, for no more"
    assert all(
        advice(tokens).startswith(f"{same}; at 4k and 8k dos sent the whole") for tokens in (1.0, 1.05)
    )
    assert advice(0.9).endswith("for less")
    assert advice(1.06).startswith("Send everything up to 8k and ")


def test_of_one_cluster_a_mean_that_is_no_lower_is_as_good() -> None:
    (seed, *_) = {each.seed for each in run("cliff at 16k")}
    one = [each for each in run("cliff at 16k") if each.seed == seed and each.needle_set == "pizza"]
    brief = [replace(each, strategy="topk", prompt_tokens=500) for each in one if each.strategy == "dos"]
    lower = [replace(each, strategy="mixpr", prompt_tokens=9, score=1) for each in brief]
    said = words([*(each for each in one if each.strategy in ("lc", "dos")), *brief, *lower])
    assert said.finding.startswith("Not sure: full context scores ")
    assert said.finding.endswith(", from one seed of one needle set alone")
    assert said.strategy == "topk"


def test_an_application_is_sent_the_question_and_retrieves_nothing() -> None:
    own = [
        replace(each, strategy="app", definition="system:py:my_app:answer")
        if each.strategy == "dos"
        else each
        for each in run("cliff at 16k")
    ]
    assert words(own).advice.startswith(
        "Send everything up to 8k and each question to app from 16k on: mean "
    )


def test_the_length_the_lead_the_advice_and_the_price() -> None:
    said = words(run("cliff at 16k"))
    assert said.finding.startswith(
        "Full context falls behind dos from 16k or 32k tokens on (95 %: 16k to 32k), "
    )
    assert said.unsure == "Whether dos or full context is better at 8k and 16k, each taken alone"
    assert "; below 16k it is ahead by " in said.finding
    assert said.advice.startswith("Send everything up to 8k and what dos retrieves from 16k on: mean ")
    last = said.lengths[-1]
    assert (last.length, last.leader, last.send) == ("128k", "retrieval", "retrieval")
    assert (last.context_takes, last.retrieval_takes) == ("128k · 0.13", "2.0k · 0.002")
    assert said.lengths[0].send == "everything"
    # 4k, 8k, then four times 2k; 252k for the six full contexts.
    assert said.advice_price == (
        "That takes 3.3k prompt tokens (0.0033 USD) a question, all lengths alike;"
        " full context everywhere 42.0k prompt tokens (0.042 USD)"
    )


def test_the_lead_of_several_lengths_is_told_apart_from_that_of_each() -> None:
    (crossing,) = crossovers(trial_frame(run("cliff at 16k")))
    above = crossing.above
    assert above is not None
    said = crossover_words(crossing, "case")
    # 2 needle sets x 8 seeds x 3 depths at 16k, 32k, 64k and 128k.
    assert said.together == (
        f"{above.estimate:+.1f} is the lead over the 192 pairs from 16k on together;"
        " each row has that of its length"
    )
    one = replace(crossing, gaps=crossing.gaps[:3])
    assert [gap.length for gap in one.gaps][-1] == one.length
    assert crossover_words(one, "case").together == ""


def test_a_crossover_that_is_not_sure_is_given_with_where_else_it_may_lie() -> None:
    said = words([each for each in run("slope through 16k", 6) if each.context_length != 16_000])
    assert said.finding.startswith(
        "Full context falls behind dos from 32k or 64k tokens on (95 %: 32k to 64k), by "
    )


def test_full_context_that_never_falls_behind_is_recommended() -> None:
    said = words(run("never"))
    assert said.finding.startswith(
        "Full context is ahead of dos, the best retrieval, over all lengths up to 128k: by "
    )
    assert said.advice == "Send everything up to 128k"
    assert said.advice_price == (
        "That takes 42.0k prompt tokens (0.042 USD) a question, all lengths alike;"
        " dos takes 2.0k prompt tokens (0.002 USD) and scores 1.3 (95 %: 0.6 to 2.0) lower"
    )


def test_retrieval_that_is_always_ahead_is_recommended() -> None:
    said = words(run("always"))
    assert said.finding.startswith("Full context falls behind dos at every length, by ")
    assert said.advice == "Send what dos retrieves, at every length that was asked"
    few = words(run("always", 3))
    assert few.finding.startswith(
        "Full context falls behind dos at every length (95 %: at least from 8k on), by "
    )


def test_sides_that_are_level_are_told_apart_by_what_they_take() -> None:
    # 27 seeds of two needle sets: fewer ties than 53 clusters do not show that nothing is lost.
    twins = [each for each in run("never", 27) if each.strategy == "lc"]
    said = words([*twins, *(replace(each, strategy="dos", prompt_tokens=2000) for each in twins)])
    assert said.finding.startswith(
        "Full context falls behind no retrieval up to 128k; the lead of dos is +0.0"
    )
    assert (
        said.advice
        == "Send what dos retrieves, at every length: it reads about as well for less: it loses at most 0.5"
    )


def test_of_several_that_are_level_the_one_that_reads_least_is_named() -> None:
    # 27 seeds of two needle sets: fewer ties than 53 clusters do not show that nothing is lost.
    twins = [each for each in run("never", 27) if each.strategy == "lc"]
    said = words(
        [
            *twins,
            *(replace(each, strategy="dos", prompt_tokens=9000) for each in twins),
            *(replace(each, strategy="topk", prompt_tokens=2000) for each in twins),
            *(replace(each, strategy="half", prompt_tokens=1000, score=1) for each in twins),
        ]
    )
    assert (
        said.advice
        == "Send what topk retrieves, at every length: it reads about as well for less: it loses at most 0.5"
    )


def test_few_seeds_give_no_advice() -> None:
    said = words(run("cliff at 16k", 1))
    assert said.finding.startswith("Not sure: full context scores ")
    assert said.finding.endswith(", from 2 needle sets of one seed: too few to tell")
    two = words([each for each in run("cliff at 16k", 2) if each.needle_set == "pizza"])
    assert two.finding.endswith(", from 2 seeds of one needle set: too few to tell")
    four = words(run("cliff at 16k", 2))
    assert four.finding.endswith(", from 4 pairs of needle set and seed: too few to tell")
    assert said.brief.behind.startswith("perhaps from ")
    assert said.advice == ""


def test_lengths_that_were_not_read_are_named() -> None:
    records = [
        replace(each, outcome="overflow", score=None) if each.strategy == "lc" and long else each
        for each in run("cliff at 16k")
        for long in [each.context_length > 32_000]
    ]
    assert words(records).finding.endswith("; at 64k, 128k no answer from full context was scored")
    few = [each for each in records if each.seed in (records[0].seed, None)]
    said = words(few)
    assert said.advice == "Send what dos retrieves at 64k, 128k; elsewhere too few to tell"
    assert (said.advice_price, said.brief.takes) == ("", "")
    assert said.brief.send == "too few to tell; dos at 64k, 128k"
    assert [each.send for each in said.lengths] == [""] * 4 + ["retrieval"] * 2


def test_lengths_that_ask_fewer_needle_sets_are_told_apart() -> None:
    records = run("cliff at 16k")
    assert words(records).other_questions == ""

    def without(name: str, *lengths: int) -> list[TrialRecord]:
        return [each for each in records if each.needle_set != name or each.context_length not in lengths]

    assert words(without("potion", 64_000, 128_000)).other_questions == (
        "Means at 64k and 128k are of pizza alone: other questions than at the other lengths"
    )
    third = [replace(each, needle_set="gates", trial_id=f"{each.trial_id} 3") for each in records]
    assert words(without("potion", 4_000) + third).other_questions == (
        "Means at 4k are without potion: other questions than at the other lengths"
    )


@pytest.mark.parametrize(
    ("world", "behind", "send"),
    [
        ("cliff at 16k", "from 16k or 32k on", "everything up to 8k, dos from 16k on"),
        ("never", "nowhere up to 128k", "everything"),
        ("always", "at every length", "dos"),
    ],
)
def test_a_row_among_all_readers_says_the_same_briefly(world: str, behind: str, send: str) -> None:
    said = words(run(world))
    assert (said.brief.behind, said.brief.send) == (behind, send)
    assert said.brief.lead.startswith("dos -" if world == "never" else "dos +")
    assert said.brief.takes


@pytest.mark.parametrize("side", ["lc", "dos"])
def test_one_side_alone_says_nothing(side: str) -> None:
    (line,) = headlines(trial_frame([each for each in run("never", 2) if each.strategy == side]))
    assert line.crossover is None


def undecided(*leads: tuple[float, float, float]) -> Crossover:
    """A reader whose switch from 16k on luck could make, with its leads at the first lengths."""
    (crossing,) = crossovers(trial_frame(run("cliff at 16k")))
    assert crossing.above
    unclear = replace(crossing.above, estimate=1.8, low=-1.5, high=5.1)
    gaps = tuple(
        replace(gap, lead=replace(gap.lead, estimate=estimate, low=low, high=high))
        for gap, (estimate, low, high) in zip(crossing.gaps, leads, strict=False)
    )
    return replace(crossing, gaps=gaps, above=unclear)


def test_a_side_that_is_clearly_ahead_at_a_length_is_sent_there_though_the_rest_is_open() -> None:
    crossing = undecided((-0.9, -1.7, -0.2), (0.0, -0.9, 1.0), (1.8, -1.5, 5.1))
    said = crossover_words(crossing, "needle set and seed")
    assert [each.send for each in said.lengths] == ["everything", "either", "either"]
    assert said.advice == ("Send everything at 4k; elsewhere neither full context nor dos is clearly better")
    assert said.brief.send == "everything at 4k; elsewhere either"
    assert said.is_decided
    assert said.advice_price == (
        "dos is cheaper there: 2.0k prompt tokens (0.002 USD) a question,"
        " full context 12.0k prompt tokens (0.012 USD)"
    )
    assert [side_to_send(crossing, gap) for gap in crossing.gaps] == ["context", "either", "either"]


def test_what_is_open_is_not_recommended_and_says_what_would_decide() -> None:
    said = crossover_words(undecided((-0.9, -1.7, 0.2), (0.0, -0.9, 1.0)), "needle set and seed")
    assert said.advice == "Neither full context nor dos is clearly better"
    assert not said.is_decided
    assert said.advice_price.startswith("dos is cheaper: 2.0k prompt tokens")
    # 16 clusters, reach 3.3 = 2.13 errors: deviation 6.19; 1.8 is 2.83 errors of it at 95.
    assert said.next_step == (
        "About 95 pairs of needle set and seed (there are 16) would decide, if the lead is as large as 1.8"
    )
    both = undecided((-0.9, -1.7, -0.2), (1.0, 0.2, 1.8))
    assert crossover_words(both, "document").advice == "Send everything at 4k and what dos retrieves at 8k"
    assert crossover_words(both, "document").next_step == ""


@pytest.mark.parametrize(("is_grid", "unit"), [(True, ""), (False, " tokens")])
def test_lengths_of_given_documents_have_their_unit(is_grid: bool, unit: str) -> None:
    """A band of them, "64k–128k", is no length that one would know for tokens."""
    (never,) = crossovers(trial_frame(run("never")))
    said = crossover_words(replace(never, is_grid=is_grid), "document")
    assert f"up to 128k{unit}" in said.finding
    assert said.brief.behind == f"nowhere up to 128k{unit}"
    alone = replace(
        never,
        is_grid=is_grid,
        gaps=(replace(never.gaps[0], length=4096),),
        lead=replace(never.lead, estimate=-2.0, low=-3.0, high=-1.0),
    )
    where = "4k" if is_grid else "2k–4k tokens"
    assert f"the best retrieval, at {where}: by" in crossover_words(alone, "document").finding
    (cliff,) = crossovers(trial_frame(run("cliff at 16k")))
    start = "16k" if is_grid else "8k–16k tokens"
    advice = crossover_words(replace(cliff, is_grid=is_grid), "document").advice
    assert f"retrieves from {start} on: mean" in advice
    assert advice.startswith(
        "Send everything up to 8k and" if is_grid else f"Send everything below {start} and"
    )
