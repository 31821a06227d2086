"""A model's linear layers in 8-bit integers: half the time or less, and the same vector in every batch.

Weights have a scale for each output, activations a scale and a zero for each token, as it comes (Jacob et
al., 2018, section 2.1; Dettmers et al., 2022, section 3.1). So what a text's tokens become depends on no
other text beside it, and sums of integers are exact: unlike with one scale for a whole batch, a text's vector
is the same wherever it stands. Machines without instructions for it come to the same integers, more slowly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from niah.text.embedding.int8_kernel import quantise, rescale

_EXACT_TERMS = 1024
"""So many products of two of -127 to 127 add up to less than 2**24, which float32 holds exactly."""


def to_int8(model: Any) -> None:
    """Make all linear layers of a torch model multiply 8-bit integers; weights become such now."""
    last_input = _LastInput()
    for layer in [module for module in model.modules() if isinstance(module, torch.nn.Linear)]:
        layer.forward = Int8Product(layer, last_input)


class _LastInput:
    """What was made of the latest input: queries, keys and values are three products of one."""

    def __init__(self) -> None:
        self._rows: Any = None
        self._made: Any = None

    def quantised(self, rows: Any) -> tuple[Any, Any]:
        """As ``_quantised``."""
        if self._rows is not rows:
            self._rows, self._made = rows, _quantised(rows.reshape(-1, rows.shape[-1]).contiguous())
        made: tuple[Any, Any] = self._made
        return made


class Int8Product:
    """``layer.forward`` in 8-bit integers.

    Args:
        layer: a ``torch.nn.Linear`` of float32.
        last_input: shared by the layers of one model.
    """

    def __init__(self, layer: Any, last_input: _LastInput) -> None:
        weight, bias = layer.weight.detach(), layer.bias
        self._scales = weight.abs().amax(1).clamp(min=1e-30) / 127
        numbers = (weight / self._scales[:, None]).round().to(torch.int8)
        self._weight = numbers.t()
        self._sums = numbers.sum(1).float() * self._scales
        self._bias = torch.zeros_like(self._scales) if bias is None else bias.detach()
        self._last_input = last_input

    def __call__(self, rows: Any) -> Any:
        """Shape (..., inputs) to (..., outputs), float32."""
        numbers, edges = self._last_input.quantised(rows)
        products = product(numbers, self._weight)
        if rows.device.type == "cpu":
            out = torch.empty(products.shape)
            scales, sums, bias = self._scales.numpy(), self._sums.numpy(), self._bias.numpy()
            rescale(products.numpy(), edges.numpy(), scales, sums, bias, out.numpy())
        else:
            out = products * (edges[:, :1] * self._scales) + (edges[:, 1:] * self._sums + self._bias)
        return out.view(*rows.shape[:-1], -1)


def product(left: Any, right: Any, *, by_instructions: bool | None = None) -> Any:
    """The matrix product of 8-bit integers as 32-bit ones, exact.

    Args:
        left: shape (rows, terms), none of -128.
        right: shape (terms, columns), none of -128.
        by_instructions: with the processor's own for it; None where it has them.
    """
    if has_instructions() and left.device.type == "cpu" if by_instructions is None else by_instructions:
        return torch._int_mm(left, right)
    return sum(
        (left[:, at : at + _EXACT_TERMS].float() @ right[at : at + _EXACT_TERMS].float()).int()
        for at in range(0, left.shape[1], _EXACT_TERMS)
    )


def has_instructions() -> bool:
    """Whether the processor adds up 8-bit products in one instruction (VNNI), as torch sees it."""
    asked = getattr(torch.cpu, "_is_vnni_supported", None)
    return bool(asked and asked())


def _quantised(rows: Any) -> tuple[Any, Any]:
    """Integers, shape (rows, columns), and each row's scale and what 0 stands for, shape (rows, 2)."""
    if rows.device.type == "cpu":
        numbers, edges = torch.empty(rows.shape, dtype=torch.int8), torch.empty(len(rows), 2)
        given, written = rows.numpy(), edges.numpy()
        quantise(given, given.view(np.int32), numbers.numpy(), written, written.view(np.int32))
        return numbers, edges
    lowest = rows.amin(1, keepdim=True).clamp(max=0)
    width = rows.amax(1, keepdim=True).clamp(min=0) - lowest
    factors = torch.where(width > 1e-30, 254 / width, 0.0)
    numbers = ((rows - lowest) * factors).round() - 127
    return numbers.to(torch.int8), torch.cat([width / 254, lowest + width / 2], 1)
