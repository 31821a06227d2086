"""From what a run is asked for to its config, its run file and the settings that the file stores."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.api.request import OPTIONS, RunRequest, plain
from niah.errors import ConfigError, UserError

if TYPE_CHECKING:
    from niah.runs.config import RunConfig
    from niah.runs.cost.prices import Budget

_OF_GRID = ("needle", "question", "expect", "needle_sets", "haystack", "lengths", "depths")
_OF_NAME = (*_OF_GRID, "seeds", "readers", "strategies", "judge", "repeats", "reader_options")
"""What makes another run of a run config."""
_OF_CONFIG = ("readers", "strategies", "judge", "metrics", "repeats", "seeds")


@dataclass(frozen=True)
class AskedRun:
    """The run that a request means.

    Attributes:
        config: with every name resolved.
        path: the run file.
        figures: folder for its page.
        budget: the request's, or the config's.
    """

    request: RunRequest
    config: RunConfig
    path: Path
    figures: Path
    budget: Budget | None

    def settings(self) -> dict[str, Any]:
        """What was asked for, and what it came to, with what gave each, as a run file stores it."""
        from niah.readers.credentials import without_credentials
        from niah.runs.config import identity
        from niah.runs.cost.prices import prices_to_store
        from niah.runs.provenance import Setting, as_stored

        request, config = self.request, self.config
        addresses = {
            each.called: without_credentials(each.api_base) for each in config.file.readers if each.api_base
        }
        seeds = {"anchor": list(config.seeds.anchor), "rotating": list(config.seeds.rotating)}
        values = {name: plain(getattr(request, name)) for name in OPTIONS if request.has(name)} | {
            "config": str(config.path),
            "suite": config.file.suite,
            "readers": list(map(identity, config.readers)),
            "reader_options": {name: each.stated for name, each in config.options.items() if each.stated},
            "strategies": [strategy.name for strategy in config.strategies],
            "judge": config.judge.name,
            "metrics": [metric.name for metric in config.metrics],
            "repeats": config.file.repeats,
            "seeds": seeds | ({"spread": True} if config.seeds.spread else {}),
            "date": plain(config.date),
            "budget": str(self.budget) if self.budget else None,
            "filter": config.file.filter,
            "prices": prices_to_store(config.prices),
            "api_base": without_credentials(request.api_base) if request.api_base else addresses,
            "shard": f"{request.shard.index}/{request.shard.of}" if request.shard else None,
        }

        def setting(name: str, value: Any) -> Setting:
            value = None if value in ({}, []) else value
            source = request.sources.get(name) or request.sources.get("model" if name == "readers" else "")
            if source:
                return Setting(value, *source)
            has_file = request.config is not None and name in config.keys
            return Setting(value, "file" if has_file else "default")

        return as_stored({name: setting(name, value) for name, value in values.items()})


def resolve(request: RunRequest, night: date | None = None) -> AskedRun:
    """The run that a request means, of a night where one is given; nothing is asked. Raises UserError."""
    _check_together(request)
    from niah.cases.suite import InsteadOfSuite
    from niah.readers.retry import Transport
    from niah.runs.load_config import load_config

    own = _own_needle_set(request)
    grid = ("haystack", "lengths", "depths")
    of_suite = {name: getattr(request, name) for name in grid}
    name, keys = _named_keys(request)
    try:
        config = load_config(
            name,
            model=request.model,
            api_base=request.api_base,
            concurrency=request.concurrency,
            night=night or request.date,
            of_suite=InsteadOfSuite(needle_sets=(own,) if own else request.needle_sets, **of_suite),
            keys=keys,
            options=request.reader_options or {},
            transport=Transport(request.wait, request.timeout, request.attempts),
        )
    except ConfigError as error:
        key, dot, place = error.key.partition(".")
        if not request.has(key):
            raise
        problem = error.message.removeprefix(f"{error.path}: {error.key}: ")
        raise UserError(f"{request.named(key)}{dot}{place}: {problem}", error.remedy) from None
    path = request.out or run_file(run_name(request, config))
    figures = request.plots or Path("plots") / path.stem
    return AskedRun(request, config, path, figures, request.budget or config.budget)


def _check_together(request: RunRequest) -> None:
    """Raise UserError for fields that do not go together."""
    out = "Leave one of them out."
    several = "Write them as `readers` of a run config, or run each, and niah compare A B --readers X,Y."
    model, config = request.model, request.config
    for name, is_wrong, problem, remedy in (
        ("needle", request.needle and request.needle_sets, "and needle sets both say what is hidden.", out),
        ("model", model and "," in model, f"names one model, not several ({model}).", several),
        ("model", model and request.readers, "and readers both say who answers.", out),
        ("api_base", request.api_base and not model, "needs --model.", "Say which model it has."),
        ("suite", config and request.suite, f"names a suite, and {config} has one of its own.", out),
    ):
        if is_wrong:
            raise UserError(f"{request.named(name)} {problem}", remedy)


def _own_needle_set(request: RunRequest) -> str | None:
    """The name of the needle set of the facts that were given, which is in the user's cache."""
    if not (request.needle or request.question or request.expect):
        return None
    from niah.needles.load import own_facts_folder, write_own_facts

    facts = request.needle, request.question or "", request.expect
    return write_own_facts(own_facts_folder(), *facts, request.named).stem


def _named_keys(request: RunRequest) -> tuple[str, dict[str, Any]]:
    """What is looked for as a run config, and the keys that stand in place of its own. Raises UserError."""
    from niah.readers.reader import EMBEDDED
    from niah.runs.load_config import SUITE_OF_NEEDLES, means_suite

    keys = {name: plain(getattr(request, name)) for name in _OF_CONFIG if request.has(name)}
    suite = request.suite
    if request.config is not None:
        if not ((request.model or request.readers) and means_suite(request.config)):
            return request.config, keys
        suite = request.config
    if suite is None and not (request.needle or request.needle_sets):
        remedy = "Name a run config (niah list runs), a suite with --suite, or a fact with --needle."
        raise UserError("there is nothing to run yet.", remedy)
    suite = suite or SUITE_OF_NEEDLES
    return suite, {"suite": suite, "readers": [request.model or EMBEDDED], "strategies": ["lc"], **keys}


def run_name(request: RunRequest, config: RunConfig) -> str:
    """What the files of a run are called: "quick-2026-11-22", "openai-gpt-4o-mini-needle-01b7ce"."""
    base = "needle" if request.needle else f"{config.name}-{config.date}" if config.date else config.name
    model = request.model or ""
    model = Path(model).stem if model.endswith(".gguf") else re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")
    changed = [[name, plain(getattr(request, name))] for name in _OF_NAME if request.has(name)]
    digest = hashlib.sha256(repr(changed).encode()).hexdigest()[:6] if changed else ""
    words = (model, base, digest) if request.needle else (base, model, digest)
    return "-".join(filter(None, words)) + (request.shard.suffix if request.shard else "")


def run_file(name: str) -> Path:
    """Where the run of that name is, unless the user says otherwise."""
    return Path("runs") / f"{name}.sqlite"
