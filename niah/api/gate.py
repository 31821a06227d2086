"""What keeps a run from passing: thresholds that it falls below, an accepted run that it falls behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from niah.analysis.lengths import length_labels
from niah.api.compare import compare
from niah.api.result import Run
from niah.plots.labels import depth_label
from niah.plots.verdicts import worse_line


def below(
    run: Run, mean: float, lower: float | None, missing: float, facets: dict[str, Any]
) -> Iterator[str]:
    """A line for each model and strategy that does not reach a mean score, or its lower bound.

    Args:
        run: the run.
        mean: score, 1 to 10.
        lower: the least lower end of the 95 % interval; None asks for none.
        missing: the greatest share of trials that may have no score.
        facets: reader, strategy, length, depth, needle set: what part is looked at.

    Raises UserError where the run has no such part.
    """
    readers = [facets["reader"]] if "reader" in facets else run.readers
    strategies = [facets["strategy"]] if "strategy" in facets else run.strategies
    for reader, strategy in ((reader, strategy) for reader in readers for strategy in strategies):
        own = {**facets, "reader": reader, "strategy": strategy}
        outcomes = run.outcomes(**own)
        trials, scored = outcomes.total(), outcomes["scored"]
        if not scored or trials - scored > missing * trials:
            others = ", ".join(f"{n} {name}" for name, n in outcomes.most_common() if name != "scored" and n)
            yield f"{_label(own)}: {trials - scored} of {trials} trials have no score ({others})"
            continue
        found = run.mean(**own)
        interval = "" if found.low is None else f" [{found.low:.2f}, {found.high:.2f}]"
        said = f"{_label(own)}: mean {found.estimate:.2f}{interval} of {found.n} trials"
        if found.estimate < mean:
            yield f"{said}: below {mean:g}"
        elif lower is not None and found.low is None:
            yield f"{said}: too few clusters for an interval, whose lower end should be {lower:g}"
        elif lower is not None and found.low is not None and found.low < lower:
            yield f"{said}: its lower end is below {lower:g}"


def behind(
    run: Run, accepted: str | Path, allow_incomplete: bool, arguments: dict[str, Any]
) -> Iterator[str]:
    """Where the run got significantly worse than an accepted one, a line each.

    ``allow_incomplete`` lets it pass where there is too little to say; ``arguments`` are those of
    ``niah.compare``. Raises UserError where the two do not compare.
    """
    found = compare(accepted, run, **arguments).comparison
    if found.verdict.kind == "regression":
        yield f"{found.candidate} got worse than {found.baseline}:"
        yield from (worse_line(row, found) for row in found.verdict.regressions)
    elif found.verdict.kind == "incomplete" and not allow_incomplete:
        yield f"too little to say whether {found.candidate} got worse than {found.baseline}:"
        yield from found.verdict.gaps


def _label(facets: dict[str, Any]) -> str:
    """ "simulated · lc · 16k · 50 %"."""
    parts = [facets["reader"], facets["strategy"]]
    if (length := facets.get("length")) is not None:
        parts += length_labels([length])
    if (depth := facets.get("depth")) is not None:
        parts.append(depth_label(depth))
    return " · ".join([*parts, *([facets["needle_set"]] if facets.get("needle_set") else [])])
