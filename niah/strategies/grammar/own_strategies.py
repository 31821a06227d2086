"""Strategies with a retriever or an application of the user's own, under a name of the user's."""

from __future__ import annotations

import re

from niah.errors import StrategyError
from niah.retrieval.names import as_reference, with_reranker
from niah.strategies.named import STRATEGIES
from niah.strategies.strategy import OwnSystem, Strategy, parse_plan

_OWN_NAME = re.compile(r"[\w.-]{1,60}")


def parse_brought(
    name: str, reference: str, scope: str, order: str, chunks: str, rerank: str = "", version: str = ""
) -> Strategy:
    """The strategy ``name`` with a retriever of the user's own. Raises UnknownName or StrategyError.

    Args:
        name: the user's; "" for the one that it is written by elsewhere.
        reference: of the function or service.
        scope, order, chunks: as of any strategy.
        rerank: the model that ranks its best chunks anew; "" for none.
        version: of what they brought.
    """
    if name:
        _check_own_name(name)
    retriever = as_reference(reference)
    retriever = with_reranker(retriever, rerank) if rerank else retriever
    plan = parse_plan(f"{retriever}/{scope}/{order}@{chunks}")
    return Strategy(name or str(plan), plan, version)


def parse_system(name: str, reference: str, version: str = "", at_once: int = 1) -> Strategy:
    """The strategy ``name`` that is an application of the user's own. Raises StrategyError.

    Args:
        name: the user's; "" for the one that it is written by elsewhere.
        reference: of the function or service.
        version: of what they brought.
        at_once: how many questions it may be asked at once.
    """
    if name:
        _check_own_name(name)
    plan = OwnSystem(as_reference(reference), at_once)
    return Strategy(name or str(plan), plan, version)


def _check_own_name(name: str) -> None:
    if not _OWN_NAME.fullmatch(name) or name in STRATEGIES.own:
        problem = f"{name!r} is no name for a strategy of your own."
        raise StrategyError(problem, "Take letters, digits, hyphens and full stops, and no name of niah's.")
