"""What a night comes to, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from shlex import quote
from urllib.parse import urlencode

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.rows import Row
from niah.analysis.compare.verdict import VerdictKind
from niah.analysis.nights.night_verdict import NightStanding, NightVerdict
from niah.analysis.nights.red_nights import RedNights
from niah.plots.headlines.comparison.comparison_words import (
    comparison_words,
    method_words,
    regression_line,
    verdict_words,
)
from niah.plots.headlines.empty_words import empty_words

_FILTERS = (("reader", "reader"), ("strategy", "strategy"), ("needle_set", "set"))
"""Parts of a comparison, and the page's filters for them."""


@dataclass(frozen=True)
class Culprit:
    """Where a night got worse.

    Attributes:
        line: one, for people.
        trials: the page's address of all trials of that part, or of the needle sets that its drop is in.
        trial: of the one that fell most, opened; "" where none did.
    """

    line: str
    trials: str
    trial: str


@dataclass(frozen=True)
class Banner:
    """The verdict on a page of a night's run.

    Attributes:
        kind: of the verdict.
        headline: one line.
        culprits: where it got worse.
        lines: the rest; details are set in.
        method: how it was compared, for those who want to know.
    """

    kind: VerdictKind
    headline: str
    culprits: tuple[Culprit, ...]
    lines: tuple[str, ...]
    method: tuple[str, ...] = ()

    @property
    def first_trial(self) -> str:
        """The page's address of the trial to look at first; "" where there is none."""
        return next((culprit.trial for culprit in self.culprits if culprit.trial), "")


def night_banner(night: NightVerdict) -> Banner:
    """What the page of tonight's run says first."""
    worse: dict[str, Culprit] = {}
    for role, comparison in night.comparisons.items():
        rows = comparison.verdict.regressions
        for row, trial in zip(rows, night.worst_trials.get(role, ("",) * len(rows)), strict=True):
            line = regression_line(row, comparison)
            filters = page_filters(row, comparison)
            opened = _address([*filters, ("trial", trial)]) if trial else ""
            worse[line] = Culprit(line, _address(filters), opened)
    lines = tuple(line for line in _lines(night, verdict_words) if line.strip() not in worse)
    return Banner(night.kind, night_headline(night), tuple(worse.values()), lines, tuple(_method(night)))


def _method(night: NightVerdict) -> Iterator[str]:
    for role, comparison in night.comparisons.items():
        against = f"against {role}: " if len(night.comparisons) > 1 else ""
        yield from (against + line for line in method_words(comparison))


def page_filters(row: Row, comparison: Comparison) -> list[tuple[str, str]]:
    """The filters of a page that leave a row's trials, as far as there are such filters.

    Where its drop sits in some needle sets, these alone.
    """
    own = [(name, row.parts[axis]) for axis, name in _FILTERS if axis in row.parts]
    return [*own, *(("set", name) for name in comparison.worst_sets(row))]


def _address(filters: Sequence[tuple[str, str]]) -> str:
    return "#" + urlencode(filters)


def night_headline(night: NightVerdict) -> str:
    """One line: the date, and what the night comes to."""
    if not night.comparisons and not night.hindrances:
        what = "the first night" if night.scored else "no trial has a score"
        return f"{night.date}: {what}, nothing to compare with"
    since = night.standing.since if night.standing else None
    return f"{night.date}: {night.kind}" + (f" since {since}" if since and str(since) < night.date else "")


def night_lines(night: NightVerdict) -> Iterator[str]:
    """Against what it got worse, where, how it was compared, and what is not known; details are set in."""
    yield from _lines(night, comparison_words)


def _lines(night: NightVerdict, in_words: Callable[[Comparison], list[str]]) -> Iterator[str]:
    left = night.trials - night.asked
    meant, why = (night.asked, "not needed") if night.adaptive else (night.trials, "not run")
    yield f"{night.scored:,} of {meant:,} trials scored" + (f"; {left:,} {why}" if left else "")
    yield from night.unanswered
    yield from (f"{found.answers}: {empty_words(found)}" for found in night.empty)
    for role, comparison in night.comparisons.items():
        kind, *told = in_words(comparison)
        yield f"against {role} ({comparison.baseline}): {kind[0].lower()}{kind[1:]}"
        yield from (f"  {line}" for line in told)
    for role, why in night.hindrances.items():
        yield f"against {role}: {why}"
    if night.standing:
        if night.standing.untold:
            yield _untold_line(night.standing, night.standing.untold)
        yield _standing_line(night, night.standing)
    for found in night.contamination if night.scored else ():
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


def _untold_line(standing: NightStanding, red: RedNights) -> str:
    """That an earlier regression is open still, and what to do."""
    return (
        f"the regression since {red.first} is open still: tonight is not compared with {red.compared_with},"
        " so nothing tells whether it is mended. Ask again what was asked before, or compare what both asked"
        f" with --common; niah nightly accept {quote(standing.night)} ends it unmended"
    )


def _standing_line(night: NightVerdict, standing: NightStanding) -> str:
    """What tonight is for the nights after it; how it is accepted by hand, where it can be."""
    if standing.accepted:
        return "accepted: the next night is compared with this one"
    reference = standing.next_reference
    compared = f"is compared with {reference}" if reference else "has nothing to be compared with"
    says = f"not accepted: the next night {compared}"
    if not night.scored:
        return says
    if night.asked < night.trials:
        return f"{says}; it can be accepted once all of its trials are run"
    return f"{says}; to compare with tonight's level from now on: niah nightly accept {quote(standing.night)}"
