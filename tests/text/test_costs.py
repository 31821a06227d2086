import tracemalloc

import pytest

from niah.text.costs import Costs
from niah.text.tokenizer import count, get_tokenizer

TEXTS = ["A word.", "It rained, as it had on the Tuesday before.", "'Quoted?' she asked."]


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
def test_where_counts_add_up_a_cost_is_a_count(tokenizer: str) -> None:
    encoder = get_tokenizer(tokenizer)
    costs = Costs(encoder)
    assert costs.inside(TEXTS).tolist() == [count(encoder, f" {text}") for text in TEXTS]
    assert costs.at_start(TEXTS).tolist() == [count(encoder, text) for text in TEXTS]


def test_a_first_word_that_is_one_token_only_behind_a_space() -> None:
    # cl100k has " Ferry" but no "Ferry": it reads "F" and "erry".
    encoder = get_tokenizer("cl100k")
    words = ["The bell rang.", "Ferry keepers sleep."]
    apart = [count(encoder, f" {text}") == count(encoder, text) for text in words]
    assert Costs(encoder).start_neutral(words).tolist() == apart == [True, False]


def test_a_blank_line_costs_nothing_after_a_plain_end_in_cl100k_and_two_tokens_in_smollm2() -> None:
    assert Costs(get_tokenizer("cl100k")).break_neutral(["It ends."]).tolist() == [True]
    assert Costs(get_tokenizer("smollm2")).break_neutral(["It ends."]).tolist() == [False]


def test_an_endless_word_takes_its_own_room_only_and_is_nowhere_neutral() -> None:
    costs = Costs(get_tokenizer("cl100k"))
    texts = ["x" * 100_000 + ".", *(f"Line {number} ends." for number in range(2000))]
    tracemalloc.start()
    starts, breaks = costs.start_neutral(texts), costs.break_neutral(texts)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not starts[0]
    assert not breaks[0]
    assert starts[1:].all()
    assert breaks[1:].all()
    assert peak < 20e6  # as an array of equal words: 800 MB
