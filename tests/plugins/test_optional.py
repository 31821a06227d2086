"""Without the extras: what needs none works, the rest says what it needs."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tests.plugins.one_process import Done, in_one_process

# As where these were never installed: importing one fails, and looking for it finds nothing.
WITHOUT = """
import sys
for name in "torch transformers sentence_transformers onnxruntime xllamacpp ray litellm numba".split():
    sys.modules[name] = None
"""
NEEDS = {
    "plan quick": "smollm2 needs xllamacpp, which is not installed. Install niah with its extra local",
    "retrieve single --strategies topk": "minilm needs onnxruntime, which is not installed.",
    "retrieve single --strategies arctic/top-3/norm": "not installed. Install niah with its extra embed",
    "run --suite single --model anthropic/x --strategies lc": "anthropic/x needs litellm, which is",
    "retrieve single --strategies cohere/x/top-3/norm": "cohere/x needs litellm, which is not installed.",
}
WORKS = "retrieve single --strategies mixpr,bm25/half/norm --limit 1"
PRICED = "plan --suite single --model openai/gpt-4o-mini --strategies lc,mixpr --json"


def ask(cache: Path, folder: Path, *commands: str) -> Done:
    keys = {"ANTHROPIC_API_KEY": "none", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
    return in_one_process(WITHOUT, folder, commands, NIAH_CACHE=str(cache), **keys)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """With a user's cache that holds the vocabularies and the prices, as fetching leaves them."""
    found = importlib.util.find_spec("litellm")
    assert found is not None
    assert found.origin is not None
    litellm, cache = Path(found.origin).parent, tmp_path_factory.mktemp("cache")
    fetched = cache / "weights" / "vocabularies"
    fetched.mkdir(parents=True)
    kept = (*(litellm / "litellm_core_utils" / "tokenizers").iterdir(), *litellm.glob("model_prices*.json"))
    for file in kept:
        (fetched / file.name).symlink_to(file)
    folder = tmp_path_factory.mktemp("work")
    done = ask(cache, folder, *NEEDS, WORKS, PRICED)
    assert list(folder.iterdir()) == []
    return done


@pytest.mark.parametrize("command", NEEDS)
def test_what_needs_it_says_so_before_any_work(done: Done, command: str) -> None:
    code, _, said = done[command]
    assert (code, len(said.splitlines())) == (2, 1)
    assert NEEDS[command] in said


def test_cases_retrieval_by_words_and_a_model_at_an_address_need_none_of_it(done: Done) -> None:
    assert (done[WORKS][0], done[PRICED][0]) == (0, 0), done
    assert "mixpr" in done[WORKS][1]
    (reader,) = json.loads(done[PRICED][1])["readers"]
    assert reader["usd"] > 0


def test_vocabularies_that_cannot_be_fetched_are_one_line(tmp_path: Path) -> None:
    code, _, said = ask(tmp_path / "cache", tmp_path, WORKS)[WORKS]
    assert code == 2
    last = said.splitlines()[-1]
    assert "could not download litellm==" in last
    assert "niah model fetch vocabularies" in last
