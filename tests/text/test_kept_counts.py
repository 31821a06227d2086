"""Token counts that are kept on disk, and the vocabulary that need not be loaded for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from niah.text.tokenizer import count_each, get_tokenizer
from niah.text.tokenizers import kept_counts
from niah.text.tokenizers.kept_counts import KeptCounts
from niah.text.tokenizers.tiktoken_encoding import TiktokenTokenizer

TEXTS = ["The ferry left at noon.", "", "Søppel på kaia \ud83d"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    return tmp_path


def file_of(cache: Path) -> Path:
    (file,) = cache.glob("token-counts/*.bin")
    return file


def known(texts: list[str], identity: str = "one") -> list[int] | None:
    return KeptCounts(identity).get(texts)


def test_what_was_added_is_found_by_the_next_process_and_by_no_other_tokenizer() -> None:
    KeptCounts("one").add(TEXTS[:2], [6, 0])
    KeptCounts("one").add(TEXTS, [6, 0, 9])
    assert known([*TEXTS, TEXTS[0]]) == [6, 0, 9, 6]
    assert known([]) == []
    assert known([*TEXTS, "Another."]) is None
    assert known(TEXTS, "other") is None


def test_nothing_is_written_twice(cache: Path) -> None:
    kept = KeptCounts("one")
    kept.add(TEXTS, [6, 0, 9])
    size = file_of(cache).stat().st_size
    kept.add(TEXTS, [6, 0, 9])
    KeptCounts("one").add(TEXTS, [6, 0, 9])
    assert file_of(cache).stat().st_size == size


@pytest.mark.parametrize("harm", ["cut", "changed", "other"])
def test_a_damaged_file_is_begun_anew(cache: Path, harm: str) -> None:
    KeptCounts("one").add(TEXTS, [6, 0, 9])
    file = file_of(cache)
    whole = file.read_bytes()
    damaged = {"cut": whole[:-1], "changed": whole[:17] + b"\x07" + whole[18:], "other": b"SQLite format 3\0"}
    file.write_bytes(damaged[harm])
    assert known(TEXTS) is None
    KeptCounts("one").add(TEXTS, [6, 0, 9])
    assert file.read_bytes() == whole


def test_a_process_adds_so_many_and_a_file_holds_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_counts, "_MOST_NEW", 4)
    kept = KeptCounts("one")
    kept.add(TEXTS, [6, 0, 9])
    kept.add(["a", "b"], [1, 1])
    kept.add(["c"], [1])
    assert known([*TEXTS, "c"]) == [6, 0, 9, 1]
    assert known(["a"]) is None
    monkeypatch.setattr(kept_counts, "_MOST_ROWS", 3)
    assert known(["c"]) is None


def test_a_folder_that_cannot_be_written_costs_the_next_time_alone(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache / "file").write_text("in the way")
    monkeypatch.setenv("NIAH_CACHE", str(cache / "file" / "below"))
    kept = KeptCounts("one")
    kept.add(TEXTS, [6, 0, 9])
    assert kept.get(TEXTS) is not None
    assert known(TEXTS) is None


def test_known_texts_load_no_vocabulary_and_a_new_one_does() -> None:
    exact = TiktokenTokenizer("o200k").counts(TEXTS).tolist()
    asked = (
        "import sys; from niah.text.tokenizer import get_tokenizer; t = get_tokenizer('o200k');"
        f"print(t.counts({TEXTS!r}).tolist(), 'tiktoken' in sys.modules, t.counts(['new']).tolist(),"
        " 'tiktoken' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{exact} False [1] True"


@pytest.mark.parametrize("name", ["cl100k", "o200k", "minilm"])
def test_tokens_are_the_same_kept_and_counted(name: str) -> None:
    texts = [text.encode(errors="replace").decode() for text in TEXTS]
    counted = get_tokenizer(name).counts(texts).tolist()
    assert count_each(name, texts) == count_each(name, texts) == counted
    assert count_each(name, []) == []
    assert count_each(name, ["One more."]) == get_tokenizer(name).counts(["One more."]).tolist()
