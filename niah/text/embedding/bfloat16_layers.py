"""A model's linear layers in bfloat16: half of float32's time, and the same vector in every batch.

A bfloat16 has float32's range and 8 bits of its digits (Kalamkar et al., 2019, arXiv 1905.12322, section 3):
weights and what they are multiplied with are rounded to it, products are added up in float32, and their sums
are rounded again. Between the layers, attention takes and gives bfloat16 too; residuals and layer norms stay
in float32. The kernel adds up a row's products in one order, whatever other rows stand beside it.
"""

from __future__ import annotations

from typing import Any

import torch

_ROWS = 1024
"""For how many rows at once weights are laid out; others take the same layout."""


def to_bfloat16(model: Any) -> None:
    """Make all linear layers of a torch model multiply in bfloat16, where the processor can.

    Elsewhere the model stays as it is, in float32: emulated, bfloat16 would take longer than that.
    """
    if has_instructions():
        for layer in [module for module in model.modules() if isinstance(module, torch.nn.Linear)]:
            layer.forward = Bfloat16Product(layer)


class Bfloat16Product:
    """``layer.forward`` in bfloat16, by weights that are laid out for the processor once.

    Args:
        layer: a ``torch.nn.Linear`` of float32, on the CPU.
    """

    def __init__(self, layer: Any) -> None:
        self._weight = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach().bfloat16(), _ROWS)
        self._bias = None if layer.bias is None else layer.bias.detach().bfloat16()

    def __call__(self, rows: Any) -> Any:
        """Shape (..., inputs) to (..., outputs), bfloat16."""
        return torch.ops.mkldnn._linear_pointwise(rows.bfloat16(), self._weight, self._bias, "none", [], "")


def has_instructions() -> bool:
    """Whether the processor multiplies bfloat16 (AVX512_BF16, AMX) and torch has the kernels for it."""
    asked = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return bool(asked and asked()) and all(
        hasattr(torch.ops.mkldnn, name) for name in ("_reorder_linear_weight", "_linear_pointwise")
    )
