"""The values of GGUF files, against the format's own package."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gguf import GGUFEndian, GGUFReader, GGUFWriter
from hypothesis import given
from hypothesis import strategies as st

from niah.text.tokenizers.gguf.gguf_fields import gguf_fields
from niah.weights import ensure_weights


def write(file: Path, endian: GGUFEndian = GGUFEndian.LITTLE, tensor: int = 8) -> Path:
    """A small model file with a value of each kind."""
    writer = GGUFWriter(file, "llama", endianess=endian)
    writer.add_uint8("a.u8", 7)
    writer.add_int8("a.i8", -7)
    writer.add_uint16("a.u16", 700)
    writer.add_int16("a.i16", -700)
    writer.add_uint32("a.u32", 70_000)
    writer.add_int32("a.i32", -70_000)
    writer.add_uint64("a.u64", 2**63)
    writer.add_int64("a.i64", -(2**62))
    writer.add_float32("a.f32", 0.25)
    writer.add_float64("a.f64", 1e300)
    writer.add_bool("a.yes", True)
    writer.add_string("a.text", "Grüße, 世界")
    writer.add_array("a.texts", ["", "hay", "針"])
    writer.add_array("b.numbers", [3, -1, 2])
    writer.add_array("b.fractions", [0.5, -2.0])
    if tensor:
        writer.add_tensor("weights", np.arange(tensor, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def as_the_package_reads(file: Path) -> dict[str, Any]:
    fields = GGUFReader(file).fields.items()
    return {name: field.contents() for name, field in fields if not name.startswith("GGUF.")}


@pytest.mark.parametrize("endian", GGUFEndian)
def test_every_kind_of_value_is_as_the_package_reads_it(endian: GGUFEndian, tmp_path: Path) -> None:
    file = write(tmp_path / "a.gguf", endian)
    assert gguf_fields(file, "") == as_the_package_reads(file)
    assert gguf_fields(file, "b.") == {"b.numbers": [3, -1, 2], "b.fractions": [0.5, -2.0]}
    assert gguf_fields(file, "general.architecture", "a.yes") == {
        "general.architecture": "llama",
        "a.yes": True,
    }
    assert gguf_fields(file) == {}


def test_a_whole_vocabulary_is_as_the_package_reads_it() -> None:
    file = ensure_weights("smollm2")
    assert gguf_fields(file, "") == as_the_package_reads(file)


def test_a_file_without_tensors_has_values(tmp_path: Path) -> None:
    assert gguf_fields(write(tmp_path / "a.gguf", tensor=0), "a.u8") == {"a.u8": 7}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("gguf") / "a.gguf")


@given(data=st.data())
def test_a_file_that_is_cut_before_its_weights_is_told(data: st.DataObject, written: Path) -> None:
    content = written.read_bytes()
    weights = len(content) - len(content) % 32 - 32
    cut = written.with_name("cut.gguf")
    cut.write_bytes(content[: data.draw(st.integers(0, weights))])
    with pytest.raises(
        ValueError, match=r"does not begin with GGUF|ends too early|ends before its last tensor"
    ):
        gguf_fields(cut, "a.")


def test_an_alignment_that_cannot_be_is_told(tmp_path: Path) -> None:
    writer = GGUFWriter(tmp_path / "a.gguf", "llama")
    writer.add_uint32("general.alignment", 0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    with pytest.raises(ValueError, match=r"general\.alignment of 0"):
        gguf_fields(tmp_path / "a.gguf")


@given(place=st.integers(0, 500), byte=st.integers(0, 255))
def test_a_changed_byte_ends_in_values_or_in_a_reason(place: int, byte: int, written: Path) -> None:
    content = bytearray(written.read_bytes())
    content[place] = byte
    changed = written.with_name("changed.gguf")
    changed.write_bytes(content)
    with suppress(ValueError):
        assert gguf_fields(changed, "")


@pytest.mark.parametrize(
    ("before", "number", "reason"),
    [
        (b"GGUF", (1).to_bytes(4, "little"), "version 1 of the format is not known"),
        (b"GGUF\3\0\0\0", (2**60).to_bytes(8, "little"), "claims to have 1152921504606846976 tensors"),
        (b"b.numbers\x09\0\0\0\5\0\0\0", (2**40).to_bytes(8, "little"), "a list of 1099511627776 values"),
        (b"b.numbers\x09\0\0\0\5\0\0\0", (2**20).to_bytes(8, "little"), "ends too early"),
        (b"b.numbers\x09\0\0\0", (9).to_bytes(4, "little"), "a list of values of kind 9 is not known"),
        (b"a.yes", (13).to_bytes(4, "little"), "a value of kind 13 is not known"),
    ],
)
def test_what_cannot_be_is_told(
    before: bytes, number: bytes, reason: str, written: Path, tmp_path: Path
) -> None:
    content = written.read_bytes()
    place = content.index(before) + len(before)
    (tmp_path / "odd.gguf").write_bytes(content[:place] + number + content[place + len(number) :])
    with pytest.raises(ValueError, match=reason):
        gguf_fields(tmp_path / "odd.gguf", "")
