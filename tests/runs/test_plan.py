from dataclasses import replace

from niah.cases.case import Case
from niah.cases.samples import fingerprint_of
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from tests.samples import unbuilt


def trial(needle_set: str, length: int, depth: float, strategy: str = "lc", **changes: object) -> Trial:
    case = Case(needle_set, "essays", length, depth)
    made = Trial(unbuilt(case, fingerprint_of(case)), parse(strategy), "simulated", 0, 64)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_identity_changes_with_what_changes_the_answer() -> None:
    one = trial("ferry-lanterns", 600, 50)
    others = [
        trial("ferry-lanterns", 600, 75),
        trial("ferry-lanterns", 600, 50, "mixpr"),
        replace(one, reader="other"),
        replace(one, repeat=1),
        replace(one, sample=replace(one.sample, fingerprint="other text")),
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
