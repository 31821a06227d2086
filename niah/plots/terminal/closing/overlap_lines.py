"""That a metric of shared words gives long answers little, where it does."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from statistics import fmean

from niah.judges.registry import find_rule_judge, rules_for
from niah.plots.kit.labels import mean_label
from niah.runs.file.read_model import RunContents

OVERLAP = "squad-f1"
CONTAINED = "contained-match"
_APART = 2.0
"""Points of the mean from which on the two differ much: then it matters which of them is asked."""
_FEWEST = 5


def overlap_lines(run: RunContents) -> Iterator[str]:
    """One line where answers that squad-f1 judged score much higher by whether they hold the reference."""
    contained = find_rule_judge(CONTAINED)
    both = [
        (record.score, contained.verdict(record.answer, run.samples[record.case_id].key).score)
        for record in run.records
        if record.outcome == "scored"
        and record.score is not None
        and _is_judged_by_overlap(run, record.case_id)
    ]
    if len(both) < _FEWEST:
        return
    overlap, held = (fmean(scores) for scores in zip(*both, strict=True))
    if held - overlap >= _APART:
        judge = f"auto:{CONTAINED}" if run.judge == "auto" else CONTAINED
        yield (
            f"{OVERLAP} gives long answers little: mean {mean_label(overlap)} of {len(both):,} free answers,"
            f" {CONTAINED} {mean_label(held)}. niah judge {quote(str(run.path))} --judge {judge} --primary,"
            f" or an LLM in its place, judges them anew; judge: {judge} in the config does so from the start."
        )


def _is_judged_by_overlap(run: RunContents, case_id: str) -> bool:
    key = run.samples[case_id].key
    return run.judge == OVERLAP or (run.judge == "auto" and rules_for(key).name == OVERLAP)
