from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from niah.retrieval.folding import folds
from niah.retrieval.lexical import term_lists
from niah.retrieval.mixpr.term_stream import Chunked, TermStream, term_stream
from niah.text.scanning.utf8 import Utf8
from tests.examples import of_all

_WORDS = """
    a b ab The the THE x_y _ 1 12 3.14 1,200 10:30 1.2.3a 3.14abc 1.a 1..2 ٣.١ ² ½ Ⅷ 1² a1 é É ß ẞ ñ İ I ı
    { @ [ `    Σ ΟΔΟΣ σ ς ΑΣ' ÀÉ ж Ж 一二 \u212a K \u212b Å ﬁ 𝛼 𐐀 𐐨 e\u0301 \u0301 don't x-y well. ' - . , :
    antidisestablishmentarianism ANTIDISESTABLISHMENTARIANISM antidisestablishmentarianis
    abcdefg abcdefgh abcdefghi abcdefghijklmno abcdefghijklmnop abcdefghijklmnopq
    हिन्दी की\u0301 ประภาคาร ป้า มื้อ 紫色鸽子 鍵を ﾏｰﾛｳ 말로 ９号 ع\u064eل\u0301 \u0e48 က်က်
    x\u0302\u0302y 3\u0302 ⼀ ⺟
    éééééééé ééééééééé İİİİİİİİİİİİ \u212a\u212a\u212a\u212a\u212a\u212a\u212a\u212a\u212a
"""
_PIECES = st.sampled_from([*_WORDS.split(), " ", " ", "  ", "\n", "\u00a0", "\ud800", "\x00"])
_TEXTS = st.lists(_PIECES, max_size=12).map("".join)


def by_the_lists(texts: list[str]) -> TermStream:
    ids: dict[str, int] = {}
    rows = [[ids.setdefault(term, len(ids)) for term in terms] for terms in term_lists(texts)]
    repeats = [
        (chunk, term, row[: k + 1].count(term))
        for chunk, row in enumerate(rows)
        for k, term in enumerate(row)
        if term in row[:k]
    ]
    chunks_with = np.bincount(np.array([t for row in rows for t in set(row)], dtype=int), minlength=len(ids))
    return TermStream(
        np.array([term for row in rows for term in row], dtype=np.int32),
        np.cumsum([0, *map(len, rows)]),
        chunks_with.astype(np.int32),
        np.array(repeats, dtype=np.int32).reshape(-1, 3),
    )


def chunked(texts: list[str]) -> Chunked:
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    encoded = Utf8.of("".join(texts))
    return Chunked(encoded, encoded.to_bytes(ends[:-1]), encoded.to_bytes(ends[1:]))


def scanned(texts: list[str]) -> TermStream:
    return term_stream(chunked(texts))


def assert_same(found: TermStream, expected: TermStream) -> None:
    assert found.terms.tolist() == expected.terms.tolist()
    assert found.borders.tolist() == expected.borders.tolist()
    assert found.chunks_with.tolist() == expected.chunks_with.tolist()
    assert found.repeats.tolist() == expected.repeats.tolist()


@settings(max_examples=of_all(1500), deadline=None)
@given(st.lists(_TEXTS, min_size=1, max_size=4))
@example(["ΟΔΟΣ", "ΟΔΟΣ"])  # the first ends in a final sigma, though a letter follows it in the text
@example(["3.14", "15"])  # the first ends in a number, though a digit follows it in the text
def test_agrees_with_the_lists(texts: list[str]) -> None:
    assert_same(scanned(texts), by_the_lists(texts))


@settings(max_examples=of_all(400), deadline=None)
@given(
    st.lists(
        st.lists(_PIECES | st.sampled_from(["fox ", "x" * 64, "Hen"]), max_size=90).map("".join), max_size=3
    )
)
@example(["x" * 63 + " fox" + " hen" * 40])  # a word that ends with the 64 bytes that are looked at
@example(["fox " * 16 + "3.14 " * 20, "a" * 64 + " " + "hen " * 30])
def test_agrees_on_long_chunks(texts: list[str]) -> None:
    texts = [*texts, "fox and hen " * 10]
    assert_same(scanned(texts), by_the_lists(texts))


@settings(max_examples=of_all(300), deadline=None)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_agrees_on_any_text(texts: list[str]) -> None:
    assert_same(scanned(texts), by_the_lists(texts))


def test_more_terms_than_the_tables_start_with() -> None:
    texts = [f"w{i} x{i}x{i}x{i}x{i}x{i}x{i} w{i // 2} w{i}" for i in range(60_000)]
    assert_same(scanned(texts), by_the_lists(texts))


def test_no_chunks() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert term_stream(Chunked(Utf8.of("some text"), none, none)).chunks == 0


def test_chunks_may_overlap() -> None:
    found = term_stream(Chunked(Utf8.of("one two six"), np.array([0, 4]), np.array([7, 11])))
    assert found.terms.tolist() == [0, 1, 1, 2]
    assert found.chunks_with.tolist() == [1, 2, 1]


@settings(max_examples=of_all(300), deadline=None)
@given(st.lists(_TEXTS, min_size=2, max_size=4), st.integers(1, 3))
def test_parts_are_one_stream(texts: list[str], cut: int) -> None:
    parts = [texts[:cut], texts[cut:]]
    found = term_stream(*(chunked(part) for part in parts))
    if not any(map(folds, texts)):
        assert_same(found, by_the_lists(texts))
    assert found.borders.tolist() == scanned(texts).borders.tolist()


@settings(max_examples=of_all(300), deadline=None)
@given(st.lists(_TEXTS, min_size=1, max_size=6), st.integers(2, 4))
@example(["antidisestablishmentarianism x", "y antidisestablishmentarianism", "x y x"], 2)
def test_threads_read_the_same_stream(texts: list[str], threads: int) -> None:
    parts = chunked(texts), chunked(["x é 12"])
    assert_same(term_stream(*parts, threads=threads), term_stream(*parts, threads=1))


def test_threads_with_more_terms_than_the_tables_start_with() -> None:
    text = chunked([f"w{i} x{i}x{i}x{i}x{i}x{i}x{i} w{i // 2} w{i}" for i in range(60_000)])
    assert_same(term_stream(text, threads=3), term_stream(text, threads=1))
