"""What a night comes to, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from niah.analysis.compare.rows import Row
from niah.analysis.compare.verdict import VerdictKind
from niah.analysis.nights.night_verdict import NightVerdict
from niah.plots.headlines.comparison_words import comparison_words, regression_line

_FILTERS = (("reader", "reader"), ("strategy", "strategy"), ("needle_set", "set"))
"""Parts of a comparison, and the page's filters for them."""


@dataclass(frozen=True)
class Banner:
    """The verdict on a page of a night's run.

    Attributes:
        kind: of the verdict.
        headline: one line.
        culprits: where it got worse: each with the page's address of those trials.
        lines: the rest; details are set in.
    """

    kind: VerdictKind
    headline: str
    culprits: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]


def night_banner(night: NightVerdict) -> Banner:
    """What the page of tonight's run says first."""
    worse = {
        regression_line(row): _address(row)
        for comparison in night.comparisons.values()
        for row in comparison.verdict.regressions
    }
    lines = tuple(line for line in night_lines(night) if line.strip() not in worse)
    return Banner(night.kind, night_headline(night), tuple(worse.items()), lines)


def _address(row: Row) -> str:
    """The filters of the page that leave the row's trials, as far as there are such filters."""
    return "#" + urlencode([(name, row.parts[axis]) for axis, name in _FILTERS if axis in row.parts])


def night_headline(night: NightVerdict) -> str:
    """One line: the date, and what the night comes to."""
    if not night.comparisons and not night.hindrances:
        return f"{night.date}: the first night, nothing to compare with"
    return f"{night.date}: {night.kind}"


def night_lines(night: NightVerdict) -> Iterator[str]:
    """Against what it got worse, where, and what is not known; details are set in."""
    spared = night.trials - night.asked
    yield f"{night.scored:,} of {night.asked:,} trials scored" + (
        f"; {spared:,} not needed" if spared else ""
    )
    for role, comparison in night.comparisons.items():
        kind, *told = comparison_words(comparison)
        yield f"against {role} ({comparison.baseline}): {kind[0].lower()}{kind[1:]}"
        yield from (f"  {line}" for line in told)
    for role, why in night.hindrances.items():
        yield f"against {role}: {why}"
    for found in night.contamination:
        if found.flagged and found.difference is not None:
            yield (
                f"{found.reader} is better by {found.difference:.1f} points at anchor seeds than at tonight's"
                f" own: it may have seen the anchors (p {found.p_adjusted:.3f})"
            )
        elif found.suspicion == "too few to tell":
            yield (
                f"too few seeds to tell whether {found.reader} has seen the anchors: with {found.anchors} of"
                f" them and {found.fresh} of tonight's own, p is {found.least_p:.2g} at best"
            )
