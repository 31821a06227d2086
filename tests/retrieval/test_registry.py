from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from niah.retrieval.registry import get_retriever


def silent(line: str) -> None:
    raise AssertionError(line)


@pytest.mark.parametrize("name", ["bm25", "mixpr", "tfidf"])
def test_one_retriever_per_process(name: str) -> None:
    retriever = get_retriever(name, silent)
    assert retriever.name == name
    assert get_retriever(name, silent) is retriever


def test_all_ways_to_write_a_name_give_one_retriever(tiny: Path) -> None:
    retriever = get_retriever(f"{tiny}/", silent)
    assert retriever.name == str(tiny)
    assert get_retriever(f"st:{tiny}", silent) is retriever


def test_a_folder_of_the_users(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    folder = tmp_path / "e5-tiny"
    folder.symlink_to(tiny)
    texts = ["The fox met the hen.", "", "Rates rose. " * 40, "The fox met the hen."]
    scores = get_retriever(str(folder), silent).score("The fox met the hen.", texts)
    # The name says e5: "query: " and "passage: " make two of one text.
    assert scores[0] == scores[3] < 1
    assert np.isfinite(scores).all()
    assert (tmp_path / "vectors.sqlite").exists()


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = {
        "scipy",
        "sklearn",
        "torch",
        "transformers",
        "sentence_transformers",
        "bm25s",
        "numba",
        "litellm",
        "huggingface_hub",
    }
    script = f"import sys, niah.retrieval.registry; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
