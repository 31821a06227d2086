"""What is known to be wrong with a run's models and strategies before anything is asked."""

from __future__ import annotations

from niah.judges.verdict import Judge
from niah.readers.reader import Reader
from niah.retrieval.models import check_model_folder
from niah.retrieval.names import parse_name
from niah.retrieval.user import check_importable
from niah.runs.config.run_config import RunConfig
from niah.runs.cost.estimate import embedders_of, rerankers_of
from niah.strategies.strategy import Strategy

_OVER_HTTP = "openai-compatible"


def check_offline(config: RunConfig) -> None:
    """Raise what ``niah run`` would of models, for whatever they are asked, that nobody has or has a key for.

    Functions of the user's own are imported. Whether an endpoint answers is not asked.
    """
    models: list[Reader | Judge] = [*config.readers, *config.preparing, config.judge]
    for model in models:
        if model.settings.get("provider") != _OVER_HTTP:  # whose check is to connect
            model.check()
    for strategy in config.strategies:
        _check_at_hand(strategy)
    for name in embedders_of(config.strategies):
        from niah.retrieval.remote import RemoteEncoder

        RemoteEncoder(parse_name(name).model).check()
    for name in rerankers_of(config.strategies):
        from niah.retrieval.remote import RemoteReranker

        RemoteReranker(name.removeprefix("litellm:")).check()


def _check_at_hand(strategy: Strategy) -> None:
    """Raise StrategyError for a function that cannot be imported, and a folder without a model."""
    if strategy.system:
        check_importable(strategy.system)
    if not strategy.retriever:
        return
    name = parse_name(strategy.retriever)
    if name.kind == "user":
        check_importable(name.first)
    for part in (name, name.reranker):
        if part and part.kind == "sentence-transformers":
            check_model_folder(part.model)
