from __future__ import annotations

import pytest

from niah.judges.error_types import ERROR_TYPES, error_type
from niah.judges.verdict import Score, Verdict


def verdict(found: str, missing: str, wrong: str, *, doubt: bool = False, score: Score = 5) -> Verdict:
    return Verdict(score, tuple(found), tuple(missing), tuple(wrong), doubt, "rubric", "1", "")


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        (verdict("abc", "", ""), "correct"),
        (verdict("ab", "c", ""), "missing_only"),
        (verdict("abc", "", "x"), "wrong_only"),
        (verdict("ab", "c", "x"), "missing_and_wrong"),
        (verdict("", "abc", "x"), "missing_and_wrong"),
        (verdict("abc", "", "", doubt=True), "self_doubt_complete"),
        (verdict("ab", "c", "", doubt=True), "self_doubt_incomplete"),
        (verdict("", "abc", "", doubt=True), "self_doubt_incomplete"),  # a refusal
        (verdict("abc", "", "x", doubt=True), "wrong_only"),  # wrong outweighs doubt
        (verdict("", "abc", ""), "other"),  # nonsense
    ],
)
def test_error_type(judged: Verdict, expected: str) -> None:
    assert error_type(judged) == expected


def test_every_error_type_is_listed_once() -> None:
    assert len(ERROR_TYPES) == len(set(ERROR_TYPES)) == 7
