"""How much higher one strategy scores than another, in Python."""

from __future__ import annotations

import pytest

import niah
from niah.analysis.crossover import crossovers
from niah.analysis.frame import trial_frame

RETRIEVAL = "bm25/top-5/norm"


@pytest.mark.usefixtures("asked")
def test_a_lead_over_full_context_is_that_of_the_report() -> None:
    run = niah.load_run("small-run")
    (found,) = crossovers(trial_frame(run.contents.records, run.contents.samples))
    lead = run.lead(RETRIEVAL, over="lc")
    assert lead == found.lead
    assert lead.n == 32
    behind = run.lead("lc", over=RETRIEVAL)
    assert (behind.estimate, behind.n) == (-lead.estimate, lead.n)


@pytest.mark.usefixtures("asked")
def test_a_lead_is_over_the_trials_asked_for() -> None:
    run, frame = niah.load_run("small-run"), niah.load_run("small-run").frame()
    part = frame[(frame["length"] == 512) & (frame["depth"] == 0)]
    means = part.groupby("strategy", observed=True)["score"].mean()
    lead = run.lead(RETRIEVAL, "lc", length=512, depth=0)
    assert lead.n == len(part) / 2
    assert lead.estimate == pytest.approx(means[RETRIEVAL] - means["lc"])


@pytest.mark.usefixtures("asked")
def test_what_makes_no_pairs_is_one_line() -> None:
    run = niah.load_run("small-run")
    with pytest.raises(
        niah.UserError, match=r"no strategy in runs/small-run\.sqlite called 'bm25/top-6/norm'"
    ):
        run.lead("bm25/top-6/norm", over="lc")
    with pytest.raises(niah.UserError, match=r"are both 'lc', which does not lead itself\. Name another"):
        run.lead("lc", over="lc")
