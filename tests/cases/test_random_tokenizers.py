"""Exactness for texts that nobody would write and tokenizers that nobody would train."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import of_all
from tests.random_tokenizers import try_random_case


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the texts and tokenizers are kept, with a cache of their own."""
    place = tmp_path_factory.mktemp("random")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NIAH_CACHE", str(place / "cache"))
        yield place


@settings(max_examples=of_all(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(number=st.integers(0, 9_999))
def test_no_count_is_wrong_and_no_error_is_without_words(number: int, folder: Path) -> None:
    """A sample of them; ``make test-all`` tries all."""
    trial = try_random_case(number, folder)
    assert trial.faults == ()
    assert "\n" not in trial.error


@pytest.mark.parametrize(
    "number",
    [
        *(1131, 1525, 5138),  # a context begins with what costs more there
        21534,  # a normalizer takes a word of stripped marks away, between spaces that are tokens
        *(1396, 2192, 2590),  # the tokenizer drops plain English whole, beside whose text it leaves no trace
    ],
)
def test_no_count_is_wrong_where_one_was(number: int, folder: Path) -> None:
    # What the tokenizer learned decides whether it can be built; most often it can.
    assert try_random_case(number, folder).faults == ()


def test_what_no_layout_can_count_out_is_an_error_that_says_so(folder: Path) -> None:
    """Its tokenizer cuts every four characters: each joint moves all tokens behind it."""
    trial = try_random_case(165, folder)
    assert "merges tokens across the joints of this case" in trial.error


def test_a_tokenizer_that_finds_no_token_in_a_haystack_is_an_error_that_says_so(folder: Path) -> None:
    assert "finds no tokens at all in the haystack" in try_random_case(1090, folder).error
