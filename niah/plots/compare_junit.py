"""A comparison as JUnit XML, which CI servers show."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.rows import UNTESTED, Row
from niah.analysis.compare.tables import difference
from niah.analysis.compare.verdict import row_label
from niah.plots.headlines.comparison.comparison_words import comparison_words, regression_line
from niah.plots.headlines.comparison.where_words import where_words


def comparison_junit(comparison: Comparison) -> bytes:
    """A test suite with one test for each row; a row that got worse fails.

    One more test, "completeness", is an error where there is too little to say. A row that was not tested is
    skipped.
    """
    alpha, gaps = comparison.limits.alpha, comparison.verdict.gaps
    incomplete = comparison.verdict.kind == "incomplete"
    failed = [row for row in comparison.rows if row.adjusted is not None and row.adjusted <= alpha]
    skipped = [row for row in comparison.rows if row.adjusted is None]
    suite = ET.Element(
        "testsuite",
        name=f"niah compare {comparison.baseline} {comparison.candidate}",
        tests=str(len(comparison.rows) + 1),
        failures=str(len(failed)),
        errors=str(int(incomplete)),
        skipped=str(len(skipped)),
    )
    for row in comparison.rows:
        _add_row(suite, row, comparison)
    case = ET.SubElement(suite, "testcase", classname="niah.compare", name="completeness")
    if incomplete:
        ET.SubElement(case, "error", message=gaps[0]).text = "\n".join(gaps)
    ET.SubElement(suite, "system-out").text = "\n".join(comparison_words(comparison))
    ET.indent(suite)
    tree: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return tree + b"\n"


def _add_row(suite: ET.Element, row: Row, comparison: Comparison) -> None:
    classname = f"niah.compare.{row.measure.replace(' ', '_')}"
    case = ET.SubElement(suite, "testcase", classname=classname, name=row_label(row))
    if row.adjusted is None:
        ET.SubElement(case, "skipped", message=UNTESTED)
    elif row.adjusted <= comparison.limits.alpha:
        where = where_words(row, comparison) if row in comparison.verdict.regressions else ()
        told = [difference(row), *(line.strip() for line in where)]
        ET.SubElement(case, "failure", message=regression_line(row, comparison)).text = "\n".join(told)
