"""Without the extras: what needs none works, the rest says what it needs."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# As where these were never installed: importing one fails, and looking for it finds nothing.
_WITHOUT = """
import sys
for name in "torch transformers sentence_transformers onnxruntime xllamacpp ray litellm numba".split():
    sys.modules[name] = None
from niah.cli.main import entry
entry()
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's cache that holds the vocabularies and the prices, as fetching leaves them."""
    found = importlib.util.find_spec("litellm")
    assert found is not None
    assert found.origin is not None
    litellm, folder = Path(found.origin).parent, tmp_path_factory.mktemp("cache")
    fetched = folder / "weights" / "vocabularies"
    fetched.mkdir(parents=True)
    kept = (*(litellm / "litellm_core_utils" / "tokenizers").iterdir(), *litellm.glob("model_prices*.json"))
    for file in kept:
        (fetched / file.name).symlink_to(file)
    return folder


def niah(folder: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _WITHOUT, *arguments]
    environment = os.environ | {"NIAH_CACHE": str(cache), "PIP_NO_INDEX": "1", "ANTHROPIC_API_KEY": "none"}
    environment.pop("PIP_FIND_LINKS", None)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("plan quick", "smollm2 needs xllamacpp, which is not installed. Install niah with its extra local"),
        ("retrieve single --strategies topk", "minilm needs onnxruntime, which is not installed."),
        (
            "retrieve single --strategies arctic/top-3/norm",
            "is not installed. Install niah with its extra embed",
        ),
        (
            "run --suite single --model anthropic/x --strategies lc",
            "anthropic/x needs litellm, which is not installed. Install niah with",
        ),
        (
            "retrieve single --strategies cohere/x/top-3/norm",
            "cohere/x needs litellm, which is not installed.",
        ),
    ],
)
def test_what_needs_it_says_so_before_any_work(
    arguments: str, line: str, cache: Path, tmp_path: Path
) -> None:
    done = niah(tmp_path, cache, *arguments.split())
    assert done.returncode == 2
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_cases_and_retrieval_by_words_need_none_of_it(cache: Path, tmp_path: Path) -> None:
    done = niah(tmp_path, cache, "retrieve", "single", "--strategies", "mixpr,bm25/half/norm", "--limit", "1")
    assert done.returncode == 0, done.stderr
    assert "mixpr" in done.stdout


def test_a_model_at_an_address_needs_none_of_it_and_has_its_price(cache: Path, tmp_path: Path) -> None:
    words = "plan --suite single --model openai/gpt-4o-mini --strategies lc,mixpr --json"
    done = niah(tmp_path, cache, *words.split())
    assert done.returncode == 0, done.stderr
    (reader,) = json.loads(done.stdout)["readers"]
    assert reader["usd"] > 0


def test_vocabularies_that_cannot_be_fetched_are_one_line(tmp_path: Path) -> None:
    done = niah(tmp_path, tmp_path / "cache", "generate", "single")
    assert done.returncode == 2
    (*_, last) = done.stderr.splitlines()
    assert "could not download litellm==" in last
    assert "niah model fetch vocabularies" in last
