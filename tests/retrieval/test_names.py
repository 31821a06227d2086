"""Names of retrievers and rerankers, as tests/golden.json.gz has them too: a canonical one means the same."""

from __future__ import annotations

import pytest

from niah.retrieval.names import PROVIDERS, parse_name

NAMES = (
    "bm25 arctic hybrid:st:BAAI/bge-m3 hybrid:voyage/voyage-3 hybrid:./my-model/ st:all-mpnet-base-v2"
    " together_ai/a/b litellm:text-embedding-3-small /data/m py:my_rag:retrieve"
    " https://rag.example/find st:C:\\models\\m"
)


def test_litellm_knows_the_providers() -> None:
    from niah.readers.litellm_reader import import_litellm

    known = {str(getattr(provider, "value", provider)) for provider in import_litellm().provider_list}
    assert set(PROVIDERS) <= known


@pytest.mark.parametrize("text", NAMES.split())
@pytest.mark.parametrize("reranker", ["cohere/rerank-v3.5", "./m/", "st:cross-encoder/x", "litellm:mine"])
def test_a_reranker_stands_behind_the_name_of_a_retriever(text: str, reranker: str) -> None:
    alone, name = parse_name(text), parse_name(f"{text}+{reranker}")
    assert (parse_name(alone.text), parse_name(name.text)) == (alone, name)
    assert name.reranker
    assert (name.first, name.embedder, name.reranker.text) == (
        *(alone.text, alone.embedder),
        reranker.removeprefix("st:").rstrip("/"),
    )
