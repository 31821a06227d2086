"""What the paper's words name among a run's trials: LC and RAG, its scopes and orders, its needle sets.

RAG in tables 1 and 4 is the few best chunks, best first. The experiments on how a context is organised
(section 5.2) take three scopes in two orders. Retriever and chunks are the run's own, and what is behind a
user's own name for them the run file says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, category_names, strategies_in
from niah.analysis.tables.published_comparison import model_name
from niah.cases.case import id_part
from niah.reference.numbers import ReferenceNumber
from niah.strategies.strategy import Strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_PAPER = "u-niah"

PAPER_SCOPES = ("topk", "half", "full")
PAPER_ORDERS = ("norm", "reverse")

_SCOPE_NAMES = {"top": "topk", "top-auto": "topk", "half": "half", "full": "full"}


def scope_name(asked: Strategy) -> str | None:
    """The paper's name of what a strategy retrieves, in one of its orders; None of any other strategy.

    Chunks that nothing was read for (by lot, the first, the last) and noise that was asked for besides are
    none of the paper's settings.
    """
    plan = asked.retrieval
    if plan is None or asked.is_baseline or plan.order not in PAPER_ORDERS or plan.noise is not None:
        return None
    return _SCOPE_NAMES.get(plan.scope.kind)


def scope_names(frame: DataFrame) -> NDArray[np.object_]:
    """Shape (n,): the paper's name of what each row retrieved, or None; see ``scope_name``."""
    asked = strategies_in(frame)
    names = [scope_name(asked[name]) if name in asked else None for name in category_names(frame, "strategy")]
    return np.array(names, dtype=object)[category_codes(frame, "strategy")]


def is_rag(strategy: Strategy) -> bool:
    """Whether a strategy is what tables 1 and 4 call RAG."""
    return scope_name(strategy) == "topk" and strategy.best_first


def organised(frame: DataFrame) -> NDArray[np.bool_]:
    """Shape (n,): which rows belong to section 5.2's experiments: plain needles, a scope and an order."""
    names = [name for name, strategy in strategies_in(frame).items() if scope_name(strategy)]
    return rows_with(frame, names) & ~nested(frame)


def rows_with(frame: DataFrame, strategies: Sequence[str]) -> NDArray[np.bool_]:
    """Shape (n,): which rows have one of these strategies."""
    known = [name in strategies for name in category_names(frame, "strategy")]
    return np.array(known, dtype=np.bool_)[category_codes(frame, "strategy")]


def rag_strategies(frame: DataFrame) -> list[str]:
    """What tables 1 and 4 call RAG, by name."""
    return [name for name, strategy in strategies_in(frame).items() if is_rag(strategy)]


def whole_context(frame: DataFrame) -> NDArray[np.bool_]:
    """Shape (n,): which rows read everything (LC)."""
    return frame["sends_context"].to_numpy(dtype=np.bool_)


def nested(frame: DataFrame) -> NDArray[np.bool_]:
    """Shape (n,): which rows ask for needles in needles (section 5.3); where nobody knows, they do not."""
    return frame["nested"].to_numpy(dtype=np.bool_, na_value=False)


def needle_sets(frame: DataFrame, which: NDArray[np.bool_]) -> list[str]:
    """The needle sets of some rows, those of few elements first, as in the paper."""
    asked = frame.loc[which & frame["needle_set"].notna(), ["needle_set", "n_elements"]].drop_duplicates()
    elements = dict(zip(asked["needle_set"].tolist(), asked["n_elements"].tolist(), strict=True))
    return sorted(elements, key=lambda name: (np.nan_to_num(elements[name], nan=np.inf), name))


def printed(
    numbers: Sequence[ReferenceNumber], source: str, metric: str, **where: str | None
) -> float | None:
    """The number that the paper prints there; None where it prints none.

    Args:
        numbers: of any papers.
        source: "table 2".
        metric: as in its file.
        where: fields of the number, such as ``dataset``; a field that is left out must be None. A reader may
            have its provider's name before it.
    """
    asked = {**dict.fromkeys(("strategy", "dataset", "haystack", "band")), **where}
    asked |= {"paper": _PAPER, "source": source, "metric": metric}
    model = model_name(asked.pop("reader", None) or "")
    for number in numbers:
        alike = all(getattr(number, name) == value for name, value in asked.items())
        if alike and model_name(number.reader or "") == model:
            return number.value
    return None


def dataset_name(needle_set: str) -> str:
    """A needle set as the paper's numbers name it: own files without their folders."""
    return id_part(needle_set)
