"""Linear layers in 8-bit integers against those of float32, and texts alone against texts in a batch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from niah import weights
from niah.text.embedding.int8_kernel import quantise
from niah.text.embedding.int8_layers import has_instructions, product, to_int8
from niah.text.embedding.sentence_encoder import SentenceEncoder

TEXTS = [
    f"The ferry left at {hour} with {hour * 7} crates{' of salted herring' * (hour % 4)}."
    for hour in range(24)
]


def encoder(*, in_int8: bool) -> SentenceEncoder:
    return SentenceEncoder(weights.ensure_weights("minilm"), "minilm", in_int8=in_int8)


def test_a_text_has_the_same_vector_to_the_last_bit_in_every_batch() -> None:
    one = encoder(in_int8=True)
    together = one.encode(TEXTS, "passage")
    apart = [one.encode([text], "passage")[0] for text in TEXTS[::5]]
    assert all(np.array_equal(a, b) for a, b in zip(together[::5], apart, strict=True))
    backwards = one.encode(TEXTS[::-1], "passage")[::-1]
    assert all(np.array_equal(a, b) for a, b in zip(together, backwards, strict=True))


def test_vectors_are_near_those_of_float32_and_go_by_another_name() -> None:
    exact, rounded = encoder(in_int8=False), encoder(in_int8=True)
    cosines = [
        float((a @ b.T).item())
        for a, b in zip(exact.encode(TEXTS, "passage"), rounded.encode(TEXTS, "passage"), strict=True)
    ]
    assert 0.994 < min(cosines) < 1 - 1e-5
    assert exact.identity != rounded.identity


def layer_of(inputs: int, outputs: int) -> torch.nn.Linear:
    torch.manual_seed(5)
    return torch.nn.Linear(inputs, outputs)


def test_each_row_is_rounded_by_its_own_greatest_number() -> None:
    layer = layer_of(384, 64)
    rows = torch.randn(6, 384) * torch.tensor([1e-4, 1e-2, 1.0, 10.0, 1e3, 0.0])[:, None]
    with torch.inference_mode():
        wanted = layer(rows)
        to_int8(layer)
        found = layer(rows)
    error = (found - wanted).norm(dim=1) / wanted.norm(dim=1)
    assert error[:5].max() < 0.015
    assert torch.equal(found[5], layer.bias)


def test_leading_dimensions_stay_and_a_layer_without_bias_adds_none() -> None:
    layer = torch.nn.Linear(8, 3, bias=False)
    with torch.inference_mode():
        to_int8(layer)
        assert layer(torch.zeros(2, 5, 8)).tolist() == torch.zeros(2, 5, 3).tolist()


def test_layers_that_share_an_input_do_not_share_another_one() -> None:
    model = torch.nn.ModuleList([layer_of(16, 4), layer_of(16, 4)])
    with torch.inference_mode():
        to_int8(model)
        one, other = torch.ones(1, 16), -torch.ones(1, 16)
        assert torch.equal(model[0](one), model[1](one))
        assert not torch.equal(model[0](one), model[1](other))


def test_rounding_by_hand() -> None:
    # From -2 to 506 there are 508, so the scale is 2, and -127 stands for -2, 0 for 252 and 127 for 506.
    # 0 is one step up; 1 and 3 stand in the middle between two, 1.5 and 2.5 steps up: both go to the even, 2.
    # A row without a negative number begins with 0, and nothing but zeros has the scale 0.
    rows = np.array(
        [[506, -2, 0, 1, 3], [254, 0, 127, 1.4, 1.6], [0] * 5, [-254, -254, -1, -1, -1]], np.float32
    )
    numbers, edges = np.empty((4, 5), np.int8), np.empty((4, 2), np.float32)
    quantise(rows, rows.view(np.int32), numbers, edges, edges.view(np.int32))
    assert numbers.tolist() == [
        [127, -127, -126, -125, -125],
        [127, -127, 0, -126, -125],
        [-127] * 5,
        [-127, -127, 126, 126, 126],
    ]
    assert edges.tolist() == [[2, 252], [1, 127], [0, 0], [1, -127]]


@pytest.mark.parametrize("by_instructions", [False, True])
@given(st.integers(1, 5), st.sampled_from([16, 384, 1024, 1536, 3072]), st.integers(0, 9))
def test_products_are_exact(by_instructions: bool, rows: int, terms: int, seed: int) -> None:
    if by_instructions and not has_instructions():
        pytest.skip("this processor has none")
    draw = np.random.default_rng(seed)
    left, right = draw.integers(-127, 128, (rows, terms)), draw.integers(-127, 128, (16, terms))
    left[0], right[:8] = 127, 127
    found = product(
        torch.tensor(left, dtype=torch.int8),
        torch.tensor(right, dtype=torch.int8).t(),
        by_instructions=by_instructions,
    )
    assert found.tolist() == (left @ right.T).tolist()
