from __future__ import annotations

import pytest

from niah.errors import UserError
from niah.retrieval.names import PROVIDERS, parse_name

ST = "sentence-transformers"


@pytest.mark.parametrize(
    ("text", "canonical", "kind", "model"),
    [
        ("bm25", "bm25", "own", "bm25"),
        ("Snowflake/snowflake-arctic-embed-m-v1.5", "arctic", ST, "Snowflake/snowflake-arctic-embed-m-v1.5"),
        ("st:facebook/contriever", "contriever", ST, "facebook/contriever"),
        ("hybrid:arctic", "hybrid:arctic", ST, "Snowflake/snowflake-arctic-embed-m-v1.5"),
        ("hybrid:st:BAAI/bge-m3", "hybrid:BAAI/bge-m3", ST, "BAAI/bge-m3"),
        ("hybrid:voyage/voyage-3", "hybrid:voyage/voyage-3", "litellm", "voyage/voyage-3"),
        ("hybrid:./my-model/", "hybrid:./my-model", ST, "./my-model"),
        ("st:all-mpnet-base-v2", f"{ST}/all-mpnet-base-v2", ST, f"{ST}/all-mpnet-base-v2"),
        ("voyageai/voyage-3-m-exp", "voyageai/voyage-3-m-exp", ST, "voyageai/voyage-3-m-exp"),
        ("voyage/voyage-3", "voyage/voyage-3", "litellm", "voyage/voyage-3"),
        ("together_ai/BAAI/bge", "together_ai/BAAI/bge", "litellm", "together_ai/BAAI/bge"),
        ("litellm:oci/x", "litellm:oci/x", "litellm", "oci/x"),
        (
            "litellm:text-embedding-3-small",
            "litellm:text-embedding-3-small",
            "litellm",
            "text-embedding-3-small",
        ),
        ("/data/models/m", "/data/models/m", ST, "/data/models/m"),
        ("py:my_rag:retrieve", "py:my_rag:retrieve", "user", "py:my_rag:retrieve"),
        ("https://rag.example/v1/find", "https://rag.example/v1/find", "user", "https://rag.example/v1/find"),
        ("st:C:\\models\\m", "st:C:\\models\\m", ST, "C:\\models\\m"),
    ],
)
def test_what_a_name_means(text: str, canonical: str, kind: str, model: str) -> None:
    name = parse_name(text)
    assert (name.text, name.kind, name.model) == (canonical, kind, model)
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


@pytest.mark.parametrize(
    ("text", "canonical", "first", "kind", "model"),
    [
        ("minilm+cohere/rerank-v3.5", None, "minilm", "litellm", "cohere/rerank-v3.5"),
        ("hybrid:arctic+./m/", "hybrid:arctic+./m", "hybrid:arctic", "sentence-transformers", "./m"),
        ("mixpr-alpha-.5+a/b", "mixpr-alpha-0.5+a/b", "mixpr-alpha-0.5", "sentence-transformers", "a/b"),
        (
            "bm25+st:cross-encoder/x",
            "bm25+cross-encoder/x",
            "bm25",
            "sentence-transformers",
            "cross-encoder/x",
        ),
        ("bm25+litellm:mine", None, "bm25", "litellm", "mine"),
        ("./a+st:b/c", "./a+b/c", "./a", "sentence-transformers", "b/c"),
    ],
)
def test_rerankers(text: str, canonical: str | None, first: str, kind: str, model: str) -> None:
    name = parse_name(text)
    assert name.text == (canonical or text)
    assert parse_name(name.text) == name
    assert name.first == first
    assert name.reranker
    assert (name.reranker.kind, name.reranker.model) == (kind, model)
    alone = parse_name(first)
    assert (name.kind, name.model, name.embedder) == (alone.kind, alone.model, alone.embedder)
