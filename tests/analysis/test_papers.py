"""The papers' printed numbers, and long-context-vs-rag's table of questions whose sides are planted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from niah.analysis.reference import ReferenceNumber, papers, reference
from niah.analysis.tables import make_table
from niah.errors import ConfigError, UnknownName
from niah.needles.load import needle_set_names
from niah.strategies.parts import STRATEGIES
from tests.analysis.small_trials import frame_of, given_sample, given_trial


def values(paper: str, source: str, metric: str) -> dict[tuple[str | int | None, ...], float]:
    return {
        (number.reader, number.dataset, number.strategy, number.length): number.value
        for number in reference(paper)
        if (number.source, number.metric) == (source, metric)
    }


def only(paper: str, **wanted: object) -> ReferenceNumber:
    (found,) = [n for n in reference(paper) if all(getattr(n, key) == value for key, value in wanted.items())]
    return found


def test_every_paper_is_there() -> None:
    assert papers() == [
        *("context-rot", "long-context-vs-rag", "mixture-of-pageranks", "stronger-baselines-dos-rag"),
        "u-niah",
    ]
    for paper in papers():
        numbers = reference(paper)
        assert {number.paper for number in numbers} == {paper}
        said = Counter(str(number.model_dump(exclude={"value", "sd", "note"})) for number in numbers)
        assert [key for key, count in said.items() if count > 1] == []


def test_u_niah_table_1_is_whole() -> None:
    numbers = [number for number in reference("u-niah") if number.source == "table 1"]
    # Bands per model: 4 for seven of them, deepseek-chat 3, qwen-max 2, gpt-3.5-turbo 1.
    bands = Counter(n.reader for n in numbers if (n.dataset, n.strategy) == ("pizza-ingredients", "lc"))
    assert sorted(bands.values()) == [1, 2, 3] + [4] * 7
    assert len(numbers) == (28 + 3 + 2 + 1) * 6 * 2
    assert {number.dataset for number in numbers} < set(needle_set_names())
    assert {number.strategy for number in numbers} <= STRATEGIES.own.keys()
    assert all(1 <= number.value <= 10 for number in numbers)
    found = only(
        "u-niah", source="table 1", reader="gpt-4o", dataset="rainbow-potion", band="64-128k", strategy="topk"
    )
    assert (found.value, found.sd) == (6.9, 1.8)


def test_long_context_vs_rag_adds_up() -> None:
    correct, alone, better = (
        values("long-context-vs-rag", "table 4", metric)
        for metric in ("correct", "correct by this side only", "better than the other side")
    )
    datasets = {dataset for _, dataset, _, _ in correct if dataset is not None}
    assert len(datasets) == 12
    for numbers in (correct, alone, better):
        for side in ("lc", "raptor"):
            total = numbers[None, None, side, None]
            assert sum(numbers[None, name, side, None] for name in datasets) == total
    for name in (*datasets, None):
        # What both answer is the same from either side, and none is better without being right or nearly so.
        sides = [(None, name, side, None) for side in ("lc", "raptor")]
        assert len({correct[side] - alone[side] for side in sides}) == 1
        assert all(better[side] >= alone[side] for side in sides)


@pytest.mark.parametrize(("source", "lengths"), [("table 1", 10), ("table 2", 6)])
def test_mixpr_averages_are_of_their_rows(source: str, lengths: int) -> None:
    # A length that a reader cannot read counts as 0.
    rows = values("mixture-of-pageranks", source, "accuracy %")
    averages = values("mixture-of-pageranks", source, "average accuracy %")
    for (reader, dataset, strategy, _), average in averages.items():
        row = [value for key, value in rows.items() if key[:3] == (reader, dataset, strategy)]
        assert sum(row) / lengths == pytest.approx(average, abs=0.0501)


def test_dos_is_ahead_of_vanilla_where_the_paper_says_so() -> None:
    numbers = [n for n in reference("stronger-baselines-dos-rag") if n.source in ("table 1", "table 2")]
    at = {(n.reader, n.strategy, n.budget): n.value for n in numbers}
    assert at["gpt-4o", "dos", 30_000] == 93.1
    assert all(
        at[reader, "dos", budget] > max(at[reader, "vanilla", budget], at[reader, "raptor", budget])
        for reader, _, budget in at
        if budget is not None and budget >= 5000
    )
    readagent = only("stronger-baselines-dos-rag", source="table 2", strategy="readagent")
    assert (readagent.value, readagent.spent, readagent.budget) == (90.3, 86_000, None)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "paper: mine\ntitle: Mine\ntables:\n  - source: table 1\n    metric: score\n"
        "    numbers: [{reader: simulated, strategy: lc, value: 7}]\n"
    )
    (number,) = reference(str(file))
    assert (number.paper, number.reader, number.value, number.sd) == ("mine", "simulated", 7.0, None)


def test_mistakes_are_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "paper: mine\ntitle: Mine\ntables:\n  - source: table 1\n    metric: score\n"
        "    numbers: [{value: 7, band: 1-15k}]\n"
    )
    with pytest.raises(ConfigError, match=r"tables\.0\.numbers\.0\.band"):
        reference(str(file))
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
