"""Two models side by side, in words: which is better, by how much, how sure that is, and where."""

from __future__ import annotations

from collections.abc import Iterator

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.rows import Row
from niah.analysis.compare.tables import difference
from niah.analysis.compare.verdict import whole_label
from niah.plots.headlines.comparison.where_words import turned_row, where_words


def model_verdict(comparison: Comparison) -> str:
    """One line: "weak is worse than strong"."""
    first, second = comparison.readers or ("", "")
    worse, better = comparison.verdict.regressions, _other(comparison).verdict.regressions
    if worse and better:
        return f"{second} is worse than {first} in some parts, and better in others"
    if worse or better:
        return f"{second} is {'worse' if worse else 'better'} than {first}"
    if comparison.verdict.kind == "incomplete":
        return f"Too little to say whether {first} or {second} is better"
    return f"Neither {first} nor {second} is clearly better"


def is_decided(comparison: Comparison) -> bool:
    """Whether the candidate is worse somewhere, or of two models either of them."""
    other = comparison.other_way
    return bool(comparison.verdict.regressions or (other and other.verdict.regressions))


def model_verdict_words(comparison: Comparison) -> list[str]:
    """The verdict, both means, where the second is worse and where better, and what is missing."""
    every = comparison.rows[0]
    return [
        model_verdict(comparison),
        f"over {whole_label(every, comparison.rows)}: {_means(every, comparison.readers)}",
        *_told(comparison, is_better=False),
        *_told(_other(comparison), is_better=True),
        *comparison.verdict.gaps,
    ]


def model_line(row: Row, comparison: Comparison) -> str:
    """ "weak is worse: all 2 strategies · middle: strong 10.00, weak 7.71, -2.29 [-2.95, -1.63], p 0.0078".

    Args:
        row: in which the second model is worse.
        comparison: whose row it is.
    """
    return _line(row, comparison, is_better=False)


def _line(row: Row, comparison: Comparison, *, is_better: bool) -> str:
    readers = comparison.readers or ("", "")
    label = whole_label(row, comparison.rows)
    seen, models = (turned_row(row), readers[::-1]) if is_better else (row, readers)
    score, failing = ("better", "fewer") if is_better else ("worse", "more")
    what = f"is {score}" if row.measure == "score" else f"has {failing} trials not scored"
    p = min(1.0, 2 * (row.adjusted or 0.0))
    return f"{models[1]} {what}: {label}: {_means(seen, models)}, p {p:.2g}"


def _told(comparison: Comparison, *, is_better: bool) -> Iterator[str]:
    """Of one way: the rows in which the candidate is worse, and where within them."""
    for row in comparison.verdict.regressions:
        yield _line(row, comparison, is_better=is_better)
        yield from where_words(row, comparison, turned=is_better)


def _means(row: Row, models: tuple[str, str] | None) -> str:
    first, second = models or ("", "")
    if row.baseline is None or row.candidate is None:
        return "no pair has a score in both"
    return f"{first} {row.baseline:.2f}, {second} {row.candidate:.2f}, {difference(row)}"


def _other(comparison: Comparison) -> Comparison:
    assert comparison.other_way is not None
    return comparison.other_way
