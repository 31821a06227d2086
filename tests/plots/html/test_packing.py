import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.plots.html.packing import column, packed
from tests.plots.html.hostile import HOSTILE
from tests.plots.html.unpacking import unpacked


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_packed_is_no_markup_and_comes_back(text: str) -> None:
    told = packed({"answer": text})
    assert told.isascii()
    assert not set(told) & set("<>&\"'")
    assert unpacked(told) == {"answer": text}


@given(st.lists(st.integers(-(2**53), 2**53)))
def test_a_column_comes_back(numbers: list[int]) -> None:
    told = column(numbers)
    dtype = {"Uint8Array": "<u1", "Uint16Array": "<u2", "Uint32Array": "<u4", "Float64Array": "<f8"}[
        told["type"]
    ]
    assert np.frombuffer(base64.b64decode(told["data"]), dtype=dtype).tolist() == numbers


@pytest.mark.parametrize(
    ("highest", "name"),
    [
        (255, "Uint8Array"),
        (256, "Uint16Array"),
        (65535, "Uint16Array"),
        (65536, "Uint32Array"),
        (2**32, "Float64Array"),
    ],
)
def test_a_column_is_as_narrow_as_it_can_be(highest: int, name: str) -> None:
    assert column([0, highest])["type"] == name
