from __future__ import annotations

import subprocess
import sys

import pytest

from niah.errors import UnknownName
from niah.retrieval.registry import get_retriever, retriever_names


def silent(line: str) -> None:
    raise AssertionError(line)


@pytest.mark.parametrize("name", ["mixpr", "tfidf"])
def test_one_retriever_per_process(name: str) -> None:
    retriever = get_retriever(name, silent)
    assert retriever.name == name
    assert get_retriever(name, silent) is retriever


def test_names() -> None:
    assert retriever_names() == ["minilm", "mixpr", "tfidf"]


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no retriever called 'minilem'\. Did you mean 'minilm'\?"):
        get_retriever("minilem", silent)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = {"scipy", "sklearn", "torch", "transformers", "sentence_transformers"}
    script = f"import sys, niah.retrieval.registry; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
