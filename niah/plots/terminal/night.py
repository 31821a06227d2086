"""A night's verdict for people and for machines: terminal, Markdown, JSON, JUnit XML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import orjson

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.tables import full_tables
from niah.analysis.nights.night_verdict import NightVerdict
from niah.analysis.sequential.adaptive import AdaptiveResult
from niah.analysis.stats.effective_length import EffectiveLength
from niah.analysis.tables.table import Table
from niah.files import atomic_write
from niah.plots.compare_junit import comparison_junit
from niah.plots.headlines.night_words import night_headline, night_lines
from niah.plots.printed_table import print_table
from niah.plots.table_files import as_markdown
from niah.plots.terminal.compare_text import KIND_COLOURS, print_comparison_tables
from niah.plots.terminal.wrapped_lines import print_lines

if TYPE_CHECKING:
    from rich.console import Console


def write_verdict(night: NightVerdict, folder: Path) -> None:
    """verdict.md, verdict.json and verdict.xml in ``folder``, each whole or not at all."""
    files = {
        "verdict.md": _markdown(night).encode(),
        "verdict.json": _json(night),
        "verdict.xml": _junit(night),
    }
    for name, data in files.items():
        with atomic_write(folder / name) as file:
            file.write(data)


def print_verdict(night: NightVerdict, console: Console) -> None:
    """The comparisons' tables, the effective lengths, and the verdict at the end, where eyes are."""
    for role, comparison in night.comparisons.items():
        console.print(f"Against {role}", style="bold underline", highlight=False)
        print_comparison_tables(comparison, console)
    for table in _tables(night):
        print_table(table, console)
        console.print()
    console.print(
        night_headline(night), style=f"bold {KIND_COLOURS[night.kind]}", highlight=False, markup=False
    )
    print_lines(night_lines(night), console)


def _tables(night: NightVerdict) -> list[Table]:
    """What is told of the night as a whole."""
    if night.adaptive:
        return [adaptive_table(night.adaptive)]
    return [effective_table(night)] if night.lengths else []


def adaptive_table(adaptive: AdaptiveResult) -> Table:
    """What became of each reader with each strategy, and after how many pairs."""
    return Table(
        name="adaptive",
        title=f"Adaptive: {adaptive.asked:,} of {adaptive.planned:,} pairs were asked",
        columns=("reader", "strategy", "measure", "asked", "of", "look", "chance", "p", "decision"),
        rows=tuple(
            (
                *(each.reader, each.strategy, each.measure, each.asked, each.planned),
                *(each.look, each.chance, each.p, each.decision),
            )
            for each in adaptive.arms
        ),
        note=f"look: the last it took part in, of {adaptive.looks} at most. chance: that all trials would"
        " find it worse, as foreseen before the end. p: one-sided, adjusted for the whole table."
        " More: the docs' page Fewer trials a night.",
    )


def effective_table(night: NightVerdict) -> Table:
    """Effective lengths, tonight's and those of the baseline or the last accepted night."""
    return Table(
        name="effective-lengths",
        title="Effective length",
        columns=("reader", "strategy", "tokens", "low", "high", "before", "change"),
        rows=tuple(
            (
                each.tonight.reader,
                each.tonight.strategy,
                _length(each.tonight),
                *((each.tonight.low, each.tonight.high) if each.tonight.is_told else (None, None)),
                _length(each.before) if each.before else None,
                _change(each.tonight, each.before),
            )
            for each in night.lengths
        ),
        note="The longest context at which the score stays at 85 % of the reader's"
        f" {'' if night.since else 'own '}base at every depth; under a length: not even that one holds."
        " low, high: with about 95 %; where only low is –, perhaps not even the shortest length holds."
        + (_BEFORE_NOTE.format(since=night.since) if night.since else ""),
    )


_BEFORE_NOTE = (
    " Before: {since}, over the trials that both runs have run; both are held against its base, the mean"
    " score over the whole context at the shortest length, taken as it is. change: – where one has no length"
    " to reckon with, and where they differ but their intervals overlap."
)


def _length(effective: EffectiveLength) -> int | str:
    """In tokens; "under 1024" where not even the shortest length of those asked holds."""
    return f"under {effective.shortest:,}" if effective.length is None else effective.length


def _change(tonight: EffectiveLength, before: EffectiveLength | None) -> int | None:
    """In tokens; None where either has no length to reckon with.

    And where they differ by no more than either might: their intervals overlap.
    """
    if before is None or tonight.length is None or before.length is None:
        return None
    change = tonight.length - before.length
    overlap = max(tonight.low or 0, before.low or 0) <= min(tonight.high or 0, before.high or 0)
    return None if change and overlap else change


def _markdown(night: NightVerdict) -> str:
    bullets = "\n".join(
        f"* {line.strip().replace('|', '/').replace('<', '&lt;')}" for line in night_lines(night)
    )
    parts = [f"# {night_headline(night)}\n\n{bullets}\n", *map(as_markdown, _tables(night))]
    # What each comparison comes to stands above already; below are its numbers.
    for role, comparison in night.comparisons.items():
        parts.append(f"## Against {role}, `{comparison.baseline}`\n")
        parts += (as_markdown(table, level=3) for table in full_tables(comparison))
    return "\n".join(parts)


def _json(night: NightVerdict) -> bytes:
    return orjson.dumps(night, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _properties(night: NightVerdict, role: str, comparison: Comparison) -> ET.Element:
    """What a night is compared with, and whether later ones may be compared with it."""
    told = {"reference": comparison.baseline, "reference is": role}
    if night.standing:
        told["accepted"] = str(night.standing.accepted).lower()
    properties = ET.Element("properties")
    for name, value in told.items():
        ET.SubElement(properties, "property", name=name, value=value)
    return properties


def _junit(night: NightVerdict) -> bytes:
    suites = ET.Element("testsuites", name=f"niah nightly {night.date}")
    for role, comparison in night.comparisons.items():
        suite = ET.fromstring(comparison_junit(comparison))
        suite.insert(0, _properties(night, role, comparison))
        suites.append(suite)
    if night.unanswered:
        suite = ET.SubElement(suites, "testsuite", name="niah nightly", tests="1", errors="1")
        case = ET.SubElement(suite, "testcase", classname="niah.nightly", name="answers")
        for line in night.unanswered:
            ET.SubElement(case, "error", message=line)
    if night.hindrances or not night.comparisons:
        suite = ET.SubElement(
            suites, "testsuite", name="niah nightly", tests="1", errors=str(int(bool(night.hindrances)))
        )
        case = ET.SubElement(suite, "testcase", classname="niah.nightly", name="comparability")
        for why in night.hindrances.values():
            ET.SubElement(case, "error", message=why)
    ET.indent(suites)
    tree: bytes = ET.tostring(suites, encoding="utf-8", xml_declaration=True)
    return tree + b"\n"
