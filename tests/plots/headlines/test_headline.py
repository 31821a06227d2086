from dataclasses import replace

import pytest

from niah.analysis.frame import trial_frame
from niah.plots.headlines.headline import headlines
from niah.runs.trial import Outcome, TrialRecord

BASE = TrialRecord("t", "c", "pizza", "essays", 1000, 0.0, 1, "lc", "simulated", 0, "scored", 10)


def trial(
    strategy: str,
    length: int,
    seed: int,
    score: int | None,
    outcome: Outcome = "scored",
    depth: float = 0.0,
) -> TrialRecord:
    case_id = f"pizza_{length}_d{depth:g}_s{seed}"
    return replace(
        BASE,
        case_id=case_id,
        depth=depth,
        strategy=strategy,
        context_length=length,
        seed=seed,
        score=score,
        outcome=outcome,
    )


def test_a_clear_lead_is_told_with_its_interval() -> None:
    # Six seeds: lc has 10 at 1k and 1 at 2k, topk 10 throughout. Every seed's difference is 4.5.
    records = [trial("lc", 1000, seed, 10) for seed in range(6)] + [
        trial("lc", 2000, seed, 1) for seed in range(6)
    ]
    records += [trial("topk", length, seed, 10) for length in (1000, 2000) for seed in range(6)]
    (line,) = headlines(trial_frame(records))
    assert (line.reader, line.best) == ("simulated", "topk")
    assert (
        line.standing
        == "mean 10 (95 %: 6.9 to 10), n = 12; ahead of full context by 4.5 (all 6 clusters alike)"
    )
    assert [(each.says, each.weakest) for each in line.blind] == [
        ("topk stays at a mean of 5 or above up to 2k tokens", ""),
        ("Full context goes blind from 2k tokens on (means below 5)", "cell 2k, depth 0 %: 1.0 (n = 6)"),
    ]
    assert line.unsure == ("Whether topk or full context is better at 1k, taken alone",)
    assert line.strategies == ("topk", "lc")
    assert line.not_scored == ""


def test_what_is_always_right_has_no_weakest_cell_nor_depth() -> None:
    records = [trial("lc", length, seed, 10) for length in (1000, 2000) for seed in range(6)]
    (line,) = headlines(trial_frame(records))
    assert [(each.weakest, each.depths) for each in line.blind] == [("", "no cell below 10")]


def test_few_seeds_tell_nothing() -> None:
    records = [
        trial(name, 1000, seed, score) for name, score in (("lc", 7), ("topk", 10)) for seed in range(2)
    ]
    (line,) = headlines(trial_frame(records))
    assert (
        line.standing
        == "mean 10, n = 2; 3.0 higher than full context, from 2 seeds of one needle set: too few to tell"
    )


def test_needle_sets_of_one_name_are_paired_apart() -> None:
    # Ahead by 10 - 10 in the one folder's and by 10 - 1 in the other's, whose cases have the same ids.
    records = [
        replace(trial(name, 1000, 1, score), needle_set=f"{folder}/pizza.yaml")
        for name, folder, score in (("lc", "a", 10), ("lc", "b", 1), ("topk", "a", 10), ("topk", "b", 10))
    ]
    (line,) = headlines(trial_frame(records))
    assert "; 4.5 higher than full context" in line.standing


def test_a_lead_that_luck_could_give_is_none() -> None:
    scores = [10, 1, 10, 1, 10, 5]
    records = [trial("lc", 1000, seed, score) for seed, score in enumerate(scores)]
    records += [trial("topk", 1000, seed, score) for seed, score in enumerate(reversed(scores))]
    records += [trial("topk", 2000, 9, 10), trial("lc", 2000, 9, 7)]
    (line,) = headlines(trial_frame(records))
    assert "not clearly ahead of" in line.standing
    assert line.unsure[0] == "Whether topk or full context is better at 1k and 2k, each taken alone"
    assert line.unsure[1].endswith("is better overall")


def test_a_dip_is_no_blindness() -> None:
    scores = {1000: 10, 2000: 3, 4000: 7}
    (line,) = headlines(trial_frame([trial("lc", length, 1, score) for length, score in scores.items()]))
    (found,) = line.blind
    assert (found.says, found.weakest) == (
        "Full context dips below 5 at 2k, and recovers",
        "cell 2k, depth 0 %: 3.0 (n = 1)",
    )


def test_the_worst_depth_over_all_lengths_is_named() -> None:
    records = [
        trial("lc", length, seed, score, depth=depth)
        for depth, score in ((0, 9), (50, 4), (100, 8))
        for length in (1000, 2000)
        for seed in range(3)
    ]
    (line,) = headlines(trial_frame(records))
    assert line.blind[0].depths == "over all lengths depth 50 % is lowest with 4.0, 0 % highest with 9.0"


def test_depths_are_compared_where_it_is_blind_and_chance_names_none() -> None:
    scores = {(1000, 0): 10, (1000, 50): 10, (2000, 0): 6, (2000, 50): 2}
    (line,) = headlines(
        trial_frame([trial("lc", length, 1, score, depth=depth) for (length, depth), score in scores.items()])
    )
    assert line.blind[0].depths == "there depth 50 % is lowest with 2.0, 0 % highest with 6.0"
    alike = [
        trial("lc", 1000, seed, 9 - (depth * seed > 50), depth=depth)
        for depth in (0, 50)
        for seed in range(3)
    ]
    (line,) = headlines(trial_frame(alike))
    assert line.blind[0].depths == "over all lengths depths differ by 0.3 at most"


def test_oracle_is_no_strategy_to_choose() -> None:
    (line,) = headlines(trial_frame([trial("oracle", 1000, 1, 10), trial("lc", 1000, 1, 3)]))
    assert line.limits_name == "Ceiling"
    assert line.best == "Full context"
    assert line.blind[0].says.startswith("Full context goes blind at every length")


def test_nobody_ships_noise() -> None:
    for noisy in ("topk+noise-0.5", "oracle+noise-0.5"):
        (line,) = headlines(trial_frame([trial(noisy, 1000, 1, 10), trial("lc", 1000, 1, 3)]))
        assert line.best == "Full context"


def test_closed_book_wins_nothing() -> None:
    (line,) = headlines(trial_frame([trial("closed-book", 1000, 1, 10), trial("lc", 1000, 1, 3)]))
    assert line.limits_name == "Floor"
    assert line.best == "Full context"


def test_what_has_no_score_is_counted_and_never_a_zero() -> None:
    records = [trial("lc", 1000, seed, 10) for seed in range(3)]
    records += [trial("lc", 1000, 7, None, "truncated"), trial("lc", 1000, 8, None, "not_run")]
    (line,) = headlines(trial_frame(records))
    assert line.standing == "mean 10, n = 3"
    of_others = "means are of the other trials alone: that of full context of 3 of 4"
    assert line.not_scored == f"Not scored: 1 truncated, 1 not run, of 5 (40 %); {of_others}"


def test_nothing_scored() -> None:
    (line,) = headlines(trial_frame([trial("lc", 1000, 1, None, "refused")]))
    assert (line.best, line.standing, line.blind) == ("", "Nothing was scored", ())
    assert line.not_scored.startswith("Not scored: 1 refused, of 1 (100 %)")


def test_no_winner_where_all_are_level() -> None:
    records = [trial(name, 1000, seed, 10) for name in ("lc", "topk", "mixpr") for seed in range(2)]
    (line,) = headlines(trial_frame(records))
    assert (line.best, line.standing) == ("", "Full context, mixpr and topk are level: mean 10, n = 2 each")
    more = [trial(name, 1000, seed, 10) for name in ("lc", "topk") for seed in range(8)]
    assert headlines(trial_frame(more))[0].standing.startswith(
        "Full context and topk are level: mean 10 (95 %: "
    )


def test_who_cannot_read_the_longest_is_not_best_overall() -> None:
    records = [trial("lc", 1000, seed, 10) for seed in range(6)]
    records += [trial("lc", 2000, seed, None, "overflow") for seed in range(6)]
    records += [trial("topk", length, seed, 7) for length in (1000, 2000) for seed in range(6)]
    (line,) = headlines(trial_frame(records))
    assert line.best == "topk"
    # What full context cannot read is sent in chunks; at 1k full context is ahead by 3.
    assert line.crossover
    assert line.crossover.advice == "Send everything up to 1k, and what topk retrieves at 2k"
    assert [each.send for each in line.crossover.lengths] == ["everything", "retrieval"]


def test_floor_and_ceiling_and_what_it_took() -> None:
    records = [trial("lc", 1000, 1, 7), trial("oracle", 1000, 1, 10), trial("closed-book", 1000, 1, 1)]
    priced = [replace(each, prompt_tokens=1200, cost=0.5) for each in records]
    (line,) = headlines(trial_frame(priced))
    assert line.limits == (
        "Without any context 1.0 (closed-book, n = 1), near 1, the least there is; "
        "with the right chunks alone 10 (oracle, n = 1)"
    )
    assert line.took == "1.50 USD, 3.6k prompt tokens"
    known = [replace(each, score=5) if each.strategy == "closed-book" else each for each in records]
    (line,) = headlines(trial_frame(known))
    assert line.limits.startswith("Without any context 5.0 (closed-book, n = 1), so some is known unread")
    assert line.took == ""


def test_a_depth_that_others_make_good_is_a_blind_spot() -> None:
    records = [
        trial("lc", length, seed, 2 if depth == 50 and length >= blind_from else 10, depth=depth)
        for blind_from in (2000,)
        for depth in (0, 50, 100)
        for length in (1000, 2000, 4000)
        for seed in range(3)
    ]
    (line,) = headlines(trial_frame(records))
    (found,) = line.blind
    assert found.says == (
        "Full context is blind at depth 50 % from 2k tokens on: mean 2.0, n = 6"
        " (below 5; over all depths it is not)"
    )


def test_a_single_cell_is_no_blind_spot() -> None:
    records = [
        trial("lc", length, seed, 2 if (depth, length) == (50, 4000) else 10, depth=depth)
        for depth in (0, 50, 100)
        for length in (1000, 4000)
        for seed in range(4)
    ]
    (line,) = headlines(trial_frame(records))
    assert line.blind[0].says == (
        "Full context stays at a mean of 5 or above up to 4k tokens, though not in every cell"
    )


@pytest.mark.parametrize(
    ("means", "says"),
    [
        ((9, 8, 4, 4), "2k, all 2 depths alike: 4.0 (n = 4)"),
        ((4, 8, 9, 4), "cell 1k, depth 0 %: 4.0 (n = 2) and 1 more"),
        ((4, 8, 9, 9), "cell 1k, depth 0 %: 4.0 (n = 2)"),
        ((4, 4, 4, 4), "cell: none, all 4 have 4.0"),
    ],
)
def test_cells_that_are_as_weak_are_told(means: tuple[int, ...], says: str) -> None:
    places = [(length, depth) for length in (1000, 2000) for depth in (0.0, 50.0)]
    records = [
        replace(trial("lc", length, seed, mean), depth=depth, trial_id=f"{length} {depth} {seed}")
        for (length, depth), mean in zip(places, means, strict=True)
        for seed in range(2)
    ]
    (line,) = headlines(trial_frame(records))
    assert [each.weakest for each in line.blind] == [says]


def test_why_another_strategy_than_the_best_stands_beside_full_context() -> None:
    # dos is best over all lengths; what half brings from 2k on, where full context fails, is more.
    scores = {"lc": (10, 1), "dos": (10, 7), "half": (3, 10)}
    records = [
        trial(name, length, seed, score)
        for name, pair in scores.items()
        for length, score in zip((1000, 2000), pair, strict=True)
        for seed in range(6)
    ]
    (line,) = headlines(trial_frame(records))
    assert line.best == "dos"
    assert line.crossover
    assert line.crossover.strategy == "half"
    assert line.standing.endswith("; beside full context stands half, which gains most on it from 2k on")


def test_what_was_kept_was_not_paid_for() -> None:
    paid = replace(BASE, cost=0.5, prompt_tokens=1200)
    reused = replace(paid, from_cache=True, reused_from="2026-11-28T09:05:00Z")
    (line,) = headlines(trial_frame([paid, reused, replace(reused, repeat=1)]))
    earlier = "2 of 3 answers are from an earlier run (28 Nov 09:05)"
    assert line.took == f"{earlier}; 0.50 USD, 1.2k prompt tokens"


def test_equal_requests_of_one_run_are_answered_once() -> None:
    paid = replace(BASE, cost=0.5, prompt_tokens=1200, latency_s=1.25)
    same = replace(paid, from_cache=True)
    (line,) = headlines(trial_frame([paid, same, same]))
    assert line.took == "0.50 USD, 1.2k prompt tokens; 2 trials ask what others ask: answered once"


def test_of_strategies_with_one_mean_the_one_that_reads_least_is_first() -> None:
    records = [
        replace(trial(name, 1000, seed, 8), prompt_tokens=tokens)
        for name, tokens in (("dos", 900), ("half", 300), ("mixpr", None))
        for seed in range(4)
    ]
    (line,) = headlines(trial_frame(records))
    assert line.strategies == ("half",)
    assert line.standing.startswith("half, dos and mixpr are level: mean 8.0")


@pytest.mark.parametrize(("oracle", "is_said"), [((5, 6), True), ((10, 10), False), ((9, 10), False)])
def test_a_ceiling_that_lies_below_full_context_is_remarked_on(
    oracle: tuple[int, int], is_said: bool
) -> None:
    records = [
        trial(name, length, seed, scores[seed % 2])
        for name, scores in (("lc", (10, 9)), ("oracle", oracle))
        for length in (1000, 2000)
        for seed in range(8)
    ]
    (line,) = headlines(trial_frame(records))
    assert ("so it is reading short prompts that fails" in line.limits) is is_said, line.limits
