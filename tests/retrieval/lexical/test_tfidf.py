from __future__ import annotations

import re

import numpy as np

from niah.retrieval.lexical import TERM, TfidfRetriever, tfidf_rows


def test_terms_keep_numbers_and_single_characters_whole() -> None:
    text = "key x is 3.14, or 1,200 at 10:30; H2O's 3rd o 5."
    terms = ["key", "x", "is", "3.14", "or", "1,200", "at", "10:30", "H2O", "s", "3rd", "o", "5"]
    assert re.findall(TERM, text) == terms


def test_rows_have_length_one_and_empty_texts_empty_rows() -> None:
    rows = tfidf_rows(["red fox", "...", "red red hen"])
    assert np.allclose(np.asarray(rows.multiply(rows).sum(axis=1)).ravel(), [1, 0, 1])


def test_texts_without_any_term() -> None:
    assert TfidfRetriever().score("?", ["...", ""]).tolist() == [0, 0]


def test_cosine_worked_out_by_hand() -> None:
    # With the query four texts; "fox", "hen" and "red" are in two each, so their idf are equal and cancel.
    # Query "fox" = (1, 0, 0), "red fox" = (1, 0, 1) / sqrt(2); the others share nothing with it.
    scores = TfidfRetriever().score("fox", ["red fox", "hen", "red hen"])
    assert np.allclose(scores, [1 / np.sqrt(2), 0, 0])


def test_no_chunks() -> None:
    assert TfidfRetriever().score("fox", []).shape == (0,)
