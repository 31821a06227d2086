"""How fast a machine embeds, kept for plans."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.text.embedding.pace import note_pace, pace_of


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    return tmp_path


def test_the_last_pace_counts_of_each_embedder() -> None:
    assert pace_of("minilm") is None
    note_pace("minilm", 30_000, 2.0)
    note_pace("arctic", 50_000, 10.0)
    note_pace("minilm", 60_000, 3.0)
    assert (pace_of("minilm"), pace_of("arctic"), pace_of("other")) == (20_000, 5_000, None)


def test_a_few_texts_do_not_tell() -> None:
    note_pace("minilm", 19_999, 2.0)
    note_pace("minilm", 30_000, 0.0)
    assert pace_of("minilm") is None


@pytest.mark.parametrize(
    "spoiled", ["", "[]", "{", '{"minilm": "fast"}', '{"minilm": -1}', '{"minilm": 9000000}']
)
def test_a_spoiled_file_tells_nothing_and_is_written_anew(cache: Path, spoiled: str) -> None:
    (cache / "embedding-pace.json").write_text(spoiled)
    assert pace_of("minilm") is None
    note_pace("minilm", 30_000, 1.0)
    assert pace_of("minilm") == 30_000


def test_a_place_that_cannot_be_written_is_no_mistake(cache: Path) -> None:
    (cache / "embedding-pace.json").mkdir()
    note_pace("minilm", 30_000, 1.0)
    assert pace_of("minilm") is None
