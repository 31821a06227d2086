"""Retrieval by words: BM25's scores, terms of any script, and needles among 500 sentences in 14 languages."""

from __future__ import annotations

import random
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from niah.retrieval.lexical import BM25Retriever, TfidfRetriever, term_lists
from niah.retrieval.mixpr.mixpr import MixPR

HARBOUR: dict[str, dict[str, Any]] = yaml.load(
    (Path(__file__).parents[1] / "data" / "harbour.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
TEXTS = ["Red fox.", "red RED hen", "blue sea hen fox"]


def test_scores_worked_out_by_hand() -> None:
    # Lengths 2, 3 and 4, mean 3. "red" and "fox" are in 2 of 3 texts each: idf = ln(1 + 1.5 / 2.5) = ln 1.6.
    # k1 (1 - b + b |c| / 3) = 1.5 (0.25 + 0.25 |c|) = 1.125, 1.5 and 1.875.
    expected = [2 * log(1.6) / 2.125, log(1.6) * 2 / 3.5, log(1.6) / 2.875]
    assert np.allclose(BM25Retriever().score("red fox", TEXTS), expected, rtol=1e-12, atol=0)
    # A repeated term counts again: here all of them twice, one of them in capitals.
    assert np.allclose(BM25Retriever().score("red fox FOX red?", TEXTS), 2 * np.array(expected))


def test_texts_without_terms() -> None:
    assert BM25Retriever().score("fox", []).shape == (0,)
    assert BM25Retriever().score("fox", ["", "..."]).tolist() == [0, 0]
    scores = BM25Retriever().score("fox", ["", "fox", "...", "hen"])
    assert scores.argmax() == 1
    assert scores[[0, 2, 3]].tolist() == [0, 0, 0]


def test_equal_texts_tie_to_the_bit() -> None:
    texts = ["the red fox", *(f"the hen and fox number {i}" for i in range(50)), "the red fox", "fox red the"]
    scores = BM25Retriever().score("the red fox of number 7", texts)
    assert scores[0] == scores[-2] == scores[-1]


def terms(text: str) -> list[str]:
    return next(term_lists([text]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ΟΔΥΣΣΕΥΣ", "Οδυσσεύς"),
        ("ὁ Ὀδυσσεὺς", "ο οδυσσευσ"),
        ("ёлка", "ЕЛКА"),
        ("за\u0301мок", "замок"),
        ("İzmir", "izmir"),
        ("مُعَلِّم", "معلم"),
        ("أحمد إلى مدرسة", "احمد الي مدرسه"),
        ("کتاب یک", "كتاب يك"),
        ("عـــام ١٨٧٤", "عام 1874"),
        ("۱۸۷۴", "1874"),
        ("ﻻ", "لا"),
        ("שָׁלוֹם", "שלום"),
        ("हिन्दी", "हिंदी"),
        ("सम्बन्ध", "संबंध"),
        ("ज़मीन", "जमीन"),
        ("चाँद", "चांद"),
        ("क\u094d\u200dया", "क्या"),
        ("ｎｉａｈ９", "niah9"),
        ("ﾏｰﾛｳ ｶﾞ", "マーロウ ガ"),
        ("e\u0301te\u0301", "été"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("น\u0e49\u0e33", "น\u0e49\u0e4d\u0e32"),
        ("ນ\u0eb3", "ນ\u0ecd\u0eb2"),
    ],
)
def test_variants_of_writing_are_the_same_terms(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("紫色鸽子", ["紫色", "色鸽", "鸽子"]),
        ("鵝", ["鵝"]),
        ("开往9号站台", ["开往", "9", "号站", "站台"]),
        ("花3.50元买Rust书", ["花", "3.50", "元买", "rust", "书"]),
        ("鳩は白い", ["鳩は", "は白", "白い"]),
        ("말로 교수는", ["말로", "교수", "수는"]),
        ("ป้ามา", ["ป้า", "าม", "มา"]),
        ("की किताब", ["की", "किताब"]),
        ("naïve coöperation", ["naïve", "coöperation"]),
        ("न्याय जन्म", ["न्याय", "जन्म"]),
        ("Київ й", ["київ", "й"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize("language", HARBOUR)
def test_the_needle_is_first_of_five_hundred_sentences(language: str) -> None:
    written, draw, chance = HARBOUR[language], random.Random(1), dict[str, None]()
    while len(chance) < 500:
        parts = {part: draw.choice(written[part]) for part in ("when", "who", "did", "where")}
        chance[written["sentence"].format_map(parts)] = None
    needles, questions, others = zip(*written["needles"], strict=True)
    for retriever in (TfidfRetriever(), BM25Retriever(), MixPR()):
        for needle, question in enumerate(questions):
            scores = retriever.score(question, [*needles, *others, *chance])
            assert np.flatnonzero(scores >= scores[needle]).tolist() == [needle], retriever.name
