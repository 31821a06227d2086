from dataclasses import replace
from urllib.parse import parse_qs

import numpy as np

from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.pairs import pair
from niah.analysis.nights.night_verdict import NightStanding, NightVerdict, assess_night
from niah.plots.headlines.comparison.comparison_words import comparison_words
from niah.plots.headlines.night_words import night_banner, night_headline, night_lines
from tests.analysis.simulated_nights import SeedWorld, night_of_seeds

READER = "a & b#c"


def night(lost: str | None) -> NightVerdict:
    """A night on which one strategy answers nothing any more."""
    before = [replace(one, reader=READER) for one in night_of_seeds(SeedWorld(12, 12, 0), 0, 0)]
    tonight = [replace(one, score=1) if one.strategy == lost else one for one in before]
    comparison = compare_pairs(pair(before, tonight), names=("a", "b"))
    return assess_night("2026-11-22", tonight, {}, range(1, 13), {"last night": comparison}, {})


def test_a_regression_is_said_with_the_address_of_its_trials() -> None:
    strategy = night_of_seeds(SeedWorld(12, 12, 0), 0, 0)[0].strategy
    banner = night_banner(night(strategy))
    assert (banner.kind, banner.headline) == ("regression", "2026-11-22: regression")
    addresses = [parse_qs(culprit.trials.removeprefix("#")) for culprit in banner.culprits]
    comparison = night(strategy).comparisons["last night"]
    (row,) = comparison.verdict.regressions
    worst = {"set": list(comparison.worst_sets(row))}
    assert worst["set"]
    assert addresses == [{"reader": [READER], "strategy": [strategy], **worst}]
    assert all(culprit.line.startswith("worse: ") for culprit in banner.culprits)
    said = {line.strip() for line in night_lines(night(strategy))}
    assert {culprit.line for culprit in banner.culprits} <= said
    assert not {culprit.line for culprit in banner.culprits} & {line.strip() for line in banner.lines}


def test_a_quiet_night_has_no_culprits() -> None:
    banner = night_banner(night(None))
    assert (banner.kind, banner.culprits) == ("no regression", ())
    assert (
        banner.lines[0]
        == f"{len(night_of_seeds(SeedWorld(12, 12, 0), 0, 0)):,} of {night(None).asked:,} trials scored"
    )


def test_a_night_of_empty_answers_says_so() -> None:
    records = night_of_seeds(SeedWorld(2, 2, 0), 0, 0)
    tonight = [replace(one, reader=READER, error_type="empty") for one in records]
    lines = list(night_lines(assess_night("2026-11-22", tonight, {}, range(2), {}, {})))
    n = f"{len(records):,}"
    assert f"{READER}: {n} of {n} answers are empty, which the endpoint calls complete" in lines


def test_the_first_night_says_so() -> None:
    first = assess_night("2026-11-22", night_of_seeds(SeedWorld(2, 2, 0), 0, 0), {}, range(2), {}, {})
    assert night_headline(first) == "2026-11-22: the first night, nothing to compare with"


def unanswered(asked: int) -> list[str]:
    """A first night of which some trials were asked, and none was answered."""
    planned = night_of_seeds(SeedWorld(2, 2, 0), 0, 0)
    tonight = [
        replace(one, score=None, outcome="reader_error" if place < asked else "not_run")
        for place, one in enumerate(planned)
    ]
    first = assess_night("2026-11-22", tonight, {}, range(1), {}, {})
    standing = NightStanding("night-2026-11-22", accepted=False, next_reference=None)
    return [night_headline(first), *night_lines(replace(first, standing=standing))]


def test_of_a_night_without_any_answer_only_what_is_so_is_said() -> None:
    headline, counts, *others = unanswered(3)
    left = len(night_of_seeds(SeedWorld(2, 2, 0), 0, 0)) - 3
    assert headline == "2026-11-22: no trial has a score, nothing to compare with"
    assert counts == f"0 of {left + 3:,} trials scored; {left:,} not run"
    assert others == ["not accepted: the next night has nothing to be compared with"]


def test_a_night_that_is_not_whole_is_not_to_be_accepted_yet() -> None:
    whole = assess_night("2026-11-22", night_of_seeds(SeedWorld(2, 2, 0), 0, 0), {}, range(1, 3), {}, {})
    standing = NightStanding("n-2026-11-22", accepted=False, next_reference="n-2026-11-21")
    (told,) = (line for line in night_lines(replace(whole, standing=standing)) if "not accepted" in line)
    assert told.endswith("compare with tonight's level from now on: niah nightly accept n-2026-11-22")
    part = replace(whole, standing=standing, trials=whole.trials + 1)
    (told,) = (line for line in night_lines(part) if "not accepted" in line)
    assert told.endswith("it can be accepted once all of its trials are run")


def fallen(deeper: float) -> list[str]:
    """Of a reader that loses three points everywhere, and more at the start of the context."""
    before = [replace(one, score=9) for one in night_of_seeds(SeedWorld(12, 12, 0), 0, 0)]
    rng = np.random.default_rng(0)
    falls = rng.integers(1, 6, len(before))
    tonight = [
        replace(one, score=max(1, 9 - int(fall) - (deeper if one.depth == 0 else 0)))
        for one, fall in zip(before, falls, strict=True)
    ]
    words = comparison_words(compare_pairs(pair(before, tonight), names=("a", "b")))
    return [line for line in words if line.startswith("  ")]


def test_a_fall_that_is_alike_everywhere_names_no_place() -> None:
    assert fallen(0) == [
        "  everywhere alike: both strategies, all 3 lengths, all 3 depths and all 12 needle sets;"
        " none is clearly worse than the rest"
    ]


def test_within_a_place_that_is_named_the_rest_of_it_is_called_alike() -> None:
    """Not everywhere: the place itself is worse than other places."""
    before = [replace(one, score=9) for one in night_of_seeds(SeedWorld(2, 12, 0), 0, 0)]
    falls = np.random.default_rng(0).integers(1, 6, len(before))
    tonight = [
        replace(one, score=9 - int(fall)) if one.strategy == "lc" and one.depth == 50 else one
        for one, fall in zip(before, falls, strict=True)
    ]
    words = comparison_words(compare_pairs(pair(before, tonight), names=("a", "b")))
    assert any(line.startswith("worse: simulated · full context · middle: ") for line in words)
    (line,) = (line for line in words if line.startswith("  "))
    assert line == (
        "  within the middle alike: all 3 lengths and both needle sets; none is clearly worse than the rest"
    )


def test_a_place_is_named_where_it_is_clearly_worse_than_the_rest() -> None:
    (line,) = fallen(1)
    assert line.startswith("  most in simulated · both strategies · start: -4.0")
    assert " (n = 864), elsewhere -3.0" in line


def strategies_apart(anchors: int, hit: float = 50) -> list[str]:
    """Of a reader that answers nothing at one depth with full context, and all else as before."""
    before = [replace(one, score=10) for one in night_of_seeds(SeedWorld(1, anchors, 0), 0, 0)]
    tonight = [
        replace(one, score=1 + ((one.seed or 0) + one.context_length // 1000) % 3)
        if one.strategy == "lc" and one.depth == hit
        else one
        for one in before
    ]
    return comparison_words(compare_pairs(pair(before, tonight), names=("a", "b")))


def test_a_part_too_fine_for_the_table_is_named_where_the_row_that_holds_it_was_found() -> None:
    words = strategies_apart(8)
    (worse,) = (line for line in words if line.startswith("worse: "))
    assert worse.startswith("worse: simulated · both strategies · middle: 10.00 -> 5.98")
    (where,) = (line for line in words if line.startswith("  "))
    assert where.startswith("  most in simulated · full context · middle: -8.0")
    assert where.endswith("elsewhere +0.00")


def test_where_clusters_are_too_few_no_part_is_called_alike() -> None:
    """Half of one strategy's answers fall, by luck more with some seeds: nothing tells which part."""
    before = [replace(one, score=10) for one in night_of_seeds(SeedWorld(1, 7, 0), 0, 0)]
    rng = np.random.default_rng(3)
    tonight = [replace(one, score=10 if rng.random() < 0.5 else 1) for one in before]
    words = comparison_words(compare_pairs(pair(before, tonight), names=("a", "b")))
    (where,) = (line for line in words if line.startswith("  "))
    assert where == "  too few clusters to tell which part: 7, 10 are needed"
