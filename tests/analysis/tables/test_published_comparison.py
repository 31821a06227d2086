from __future__ import annotations

from dataclasses import replace

import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.tables.published_comparison import published_comparison
from niah.reference.numbers import ReferenceNumber, reference
from tests.analysis.small_trials import at, near, trial

PRINTED = ReferenceNumber(
    paper="mine",
    source="table 1",
    metric="score",
    value=8.0,
    sd=0.5,
    reader="Llama-3.1-8B",
    strategy="topk",
    dataset="pizza-ingredients",
    haystack=None,
    band="1-16k",
    length=None,
    budget=None,
    spent=None,
    note="",
)
LLAMA = "together_ai/meta-llama/Llama-3.1-8B-Instruct"


def strategies(number: ReferenceNumber, *names: str, reader: str = LLAMA) -> list[object]:
    """Of these, the strategies that the number can stand beside."""
    rows = published_comparison(
        trial_frame([trial(name, 10, reader=reader) for name in names]), [number]
    ).rows
    return [row[3] for row in rows]


def test_a_row_by_hand() -> None:
    records = [
        trial("topk", 10, reader=LLAMA),
        trial("topk", 7, reader=LLAMA, repeat=1),
        trial("topk", None, reader=LLAMA, repeat=2),
        trial("topk", 1, reader=LLAMA, case=at(20_000)),
        trial("topk", 1, reader=LLAMA, case=at(1000, needle_set="rainbow-potion")),
        trial("topk", 1, reader="Llama-3.3-70B"),
    ]
    # 10 and 7: mean 8.5, deviation root of (2 * 1.5^2).
    assert published_comparison(trial_frame(records), [PRINTED]).rows == (
        (
            *("mine", "table 1", LLAMA, "topk", "pizza-ingredients", None, "1-16k"),
            *(8.0, 0.5, 8.5, near(4.5**0.5), 2, 0.5),
        ),
    )


def test_strategies_are_the_same_with_any_embedding_model() -> None:
    names = ("topk", "openai/text-embedding-3-small/top-auto/norm", "topk@600-100")
    others = ("topk-rev", "topk@100", "topk@600-50", "bm25/top-auto/norm", "half", "lc", "oracle")
    assert sorted(map(str, strategies(PRINTED, *names, *others))) == sorted(names)
    assert strategies(replace(PRINTED, strategy="lc"), *names, *others) == ["lc"]
    assert strategies(replace(PRINTED, strategy="mixpr"), "mixpr", "rag-sparse") == ["mixpr"]
    hybrids = ("rag-hybrid", "rag-hybrid:arctic")
    assert strategies(replace(PRINTED, strategy="rag-hybrid"), *hybrids, "rag-dense") == [*hybrids]
    assert strategies(replace(PRINTED, strategy="raptor"), *names, *others) == []


def test_a_budget_takes_the_place_of_the_presets_own() -> None:
    number = replace(PRINTED, strategy="dos", budget=500)
    names = ("dos", "arctic/budget-500/document@100", "minilm/budget-500/norm@100")
    assert strategies(number, *names) == ["arctic/budget-500/document@100"]


@pytest.mark.parametrize(
    "reader",
    ["Llama-3.1-8B", "llama3.1-8b", "ollama/llama3.1-8b-instruct", "x/Llama-3.1-8B-Instruct (monday)"],
)
def test_a_model_is_the_same_with_every_provider(reader: str) -> None:
    assert strategies(PRINTED, "topk", reader=reader) == ["topk"]


@pytest.mark.parametrize("reader", ["Llama-3.1-80B", "llama-3.1-8b-base", "Llama"])
def test_another_model_is_another(reader: str) -> None:
    assert strategies(PRINTED, "topk", reader=reader) == []


def test_lengths_and_haystacks() -> None:
    number = replace(PRINTED, band=None, length=16_000, haystack="essays")
    records = [trial("topk", 10, reader=LLAMA, case=at(length)) for length in (16_000, 16_384, 16_100)]
    records.append(trial("topk", 1, reader=LLAMA, case=at(16_000), haystack="starlight", repeat=1))
    (row,) = published_comparison(trial_frame(records), [number]).rows
    assert row[9:12] == (10.0, 0.0, 2)


def test_other_metrics_and_numbers_over_several_models_have_no_counterpart() -> None:
    assert strategies(replace(PRINTED, metric="accuracy %"), "topk") == []
    assert strategies(replace(PRINTED, reader=None), "topk") == []


def test_what_is_not_scored_leaves_the_difference_open() -> None:
    (row,) = published_comparison(trial_frame([trial("topk", None, reader=LLAMA)]), [PRINTED]).rows
    assert row[9:] == (None, None, 0, None)


def test_the_shipped_numbers_find_their_run() -> None:
    records = [trial("lc", 10, reader="openai/gpt-4o-mini"), trial("topk", 7, reader="openai/gpt-4o-mini")]
    rows = published_comparison(trial_frame(records), reference("u-niah")).rows
    assert [(row[1], row[3], row[7], row[12]) for row in rows] == [
        ("table 1", "lc", 9.8, near(0.2)),
        ("table 1", "topk", 9.9, near(-2.9)),
    ]
