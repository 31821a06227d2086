"""Requantising, on a model of two tensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter, LlamaFileType, quants

from niah.weights import requantise


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A Q4_1 model with every kind of metadata."""
    file, kind = tmp_path / "tiny.Q4_1.gguf", GGMLQuantizationType.Q4_1
    writer = GGUFWriter(file, "llama")
    writer.add_file_type(LlamaFileType.MOSTLY_Q4_1)
    writer.add_string("general.name", "Tiny")
    writer.add_uint32("llama.context_length", 64)
    writer.add_float32("llama.rope.freq_base", 100000.5)
    writer.add_bool("tokenizer.ggml.add_bos_token", False)
    for key, values in {
        "tokens": ["a", "Ġt", "é"],
        "scores": [0.5, -1.0, 2.0],
        "token_type": [3, 1, 1],
    }.items():
        writer.add_array(f"tokenizer.ggml.{key}", values)
    matrix = np.random.default_rng(0).standard_normal((4, 64), dtype=np.float32)
    writer.add_tensor("blk.0.weight", quants.quantize(matrix, kind), raw_dtype=kind)
    writer.add_tensor("blk.0.norm", np.arange(5, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def kept(file: Path) -> dict[str, tuple[Any, Any]]:
    """Metadata with its types."""
    fields = GGUFReader(file).fields.items()
    return {key: (field.types, field.contents()) for key, field in fields if not key.startswith("GGUF.")}


def test_metadata_stays_but_for_the_file_type(tiny: Path, tmp_path: Path) -> None:
    before, after = kept(tiny), kept(requantise(tiny, tmp_path / "out.gguf"))
    assert after.pop("general.file_type")[1] == LlamaFileType.MOSTLY_Q8_0
    assert before.pop("general.file_type")[1] == LlamaFileType.MOSTLY_Q4_1
    assert after == before
    assert (tmp_path / "out.gguf").read_bytes() == requantise(tiny, tmp_path / "two.gguf").read_bytes()


def test_tensors(tiny: Path, tmp_path: Path) -> None:
    requantise(tiny, tmp_path / "out.gguf")
    before = {tensor.name: tensor for tensor in GGUFReader(tiny).tensors}
    after = {tensor.name: tensor for tensor in GGUFReader(tmp_path / "out.gguf").tensors}
    assert list(after) == list(before)
    weight, norm = after["blk.0.weight"], after["blk.0.norm"]
    assert weight.tensor_type == GGMLQuantizationType.Q8_0
    assert weight.shape.tolist() == before["blk.0.weight"].shape.tolist() == [64, 4]
    was = quants.dequantize(before["blk.0.weight"].data, GGMLQuantizationType.Q4_1)
    now = quants.dequantize(weight.data, GGMLQuantizationType.Q8_0)
    # A block's step is its largest value / 127; rounding errs by half a step at most.
    assert np.abs(now - was).max() <= np.abs(was).max() / 127 * 0.51
    assert norm.tensor_type == GGMLQuantizationType.F32
    assert norm.data.tolist() == [0, 1, 2, 3, 4]
