"""What the names of strategies mean; the golden file has 300 canonical ones."""

from __future__ import annotations

import pytest

from niah.errors import StrategyError, UnknownName, UserError
from niah.strategies.strategy import parse, parse_brought, strategy_of


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("minilm/top-5/revers", UnknownName, "no order called 'revers'. Did you mean 'reverse'?"),
        ("minilm/budget-0/norm", StrategyError, "'budget-0' needs a whole number above 0, not '0'."),
        ("minilem/top-5/norm", UnknownName, "no retriever called 'minilem'. Did you mean 'minilm'?"),
        ("topq", UnknownName, "no strategy called 'topq'. Did you mean 'topk'?"),
        ("topk@", StrategyError, "'topk@' needs a whole number above 0, not ''."),
        ("rag-hybrid:", StrategyError, "retriever 'hybrid:' names no model."),
        ("topk+noise-1", StrategyError, "no share of noise above 0 and below 1"),
        ("bm25/top-5/norm+noise-0.5@100", StrategyError, "has '+noise-0.5@100' behind it"),
        ("lc+noise-0.5", StrategyError, "asks for noise, and lc takes none. Write lc, or oracle+noise-0.5."),
        ("lc+sentences-50", StrategyError, "has no best sentences: lc retrieves nothing"),
        ("", UnknownName, "no strategy called ''. Known: agent, auto-merging, closed-book,"),
        ("raptor-pca:bm25/top-5/norm", StrategyError, "clusters embeddings, and bm25 does not embed"),
        ("route(dos", StrategyError, "needs two strategies in brackets"),
        ("route(raptor,lc)", StrategyError, "takes no raptor"),
        ("dos+summary-0", StrategyError, "needs a whole number above 0, not '0'. Write 100,000 at most."),
        ("tree-index-11", StrategyError, "needs a whole number above 0, not '11'. Write 10 at most."),
    ],
)
def test_errors_name_the_part_and_the_remedy(text: str, error: type[UserError], says: str) -> None:
    with pytest.raises(error) as raised:
        parse(text)
    assert says in str(raised.value)


# Name, family, scope, order, budget, and what is true of it.
FACTS = """
lc | lc | | | | sends_context keeps_places is_deployable
oracle | oracle | | | | is_ceiling sends_needles needs_evidence
closed-book | closed-book | | | | is_floor
topk+noise-0.5 | topk+noise-0.5 | top-auto | norm | | retrieves best_first needs_evidence
dos | minilm/budget-N/document@100 | budget-10000 | document | 10000 | retrieves keeps_places is_deployable
random/top-5/norm | random/top-5/norm | top-5 | norm | | retrieves best_first is_deployable is_baseline
raptor | raptor-pca:minilm/budget-N/norm@100 | budget-2000 | norm|2000|retrieves best_first is_deployable
topk+summary-9 | minilm/top-auto/norm+summary-N | top-auto | document|9|retrieves keeps_places is_deployable
of/another/niah | of/another/niah | | | | retrieves is_deployable
"""


@pytest.mark.parametrize("row", FACTS.strip().splitlines())
def test_a_strategy_says_what_it_is(row: str) -> None:
    name, *columns, true = (part.strip() for part in row.split("|"))
    facts = vars(strategy_of(name))
    assert [str(facts[key] or "") for key in ("family", "scope", "order", "budget")] == columns
    assert {fact for fact, value in facts.items() if value is True} == set(true.split())
    assert facts["label"] == ("full context" if name == "lc" else name)
    family = "minilm/budget-10000/document@100+sentences-N"
    assert strategy_of("dos+sentences-5").family == family


def test_a_reranker_behind_what_a_user_brings() -> None:
    strategy = parse_brought("mine", "http://h/find", "top-5", "norm", "windows", "st:a/b", "3")
    assert strategy.definition == "http://h/find+a/b/top-5/norm"
    assert strategy.packages == ("mine 3",)
    assert parse(strategy.definition).plan == strategy.plan
    with pytest.raises(StrategyError, match="'bm25' is no reranker"):
        parse_brought("mine", "http://h/find", "top-5", "norm", "windows", "bm25")
