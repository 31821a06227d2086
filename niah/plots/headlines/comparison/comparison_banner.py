"""What a page of two runs says first: whether the later one is worse, and where."""

from __future__ import annotations

from urllib.parse import urlencode

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.rows import Row
from niah.plots.headlines.comparison.comparison_words import method_words, regression_line, verdict_words
from niah.plots.headlines.night_words import Banner, Culprit, page_filters


def comparison_banner(comparison: Comparison, earlier: str, later: str) -> Banner:
    """The verdict on the page that shows both runs.

    Args:
        comparison: of the runs.
        earlier, later: their names.
    """
    kind, *lines = verdict_words(comparison)
    worse = {
        regression_line(row, comparison): _address(row, comparison, later)
        for row in comparison.verdict.regressions
    }
    return Banner(
        comparison.verdict.kind,
        f"{later} against {earlier}: {kind[0].lower()}{kind[1:]}",
        tuple(Culprit(line, address, "") for line, address in worse.items()),
        tuple(line for line in lines if line.strip() not in worse),
        tuple(method_words(comparison)),
    )


def _address(row: Row, comparison: Comparison, run: str) -> str:
    """The filters that leave the row's trials of one run; a reader of both runs is called after its run."""
    filters = page_filters(row, comparison)
    if reader := row.parts.get("reader"):
        filters.append(("reader", f"{reader} ({run})"))
    return "#" + urlencode([("run", run), *filters])
