"""What keeps a run from passing: thresholds that it falls below, an accepted run that it falls behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from niah.analysis.lengths import length_labels
from niah.api.compare import compare
from niah.api.result import Run
from niah.plots.labels import depth_label
from niah.plots.verdicts import worse_line


@dataclass(frozen=True)
class Gate:
    """A run that is held against something.

    Attributes:
        run: the run.
    """

    run: Run

    def below(
        self, mean: float, lower: float | None, missing: float, facets: Mapping[str, Any]
    ) -> Iterator[str]:
        """A line for each reader and strategy that does not reach a mean, or its lower bound.

        Args:
            mean: score, 1 to 10.
            lower: the least lower end of the 95 % interval; None asks for none.
            missing: the greatest share of trials that may have no score.
            facets: reader, strategy, length, depth, needle set: what part is looked at.

        Raises UserError where the run has no such part, and for what is no number.
        """
        readers = [facets["reader"]] if "reader" in facets else self.run.readers
        strategies = [facets["strategy"]] if "strategy" in facets else self.run.strategies
        part = {name: value for name, value in facets.items() if name not in ("reader", "strategy")}
        for reader in readers:
            for strategy in strategies:
                own = {**part, "reader": reader, "strategy": strategy}
                where = _label(own)
                outcomes = self.run.outcomes(**own)
                trials, scored = sum(outcomes.values()), outcomes["scored"]
                if not scored or trials - scored > missing * trials:
                    others = Counter({name: n for name, n in outcomes.items() if n and name != "scored"})
                    said = ", ".join(f"{n} {name}" for name, n in others.most_common())
                    yield f"{where}: {trials - scored} of {trials} trials have no score ({said})"
                    continue
                yield from _short_of(where, self.run, own, mean, lower)

    def behind(
        self, accepted: str | Path, allow_incomplete: bool, arguments: Mapping[str, Any]
    ) -> Iterator[str]:
        """Where the run got significantly worse than an accepted one, a line each.

        Args:
            accepted: a run file or its name.
            allow_incomplete: whether it may pass where there is too little to say.
            arguments: of ``niah.compare``.

        Raises UserError where the two do not compare.
        """
        found = compare(accepted, self.run, **arguments).comparison
        if found.verdict.kind == "regression":
            yield f"{found.candidate} got worse than {found.baseline}:"
            yield from (worse_line(row, found) for row in found.verdict.regressions)
        elif found.verdict.kind == "incomplete" and not allow_incomplete:
            yield f"too little to say whether {found.candidate} got worse than {found.baseline}:"
            yield from found.verdict.gaps


def _short_of(
    where: str, run: Run, facets: Mapping[str, Any], mean: float, lower: float | None
) -> Iterator[str]:
    found = run.mean(**facets)
    interval = "" if found.low is None else f" [{found.low:.2f}, {found.high:.2f}]"
    said = f"{where}: mean {found.estimate:.2f}{interval} of {found.n} trials"
    if found.estimate < mean:
        yield f"{said}: below {mean:g}"
    elif lower is not None and found.low is None:
        yield f"{said}: one cluster has no interval, whose lower end should be {lower:g}; ask more seeds"
    elif lower is not None and found.low is not None and found.low < lower:
        yield f"{said}: its lower end is below {lower:g}"


def _label(facets: Mapping[str, Any]) -> str:
    """ "simulated · lc · 16k · 50 %"."""
    parts = [facets["reader"], facets["strategy"]]
    if (length := facets.get("length")) is not None:
        parts += length_labels([length])
    if (depth := facets.get("depth")) is not None:
        parts.append(depth_label(depth))
    if (needle_set := facets.get("needle_set")) is not None:
        parts.append(needle_set)
    return " · ".join(parts)
