from __future__ import annotations

import pytest

from niah.errors import NeedleError
from niah.judges.metrics.accuracy import accuracy


@pytest.mark.parametrize("reference", ["B", "b.", "[[2]]", "2", "B. Paris", "(B)"])
def test_letters_and_numbers_are_the_same_options(reference: str) -> None:
    assert accuracy("The answer is (B).", reference) == 1.0
    assert accuracy("So I say [[2]]", reference) == 1.0
    assert accuracy("[[3]]", reference) == 0.0


@pytest.mark.parametrize("answer", ["", "Paris", "[[1]] or [[2]]"])
def test_an_undecided_answer_is_not_correct(answer: str) -> None:
    assert accuracy(answer, "B") == 0.0


def test_a_reference_that_is_no_option_is_the_users_error() -> None:
    with pytest.raises(NeedleError, match="'Paris' names none"):
        accuracy("B", "Paris")
