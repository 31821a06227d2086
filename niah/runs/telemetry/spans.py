"""A span of OpenTelemetry for every trial, with the attributes that its conventions name for generative AI.

Where nobody has set OpenTelemetry up, nothing of it is loaded, and a trial costs what it did. Neither prompts
nor answers stand in a span, and no keys.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from niah import __version__
from niah.runs.trial import Trial, TrialResult

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_OPENAI = "api.openai.com"
# What the conventions call providers that litellm calls otherwise.
_PROVIDERS = MappingProxyType(
    {
        "azure": "azure.ai.openai",
        "bedrock": "aws.bedrock",
        "gemini": "gcp.gemini",
        "mistral": "mistral_ai",
        "vertex_ai": "gcp.vertex_ai",
        "watsonx": "ibm.watsonx.ai",
        "xai": "x_ai",
    }
)

own_tracer: ContextVar[Tracer | None] = ContextVar("own_tracer", default=None)
"""Who makes the spans; without one, whoever the program that niah runs in has set up."""


class TrialSpan:
    """The span of one trial, until that is finished.

    Args:
        span: open; None where nobody records it.
    """

    def __init__(self, span: Span | None) -> None:
        self._span = span

    def finish(self, result: TrialResult | None) -> None:
        """Say what became of it; None where its reader was stopped meanwhile."""
        if self._span is None:
            return
        from opentelemetry.trace import StatusCode

        outcome = result.outcome if result else "not_run"
        self._span.set_attributes(_of_result(result) | {"niah.outcome": outcome})
        if outcome != "scored":
            self._span.set_attribute("error.type", outcome)
            self._span.set_status(StatusCode.ERROR, result.reason if result else None)
        for verdict in result.verdicts if result else ():
            self._span.add_event(
                "gen_ai.evaluation.result",
                {"gen_ai.evaluation.name": verdict.judge, "gen_ai.evaluation.score.value": verdict.score},
            )


@contextmanager
def trial_span(trial: Trial, settings: Callable[[], Mapping[str, str | int]]) -> Iterator[TrialSpan]:
    """The span of a trial, for as long as the block takes.

    Args:
        trial: that is about to be prepared and asked.
        settings: gives those of its reader.
    """
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        yield TrialSpan(None)
        return
    tracer = own_tracer.get() or trace.get_tracer("niah", __version__)
    asked = _of_request(trial, settings())
    name = f"{asked['gen_ai.operation.name']} {asked['gen_ai.request.model']}"
    with tracer.start_as_current_span(name, kind=trace.SpanKind.CLIENT, attributes=asked) as span:
        yield TrialSpan(span if span.is_recording() else None)


def _of_request(trial: Trial, settings: Mapping[str, str | int]) -> dict[str, Any]:
    """What is known of a trial before it is asked."""
    options, sample = trial.options, trial.sample
    address = urlsplit(str(settings.get("api_base", "")))
    provider = "openai" if address.hostname == _OPENAI else str(settings.get("provider", ""))
    model = str(settings.get("model", "")) or trial.reader.removeprefix("openai/")
    facts = {
        "gen_ai.operation.name": "text_completion" if options.mode == "completion" else "chat",
        "gen_ai.provider.name": _PROVIDERS.get(provider, provider or "niah"),
        "gen_ai.request.model": model,
        "gen_ai.request.max_tokens": trial.room,
        "gen_ai.request.temperature": options.temperature,
        "gen_ai.request.top_p": options.top_p,
        "gen_ai.request.seed": trial.seed,
        "gen_ai.request.stop_sequences": options.stops or None,
        "server.address": address.hostname,
        "server.port": address.port,
        "niah.trial_id": trial.trial_id,
        "niah.sample_id": sample.sample_id,
        "niah.reader": trial.reader,
        "niah.strategy": trial.strategy.name,
        "niah.repeat": trial.repeat,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _of_result(result: TrialResult | None) -> dict[str, Any]:
    """What is known of it afterwards."""
    if result is None:
        return {}
    usage = result.usage
    facts = {
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.thinking_tokens,
        "niah.context_tokens": result.context_tokens,
        "niah.latency_s": result.latency_s,
        "niah.cost_usd": None if result.paid is None else float(result.paid),
        "niah.from_cache": result.from_cache,
        "niah.score": result.verdicts[0].score if result.outcome == "scored" and result.verdicts else None,
    }
    return {name: value for name, value in facts.items() if value is not None}
