from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.errors import StrategyError
from niah.retrieval.embedders.conventions import conventions_of
from niah.text.embedding.sentence_encoder import Conventions

SEARCH = "Represent this sentence for searching relevant passages: "


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("Snowflake/snowflake-arctic-embed-m-v1.5", SEARCH, ""),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("BAAI/bge-base-en-v1.5", SEARCH, ""),
        ("BAAI/bge-m3", "", ""),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("facebook/contriever", "", ""),
        ("sentence-transformers/all-mpnet-base-v2", "", ""),
        ("e5-owner/another", "", ""),
        ("./models/e5-base-v2/", "query: ", "passage: "),
    ],
)
def test_known_families(model: str, query: str, passage: str, tmp_path: Path) -> None:
    found = conventions_of(model, tmp_path)
    assert (found.query, found.passage) == (query, passage)
    assert found.similarity == ("dot" if "contriever" in model else "cosine")


@pytest.mark.parametrize(
    ("settings", "query", "passage"),
    [
        ({"prompts": {"query": "Q: ", "document": "D: "}}, "Q: ", "D: "),
        ({"prompts": {"query": "Q: "}}, "Q: ", ""),
        ({"prompts": {"query": "Q: ", "passage": "P: ", "corpus": "C: "}}, "Q: ", "P: "),
        ({"prompts": {"all": "A: "}, "default_prompt_name": "all"}, "A: ", "A: "),
        ({"prompts": {"other": "A: "}, "default_prompt_name": None}, "", ""),
        # The library saves empty prompts unasked: they say nothing.
        ({"prompts": {"query": "", "document": ""}}, "query: ", "passage: "),
        ({"prompts": None}, "query: ", "passage: "),
    ],
)
def test_a_models_own_word_counts_first(
    settings: dict[str, Any], query: str, passage: str, tmp_path: Path
) -> None:
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps(settings))
    assert conventions_of("intfloat/e5-base", tmp_path) == Conventions(query, passage)


def test_a_model_says_how_its_embeddings_compare(tmp_path: Path) -> None:
    settings = tmp_path / "config_sentence_transformers.json"
    settings.write_text('{"similarity_fn_name": "dot"}')
    assert conventions_of("owner/name", tmp_path).similarity == "dot"
    settings.write_text('{"similarity_fn_name": "cosine"}')
    assert conventions_of("owner/contriever-tuned", tmp_path).similarity == "cosine"


def test_settings_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "config_sentence_transformers.json").write_text("{")
    with pytest.raises(StrategyError, match=r"cannot read .*config_sentence_transformers"):
        conventions_of("owner/name", tmp_path)
