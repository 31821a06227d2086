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


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("minilm/top-5/norm", Plan("minilm", Scope("top", 5), "norm", WINDOWS)),
        ("minilm/top-auto/reverse", Plan("minilm", Scope("top-auto"), "reverse", WINDOWS)),
        ("tfidf/half/sides", Plan("tfidf", Scope("half"), "sides", WINDOWS)),
        (
            "tfidf/full/document@80",
            Plan("tfidf", Scope("full"), "document", Chunker("passages", 80)),
        ),
        ("mixpr/budget-500/norm", Plan("mixpr", Scope("budget", 500), "norm", SENTENCES)),
        ("mixpr/top-9/norm@100", Plan("mixpr", Scope("top", 9), "norm", Chunker("passages", 100))),
        ("topk", Plan("minilm", Scope("top-auto"), "norm", WINDOWS)),
        ("topk@100", Plan("minilm", Scope("top-auto"), "norm", Chunker("passages", 100))),
        ("dos", Plan("minilm", Scope("budget", 10_000), "document", Chunker("passages", 100))),
        ("vanilla@200", Plan("minilm", Scope("budget", 10_000), "norm", Chunker("passages", 200))),
        ("mixpr", Plan("mixpr", Scope("top", 100), "document", SENTENCES)),
        ("mixpr@100", Plan("mixpr", Scope("top", 100), "document", Chunker("passages", 100))),
        ("bm25/top-9/norm@sentences", Plan("bm25", Scope("top", 9), "norm", SENTENCES)),
        (
            "bm25/half/reverse@600-100",
            Plan("bm25", Scope("half"), "reverse", EQUAL_WINDOWS),
        ),
        ("topk@300-0", Plan("minilm", Scope("top-auto"), "norm", Chunker("equal-windows", 300))),
        ("mixpr/top-9/norm@windows", Plan("mixpr", Scope("top", 9), "norm", WINDOWS)),
        ("dos@sentences", Plan("minilm", Scope("budget", 10_000), "document", SENTENCES)),
        ("rag-sparse", Plan("tfidf", Scope("top", 100), "document", SENTENCES)),
        ("rag-dense", Plan("minilm", Scope("top", 100), "document", SENTENCES)),
        ("rag-hybrid", Plan("hybrid", Scope("top", 100), "document", SENTENCES)),
        ("hybrid:arctic/top-5/norm", Plan("hybrid:arctic", Scope("top", 5), "norm", WINDOWS)),
        ("rag-hybrid:BAAI/bge-m3", Plan("hybrid:BAAI/bge-m3", Scope("top", 100), "document", SENTENCES)),
        ("rag-hybrid:arctic@600-100", Plan("hybrid:arctic", Scope("top", 100), "document", EQUAL_WINDOWS)),
        ("random/half/document@100", Plan("random", Scope("half"), "document", Chunker("passages", 100))),
        ("arctic/half/sides", Plan("arctic", Scope("half"), "sides", WINDOWS)),
        ("BAAI/bge-m3/full/norm", Plan("BAAI/bge-m3", Scope("full"), "norm", WINDOWS)),
        ("./a/b/top-5/norm@50", Plan("./a/b", Scope("top", 5), "norm", Chunker("passages", 50))),
        ("/m@2/top-5/norm", Plan("/m@2", Scope("top", 5), "norm", WINDOWS)),
        (
            "vertex_ai/gecko@003/top-5/norm@50",
            Plan("vertex_ai/gecko@003", Scope("top", 5), "norm", Chunker("passages", 50)),
        ),
        ("st:openai/clip/top-5/norm", Plan("st:openai/clip", Scope("top", 5), "norm", WINDOWS)),
        ("bm25/top-5/sides+noise-0.5", Plan("bm25", Scope("top", 5), "sides", WINDOWS, 0.5)),
        ("topk@600-100+noise-.9", Plan("minilm", Scope("top-auto"), "norm", EQUAL_WINDOWS, 0.9)),
        ("./a+b/top-5/norm+noise-0.25", Plan("./a+b", Scope("top", 5), "norm", WINDOWS, 0.25)),
        ("bm25+a/b/top-5/norm+noise-0.5", Plan("bm25+a/b", Scope("top", 5), "norm", WINDOWS, 0.5)),
        ("mixpr+./m/half/norm@100", Plan("mixpr+./m", Scope("half"), "norm", Chunker("passages", 100))),
    ],
)
def test_what_a_strategy_means(text: str, plan: Plan) -> None:
    strategy = parse(text)
    assert strategy.name == text
    assert strategy.plan == plan
    assert parse(strategy.definition).plan == plan


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        ("topk", "minilm/top-auto/norm"),
        (" minilm/top-05/norm@0100 ", "minilm/top-5/norm@100"),
        ("vanilla", "minilm/budget-10000/norm@100"),
        ("mixpr", "mixpr/top-100/document"),
        ("lc", "lc"),
        ("mixpr@sentences", "mixpr/top-100/document"),
        ("topk@windows", "minilm/top-auto/norm"),
        ("dos+noise-0.50", "minilm/budget-10000/document@100+noise-0.5"),
        ("oracle+noise-.9", "oracle+noise-0.9"),
        ("rag-hybrid:minilm", "hybrid/top-100/document@sentences"),
        ("rag-hybrid:st:BAAI/bge-m3", "hybrid:BAAI/bge-m3/top-100/document@sentences"),
        ("topk@0600-0100", "minilm/top-auto/norm@600-100"),
        ("st:facebook/contriever/top-5/norm", "contriever/top-5/norm"),
        ("litellm:openai/text-embedding-3-small/half/norm", "openai/text-embedding-3-small/half/norm"),
    ],
)
def test_the_definition_is_canonical(text: str, definition: str) -> None:
    assert parse(text).definition == definition
    assert parse(text).name == text.strip()


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("minilm/top-5/revers", UnknownName, "no order called 'revers'. Did you mean 'reverse'?"),
        ("minilm/fill/norm", UnknownName, "no scope called 'fill'. Did you mean 'full'?"),
        ("minilm/top-x/norm", UnknownName, "no scope called 'top-x'. Did you mean 'top-K'?"),
        ("minilm/budget-0/norm", StrategyError, "'budget-0' needs a whole number above 0, not '0'."),
        ("minilem/top-5/norm", UnknownName, "no retriever called 'minilem'. Did you mean 'minilm'?"),
        ("minilm/top-5/norm@sentence", UnknownName, "no chunks called 'sentence'. Did you mean 'sentences'?"),
        ("a/b/c/top-5/norm", StrategyError, "retriever 'a/b/c' names no model"),
        ("openai//top-5/norm", StrategyError, "retriever 'openai/' names no model."),
        ("owner/name/top-5", UnknownName, "no order called 'top-5'. Known: document, norm,"),
        ("topq", UnknownName, "no strategy called 'topq'. Did you mean 'topk'?"),
        ("random", StrategyError, "random is a retriever alone. Add scope and order: random/top-5/norm."),
        ("minilm/half", StrategyError, "strategy 'minilm/half' has two parts. It needs three,"),
        ("topk@", StrategyError, "'topk@' needs a whole number above 0, not ''."),
        ("topk@ten", UnknownName, "no chunks called 'ten'."),
        (
            "topk@100-600",
            StrategyError,
            "'topk@100-600' asks for windows of 100 tokens that share 600. They must share fewer",
        ),
        ("topk@0-0", StrategyError, "'topk@0-0' asks for windows of 0 tokens that share 0."),
        ("topk@600-", StrategyError, "'topk@600-' needs a whole number above 0, not '600-'."),
        ("rag-hybrid:bm25", StrategyError, "retriever 'hybrid:bm25' needs a model that embeds"),
        ("rag-hybrid:", StrategyError, "retriever 'hybrid:' names no model."),
        ("dos:arctic", UnknownName, "no strategy called 'dos:arctic'."),
        ("hybrid/arctic/top-5/norm", StrategyError, "retriever 'hybrid/arctic' is no model. Write hybrid:"),
        *(
            (f"topk{noise}", StrategyError, f"'topk{noise}' has '{noise}' behind it, which is no share of")
            for noise in ("+noise-1", "+noise-0", "+noise-0.0", "+noise-50%", "+noise", "+nois-0.5", "+")
        ),
        (
            "bm25/top-5/norm+noise-0.5@100",
            StrategyError,
            "'bm25/top-5/norm+noise-0.5@100' has '+noise-0.5@100' behind it, which is no share of noise "
            "above 0 and below 1. Write +noise-0.5 at the very end,",
        ),
        ("dos+sentences-0", StrategyError, "'dos+sentences-0' needs a whole number above 0, not '0'."),
        ("lc+sentences-50", StrategyError, "lc retrieves nothing, but 'lc+sentences-50' asks for the best"),
        ("lc+noise-0.5", StrategyError, "lc takes no noise, but 'lc+noise-0.5' asks for some. Write lc, or"),
        ("closed-book+noise-0.5", StrategyError, "closed-book takes no noise,"),
        ("tpk+noise-0.5", UnknownName, "no strategy called 'tpk'. Did you mean 'topk'?"),
        ("oracle@50+noise-0.5", StrategyError, "oracle takes no chunk size,"),
        ("lc@100", StrategyError, "lc takes no chunk size, but 'lc@100' has one. Write lc."),
        ("", UnknownName, "no strategy called ''. Known: auto-merging, closed-book,"),
    ],
)
def test_errors_name_the_part_and_the_remedy(text: str, error: type[UserError], says: str) -> None:
    with pytest.raises(error) as raised:
        parse(text)
    assert str(raised.value).startswith(says)


@pytest.mark.parametrize(
    ("text", "line", "budget"),
    [
        ("dos", "minilm/budget-N/document@100", 10_000),
        ("bm25/budget-100/norm@600-100", "bm25/budget-N/norm@600-100", 100),
        ("dos+sentences-500", "minilm/budget-10000/document@100+sentences-N", 500),
        ("dos+summary-500", "minilm/budget-10000/document@100+summary-N", 500),
        ("raptor", "raptor-pca:minilm/budget-N/norm@100", 2_000),
        ("mixpr-reader/budget-300/norm", "mixpr-reader/budget-N/norm", 300),
        ("self-route", "self-route", None),
        ("topk", "topk", None),
        ("lc", "lc", None),
    ],
)
def test_what_differs_in_its_budget_alone_is_one_system(text: str, line: str, budget: int | None) -> None:
    assert (parse(text).family, parse(text).budget) == (line, budget)


def test_the_best_sentences_are_part_of_a_strategy() -> None:
    strategy = parse("bm25/top-5/norm@100+sentences-050")
    assert strategy.definition == "bm25/top-5/norm@100+sentences-50"
    assert parse(strategy.definition).plan == strategy.plan


def test_every_named_strategy_is_described_and_written_canonically() -> None:
    rows = dict(describe())
    assert list(rows) == list(STRATEGIES.own)
    for name, line in rows.items():
        assert parse(name).name == name
        assert name in ("lc", "oracle", "closed-book") or f": {parse(name).definition}" in line
    half = "600-token windows for half the length, best first: minilm/half/norm; needs niah[local]"
    assert rows["half"] == half


FACTS = (
    *("is_deployable", "needs_evidence", "sends_needles"),
    *("sends_context", "is_ceiling", "is_floor", "retrieves", "best_first", "best_last", "keeps_places"),
    "is_baseline",
)


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("lc", {"sends_context", "keeps_places", "is_deployable"}),
        ("oracle", {"is_ceiling", "sends_needles", "needs_evidence"}),
        ("oracle+noise-0.5", {"sends_needles", "needs_evidence"}),
        ("topk+noise-0.5", {"retrieves", "best_first", "needs_evidence"}),
        ("closed-book", {"is_floor"}),
        ("topk", {"retrieves", "best_first", "is_deployable"}),
        ("topk-rev@100", {"retrieves", "best_last", "is_deployable"}),
        ("dos", {"retrieves", "keeps_places", "is_deployable"}),
        ("bm25/half/sides", {"retrieves", "is_deployable"}),
        ("random/top-5/norm", {"retrieves", "best_first", "is_deployable", "is_baseline"}),
        ("last/half/reverse", {"retrieves", "best_last", "is_deployable", "is_baseline"}),
        ("of/another/niah", {"retrieves", "is_deployable"}),
    ],
)
def test_a_strategy_says_what_it_is(name: str, facts: set[str]) -> None:
    assert {fact for fact in FACTS if getattr(strategy_of(name), fact)} == facts


def test_names_of_run_files() -> None:
    assert strategy_of("dos") == parse("dos")
    assert (strategy_of("dos").retriever, strategy_of("dos").order) == ("minilm", "document")
    unknown = strategy_of("of/another/niah")
    assert (unknown.name, unknown.definition) == ("of/another/niah", "of/another/niah")
    assert (unknown.retrieval, unknown.retriever, unknown.order) == (None, None, None)
    names = ["topk", "closed-book", "bm25/half/norm", "oracle", "lc"]
    assert sorted(names, key=strategy_place) == ["lc", "oracle", "closed-book", "bm25/half/norm", "topk"]
    rising = [f"bm25/budget-{size}/norm@100" for size in (500, 1000, 2500, 10_000)]
    assert sorted(rising, key=strategy_place) == rising
    assert sorted(["mixpr-alpha-0.3", "mixpr-alpha-0.25"], key=strategy_place)[0] == "mixpr-alpha-0.25"


_RETRIEVERS = st.sampled_from(
    (
        *(
            "bm25",
            "first",
            "hybrid",
            "hybrid:arctic",
            "hybrid:openai/text-embedding-3-small",
            "random",
            "minilm",
            "mixpr",
            "tfidf",
            "arctic",
            "contriever",
            "BAAI/bge-m3",
            "./a/b",
            "~/m",
        ),
        *("openai/text-embedding-3-small", "litellm:x", "together_ai/BAAI/bge", "st:openai/clip", "/a@b"),
    )
)
_SCOPES = st.one_of(
    st.sampled_from(["top-auto", "half", "full"]),
    st.integers(1, 10**9).map(lambda n: f"top-{n}"),
    st.integers(1, 10**9).map(lambda n: f"budget-{n}"),
)
_CHUNKS = st.one_of(
    st.sampled_from(["", "@windows", "@sentences", "@600-100", "@50-0"]),
    st.integers(1, 10**9).map(lambda n: f"@{n}"),
)


_NOISE = st.one_of(st.just(""), st.integers(1, 99).map(lambda n: f"+noise-{n / 100:g}"))


@given(_RETRIEVERS, _SCOPES, st.sampled_from(["norm", "reverse", "document", "sides"]), _CHUNKS, _NOISE)
def test_the_axes_compose_freely(retriever: str, scope: str, order: str, chunks: str, noise: str) -> None:
    plan = parse(f"{retriever}/{scope}/{order}{chunks}{noise}").plan
    assert isinstance(plan, Plan)
    assert (plan.retriever, str(plan.scope), plan.order) == (retriever, scope, order)
    assert plan.noise == (float(noise[7:]) if noise else None)
    assert plan.chunker == default_chunker(retriever) if not chunks else str(plan.chunker) == chunks[1:]
    assert parse(str(plan)).plan == plan


def test_every_part_of_a_strategy_has_a_line() -> None:
    labels = [label for label, _ in describe_axes()]
    for part in ("RETRIEVER bm25", "SCOPE budget-N", "ORDER sides", "@CHUNKS sentences"):
        assert part in labels
    assert all(line and "\n" not in line for _, line in describe_axes())


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
    assert parse_name("http://h/a+b/c").reranker is None
    with pytest.raises(StrategyError, match="'bm25' is no reranker"):
        parse_brought("mine", reference, "top-5", "norm", "windows", "bm25")


@pytest.mark.parametrize(
    ("name", "goes_by_it"),
    [
        ("topk", True),
        ("hybrid/top-5/norm", True),
        ("rag-hybrid", True),
        ("minilm+x/y/top-5/norm", True),
        ("bm25+x/y/top-5/norm", False),
        ("mixpr", False),
        ("lc", False),
        ("arctic/top-5/norm", False),
    ],
)
def test_how_the_packaged_model_scores_is_part_of_what_answers_go_by(name: str, goes_by_it: bool) -> None:
    assert parse(name).packages == (("minilm (int8 onnx, by sentences)",) if goes_by_it else ())
