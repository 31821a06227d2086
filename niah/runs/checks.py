"""What is known to be wrong or odd about a run before anything is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from niah.judges.registry import Judge
from niah.readers.openai_compatible import Served, ServedWindow
from niah.readers.reader import EMBEDDED_WINDOWS, Reader
from niah.retrieval.models import check_model_folder
from niah.retrieval.names import parse_name
from niah.retrieval.user import check_importable
from niah.runs.config import RunConfig
from niah.runs.cost.estimate import tokens_of
from niah.runs.trial import Trial


def check_offline(config: RunConfig) -> None:
    """Raise UserError for models that do not exist or have no key, and for functions that cannot be imported.

    Whether an endpoint answers is not asked.
    """
    from niah.retrieval.remote import RemoteEncoder, RemoteReranker

    models: list[Reader | Judge] = [*config.readers, *config.preparing, config.judge]
    for model in models:
        if model.settings.get("provider") != "openai-compatible":  # whose check is to connect
            model.check()
    for strategy in config.strategies:
        name = parse_name(strategy.retriever) if strategy.retriever else None
        if reference := strategy.system or (name.first if name and name.kind == "user" else None):
            check_importable(reference)
        for part in (name, name.reranker) if name else ():
            if part and part.kind == "sentence-transformers":
                check_model_folder(part.model)
            elif part and part.kind == "litellm":
                (RemoteEncoder if part is name else RemoteReranker)(part.model).check()


def known_windows(readers: Iterable[Reader]) -> dict[str, ServedWindow]:
    """The windows that are known, by reader: of packaged models, and what endpoints report."""
    known = {}
    for reader in readers:
        window = reader.served_window() if isinstance(reader, Served) else None
        own = EMBEDDED_WINDOWS.get(str(reader.settings.get("model", reader.name)))
        if reader.settings.get("provider") == "embedded" and own:
            window = ServedWindow(own, "niah")
        if window:
            known[reader.name] = window
    return known


def too_long_for(windows: Mapping[str, ServedWindow], trials: Iterable[Trial]) -> list[str]:
    """A line for each reader that gets prompts which its window does not hold, by our own count."""
    read = [trial for trial in trials if trial.reader in windows and not trial.strategy.system]
    beyond = Counter(
        trial.reader for trial in read if tokens_of(trial).prompt + trial.room > windows[trial.reader].tokens
    )
    asked = Counter(trial.reader for trial in read)
    return [
        f"{name} holds {windows[name].tokens:,} tokens, as {windows[name].source} says; {number:,} of its "
        f"{asked[name]:,} trials take more with the room for their answer, and may come back as overflow, or "
        f"cut by the server. window: {windows[name].tokens} and truncate: back cut their contexts before."
        for name, number in beyond.items()
    ]
