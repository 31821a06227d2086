"""Verdicts of comparisons and nights: lines and tables for people, Markdown, JSON, and JUnit XML."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from shlex import quote
from textwrap import TextWrapper
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import orjson
import pandas as pd
from rich.console import Console

from niah.analysis.compare import Comparison, Row, row_label
from niah.analysis.nights import SIGNIFICANCE, NightVerdict
from niah.analysis.stats import LEAST_CLUSTERS
from niah.analysis.tables import Table
from niah.errors import counted
from niah.files import atomic_write
from niah.plots.tables import as_markdown, print_table
from niah.strategies.strategy import display_name

KIND_COLOURS = {"no regression": "green", "regression": "red", "incomplete": "yellow"}


def change(row: Row) -> str:
    """ "-1.20 [-1.61, -0.79]"; the interval is left out where there is none."""
    bounds = "" if row.low is None or row.high is None else f" [{row.low:+z.2f}, {row.high:+z.2f}]"
    return "-" if row.difference is None else f"{row.difference:+z.2f}{bounds}"


def worse_line(row: Row, comparison: Comparison) -> str:
    """ "worse: boreal · full context: 8.10 -> 6.90, -1.20 [-1.61, -0.79], p 0.002"."""
    what = "worse" if row.measure == "score" else "more trials not scored"
    who = f"{comparison.readers[1]} " if comparison.readers else ""
    means = f"{row.baseline:.2f} -> {row.candidate:.2f}"
    p = min(1.0, (row.adjusted or 0.0) * (2 if comparison.readers else 1))
    return f"{who}{what}: {row_label(row)}: {means}, {change(row)}, p {p:.2g}"


def worse_lines(comparison: Comparison) -> Iterator[str]:
    """For each regression its line, the worst length or depth, the fault that grew most, and a trial."""
    verdict = comparison.verdict
    fell = zip(verdict.regressions, verdict.cells, comparison.worst_trials, strict=True)
    for row, cell, (_, case, grown) in fell:
        yield worse_line(row, comparison)
        if cell:
            yield f"  most at {row_label(cell)}: {change(cell)} (n = {cell.n:,})"
        if grown:
            yield f"  grew most: {grown}"
        if case:
            yield f"  one that fell: {case}"


def verdict_line(comparison: Comparison) -> str:
    """One line: "No regression", or of two models "weak is worse than strong"."""
    verdict = comparison.verdict
    if not comparison.readers:
        return verdict.kind.capitalize()
    first, second = comparison.readers
    better = bool(comparison.other_way and comparison.other_way.verdict.regressions)
    if verdict.regressions and better:
        return f"{second} is worse than {first} in some parts, and better in others"
    if verdict.regressions or better:
        return f"{second} is {'better' if better else 'worse'} than {first}"
    if verdict.kind == "incomplete":
        return f"Too little to say whether {first} or {second} is better"
    return f"Neither {first} nor {second} is clearly better"


def _detail_lines(comparison: Comparison) -> list[str]:
    """Where it got worse, what is missing, and without a regression what would have been found."""
    every, verdict, other = comparison.rows[0], comparison.verdict, comparison.other_way
    lines = [*worse_lines(comparison), *(worse_lines(other) if other else ())]
    if verdict.regressions:
        return lines
    lines += verdict.gaps
    if every.difference is None:
        return lines
    means = f"{every.baseline:.2f} -> {every.candidate:.2f}"
    lines.append(f"{row_label(every)}: {means}, {change(every)}")
    seen = "" if every.detectable is None else f"a drop of {every.detectable:.1f} of this mean"
    words = [f"{seen} would have been found"] if seen else []
    if is_same := bool(comparison.alike) and comparison.alike == every.n and every.difference == 0:
        words = ["every answer is the same"]
    ends = comparison.ends
    if others := [f"{ends[end]:,} at the {end}" for end in ("floor", "ceiling") if end in ends]:
        of = f"{ends.get('', 0):,} of {counted(sum(ends.values()), 'cell')}"
        words.append(f"{of} between the ends of the scale ({', '.join(others)})")
    lines += filter(None, ["; ".join(words)])
    if is_same:
        return lines
    few = [row for row in comparison.rows if row.fine and row.n and row.adjusted is None]
    # Of a model's length its strategies' rows need no naming.
    names = [row_label(row) for row in few if not any(one.parts.items() < row.parts.items() for one in few)]
    more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
    return lines + [f"not tested, too few clusters: {', '.join(names[:3])}{more}"] * bool(names)


def _before(comparison: Comparison, name: Callable[[str], str] = str) -> str:
    """What the candidate is compared with, with the names of the first and the last of several nights."""
    last, others = name(comparison.baseline), comparison.reference
    several = f"the mean of the last {len(others) + 1} accepted nights"
    return f"{several} ({name(others[-1])} to {last})" if others else last


def _stem(run: str) -> str:
    return Path(run).stem


def _method_lines(comparison: Comparison) -> list[str]:
    """Pairs, clusters, level, nights, what is left out."""
    every = comparison.rows[0]
    alike = "" if comparison.alike is None else f"; {comparison.alike:,} with the same answer"
    nights = f"; the spread from night to night is that of {comparison.nights}" if comparison.nights else ""
    return [
        f"{comparison.candidate} against {_before(comparison)}: {counted(comparison.pairs, 'pair')},"
        f" {every.n:,} scored in both, {counted(every.clusters, 'cluster')}{alike}{nights}",
        *comparison.notes,
    ]


def _comparison_lines(comparison: Comparison) -> list[str]:
    """The verdict first, then where it got worse or what would have been found, and how it was compared."""
    return [verdict_line(comparison), *_detail_lines(comparison), *_method_lines(comparison)]


def comparison_table(comparison: Comparison, *, every: bool = False) -> Table:
    """The broad rows and those that got worse, or ``every`` row; of two models p is each way's: one-sided."""
    before, after = comparison.readers or ("before", "after")
    heads = {"baseline": before, "candidate": after, "difference": "change", "adjusted": "p"}
    measured = ["baseline", "candidate", "difference", "low", "high", "adjusted", "detectable"]
    rows = pd.DataFrame([vars(row) | {"part": row_label(row)} for row in comparison.rows]).drop(columns="p")
    is_score = rows["measure"] == "score"
    kept = (rows["n"] > 0) & (is_score | (rows["baseline"] > 0) | (rows["candidate"] > 0))
    kept &= ~rows["fine"] | rows["found"] | every
    at_floor = is_score & (rows["baseline"] - rows["floor"] < comparison.limits.detectable)
    rows["detectable"] = rows["detectable"].astype(object).mask(at_floor, "at the floor")
    doubled = "; of two models the verdict doubles it" if comparison.readers else ""
    note = (
        "low, high: 95 % interval of the change over clusters. p: one-sided, over the rows of its family (–:"
        f" too few clusters to test this row){doubled}. detectable: the drop found in four of five."
    )
    shown = rows.loc[kept, ["part", "measure", *measured, "n", "clusters"]].rename(columns=heads)
    title = f"{comparison.candidate} against {_before(comparison)}: scores, 1 to 10, and shares not scored"
    return Table.of("compare", title, shown, note)


def print_verdict(found: Comparison | NightVerdict, console: Console | None = None) -> None:
    """Print the verdict in its colour, its lines set in by two columns, and the rows that got worse."""
    if isinstance(found, NightVerdict):
        kind, lines, comparisons = found.kind, [*night_lines(found)], [*found.comparisons.values()]
    else:
        kind, lines, comparisons = found.verdict.kind, _comparison_lines(found), [found]
    console = console or Console()
    width = console.width if console.is_terminal else 10**6  # lines are folded on a terminal alone
    folding = TextWrapper(width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    style, indent = f"bold {KIND_COLOURS[kind]}", ""
    for line in lines:
        console.print(folding.fill(indent + line), style=style, highlight=False, markup=False, soft_wrap=True)
        style, indent = "", "  "
    for one in comparisons:
        if one.verdict.regressions or (one.other_way and one.other_way.verdict.regressions):
            console.print()
            print_table(comparison_table(one), console)


def comparison_markdown(comparison: Comparison) -> str:
    """The verdict, and the table folded below it."""
    return _markdown(_comparison_lines(comparison), [comparison])


def _markdown(lines: Iterable[str], comparisons: Iterable[Comparison]) -> str:
    first, *others = (line.strip().replace("|", "/").replace("<", "&lt;") for line in lines)
    parts = [f"# {first}", "\n".join(f"* {line}" for line in others)]
    tables = (as_markdown(comparison_table(each, every=True)) for each in comparisons)
    folded = (f"<details><summary>All rows</summary>\n\n{table}\n</details>" for table in tables)
    return "\n\n".join([*parts, *folded]) + "\n"


def junit(name: str, comparisons: Collection[Comparison], faults: Sequence[str] = ()) -> bytes:
    """A suite for each comparison, with one test for each row that was tested; a row that got worse fails."""
    suites = list[tuple[str, list[tuple[str, str, str]]]]()
    for one in comparisons:  # of each test its name, "failure" or "error" or "", and why
        tests = [
            (f"{row.measure}: {row_label(row)}", "failure" * row.found, worse_line(row, one))
            for row in one.rows
            if row.adjusted is not None
        ]
        kind = "error" * (one.verdict.kind == "incomplete")
        tests.append(("completeness", kind, "; ".join(one.verdict.gaps)))
        suites.append((f"{one.candidate} against {one.baseline}", tests))
    if faults or not comparisons:
        tests = [("answers", "error", line) for line in faults] or [("answers", "", "")]
        suites.append(("answers", tests))
    root = ET.Element("testsuites", name=name)
    for title, tests in suites:
        kinds = [kind for _, kind, _ in tests]
        counts = {f"{kind}s": str(kinds.count(kind)) for kind in ("failure", "error")}
        suite = ET.SubElement(root, "testsuite", {"name": title, "tests": str(len(tests)), **counts})
        for test, kind, why in tests:
            node = ET.SubElement(suite, "testcase", classname="niah", name=test)
            if kind:
                ET.SubElement(node, kind, message=why)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def night_lines(night: NightVerdict) -> Iterator[str]:
    """The date and what the night comes to; then what was scored, each comparison, effective lengths that
    changed, and what comes next."""
    since = night.standing.since if night.standing else None
    if night.comparisons or night.hindrances:
        yield f"{night.date}: {night.kind}" + (f" since {since}" if since and str(since) < night.date else "")
    else:
        what = "the first night" if night.scored else "no trial has a score"
        yield f"{night.date}: {what}, nothing to compare with"
    left = night.trials - night.asked
    yield f"{night.scored:,} of {night.trials:,} trials scored" + (f"; {left:,} not run" if left else "")
    yield from (*night.unanswered, *filter(None, [night.drift]))
    yield from ("{answers}: {empty:,} of {scored:,} answers are empty".format(**one) for one in night.empty)
    for role, comparison in night.comparisons.items():
        details = _detail_lines(comparison)
        first = [] if comparison.verdict.regressions else details[:1]
        before = _before(comparison, _stem)
        named = f"against {before if comparison.reference else f'{role} ({before})'}"
        yield "; ".join([f"{named}: {comparison.verdict.kind}", *first])
        yield from details[len(first) :]
    yield from (f"against {role}: {why}" for role, why in night.hindrances.items())
    yield from filter(None, (_length_line(**each) for each in night.lengths))
    for gap in night.seed_gaps if night.scored else ():
        if gap["p_adjusted"] <= SIGNIFICANCE:
            better = "{reader} is better by {difference:.1f} [{low:.1f}, {high:.1f}] at anchors than at"
            seen = " tonight's own: it may have seen the anchors (p {p_adjusted:.3f})"
            yield (better + seen).format(**gap)
    if (standing := night.standing) is None:
        return
    # What tonight is for the nights after it; how it is accepted by hand, where it can be.
    accept = f"niah nightly accept {quote(standing.night)}"
    if red := standing.still_open:
        yield (
            f"the regression since {red.first} is still open: tonight is not compared with"
            f" {red.compared_with}. Ask again what was asked before, or end it unmended: {accept}"
        )
    if standing.accepted:
        anew = " as a new level" if night.hindrances and not night.comparisons else ""
        yield f"accepted{anew}: later nights are compared with this one"
        return
    then = standing.next_reference
    with_others = (
        _before(each, _stem) for each in night.comparisons.values() if _stem(each.baseline) == then
    )
    then = next(with_others, then)
    yield f"not accepted: the next night {f'is compared with {then}' if then else 'has no reference'}"
    if night.scored and night.asked == night.trials:
        yield f"to accept tonight's level: {accept}"


def _length_line(tonight: dict[str, Any], before: dict[str, Any] | None) -> str:
    """Of effective lengths whose intervals do not overlap; "" of others."""
    both = [before or tonight, tonight]
    # An interval that is every length, or of few clusters, says nothing.
    every = any(row["length_low"] is None and row["length_high"] == row["longest"] for row in both)
    few = min(row["clusters"] for row in both) < LEAST_CLUSTERS
    if every or few or tonight["length"] == both[0]["length"]:
        return ""
    if max(row["length_low"] or 0 for row in both) <= min(row["length_high"] or 0 for row in both):
        return ""
    then, now = (f"{row['length']:,}" if row["length"] else f"under {row['shortest']:,}" for row in both)
    who = f"{tonight['reader']} · {display_name(tonight['strategy'])}"
    return f"effective length of {who}: {then} -> {now} tokens"


def write_verdict(night: NightVerdict, folder: Path) -> None:
    """verdict.md, verdict.json and verdict.xml in ``folder``, each whole or not at all."""
    comparisons, faults = night.comparisons.values(), [*night.unanswered, *night.hindrances.values()]
    files = {
        "verdict.md": _markdown(night_lines(night), comparisons).encode(),
        "verdict.json": orjson.dumps(night, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE),
        "verdict.xml": junit(f"niah nightly {night.date}", comparisons, faults),
    }
    for name, data in files.items():
        with atomic_write(folder / name) as file:
            file.write(data)


def night_banner(night: NightVerdict) -> dict[str, Any]:
    """What the page of tonight's run says first: where it got worse, and all else, as ``lines``.

    A culprit is a line, the page's address of these trials, and of the one that fell most, or "".
    """
    axes = {"reader": "reader", "strategy": "strategy", "needle_set": "set"}
    worst, (headline, *lines) = list[tuple[str, str, str]](), [line.strip() for line in night_lines(night)]
    for comparison in night.comparisons.values():
        for row, (trial, *_) in zip(comparison.verdict.regressions, comparison.worst_trials, strict=True):
            filters = [(name, row.parts[axis]) for axis, name in axes.items() if axis in row.parts]
            opened = "#" + urlencode([*filters, ("trial", trial)]) if trial else ""
            worst.append((worse_line(row, comparison), "#" + urlencode(filters), opened))
        lines += _method_lines(comparison)
    named = ("one that fell", *(line for line, _, _ in worst))
    rest = [line for line in lines if not line.startswith(named)]
    return {"kind": night.kind, "headline": headline, "worst": worst, "lines": rest}
