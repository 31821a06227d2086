from dataclasses import replace
from itertools import pairwise

from niah.cases.assembly import build
from niah.cases.case import Case
from niah.runs.plan import fingerprint, in_prefix_order
from niah.runs.trial import Trial
from niah.strategies.strategy import parse


def trial(needle_set: str, length: int, depth: float, strategy: str = "lc", **changes: object) -> Trial:
    case = Case(needle_set, "essays", length, depth)
    made = Trial(case, parse(strategy), "simulated", 0, fingerprint(case), 64)
    return replace(made, **changes)  # type: ignore[arg-type]


def grid(strategies: tuple[str, ...] = ("lc", "mixpr")) -> list[Trial]:
    return [
        trial(needle_set, length, depth, strategy)
        for needle_set in ("ferry-lanterns", "three-gates")
        for length in (600, 1200)
        for depth in (0, 25, 50, 75, 100)
        for strategy in strategies
    ]


def test_identity_changes_with_what_changes_the_answer() -> None:
    one = trial("ferry-lanterns", 600, 50)
    others = [
        trial("ferry-lanterns", 600, 75),
        trial("ferry-lanterns", 600, 50, "mixpr"),
        replace(one, reader="other"),
        replace(one, repeat=1),
        replace(one, fingerprint="other text"),
        replace(one, max_tokens=65),
        replace(one, temperature=0.5),
    ]
    assert len({t.trial_id for t in (one, *others)}) == 1 + len(others)
    assert trial("ferry-lanterns", 600, 50).trial_id == one.trial_id


def test_two_names_of_one_strategy_are_one_trial() -> None:
    assert (
        trial("ferry-lanterns", 600, 50, "topk").trial_id
        == trial("ferry-lanterns", 600, 50, "minilm/top-auto/norm").trial_id
    )


def test_ordering_keeps_every_trial() -> None:
    assert sorted(t.trial_id for t in in_prefix_order(grid())) == sorted(t.trial_id for t in grid())


def new_characters(trials: list[Trial]) -> int:
    """What a cache that remembers the last prompt has to read."""
    texts = ["", *(build(t.case).text for t in trials)]
    return sum(len(text) - shared(last, text) for last, text in pairwise(texts))


def shared(one: str, other: str) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def test_neighbours_share_their_prefix() -> None:
    planned = grid(("lc",))
    # By hand, for one length, two needle sets and five depths: 1 + 0 + 2 (1/4 + 2/4 + 3/4 + 1) = 6 of 10.
    everything = sum(len(build(t.case).text) for t in planned)
    assert 0.5 < new_characters(in_prefix_order(planned)) / everything < 0.66
    assert new_characters(in_prefix_order(planned)) < new_characters(planned)
