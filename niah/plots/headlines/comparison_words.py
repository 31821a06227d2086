"""What a comparison comes to, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.naming import worst_part
from niah.analysis.compare.rows import Row
from niah.analysis.compare.significance.flip_tests import Correction
from niah.analysis.compare.tables import difference
from niah.analysis.compare.verdict import row_label

_CORRECTIONS: Mapping[Correction, str] = {
    "holm": "step-down (Holm's, by Westfall and Young's flips)",
    "bh": "Benjamini and Hochberg's",
}
"""How p is adjusted for all rows, in words."""


def comparison_words(comparison: Comparison) -> list[str]:
    """The verdict in words: its kind, where it got worse, what is missing, what was left out."""
    return [*verdict_words(comparison), *method_words(comparison)]


def verdict_words(comparison: Comparison) -> list[str]:
    """What it comes to: its kind first, where it got worse, what is missing or would not have been seen."""
    verdict = comparison.verdict
    return [
        verdict.kind[0].upper() + verdict.kind[1:],
        *map(regression_line, verdict.regressions),
        *_where_else(comparison),
        *verdict.gaps,
        *([] if verdict.regressions else _unseen(comparison)),
    ]


def method_words(comparison: Comparison) -> list[str]:
    """How it was found: what beside a regression would not have been seen, pairs, tests, what is left out."""
    limits, every = comparison.limits, comparison.rows[0]
    several = "cluster" if every.clusters == 1 else "clusters"
    return [
        *(_unseen(comparison) if comparison.verdict.regressions else []),
        f"{comparison.pairs:,} pairs, {every.n:,} with a score in both, {every.clusters} {several};"
        f" {_alike(comparison)};"
        f" one-sided at {limits.alpha:.3g} over the table, {_CORRECTIONS[comparison.correction]}",
        *(f"only in the {each.run}: {each.trials:,} trials ({each.why})" for each in comparison.unpaired),
        *comparison.notes,
    ]


def regression_line(row: Row) -> str:
    """ "worse: simulated · full context · 16-32k: 8.10 -> 6.90, -1.20 [-1.61, -0.79], p 0.002"."""
    what = "worse" if row.measure == "score" else "more trials not scored"
    means = f"{row.baseline:.2f} -> {row.candidate:.2f}"
    return f"{what}: {row_label(row)}: {means}, {difference(row)}, p {row.adjusted:.2g}"


def _unseen(comparison: Comparison) -> Iterator[str]:
    """What a verdict without a regression does not promise."""
    unseen, drop = comparison.verdict.unseen, comparison.limits.detectable
    if unseen and not comparison.verdict.gaps:
        more = f" and {len(unseen) - 3} more" if len(unseen) > 3 else ""
        yield (
            f"a drop of {drop:g} points in one of these alone would often not be seen,"
            f" larger ones would: {', '.join(unseen[:3])}{more}"
        )


def _alike(comparison: Comparison) -> str:
    if 0 < comparison.alike == comparison.rows[0].n:
        return "every answer the same"
    return f"{comparison.alike:,} with the same answer"


def _where_else(comparison: Comparison) -> Iterator[str]:
    """Within what got worse: the part that is clearly worse than the rest, or that there is none."""
    for row in comparison.verdict.regressions:
        inside = [
            each
            for each in comparison.rows
            if each.measure == row.measure
            and len(each.parts) > len(row.parts)
            and row.parts.items() <= each.parts.items()
            and each.difference is not None
        ]
        if inside:
            worst = worst_part(row, inside, comparison.limits.alpha)
            yield (
                f"  most in {row_label(worst.row)}: {difference(worst.row)} (n = {worst.row.n:,}),"
                f" elsewhere {worst.elsewhere:+.2f}"
                if worst
                else "  everywhere alike: no part of it is clearly worse than the rest"
            )
