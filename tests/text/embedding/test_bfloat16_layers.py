"""Linear layers in bfloat16 against those of float32, and texts alone against texts in a batch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from niah import weights
from niah.text.embedding.bfloat16_layers import has_instructions, to_bfloat16
from niah.text.embedding.sentence_encoder import SentenceEncoder

TEXTS = [
    f"The ferry left at {hour} with {hour * 7} crates{' of salted herring' * (hour % 4)}."
    for hour in range(24)
]

needs_instructions = pytest.mark.skipif(
    not has_instructions(), reason="this processor does not multiply bfloat16"
)


def encoder(*, in_bfloat16: bool) -> SentenceEncoder:
    return SentenceEncoder(weights.ensure_weights("minilm"), "minilm", in_bfloat16=in_bfloat16)


@needs_instructions
def test_a_text_has_the_same_vector_to_the_last_bit_in_every_batch() -> None:
    one = encoder(in_bfloat16=True)
    together = one.encode(TEXTS, "passage")
    apart = [one.encode([text], "passage")[0] for text in TEXTS[::5]]
    assert all(np.array_equal(a, b) for a, b in zip(together[::5], apart, strict=True))
    backwards = one.encode(TEXTS[::-1], "passage")[::-1]
    assert all(np.array_equal(a, b) for a, b in zip(together, backwards, strict=True))


def test_vectors_are_near_those_of_float32_and_go_by_another_name() -> None:
    exact, rounded = encoder(in_bfloat16=False), encoder(in_bfloat16=True)
    cosines = [
        float((a @ b.T).item())
        for a, b in zip(exact.encode(TEXTS, "passage"), rounded.encode(TEXTS, "passage"), strict=True)
    ]
    assert min(cosines) > 0.9998
    assert (min(cosines) < 1 - 1e-6) == has_instructions()
    assert exact.identity != rounded.identity


def layer_of(inputs: int, outputs: int, *, bias: bool = True) -> torch.nn.Linear:
    torch.manual_seed(5)
    return torch.nn.Linear(inputs, outputs, bias=bias)


@needs_instructions
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("rows", [1, 7, 1024, 1500])
def test_products_are_those_of_rounded_numbers_rounded(rows: int, bias: bool) -> None:
    layer = layer_of(384, 64, bias=bias)
    read = torch.randn(rows, 384) * torch.logspace(-3, 3, rows)[:, None]
    with torch.inference_mode():
        exact = read.bfloat16().double() @ layer.weight.bfloat16().double().t()
        exact += layer.bias.bfloat16().double() if bias else 0
        to_bfloat16(layer)
        found = layer(read)
    # Half a unit of the 8th digit, and a little of float32's noise, which goes by the row's length.
    error = (found.double() - exact).abs()
    assert (error <= exact.abs() * 2**-8 + 1e-5 * read.norm(dim=1, keepdim=True)).all()
    assert error.max() > 0


@needs_instructions
def test_leading_dimensions_stay() -> None:
    layer = layer_of(8, 3, bias=False)
    with torch.inference_mode():
        to_bfloat16(layer)
        assert layer(torch.zeros(2, 5, 8)).tolist() == torch.zeros(2, 5, 3).tolist()


def test_without_instructions_the_model_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False, raising=False)
    layer, read = layer_of(16, 4), torch.ones(1, 16)
    with torch.inference_mode():
        before = layer(read)
        to_bfloat16(layer)
        assert torch.equal(layer(read), before)
