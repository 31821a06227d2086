"""What the names of strategies mean; the golden file has 300 canonical ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.errors import StrategyError, UnknownName, UserError
from niah.retrieval.names import parse_name
from niah.strategies.chunkers import Chunker, default_chunker
from niah.strategies.grammar import describe, describe_axes
from niah.strategies.parts import RetrievalPlan as Plan
from niah.strategies.parts import Scope
from niah.strategies.presets import STRATEGIES
from niah.strategies.strategy import parse, parse_brought, strategy_of, strategy_place

WINDOWS = Chunker("windows", 600, 100)
EQUAL_WINDOWS = Chunker("equal-windows", 600, 100)
SENTENCES = Chunker("sentences", 32)
PASSAGES = Chunker("passages", 100)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("minilm/top-auto/reverse", Plan("minilm", Scope("top-auto"), "reverse", WINDOWS)),
        ("tfidf/full/document@80", Plan("tfidf", Scope("full"), "document", Chunker("passages", 80))),
        ("mixpr/budget-500/norm", Plan("mixpr", Scope("budget", 500), "norm", SENTENCES)),
        ("dos", Plan("minilm", Scope("budget", 10_000), "document", Chunker("passages", 100))),
        ("topk@300-0", Plan("minilm", Scope("top-auto"), "norm", Chunker("equal-windows", 300))),
        ("mixpr/top-9/norm@windows", Plan("mixpr", Scope("top", 9), "norm", WINDOWS)),
        ("rag-hybrid:BAAI/bge-m3", Plan("hybrid:BAAI/bge-m3", Scope("top", 100), "document", SENTENCES)),
        ("rag-hybrid:arctic@600-100", Plan("hybrid:arctic", Scope("top", 100), "document", EQUAL_WINDOWS)),
        ("/m@2/top-5/norm", Plan("/m@2", Scope("top", 5), "norm", WINDOWS)),
        (
            "vertex_ai/b@3/top-5/norm@50",
            Plan("vertex_ai/b@3", Scope("top", 5), "norm", Chunker("passages", 50)),
        ),
        ("topk@600-100+noise-.9", Plan("minilm", Scope("top-auto"), "norm", EQUAL_WINDOWS, 0.9)),
        ("./a+b/top-5/norm+noise-0.25", Plan("./a+b", Scope("top", 5), "norm", WINDOWS, 0.25)),
        ("bm25+a/b/top-5/norm+noise-0.5", Plan("bm25+a/b", Scope("top", 5), "norm", WINDOWS, 0.5)),
        (
            "dos+sentences-050",
            Plan("minilm", Scope("budget", 10_000), "document", PASSAGES, None, 50),
        ),
    ],
)
def test_what_a_name_means(text: str, plan: Plan) -> None:
    strategy = parse(text)
    assert (strategy.name, strategy.plan) == (text, plan)
    assert parse(strategy.definition).plan == plan


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        (" minilm/top-05/norm@0100 ", "minilm/top-5/norm@100"),
        ("mixpr@sentences", "mixpr/top-100/document"),
        ("dos+noise-0.50", "minilm/budget-10000/document@100+noise-0.5"),
        ("oracle+noise-.9", "oracle+noise-0.9"),
        ("rag-hybrid:st:BAAI/bge-m3", "hybrid:BAAI/bge-m3/top-100/document@sentences"),
        ("topk@0600-0100", "minilm/top-auto/norm@600-100"),
        ("sentence-window@sentence-window-5", "minilm/top-2/norm@sentence-window-5"),
        ("bm25/half/document@auto-merging", "bm25/half/document@auto-merging-128"),
        ("route(dos, lc)", "route(minilm/budget-10000/document@100,lc)"),
        ("mixpr-reader-a0.30@100", "mixpr-reader-a0.3/top-100/document@100"),
        ("lc+summary-500", "lc+summary-500"),
        ("raptor-pca-traversal:minilm/top-5/norm", "raptor-pca-traversal:minilm/top-5/norm@100"),
        ("readagent", "readagent-6"),
        ("readagent-sequential-2", "readagent-sequential-2"),
    ],
)
def test_the_definition_is_canonical(text: str, definition: str) -> None:
    assert parse(text).definition == parse(definition).definition == definition


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("minilm/top-5/revers", UnknownName, "no order called 'revers'. Did you mean 'reverse'?"),
        ("minilm/top-x/norm", UnknownName, "no scope called 'top-x'. Did you mean 'top-K'?"),
        ("minilm/budget-0/norm", StrategyError, "'budget-0' needs a whole number above 0, not '0'."),
        ("minilem/top-5/norm", UnknownName, "no retriever called 'minilem'. Did you mean 'minilm'?"),
        ("minilm/top-5/norm@sentence", UnknownName, "no chunks called 'sentence'. Did you mean 'sentences'?"),
        ("bm25/top-2/norm@sentence-window-0", StrategyError, "needs a whole number above 0"),
        ("topq", UnknownName, "no strategy called 'topq'. Did you mean 'topk'?"),
        ("random", StrategyError, "scope and order behind it: random/top-5/norm"),
        ("minilm/half", StrategyError, "strategy 'minilm/half' has two parts. Write three,"),
        ("topk@", StrategyError, "'topk@' needs a whole number above 0, not ''."),
        ("topk@100-600", StrategyError, "'topk@100-600' asks for windows of 100 tokens that share 600."),
        ("topk@600-", StrategyError, "'topk@600-' needs a whole number above 0, not '600-'."),
        ("rag-hybrid:", StrategyError, "retriever 'hybrid:' names no model."),
        ("topk+noise-1", StrategyError, "no share of noise above 0 and below 1"),
        ("topk+noise-0.0", StrategyError, "no share of noise above 0 and below 1"),
        ("topk+", StrategyError, "no share of noise above 0 and below 1"),
        ("bm25/top-5/norm+noise-0.5@100", StrategyError, "has '+noise-0.5@100' behind it"),
        (
            "sentence-window+noise-0.5",
            StrategyError,
            "next to chunks that are read with their neighbours",
        ),
        ("lc+noise-0.5", StrategyError, "asks for noise, and lc takes none. Write lc, or oracle+noise-0.5."),
        ("lc+sentences-50", StrategyError, "has no best sentences: lc retrieves nothing"),
        ("lc@100", StrategyError, "has a chunk size, and lc takes none. Write lc."),
        ("raptor@50", StrategyError, "strategy 'raptor' takes nothing behind its name. Write raptor-pca:"),
        ("", UnknownName, "no strategy called ''. Known: auto-merging, closed-book,"),
        ("raptor-pca:bm25/top-5/norm", StrategyError, "clusters embeddings, and bm25 does not embed"),
        ("raptor-pca:minilm/top-5/norm+noise-0.5", StrategyError, "behind a colon, without noise"),
        ("raptor:minilm/top-5/norm", StrategyError, "Write raptor-pca:minilm/budget-2000/norm."),
        ("raptor-pca-traversal:minilm/half/norm", StrategyError, "fills tokens, and a traversal takes"),
        ("route(dos", StrategyError, "needs two strategies in brackets"),
        ("route(dos,lc,topk)", StrategyError, "needs two strategies in brackets"),
        ("route(dos,closed-book)", StrategyError, "takes no closed-book. Write lc, or one that retrieves"),
        ("route(raptor,lc)", StrategyError, "takes no raptor"),
        ("route(dos,dos)", StrategyError, "routes to the same twice"),
        ("topk+noise-0.5+summary-50", StrategyError, "takes no topk+noise-0.5"),
        ("dos+summary-0", StrategyError, "has the number 0. Write one from 1 to 100000."),
        ("mixpr-reader-alpha-0.3", StrategyError, "is no form of it. Write mixpr-reader, mixpr-reader-a0.3"),
        ("mixpr-reader+noise-0.5", StrategyError, "takes no noise"),
        ("tree-index-11", StrategyError, "has the number 11. Write one from 1 to 10."),
    ],
)
def test_errors_name_the_part_and_the_remedy(text: str, error: type[UserError], says: str) -> None:
    with pytest.raises(error) as raised:
        parse(text)
    assert says in str(raised.value)


def test_every_named_strategy_is_described_and_written_canonically() -> None:
    rows = dict(describe())
    assert list(rows) == list(STRATEGIES.own)
    for name, line in rows.items():
        assert name in ("lc", "oracle", "closed-book") or f": {parse(name).definition}" in line
    half = "600-token windows for half the length, best first: minilm/half/norm; needs niah[local]"
    assert rows["half"] == half
    labels = [label for label, _ in describe_axes()]
    assert {"RETRIEVER bm25", "SCOPE budget-N", "ORDER sides", "@CHUNKS sentences"} <= {*labels}


@pytest.mark.parametrize(
    ("name", "true"),
    [
        ("lc", {"sends_context", "keeps_places", "is_deployable"}),
        ("oracle", {"is_ceiling", "sends_needles", "needs_evidence"}),
        ("oracle+noise-0.5", {"sends_needles", "needs_evidence"}),
        ("topk+noise-0.5", {"retrieves", "best_first", "needs_evidence"}),
        ("closed-book", {"is_floor"}),
        ("topk-rev@100", {"retrieves", "best_last", "is_deployable"}),
        ("dos", {"retrieves", "keeps_places", "is_deployable"}),
        ("bm25/half/sides", {"retrieves", "is_deployable"}),
        ("random/top-5/norm", {"retrieves", "best_first", "is_deployable", "is_baseline"}),
        ("raptor", {"retrieves", "best_first", "is_deployable"}),
        ("of/another/niah", {"retrieves", "is_deployable"}),
    ],
)
def test_a_strategy_says_what_it_is(name: str, true: set[str]) -> None:
    assert {fact for fact, value in strategy_of(name).facts.items() if value is True} == true


@pytest.mark.parametrize(
    ("name", "label", "family", "retriever", "scope", "order", "budget"),
    [
        ("lc", "full context", "lc", None, None, None, None),
        ("dos", "dos", "minilm/budget-N/document@100", "minilm", "budget-10000", "document", 10_000),
        ("topk", "topk", "topk", "minilm", "top-auto", "norm", None),
        ("dos+sentences-500", "dos+sentences-500", "minilm/budget-10000/document@100+sentences-N",
         "minilm", "budget-10000", "document", 500),
        ("topk+summary-9", "topk+summary-9", "minilm/top-auto/norm+summary-N",
         "minilm", "top-auto", "document", 9),
        ("raptor", "raptor", "raptor-pca:minilm/budget-N/norm@100", "minilm", "budget-2000", "norm", 2_000),
        ("self-route", "self-route", "self-route", "minilm", "budget-10000", "document", None),
        ("of/another/niah", "of/another/niah", "of/another/niah", None, None, None, None),
    ],
)  # fmt: skip
def test_columns_of_a_strategy(
    name: str, label: str, family: str, retriever: str, scope: str, order: str, budget: int | None
) -> None:
    facts = strategy_of(name).facts
    expected = {"label": label, "family": family, "retriever": retriever, "scope": scope, "order": order}
    assert {key: facts[key] for key in (*expected, "budget")} == expected | {"budget": budget}


def test_strategies_sort_by_kind_then_by_name_with_budgets_rising() -> None:
    names = ["lc", "oracle", "closed-book", *(f"bm25/budget-{size}/norm" for size in (500, 1000, 10_000))]
    assert sorted({*names}, key=strategy_place) == names
    assert sorted(["mixpr-alpha-0.3", "mixpr-alpha-0.25"], key=strategy_place)[0] == "mixpr-alpha-0.25"


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("mine-125", "mine-N"),
        ("a.125-v2", "a.N-v2"),
        ("small", "py:my_rag:retrieve/budget-N/document@100"),
        ("mine-1250", "py:my_rag:retrieve/budget-N/document@100"),
    ],
)
def test_own_names_that_say_the_budget_name_the_family(name: str, family: str) -> None:
    assert strategy_of(name, "py:my_rag:retrieve/budget-125/document@100").family == family


_RETRIEVERS = st.sampled_from(
    ["bm25", "hybrid:arctic", "hybrid:openai/embed", "mixpr", "BAAI/bge-m3", "~/m", "litellm:x", "/a@b"]
)
_NUMBERS = st.integers(1, 10**9)
_SCOPES = st.sampled_from(["top-auto", "half", "full"]) | _NUMBERS.map(lambda n: f"top-{n}")
_CHUNKS = st.sampled_from(["", "@windows", "@sentences", "@50-0"]) | _NUMBERS.map(lambda n: f"@{n}")
_NOISE = st.just("") | st.integers(1, 99).map(lambda n: f"+noise-{n / 100:g}")


@given(_RETRIEVERS, _SCOPES, st.sampled_from(["norm", "reverse", "document", "sides"]), _CHUNKS, _NOISE)
def test_parts_compose_freely(retriever: str, scope: str, order: str, chunks: str, noise: str) -> None:
    plan = parse(f"{retriever}/{scope}/{order}{chunks}{noise}").plan
    assert isinstance(plan, Plan)
    assert (plan.retriever, str(plan.scope), plan.order) == (retriever, scope, order)
    assert plan.noise == (float(noise[7:]) if noise else None)
    assert plan.chunker == default_chunker(retriever) if not chunks else str(plan.chunker) == chunks[1:]
    assert parse(str(plan)).plan == plan


@pytest.mark.parametrize(
    ("reference", "rerank", "retriever"),
    [
        ("my_rag:find", "BAAI/bge-reranker-v2-m3", "py:my_rag:find+BAAI/bge-reranker-v2-m3"),
        ("./a+b/rag.py:find", "./model", "py:./a+b/rag.py:find+./model"),
        ("http://h/a+b/c", "cohere/rerank-v3.5", "http://h/a+b/c+cohere/rerank-v3.5"),
        ("http://h/find", "st:a/b", "http://h/find+st:a/b"),
    ],
)
def test_a_reranker_behind_what_a_user_brings(reference: str, rerank: str, retriever: str) -> None:
    strategy = parse_brought("mine", reference, "top-5", "norm", "windows", rerank, "3")
    assert strategy.definition == f"{retriever}/top-5/norm"
    assert strategy.packages == ("mine 3",)
    assert parse(strategy.definition).plan == strategy.plan
    name = parse_name(retriever)
    assert (name.first, name.kind) == (retriever[: retriever.rindex("+")], "user")
    with pytest.raises(StrategyError, match="'bm25' is no reranker"):
        parse_brought("mine", reference, "top-5", "norm", "windows", "bm25")


@pytest.mark.parametrize("name", ["topk", "rag-hybrid", "minilm+x/y/top-5/norm", "route(bm25/half/norm,dos)"])
def test_how_the_packaged_model_scores_is_part_of_what_answers_go_by(name: str) -> None:
    assert "minilm (int8 onnx, by sentences)" in parse(name).packages
    for other in ("bm25+x/y/top-5/norm", "mixpr", "lc", "arctic/top-5/norm"):
        assert parse(other).packages == ()
