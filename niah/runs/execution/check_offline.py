"""Whether a run's models are there, as far as can be told with no network and no weights loaded."""

from __future__ import annotations

from niah.judges.judge import Judge
from niah.readers.reader import Reader
from niah.retrieval.names import parse_name
from niah.runs.config import RunConfig
from niah.runs.cost.embedding import embedders_of

_OVER_HTTP = "openai-compatible"


def check_offline(config: RunConfig) -> None:
    """Raise what ``niah run`` would of readers, judge and embedders that nobody has or has a key for.

    Whether an endpoint answers is not asked.
    """
    models: list[Reader | Judge] = [*config.readers, config.judge]
    for model in models:
        if model.settings.get("provider") != _OVER_HTTP:  # whose check is to connect
            model.check()
    for name in embedders_of(config.strategies):
        from niah.retrieval.embedders.litellm_embeddings import LiteLLMEncoder

        LiteLLMEncoder(parse_name(name).model).check()
