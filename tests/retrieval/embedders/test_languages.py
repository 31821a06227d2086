from __future__ import annotations

import pytest

from niah.retrieval.embedders.languages import read_languages
from niah.text.writing import main_script
from tests.retrieval.harbour import harbour, languages


@pytest.mark.parametrize(
    ("retriever", "expected"),
    [
        ("minilm", "English"),
        ("hybrid", "English"),
        ("arctic", "English"),
        ("hybrid:arctic", "English"),
        ("hybrid:BAAI/bge-m3", "about a hundred languages"),
        ("random", None),
        ("contriever", "English"),
        ("facebook/mcontriever-msmarco", None),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "more than seventy languages"),
        ("intfloat/e5-base-v2", "English"),
        ("intfloat/multilingual-e5-base", "about a hundred languages"),
        ("BAAI/bge-small-zh-v1.5", "Chinese and English"),
        ("./models/bge-m3", "about a hundred languages"),
        ("cohere/embed-english-v3.0", "English"),
        ("cohere/embed-multilingual-v3.0", "about a hundred languages"),
        ("st:paraphrase-multilingual-MiniLM-L12-v2", "more than fifty languages"),
        ("openai/text-embedding-3-small", None),
        ("bm25", None),
        ("mixpr", None),
    ],
)
def test_what_embedders_read(retriever: str, expected: str | None) -> None:
    found = read_languages(retriever)
    assert (found and found.languages) == expected


_SCRIPTS = {
    **{"english": "Latin", "german": "Latin", "russian": "Cyrillic", "greek": "Greek", "arabic": "Arabic"},
    **{"persian": "Arabic", "hindi": "Devanagari", "thai": "Thai", "chinese": "Chinese", "lao": "Lao"},
    **{"japanese": "Japanese", "korean": "Korean", "khmer": "Khmer", "burmese": "Myanmar"},
}


@pytest.mark.parametrize("language", languages())
def test_the_script_of_a_text(language: str) -> None:
    texts = harbour(language, seed=1, background=20).texts
    assert main_script("A title in English. " + " ".join(texts)) == _SCRIPTS[language]


def test_a_text_without_letters_has_no_script() -> None:
    assert main_script("12 + 3 = 15 🙂") is None


def test_a_multilingual_embedder_reads_every_script_of_the_harbour_towns() -> None:
    reads = read_languages("BAAI/bge-m3")
    assert reads is not None
    assert set(_SCRIPTS.values()) <= reads.scripts
