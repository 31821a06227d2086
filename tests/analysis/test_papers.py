"""The papers' printed numbers, and long-context-vs-rag's table of questions whose sides are planted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from niah.analysis.reference import reference
from niah.analysis.tables import make_table
from niah.errors import ConfigError, UnknownName
from tests.analysis.small_trials import frame_of, given_sample, given_trial


def test_a_file_of_ones_own_is_read_and_its_mistakes_are_named(tmp_path: Path) -> None:
    table = "{source: table 1, metric: score, numbers: [{value: 7%s}]}"
    text = f"{{paper: mine, title: Mine, tables: [{table}]}}"
    (file := tmp_path / "mine.yaml").write_text(text % ", reader: simulated, strategy: lc")
    (number,) = reference(str(file))
    assert (number.paper, number.reader, number.value, number.sd) == ("mine", "simulated", 7.0, None)
    (wrong := tmp_path / "wrong.yaml").write_text(text % ", band: 1-15k")
    with pytest.raises(ConfigError, match=r"tables\.0\.numbers\.0\.band"):
        reference(str(wrong))
    with pytest.raises(UnknownName, match="u-niah"):
        reference("u-nia")


# Of each question whether full context and retrieval are right, and the F1 of both.
PLANTED = [
    *([(True, True, 1, 1)] * 3),  # both
    *([(True, False, 1, 0.5)] * 2),  # only full context
    (False, True, 0.5, 1),  # only retrieval
    (False, False, 0.5, 0.2),  # neither, and full context is nearer
    (False, False, 0.2, 0.2),  # neither is
]


def test_each_side_gets_right_what_is_planted() -> None:
    questions = range(len(PLANTED))
    sources = ["novels" if at % 2 else "papers" for at in questions]
    samples = [replace(given_sample(f"q{at}", f"d{at}"), source_name=sources[at]) for at in questions]
    records = [
        given_trial(sample, name, 5, judge_scores={"contained-match": 10 if right else 1, "token-f1": f1})
        for sample, (lc, rag, of_lc, of_rag) in zip(samples, PLANTED, strict=True)
        for name, right, f1 in (("lc", lc, 1 + 9 * of_lc), ("bm25/half/norm", rag, 1 + 9 * of_rag))
    ]
    records.append(given_trial(given_sample("q9", "d9"), "bm25/half/norm", 10))  # full context was not asked
    table = make_table("lc-vs-rag", frame_of(records, {each.sample_id: each for each in samples}))
    rows: list[dict[str, Any]] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    every, parts = rows[0], [row for row in rows if row["by"] == "source"]
    expected = {"pairs": 8, "lc_correct": 5, "rag_correct": 4, "both": 3, "only_lc": 2, "only_rag": 1}
    expected |= {"neither": 2, "lc_better": 3, "rag_better": 1}
    assert {name: every[name] for name in expected} == expected
    assert {row["part"] for row in parts} == {"novels", "papers"}
    assert {row["strategy"] for row in rows} == {"bm25/half/norm"}
    assert [sum(row[name] for row in parts) for name in expected] == list(expected.values())
