"""Names of retrievers and rerankers: what they mean, how they are written, what is no name."""

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


@pytest.mark.parametrize(
    ("text", "canonical", "first", "kind", "model"),
    [
        ("minilm+cohere/rerank-v3.5", None, "minilm", "litellm", "cohere/rerank-v3.5"),
        ("hybrid:arctic+./m/", "hybrid:arctic+./m", "hybrid:arctic", ST, "./m"),
        ("mixpr-alpha-.5+a/b", "mixpr-alpha-0.5+a/b", "mixpr-alpha-0.5", ST, "a/b"),
        ("bm25+st:cross-encoder/x", "bm25+cross-encoder/x", "bm25", ST, "cross-encoder/x"),
        ("bm25+litellm:mine", None, "bm25", "litellm", "mine"),
        ("./a+st:b/c", "./a+b/c", "./a", ST, "b/c"),
    ],
)
def test_a_reranker_stands_behind_the_name_of_a_retriever(
    text: str, canonical: str | None, first: str, kind: str, model: str
) -> None:
    name, alone = parse_name(text), parse_name(first)
    assert (name.text, name.first) == (canonical or text, first)
    assert parse_name(name.text) == name
    assert name.reranker
    assert (name.reranker.kind, name.reranker.model) == (kind, model)
    assert (name.kind, name.model, name.embedder) == (alone.kind, alone.model, alone.embedder)
