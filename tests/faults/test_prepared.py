"""Strategies that have a model read first: RAPTOR's clusters are as published, ReadAgent sees the options."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import homogeneity_score

from niah.strategies.prepared.clusters import Reduction, _mixture, clusters
from tests.contract.conftest import Endpoint, Niah, write

pytestmark = pytest.mark.usefixtures("without_figures")


@pytest.mark.parametrize(
    "strategy",
    [
        "raptor-pca:minilm/budget-300/norm",
        pytest.param("raptor-umap:minilm/budget-300/norm", marks=pytest.mark.slow),
    ],
)
def test_raptor_makes_a_summary_of_some_six_passages(
    folder: Path, niah: Niah, endpoint: Endpoint, lamp: Path, strategy: str
) -> None:
    """The published code makes 10 summaries of 61 passages, 22 of 124 and 45 of 259, with 6 children each."""
    endpoint.models["m"] = lambda prompt: f"This part, number {len(endpoint.posts)}, is about the coast. " * 8
    grid = ("--needle-sets", lamp, "--lengths", 3100, "--depths", 50, "--strategies", strategy)
    ran = niah("run", *grid, "--model", "m", "--api-base", endpoint.base, "--out", "r.sqlite")
    assert ran.code == 0, ran.err
    prompts = [body["messages"][-1]["content"] for body in endpoint.bodies("m")]
    summaries = [prompt for prompt in prompts if "lamp room?" not in prompt]
    of_passages = [prompt for prompt in summaries if "is about the coast" not in prompt]
    passages = {part for prompt in of_passages for part in prompt.split("\n\n")}
    passages -= set.intersection(*(set(prompt.split("\n\n")) for prompt in of_passages))  # the template's
    assert len(passages) / 9 <= len(of_passages) <= len(passages) / 3


@pytest.mark.parametrize(
    "reduction",
    ["pca", pytest.param("umap", marks=pytest.mark.slow)],  # umap-learn compiles for long
)
def test_a_cluster_is_of_one_topic(reduction: Reduction) -> None:
    """Four topics of fifty: mixtures split them further, as published, but do not mix them."""
    draw = np.random.default_rng(24)
    topics = np.repeat(np.arange(4), 50)
    vectors = draw.normal(size=(4, 384))[topics] + 0.8 * draw.normal(size=(200, 384))
    made = clusters(vectors.astype(np.float32), [30] * 200, reduction)
    owner = np.full(200, -1)
    for number, members in enumerate(made):
        owner[members] = number
    assert homogeneity_score(topics, owner) >= 0.95


@pytest.mark.parametrize("strategy", ["readagent-2", "readagent-sequential-2", "tree-index"])
def test_a_look_up_shows_the_options(folder: Path, niah: Niah, endpoint: Endpoint, strategy: str) -> None:
    text = " ".join(f"On day {day} the harbour master wrote about tide and wind." for day in range(120))
    question = {
        "id": "q",
        "document": text,
        "question": "What did the harbour master write about?",
        "options": ["bread", "tide and wind", "lanterns"],
        "answer_index": 1,
    }
    write(folder / "harbour.jsonl", json.dumps(question))
    write(folder / "harbour.yaml", "questions: [./harbour.jsonl]\nprompt: lc-vs-rag\n")
    endpoint.models["m"] = lambda prompt: "[1]" if re.search(r"look|child|number", prompt) else "B"
    grid = ("--suite", "./harbour.yaml", "--strategies", strategy)
    ran = niah("run", *grid, "--model", "m", "--api-base", endpoint.base, "--out", "r.sqlite")
    assert ran.code == 0, ran.err
    prompts = [body["messages"][-1]["content"] for body in endpoint.bodies("m")]
    asked = [prompt for prompt in prompts if question["question"] in prompt]
    assert len(asked) > 1
    assert all("B. tide and wind" in prompt or "(B) tide and wind" in prompt for prompt in asked)


def test_two_texts_that_repeat_are_not_told_apart() -> None:
    """As published, a mixture has fewer parts than there are different points."""
    (members,) = _mixture(np.repeat([[0.0, 0.0], [9.0, 9.0]], 3, axis=0))
    assert members.tolist() == [0, 1, 2, 3, 4, 5]
