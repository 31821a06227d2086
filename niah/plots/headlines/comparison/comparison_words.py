"""What a comparison comes to, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from niah.analysis.compare.axes import THIRDS
from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.rows import Row
from niah.analysis.compare.significance.flip_tests import Correction
from niah.analysis.compare.tables import difference
from niah.analysis.compare.verdict import whole_label
from niah.plots.headlines.comparison.model_words import is_decided, model_line, model_verdict_words
from niah.plots.headlines.comparison.where_words import where_words

_CORRECTIONS: Mapping[Correction, str] = {
    "holm": "step-down (Holm's, by Westfall and Young's flips)",
    "bh": "Benjamini and Hochberg's",
}
"""How p is adjusted for all rows, in words."""
_THIRDS_NOTE = (
    f"{', '.join(THIRDS[:-1])} and {THIRDS[-1]}: thirds of the context, by the depth of the first needle"
)


def comparison_words(comparison: Comparison) -> list[str]:
    """The verdict in words: its kind, where it got worse, what is missing, what was left out."""
    return [*verdict_words(comparison), *method_words(comparison)]


def verdict_words(comparison: Comparison) -> list[str]:
    """What it comes to: its kind first, where it got worse, what is missing or would not have been seen."""
    verdict = comparison.verdict
    if comparison.readers:
        return [*model_verdict_words(comparison), *([] if is_decided(comparison) else _unseen(comparison))]
    return [
        verdict.kind[0].upper() + verdict.kind[1:],
        *(
            line
            for row in verdict.regressions
            for line in (regression_line(row, comparison), *where_words(row, comparison))
        ),
        *verdict.gaps,
        *([] if verdict.regressions else _unseen(comparison)),
    ]


def method_words(comparison: Comparison) -> list[str]:
    """How it was found: what beside a regression would not have been seen, pairs, tests, what is left out."""
    limits, every = comparison.limits, comparison.rows[0]
    several = "cluster" if every.clusters == 1 else "clusters"
    one, other = comparison.readers or ("in the baseline", "in the candidate")
    sides = {"baseline": one, "candidate": other}
    way = "each way" if comparison.readers else "one-sided"
    return [
        *(_unseen(comparison) if is_decided(comparison) else []),
        f"{comparison.pairs:,} pairs, {every.n:,} with a score in both, {every.clusters} {several};"
        f" {_alike(comparison)};"
        f" {way} at {limits.alpha:.3g} over the table, {_CORRECTIONS[comparison.correction]}",
        *(f"only {sides[each.run]}: {each.trials:,} trials ({each.why})" for each in comparison.unpaired),
        *([_THIRDS_NOTE] if any("depth" in row.parts for row in comparison.rows) else []),
        *comparison.notes,
    ]


def regression_line(row: Row, comparison: Comparison) -> str:
    """ "worse: simulated · full context · 16-32k: 8.10 -> 6.90, -1.20 [-1.61, -0.79], p 0.002"."""
    if comparison.readers:
        return model_line(row, comparison)
    what = "worse" if row.measure == "score" else "more trials not scored"
    means = f"{row.baseline:.2f} -> {row.candidate:.2f}"
    return f"{what}: {whole_label(row, comparison.rows)}: {means}, {difference(row)}, p {row.adjusted:.2g}"


def _unseen(comparison: Comparison) -> Iterator[str]:
    """What a verdict without a regression does not promise."""
    unseen, drop = comparison.verdict.unseen, comparison.limits.detectable
    if unseen and not comparison.verdict.gaps:
        more = f" and {len(unseen) - 3} more" if len(unseen) > 3 else ""
        change = "lead" if comparison.readers else "drop"
        yield (
            f"a {change} of {drop:g} points in one of these alone would often not be seen,"
            f" larger ones would: {', '.join(unseen[:3])}{more}"
        )


def _alike(comparison: Comparison) -> str:
    if 0 < comparison.alike == comparison.rows[0].n:
        return "every answer the same"
    return f"{comparison.alike:,} with the same answer"
