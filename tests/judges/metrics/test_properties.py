from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from niah.judges.metrics import METRICS, Metric, alphanumerics, exact_match, squad_f1, token_f1, words

_FREE = [metric for metric in METRICS.values() if metric.name != "accuracy"]
_SYMMETRIC = ["exact-match", "contained-match", "token-f1", "squad-f1", "set-f1", "rouge-l"]

# METEOR has its penalty, and a text that ranks no passage has none to gain.
_NOT_OF_ITSELF = ("meteor", "ndcg-10")

_any = st.text(max_size=60)
_vocabulary = st.sampled_from(["the", "a", "gold", "mist", "figs", "ham", "runs", "running", "Lunaris", "42"])
_phrase = st.lists(_vocabulary, max_size=8).map(" ".join)
_text = st.one_of(_any, _phrase)


@pytest.mark.parametrize("metric", _FREE, ids=lambda metric: metric.name)
@given(answer=_text, reference=_text)
def test_values_lie_between_0_and_1(metric: Metric, answer: str, reference: str) -> None:
    assert 0 <= metric.of_pair(answer, reference) <= 1


@pytest.mark.parametrize(
    "metric", [m for m in _FREE if m.name not in _NOT_OF_ITSELF], ids=lambda metric: metric.name
)
@given(text=_text)
def test_a_text_is_all_of_itself(metric: Metric, text: str) -> None:
    assert metric.of_pair(text, text) == pytest.approx(1)


@given(_text)
def test_meteor_of_a_text_and_itself_lacks_the_penalty_of_one_chunk(text: str) -> None:
    count = len(alphanumerics(text))
    expected = 1 - 0.5 / count**3 if count else 1
    assert METRICS["meteor"].of_pair(text, text) == pytest.approx(expected)


@pytest.mark.parametrize("name", _SYMMETRIC)
@given(one=_text, other=_text)
def test_symmetric_where_precision_and_recall_weigh_the_same(name: str, one: str, other: str) -> None:
    of_pair = METRICS[name].of_pair
    assert of_pair(one, other) == of_pair(other, one)


@pytest.mark.parametrize("metric", _FREE, ids=lambda metric: metric.name)
@given(answer=_phrase, reference=_phrase)
def test_only_empty_answers_fit_empty_references(metric: Metric, answer: str, reference: str) -> None:
    assert metric.of_pair(answer, "") == (not answer)
    assert metric.of_pair("", reference) == (not reference)


@pytest.mark.parametrize("metric", _FREE, ids=lambda metric: metric.name)
@given(answer=_phrase, references=st.lists(_phrase, min_size=1, max_size=4), more=_phrase)
def test_one_more_reference_never_costs(
    metric: Metric, answer: str, references: list[str], more: str
) -> None:
    assert metric.score(answer, [*references, more]) >= metric.score(answer, references)


@given(st.lists(_vocabulary, max_size=8), _phrase, st.integers())
def test_f1_knows_no_order_and_sets_no_repeats(answer: list[str], reference: str, seed: int) -> None:
    shuffled = random.Random(seed).sample(answer, len(answer))
    for f1 in (token_f1, squad_f1):
        assert f1(" ".join(answer), reference) == f1(" ".join(shuffled), reference)
    assert token_f1(" ".join(answer), reference) == token_f1(" ".join(shuffled * 2), reference)


@given(_phrase, _phrase)
def test_each_missing_word_found_raises_f1_and_each_wrong_word_lowers_it(answer: str, reference: str) -> None:
    missing = sorted(set(words(reference)) - set(words(answer)))
    value = token_f1(answer, reference)
    assume(value < 1 and missing)
    assert token_f1(f"{answer} {missing[0]}", reference) > value
    worse = token_f1(f"{answer} zinc", reference)
    assert worse < value or worse == value == 0


@given(_text, _text)
def test_an_exact_match_has_every_word(answer: str, reference: str) -> None:
    assert exact_match(answer, reference) <= squad_f1(answer, reference)


@given(_phrase, _phrase)
def test_keeping_the_order_is_worth_something(answer: str, reference: str) -> None:
    rouge_l = METRICS["rouge-l"].of_pair
    in_order = " ".join(sorted(answer.split())), " ".join(sorted(reference.split()))
    assert rouge_l(answer, reference) <= rouge_l(*in_order)
