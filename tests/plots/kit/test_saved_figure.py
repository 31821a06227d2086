from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from niah.plots.kit.saved_figure import file_stem, unique_stems


def test_slugs_are_safe() -> None:
    assert file_stem("minilm/top-auto/norm") == "minilm-top-auto-norm"
    assert file_stem("openai/GPT-4o mini") == "openai-gpt-4o-mini"
    assert file_stem("qwen2.5:7b") == "qwen2.5-7b"
    assert file_stem("../../etc/passwd") == "etc-passwd"
    assert file_stem("模型") == ""


def test_parts_are_joined() -> None:
    assert unique_stems({1: ("smollm2", "minilm/top-auto/norm")}) == {1: "smollm2--minilm-top-auto-norm"}


def test_those_that_would_collide_all_get_a_digest() -> None:
    stems = unique_stems({1: ("a/b", "lc"), 2: ("A-b", "lc"), 3: ("c", "lc")})
    assert stems[3] == "c--lc"
    assert re.fullmatch(r"a-b--lc-[0-9a-f]{8}", stems[1])
    assert len(set(stems.values())) == 3


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), unique=True, max_size=6))
def test_stems_are_unique_safe_and_in_no_order(names: list[tuple[str, str]]) -> None:
    stems = unique_stems({name: name for name in names})
    assert len(set(stems.values())) == len(names)
    assert all(re.fullmatch(r"[a-z0-9.-]+", stem) and not stem.startswith(".") for stem in stems.values())
    assert unique_stems({name: name for name in reversed(names)}) == stems


def test_long_names_are_cut_and_stay_apart() -> None:
    one, other = "x" * 300, "x" * 299 + "y"
    stems = unique_stems({1: (one, "lc"), 2: (other, "lc")})
    assert len(set(stems.values())) == 2
    assert all(len(stem) < 200 for stem in stems.values())
