from __future__ import annotations

import numpy as np
import pytest

from niah.retrieval.lexical import BM25Retriever, TfidfRetriever, term_lists
from niah.retrieval.mixpr.mixpr import MixPR
from niah.retrieval.retriever import Retriever
from tests.retrieval.harbour import harbour, languages


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


@pytest.mark.parametrize("retriever", [TfidfRetriever(), BM25Retriever(), MixPR()], ids=lambda r: r.name)
@pytest.mark.parametrize("language", languages())
def test_the_needle_is_first_of_five_hundred_sentences(language: str, retriever: Retriever) -> None:
    town = harbour(language, seed=1)
    for needle, question in enumerate(town.questions):
        scores = retriever.score(question, town.texts)
        assert np.flatnonzero(scores >= scores[needle]).tolist() == [needle]
