from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.text.scanning import utf8
from niah.text.scanning.characters import FOREIGN
from niah.text.scanning.utf8 import Utf8, starts_of

# "a", "é", "€" and "𝛼" have 1 to 4 bytes; a lone surrogate has 3.
_TEXTS = st.text(st.sampled_from("aé€𝛼\ud800"), max_size=20) | st.lists(
    st.sampled_from(["a" * 40, "é€𝛼\ud800", "é" * 30]), max_size=8
).map("".join)


@settings(deadline=None)
@given(_TEXTS, st.lists(st.integers(0, 300), max_size=8))
def test_offsets_go_there_and_back_in_any_order(text: str, places: list[int]) -> None:
    encoded = Utf8.of(text)
    offsets = np.array([min(place, len(text)) for place in places], dtype=np.int64)
    in_bytes = [len(text[:offset].encode("utf-8", "surrogatepass")) for offset in offsets.tolist()]
    assert encoded.to_bytes(offsets).tolist() == in_bytes
    assert (encoded.to_characters(np.array(in_bytes, dtype=np.int64)) == offsets).all()


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a" * 70, "b", "é", "ÿ\x80"]), max_size=12).map("".join),
    st.sampled_from(["", "€"]),
)
def test_long_texts_have_the_same_bytes(text: str, more: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(utf8, "_LONG", 0)
        assert Utf8.of(text + more).data.tobytes() == (text + more).encode()


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a" * 40, "é", "ж", "鸽", "\ud800", "𝛼"]), max_size=20).map("".join))
def test_characters_of_a_class_are_found(text: str) -> None:
    found = Utf8.of(text).to_characters(Utf8.of(text).places_of(FOREIGN))
    assert found.tolist() == [place for place, character in enumerate(text) if character in "ж鸽𝛼"]


def test_ascii_needs_no_counting() -> None:
    offsets = np.array([0, 2])
    assert Utf8.of("ab").to_bytes(offsets) is offsets
    assert Utf8.of("ab").to_characters(offsets) is offsets


@pytest.mark.parametrize("before", [0, 1, 30, 31, 32, 33, 64])
@pytest.mark.parametrize(("wanted", "others"), [("é", "e~"), ("“", "é€"), ("ж", "éŁ"), ("鸽", "“ж")])
def test_a_character_is_met_wherever_it_stands(before: int, wanted: str, others: str) -> None:
    starts = starts_of(lambda text: wanted in text)
    assert Utf8.of("x" * before + wanted).may_have(starts)
    assert Utf8.of("x" * before + wanted + "y" * 40).may_have(starts)
    assert not Utf8.of("x" * before + others + "y" * 40).may_have(starts)
