from __future__ import annotations

import pytest

from niah.errors import UserError
from niah.retrieval.names import PROVIDERS, parse_name

ST = "sentence-transformers"


@pytest.mark.parametrize(
    ("text", "canonical", "kind", "model"),
    [
        ("bm25", None, "own", "bm25"),
        ("Snowflake/snowflake-arctic-embed-m-v1.5", "arctic", ST, "Snowflake/snowflake-arctic-embed-m-v1.5"),
        ("st:facebook/contriever", "contriever", ST, "facebook/contriever"),
        ("hybrid:arctic", None, ST, "Snowflake/snowflake-arctic-embed-m-v1.5"),
        ("hybrid:st:BAAI/bge-m3", "hybrid:BAAI/bge-m3", ST, "BAAI/bge-m3"),
        ("hybrid:voyage/voyage-3", None, "litellm", "voyage/voyage-3"),
        ("hybrid:./my-model/", "hybrid:./my-model", ST, "./my-model"),
        ("st:all-mpnet-base-v2", f"{ST}/all-mpnet-base-v2", ST, f"{ST}/all-mpnet-base-v2"),
        ("voyageai/voyage-3-m-exp", None, ST, "voyageai/voyage-3-m-exp"),
        ("voyage/voyage-3", None, "litellm", "voyage/voyage-3"),
        ("together_ai/BAAI/bge", None, "litellm", "together_ai/BAAI/bge"),
        ("litellm:text-embedding-3-small", None, "litellm", "text-embedding-3-small"),
        ("/data/models/m", None, ST, "/data/models/m"),
        ("py:my_rag:retrieve", None, "user", "py:my_rag:retrieve"),
        ("https://rag.example/v1/find", None, "user", "https://rag.example/v1/find"),
        ("st:C:\\models\\m", None, ST, "C:\\models\\m"),
    ],
)
def test_what_a_name_means(text: str, canonical: str | None, kind: str, model: str) -> None:
    name = parse_name(text)
    assert (name.text, name.kind, name.model) == (canonical or text, kind, model)
    assert parse_name(name.text) == name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("minilem", "Did you mean 'minilm'?"),
        ("own er/name", "names no model"),
        ("sx:owner/name", "Did you mean 'st:'?"),
        ("hybrid:", "names no model"),
        ("hybrid:hybrid:arctic", "needs a model that embeds"),
        ("hybrid:contriever", "adds cosines"),
        ("openai/", "names no model"),
    ],
)
def test_what_is_no_name(text: str, says: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_name(text)
    assert says in str(raised.value)


def test_litellm_knows_the_providers() -> None:
    from niah.readers.litellm_reader import import_litellm

    known = {str(getattr(provider, "value", provider)) for provider in import_litellm().provider_list}
    assert set(PROVIDERS) <= known


def test_a_reranker_stands_behind_the_name_of_a_retriever() -> None:
    name, alone = parse_name("hybrid:arctic+st:./m/"), parse_name("hybrid:arctic")
    assert (name.text, name.first) == ("hybrid:arctic+./m", "hybrid:arctic")
    assert name.reranker
    assert (name.reranker.kind, name.reranker.model) == (ST, "./m")
    assert (name.kind, name.model, name.embedder) == (alone.kind, alone.model, alone.embedder)
