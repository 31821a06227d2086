"""Haystacks that are counted beforehand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from niah.haystacks import sizes
from niah.haystacks.documents import haystack_names
from niah.haystacks.sizes import SIZES_FILE, HaystackSize, counted_sizes, haystack_size
from niah.paths import shipped


def test_what_ships_is_counted_as_it_is() -> None:
    # After a change: python -m tests.haystacks.write_sizes
    assert (shipped("haystacks") / SIZES_FILE).read_bytes() == counted_sizes(haystack_names())


def test_nothing_is_read_and_cut_for_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "_measured", None)
    assert haystack_size("essays-de") == HaystackSize(sentences=89, words=1_088, tokens=1_855)


@pytest.mark.parametrize("change", ["a word more", "no counts"])
def test_a_haystack_that_was_changed_is_counted_anew(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(shipped("haystacks"), tmp_path / "haystacks")
    monkeypatch.setattr(sizes, "shipped", tmp_path.joinpath)
    counted = HaystackSize(1, 2, 3)
    monkeypatch.setattr(sizes, "_measured", lambda name: counted)
    assert haystack_size("essays-de") != counted
    if change == "no counts":
        (tmp_path / "haystacks" / SIZES_FILE).unlink()
    else:
        file = next((tmp_path / "haystacks" / "essays-de").glob("*.md"))
        file.write_text(f"{file.read_text()} Ende.")
    assert haystack_size("essays-de") == counted
