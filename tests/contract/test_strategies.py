"""What each strategy sends: read from the requests, and compared with a BM25 of the test's own."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from niah.retrieval.mixpr import MixPR
from tests.contract.conftest import Endpoint, answering, run_niah, write
from tests.contract.ledger import NEEDLES, QUESTION, Row, ask, make_world, sent, sentences

OWN = """
def longest(question, chunks):
    return [len(chunk) for chunk in chunks]

def system(question, document):
    first = document.split(".")[0] + "."
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    return {"answer": "48213, 70556, 13907", "chunks": [first], "usage": usage}
"""
WHOLE = ["lc", "oracle", "closed-book"]
BY_SENTENCES = [f"bm25/top-6/{order}@sentences" for order in ("norm", "reverse", "document", "sides")]
BY_PASSAGES = [f"bm25/{scope}/norm@100" for scope in ("top-3", "half", "full", "budget-400")]
PRESETS = ["topk", "topk-rev", "half", "half-rev", "full", "full-rev", "vanilla", "dos"]
RERANKED = "bm25+cohere/rerank-v3.5/top-5/norm@sentences"
OTHERS = [
    "minilm/budget-500/norm@100",
    "minilm/budget-500/document@100",
    "mixpr/top-6/document",
    "bm25/top-3/norm@100+noise-0.7",
    "py:./own.py:longest/top-4/norm@sentences",
    RERANKED,
]


class Sent(NamedTuple):
    """A trial's row in ``niah export``, and the context that its request held."""

    row: Row
    context: str

    @property
    def parts(self) -> list[str]:
        return self.context.split("\n\n") if self.context else []


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_world(tmp_path_factory.mktemp("world"))
    write(folder / "own.py", OWN)
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[Endpoint]:
    with answering() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def whole(world: Path) -> str:
    """The context of the one case."""
    assert run_niah("generate", "grid.yaml", "--with-context", "--out", "cases.jsonl", cwd=world).code == 0
    return str(json.loads((world / "cases.jsonl").read_text())["context"])


@pytest.fixture(scope="module")
def by_strategy(world: Path, server: Endpoint) -> dict[str, Sent]:
    """One trial of each strategy, asked one by one."""
    server.services["/shortest"] = lambda body: {
        "order": sorted(range(len(body["chunks"])), key=lambda i: len(body["chunks"][i]))
    }
    server.services["/v2/rerank"] = lambda body: {
        "id": "1",
        "results": [
            {"index": i, "relevance_score": relevance(text)} for i, text in enumerate(body["documents"])
        ],
    }
    strategies = [*WHOLE, *BY_SENTENCES, *BY_PASSAGES, *PRESETS, *OTHERS]
    strategies.append(f"{server.address}/shortest/top-4/norm@sentences")
    server.models["m"] = lambda prompt: f"My answer to prompt {hash(prompt)}."
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COHERE_API_BASE", server.address)
        patch.setenv("COHERE_API_KEY", "co-0123456789")
        rows = {row["strategy"]: row for row in ask(world, server, strategies)}
    prompts = {f"My answer to prompt {hash(text)}.": text for text in map(_text, server.bodies("m"))}
    return {name: Sent(row, sent(prompts[row["answer"]])) for name, row in rows.items()}


def _text(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def relevance(text: str) -> float:
    """What the reranker of these tests says: the later the entry, the better."""
    return int(re.findall(r"\d+", text)[0]) / 100_000


def best_first(chunks: list[str]) -> list[str]:
    """The chunks by BM25 as Lucene has it (k1 1.5, b 0.75), and by their place where scores are equal."""
    terms = [re.findall(r"\w+", chunk.lower()) for chunk in chunks]
    mean = sum(map(len, terms)) / len(terms)

    def score(own: list[str]) -> float:
        total = 0.0
        for term in re.findall(r"\w+", QUESTION.lower()):
            holding = sum(term in each for each in terms)
            idf = math.log(1 + (len(terms) - holding + 0.5) / (holding + 0.5))
            count = own.count(term)
            total += idf * count / (count + 1.5 * (0.25 + 0.75 * len(own) / mean))
        return total

    scores = [score(each) for each in terms]
    return [chunks[place] for place in sorted(range(len(chunks)), key=lambda place: -scores[place])]


def pagerank(chunks: list[str]) -> list[float]:
    """Each chunk's share after 18 steps of pi = 0.4 A pi + 0.6 p; A: TF-IDF similarity, columns sum to 1."""
    terms = [re.findall(r"\w+", text.lower()) for text in (*chunks, QUESTION)]
    words = sorted(set().union(*terms))
    counts = np.array([[each.count(word) for word in words] for each in terms], dtype=float)
    rows = counts * (1 + np.log((1 + len(terms)) / (1 + (counts > 0).sum(axis=0))))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    similarity = rows @ rows.T
    walk = similarity / similarity.sum(axis=0)
    start = np.eye(len(terms))[-1]
    pi = np.full(len(terms), 1 / len(terms))
    for _ in range(18):
        pi = 0.4 * walk @ pi + 0.6 * start
    return [float(share) for share in pi[:-1]]


def test_whole_contexts(by_strategy: dict[str, Sent], whole: str) -> None:
    assert by_strategy["lc"].context == whole
    assert by_strategy["closed-book"].context == ""
    oracle = by_strategy["oracle"]
    assert all(any(needle in part for needle in NEEDLES) for part in oracle.parts)
    assert all(needle in oracle.context for needle in NEEDLES)
    assert len(oracle.context) < len(whole) / 3


def test_orders_of_the_same_best_chunks(by_strategy: dict[str, Sent], whole: str) -> None:
    norm, reverse, document, sides = (by_strategy[name] for name in BY_SENTENCES)
    best = best_first(sentences(whole))[:6]
    assert norm.parts == best
    assert reverse.parts == best[::-1]
    assert sentences(document.context) == sorted(best, key=whole.index)
    assert sides.parts == [best[place] for place in (0, 2, 4, 5, 3, 1)]


def test_scopes_take_the_best_chunks_that_fit(by_strategy: dict[str, Sent], whole: str) -> None:
    top, half, full, budget = (by_strategy[name] for name in BY_PASSAGES)
    in_place = sorted(full.parts, key=whole.index)
    assert [text for part in in_place for text in sentences(part)] == sentences(whole)
    assert full.parts == best_first(in_place)
    room = by_strategy["lc"].row["context_tokens"]
    for scope, most in ((top, 300), (half, room // 2), (budget, 400)):
        assert scope.parts == full.parts[: len(scope.parts)]
        assert 0 <= most - scope.row["context_tokens"] <= 100
    assert len(top.parts) == 3


def test_windows_forwards_and_backwards(by_strategy: dict[str, Sent], whole: str) -> None:
    room = by_strategy["lc"].row["context_tokens"]
    for preset, most in (("topk", 5 * 600), ("half", room // 2), ("full", room)):
        forwards, backwards = by_strategy[preset], by_strategy[f"{preset}-rev"]
        assert forwards.parts == backwards.parts[::-1]
        assert all(part.strip() in whole for part in forwards.parts)
        assert 600 <= forwards.row["context_tokens"] <= most


def test_dos_is_vanilla_in_document_order(by_strategy: dict[str, Sent], whole: str) -> None:
    assert by_strategy["dos"].context == whole  # its 10,000 tokens hold all
    assert sorted(sentences(by_strategy["vanilla"].context)) == sorted(sentences(whole))
    vanilla, dos = (by_strategy[f"minilm/budget-500/{order}@100"] for order in ("norm", "document"))
    assert vanilla.parts == by_strategy["vanilla"].parts[: len(vanilla.parts)]
    assert sentences(dos.context) == sorted(sentences(vanilla.context), key=whole.index)
    assert sentences(dos.context) != sentences(vanilla.context)


def test_mixpr_sends_the_best_of_pagerank(by_strategy: dict[str, Sent], whole: str) -> None:
    chunks, chosen = sentences(whole), sentences(by_strategy["mixpr/top-6/document"].context)
    shares = pagerank(chunks)
    assert MixPR(top=100).score(QUESTION, chunks) == pytest.approx(shares, abs=1e-6)
    best = sorted(range(len(chunks)), key=lambda i: -shares[i])[:6]
    assert chosen == [chunks[i] for i in sorted(best)]


def test_own_retrievers_and_a_reranker(by_strategy: dict[str, Sent], whole: str, server: Endpoint) -> None:
    by_length = sorted(sentences(whole), key=len)
    mine = by_strategy["py:./own.py:longest/top-4/norm@sentences"]
    served = by_strategy[f"{server.address}/shortest/top-4/norm@sentences"]
    assert [len(part) for part in mine.parts] == [len(text) for text in by_length[::-1][:4]]
    assert served.parts == by_length[:4]
    retrieved = best_first(sentences(whole))[:100]
    assert by_strategy[RERANKED].parts == sorted(retrieved, key=relevance, reverse=True)[:5]


def test_noise_is_added_up_to_its_share(by_strategy: dict[str, Sent]) -> None:
    plain, noisy = by_strategy["bm25/top-3/norm@100"], by_strategy["bm25/top-3/norm@100+noise-0.7"]
    assert [part for part in noisy.parts if part in plain.parts] == plain.parts
    added = [part for part in noisy.parts if part not in plain.parts]
    assert added
    assert not any(needle in part for part in added for needle in NEEDLES)
    assert noisy.row["noise_ratio"] >= 0.7


def test_facts_of_retrieval_are_as_counted_from_the_requests(by_strategy: dict[str, Sent]) -> None:
    counted = 0
    for name, trial in by_strategy.items():
        row = trial.row
        if name in ("lc", "closed-book"):
            assert (row["retrieval_completeness"], row["needle_ranks"], row["noise_ratio"]) == (None,) * 3
            continue
        found = [needle in trial.context for needle in NEEDLES]
        assert row["retrieval_completeness"] == pytest.approx(sum(found) / 3), name
        if "/norm@" in name:
            ranks = [[i for i, part in enumerate(trial.parts, 1) if text in part] for text in NEEDLES]
            noise = sum(not any(needle in part for needle in NEEDLES) for part in trial.parts)
            assert row["needle_ranks"] == [min(each, default=None) for each in ranks], name
            assert row["noise_ratio"] == pytest.approx(noise / len(trial.parts)), name
            counted += any(ranks)
    assert counted >= 5


def test_own_systems_answer_in_the_reader_s_place(world: Path, whole: str) -> None:
    got: list[Any] = []

    def answer(body: Any) -> object:
        got.append(body)
        return {"answer": "48213 and 70556", "chunks": [NEEDLES[2]], "usage": {"cost": 0.5}}

    with answering() as endpoint:
        endpoint.services["/answer"] = answer
        names = ["system:py:./own.py:system", f"system:{endpoint.address}/answer"]
        mine, served = ask(world, endpoint, names, out="systems.sqlite")
        assert endpoint.posts == []
    assert got == [{"question": QUESTION, "document": whole}]
    assert (mine["strategy"], mine["score"], mine["prompt_tokens"]) == (names[0], 10, 7)
    assert (mine["retrieval_completeness"], mine["completion_tokens"]) == (0, 2)
    assert (served["score"], served["missing"], served["cost"]) == (7, ["13907"], 0.5)
    assert served["retrieval_completeness"] == pytest.approx(1 / 3)


_START = r"(?:Entry \d+|The code of the \w+)"
_GIST = rf"Gates and codes from \({_START}\) on"


def prepare(prompt: str) -> str:
    """Name places, shorten and choose page 2, as ReadAgent and RAPTOR ask; as a reader, quote."""
    if "<<<" in prompt:
        return ", ".join(re.findall(r"is (\d{5})", sent(prompt))) or "unanswerable"
    if "look up" in prompt:
        return "[2]"
    if places := re.findall(r"<(\d+)>", prompt):
        return f"<{places[-1]}>"
    return f"Gates and codes from ({re.findall(_START, prompt)[0]}) on"


def prompts_of(strategy: str, world: Path) -> list[str]:
    """The prompts of one trial, the reader's last."""
    with answering(m=prepare) as endpoint:
        (row,) = ask(world, endpoint, [strategy], out=f"{strategy}.sqlite")
        assert row["outcome"] == "scored"
        return [_text(body) for body in endpoint.bodies("m")]


def test_raptor_sends_passages_and_summaries_of_all_passages(world: Path, whole: str) -> None:
    *asked, last = prompts_of("raptor", world)
    assert all(any(text in prompt for prompt in asked) for text in sentences(whole))
    summaries = re.findall(_GIST, sent(last))
    assert summaries
    assert set(summaries) <= {prepare(prompt) for prompt in asked}
    read = sentences(re.sub(_GIST, "", sent(last)))
    assert len(read) > 10
    assert set(read) <= set(sentences(whole))


def test_readagent_reads_gists_and_the_page_that_it_chose(world: Path, whole: str) -> None:
    *asked, look_up, last = prompts_of("readagent", world)
    gists = re.findall(_GIST, look_up)
    assert len(gists) > 2
    assert set(gists) <= {prepare(prompt) for prompt in asked}
    assert re.findall(_GIST, sent(last)) == [gists[0], *gists[2:]]
    begin, end = (whole.index(re.findall(_START, gist)[0] + " ") for gist in gists[1:3])
    assert sentences(re.sub(_GIST, "", sent(last))) == sentences(whole[begin:end])


def test_a_route_reads_everything_only_where_it_must(world: Path, whole: str) -> None:
    models = {
        "knows": lambda prompt: "48213",
        "asks": lambda prompt: prepare(prompt) if whole in prompt else "Unanswerable.",
    }
    with answering(**models) as endpoint:
        readers = [{"model": name, "api_base": endpoint.base} for name in models]
        route = "route(bm25/top-3/norm@100,lc)"
        knows, asks = ask(world, endpoint, [route], readers=readers, out="route.sqlite")
        (short,), twice = ([sent(_text(body)) for body in endpoint.bodies(name)] for name in models)
    assert len(short) < len(whole) / 3
    assert twice == [short, whole]
    assert (knows["answer"], knows["score"], knows["completion_tokens"]) == ("48213", 5, 0)
    assert (asks["answer"], asks["score"]) == ("48213, 70556, 13907", 10)
    assert knows["context_tokens"] < asks["context_tokens"]
