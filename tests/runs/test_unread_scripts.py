from __future__ import annotations

from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.runs.checks import unread_scripts
from niah.strategies.strategy import parse
from tests.retrieval.harbour import harbour


def lines(haystack: str, *strategies: str) -> list[str]:
    samples = [sample_of(Case("ferry-lanterns", haystack, length, 50, seed=1)) for length in (600, 900)]
    return unread_scripts(samples, map(parse, strategies))


@pytest.fixture
def japanese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("minato.txt").write_text(
        "".join(harbour("japanese", seed=3, background=100).texts), encoding="utf-8"
    )
    return "minato.txt"


def test_one_line_for_an_embedder_of_another_language(japanese: str) -> None:
    expected = (
        "minilm reads English, and minato.txt is written in Japanese: what it retrieves there means little. "
        "bm25, tfidf and mixpr read any script."
    )
    assert lines(japanese, "topk", "minilm/half/norm", "bm25/top-3/norm") == [expected]


def test_none_for_words_for_embedders_that_read_it_and_for_those_nobody_knows(japanese: str) -> None:
    many = "intfloat/multilingual-e5-small/top-3/norm"
    assert lines(japanese, "bm25/top-3/norm", "mixpr", "lc", many, "somebody/their-model/top-3/norm") == []
    assert lines("essays", "topk", "rag-hybrid") == []
