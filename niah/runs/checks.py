"""What is known to be wrong or odd about a run before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from niah.cases.sample import Sample
from niah.cases.samples import context_of
from niah.judges.registry import Judge
from niah.readers.preflight import Served, ServedWindow
from niah.readers.reader import EMBEDDED_WINDOWS, Reader
from niah.retrieval.models import check_model_folder
from niah.retrieval.names import parse_name
from niah.retrieval.user import check_importable
from niah.runs.config import RunConfig
from niah.runs.cost.estimate import embedders_of, rerankers_of, tokens_of
from niah.runs.cost.prices import listed_window
from niah.runs.trial import Trial
from niah.strategies.strategy import Strategy
from niah.text.writing import main_script

_ENGLISH = ("minilm", "static", "arctic", "contriever")
"""Short names of embedders that were made for English alone."""


def check_offline(config: RunConfig) -> None:
    """Raise UserError for models that do not exist or have no key, and for functions that cannot be imported.

    Whether an endpoint answers is not asked.
    """
    models: list[Reader | Judge] = [*config.readers, *config.preparing, config.judge]
    for model in models:
        if model.settings.get("provider") != "openai-compatible":  # whose check is to connect
            model.check()
    for strategy in config.strategies:
        if strategy.system:
            check_importable(strategy.system)
        if strategy.retriever:
            name = parse_name(strategy.retriever)
            if name.kind == "user":
                check_importable(name.first)
            for part in (name, name.reranker):
                if part and part.kind == "sentence-transformers":
                    check_model_folder(part.model)
    if embedders := embedders_of(config.strategies):
        from niah.retrieval.remote import RemoteEncoder

        for embedder in embedders:
            RemoteEncoder(parse_name(embedder).model).check()
    if rerankers := rerankers_of(config.strategies):
        from niah.retrieval.remote import RemoteReranker

        for reranker in rerankers:
            RemoteReranker(reranker.removeprefix("litellm:")).check()


def unread_scripts(samples: Iterable[Sample], strategies: Iterable[Strategy]) -> list[str]:
    """A line for each script that an embedder of English meets: what is retrieved there means little.

    Of each haystack and question set the shortest sample is looked at. Raises UserError where its source is
    gone.
    """
    retrievers = dict.fromkeys(strategy.retriever for strategy in strategies if strategy.retriever)
    english = [name for name in retrievers if parse_name(name).embedder in _ENGLISH]
    if not english:
        return []
    shortest: dict[str, Sample] = {}
    for sample in sorted(samples, key=lambda sample: sample.tokens):
        shortest.setdefault(sample.haystack or sample.question_set or sample.sample_id, sample)
    sources: dict[str, list[str]] = {}
    for source, sample in shortest.items():
        if (script := main_script(context_of(sample).text)) and script != "Latin":
            sources.setdefault(script, []).append(source)
    return [
        f"{name} reads English, and {' and '.join(written)} is written in {script}: "
        "what it retrieves there means little. bm25, tfidf and mixpr read any script."
        for name in english
        for script, written in sources.items()
    ]


def known_windows(readers: Iterable[Reader]) -> dict[str, ServedWindow]:
    """The windows that are known, by reader: what its endpoint reports, else litellm's table."""
    known = {}
    for reader in readers:
        settings, window = reader.settings, None
        if settings.get("provider") == "embedded":
            own = EMBEDDED_WINDOWS.get(str(settings.get("model", reader.name)))
            window = ServedWindow(own, "niah") if own else None
        elif isinstance(reader, Served) and (reported := reader.served_window()):
            window = reported
        elif tokens := listed_window(reader.name, settings):
            window = ServedWindow(tokens, "litellm's table")
        if window:
            known[reader.name] = window
    return known


def windows_to_store(windows: Mapping[str, ServedWindow]) -> dict[str, dict[str, Any]]:
    """The setting "window" as a run file keeps it: of readers that say theirs, with where; {} without any."""
    said = {name: f"{window.tokens} ({window.source})" for name, window in windows.items()}
    return {"window": {"value": said, "source": "reader"}} if said else {}


def too_long_for(windows: Mapping[str, ServedWindow], trials: Iterable[Trial]) -> list[str]:
    """A line for each reader that gets prompts which its window does not hold, by our own count.

    Args:
        windows: by reader, those that are known.
        trials: that are to be asked.
    """
    asked: dict[str, int] = {}
    beyond: dict[str, int] = {}
    for trial in trials:
        window = windows.get(trial.reader)
        if window and not trial.strategy.system:
            asked[trial.reader] = asked.get(trial.reader, 0) + 1
            takes = tokens_of(trial).prompt + trial.room
            beyond[trial.reader] = beyond.get(trial.reader, 0) + (takes > window.tokens)
    return [
        f"{name} holds {windows[name].tokens:,} tokens, as {windows[name].source} says; {number:,} of its "
        f"{asked[name]:,} trials take more with the room for their answer, and may come back as overflow, or "
        "cut by the server. truncate: back cuts their contexts before."
        for name, number in beyond.items()
        if number
    ]
