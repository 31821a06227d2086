"""What a run is asked for, described once, and the run that it means.

The options of ``niah run``, ``plan`` and ``nightly``, the arguments of ``niah.run`` and ``niah.plan``, their
environment variables and the settings that a run file stores all come from ``RunRequest``.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from niah.cases.case import Length
from niah.errors import ConfigError, UserError
from niah.files import check_each_once, first_mistake
from niah.readers.reader import EMBEDDED, FailureOutcome
from niah.text.templates import listed

if TYPE_CHECKING:
    from niah.runs.config import RunConfig

ASKED, ANSWERS, JUDGED = "What is asked", "Who answers, and how", "How answers are judged"
MUCH, PLACES = "How much", "Where it goes"

_RUN, _PLAN, _NIGHT, _ALL = ("run",), ("run", "plan"), ("run", "nightly"), ("run", "plan", "nightly")
_OF_CONFIG = {"readers", "strategies", "judge", "metrics", "repeats", "seeds", "budget"}
_OF_CONFIG |= {"wait", "timeout", "attempts"}
_OF_GRID = ("needle", "question", "expect", "needle_sets", "haystack", "lengths", "depths")
_OF_NAME = (*_OF_GRID, "seeds", "readers", "strategies", "judge", "repeats", "reader_options")
"""What makes another run of a run config."""
_SEEDS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_MOST_SEEDS = 1000


@dataclass(frozen=True)
class Option:
    """What a field of ``RunRequest`` is on a command line."""

    group: str
    metavar: str = ""  # "": it takes no value
    completes: str = ""  # the kind of ``niah list`` whose names a shell completes
    commands: tuple[str, ...] = _PLAN
    several: bool = False  # whether it may be repeated
    flag: str = ""  # its name on the command line without the hyphens
    shown: bool = True  # in --help; --help-all shows the others too
    help: str = ""  # the docstring of the field


_more, _python = partial(Option, shown=False), Option("", commands=())


# What values may be: texts as on a command line, or what Python and YAML have in their place


def _as_text(value: Any) -> str:
    text = str(value) if isinstance(value, Path) else value
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise ValueError(f"is {value!r}. Write a text or a name, or leave it out.")
    return text


def _as_list(value: Any) -> list[Any]:
    """The entries of a list, or of a text with commas."""
    if isinstance(value, str):
        value = listed(value)
    elif callable(as_list := getattr(value, "tolist", None)):  # of NumPy or pandas
        value = as_list()
    is_one = isinstance(value, Mapping) or not isinstance(value, Iterable)
    entries = [str(each) if isinstance(each, Path) else each for each in ([value] if is_one else value)]
    if not entries:
        raise ValueError("names nothing. Write one or more, with commas between them.")
    check_each_once([each for each in entries if isinstance(each, str)])
    return entries


def _as_seeds(value: Any) -> Any:
    """Seeds as a run config has them; 1-8 are eight."""
    if isinstance(value, Mapping):
        return value
    seeds: list[int] = []
    for word in _as_list(value):
        found = _SEEDS.fullmatch(str(word))
        span = range(int(found[1]), int(found[2] or found[1]) + 1) if found else ()
        if not 0 < len(span) <= _MOST_SEEDS:
            raise ValueError(f"{word!r} is no seed. Write 1,2,3, or a range of at most {_MOST_SEEDS:,}: 1-8.")
        seeds += span
    return {"anchor": check_each_once(seeds)}


_as_written = PlainSerializer(lambda value: value and str(value))
_list, _once = BeforeValidator(_as_list), AfterValidator(check_each_once)
Text = Annotated[str, BeforeValidator(_as_text)]
File = Annotated[Path, BeforeValidator(_as_text)]
Count = Annotated[int, Field(ge=1, lt=2**63)]
Names = Annotated[tuple[Text, ...], _list]
Texts = Annotated[tuple[Text, ...], BeforeValidator(lambda each: [each] if isinstance(each, str) else each)]
Entries = Annotated[list[str | dict[str, Any]], _list]
Depth = Annotated[float, BeforeValidator(lambda value: str(value).removesuffix("%")), Field(ge=0, le=100)]
Seeds = Annotated[dict[str, Any], BeforeValidator(_as_seeds)]


class RunRequest(BaseModel):
    """What a run is asked for; None is what a run config or suite says, or the default.

    ``sources`` has of each field how the user gives it: "--date", "NIAH_RUN_DATE" or "the argument date".
    """

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    config: Annotated[Text | None, _python] = None
    """A run config or a suite, by name or path; None where the other fields say all."""
    suite: Annotated[Text | None, Option(ASKED, "SUITE", "suites")] = None
    """Ask this suite, with no run config: a name of niah list suites, or a file."""
    needle_sets: Annotated[Names | None, Option(ASKED, "LIST", "needle-sets")] = None
    """Needle sets in place of the suite's, with commas."""
    haystack: Annotated[Text | None, Option(ASKED, "NAME|PATH", "haystacks")] = None
    """Haystack in place of the suite's: a name, or a folder or file."""
    lengths: Annotated[Annotated[tuple[Length, ...], _list, _once] | None, Option(ASKED, "LIST")] = None
    """Context lengths in place of the suite's: 4k,32k."""
    depths: Annotated[Annotated[tuple[Depth, ...], _list, _once] | None, Option(ASKED, "LIST")] = None
    """Depths in place of the suite's, in percent: 0,50,100."""
    seeds: Annotated[Seeds | None, Option(ASKED, "LIST")] = None
    """Seeds in place of the config's: 1,2,3 or 1-8. More give narrower intervals."""
    needle: Annotated[Texts, Option(ASKED, "TEXT", several=True)] = ()
    """A fact to hide, with --question and --expect; may be repeated."""
    question: Annotated[Text | None, Option(ASKED, "TEXT")] = None
    """What is asked about --needle."""
    expect: Annotated[Texts, Option(ASKED, "WORD", several=True)] = ()
    """What an answer has to name, as --needle has it; may be repeated."""
    date: Annotated[datetime.date | None, _more(ASKED, "YYYY-MM-DD", commands=_ALL)] = None
    """The night whose rotating seeds are taken; today (UTC) without it."""
    readers: Annotated[Entries | None, _python] = None
    """Models in place of the config's."""
    model: Annotated[Text | None, Option(ANSWERS, "NAME", "readers")] = None
    """Model in place of the config's: openai/gpt-4o-mini, a litellm or .gguf name."""
    api_base: Annotated[Text | None, Option(ANSWERS, "URL")] = None
    """Address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp) that has --model."""
    strategies: Annotated[Entries | None, Option(ANSWERS, "LIST", "strategies")] = None
    """Strategies in place of the config's: lc,dos. Without a config, lc."""
    reader_options: Annotated[
        dict[str, Any] | None, _more(ANSWERS, "NAME=VALUE", commands=_ALL, several=True, flag="reader-option")
    ] = None
    """Settings of every model: temperature=0.7, thinking_tokens=2000, extra_body.top_k=20."""
    concurrency: Annotated[Count | None, _more(ANSWERS, "N", commands=_ALL)] = None
    """Requests at once to each model over HTTP; 8, or the config's."""
    wait: Annotated[str | float | None, _more(ANSWERS, "DURATION", commands=_ALL)] = None
    """How long to wait for an endpoint that does not answer: 10m."""
    timeout: Annotated[str | float | None, _more(ANSWERS, "DURATION", commands=_ALL)] = None
    """How long one request may take; 10m without it."""
    attempts: Annotated[Count | None, _more(ANSWERS, "N", commands=_ALL)] = None
    """Most requests for one answer; 4 without it."""
    judge: Annotated[Any, Option(JUDGED, "NAME", "judges", _ALL)] = None
    """Judge in place of the config's: rubric, any model, or rubric+openai/gpt-4o-mini, which asks the
    model only where the rubric is unsure."""
    metrics: Annotated[Names | None, _more(JUDGED, "LIST")] = None
    """Metrics next to the judge's verdict: niah list metrics."""
    limit: Annotated[Count | None, Option(MUCH, "N", commands=_RUN)] = None
    """Run at most this many trials now; the rest can follow."""
    budget: Annotated[Text | None, Option(MUCH, "AMOUNT", commands=_ALL)] = None
    """The most that the run may take: 25usd, 40Mtok; without it the config's."""
    repeats: Annotated[Count | None, _more(MUCH, "N")] = None
    """How often each question is asked."""
    retry: Annotated[frozenset[FailureOutcome], _list, _more(MUCH, "LIST", commands=_NIGHT)] = frozenset()
    """Outcomes to try again, such as reader_error,truncated."""
    reuse: Annotated[bool, _more(MUCH, commands=_RUN)] = False
    """Take the answers that earlier runs got to the very same requests: right only while the model behind
    its name and address is the same."""
    shard: Annotated[Any, _as_written, _more(MUCH, "I/N")] = None
    """Only the I-th of N parts of the run, in a run file of its own."""
    out: Annotated[File | None, Option(PLACES, "FILE")] = None
    """Run file; one in runs/ without it. Its folders are made."""
    plots: Annotated[File | None, _more(PLACES, "FOLDER", commands=_RUN)] = None
    """Folder for the page; plots/NAME without it."""
    save: Annotated[bool, _more(PLACES, commands=_RUN)] = False
    """Write the needle set of --needle to needles/ too."""
    log: Annotated[File | None, _more(PLACES, "FILE", commands=_NIGHT)] = None
    """File for a line of JSON a request; no prompts, no keys."""
    on: Annotated[Literal["local", "ray"], _more(PLACES, "local|ray", commands=_NIGHT)] = "local"
    """Where models are asked: in this process, or on the Ray cluster at RAY_ADDRESS."""
    progress: Annotated[bool | None, _python] = None
    """Show how far it is, on standard error."""
    sources: dict[str, str] = {}

    @field_validator("shard", "reader_options", mode="before")
    @classmethod
    def _read(cls, value: Any, field: ValidationInfo) -> Any:
        """What is written as on a command line; its parsers are imported where there is some."""
        from niah.runs.config import parse_options
        from niah.runs.plan import parse_shard

        try:
            return parse_shard(str(value)) if field.field_name == "shard" else parse_options(value)
        except (UserError, TypeError, AttributeError) as error:
            raise ValueError(str(error)) from None


OPTIONS: dict[str, Option] = {
    name: replace(
        option, flag=option.flag or name.replace("_", "-"), help=" ".join(str(info.description).split())
    )
    for name, info in RunRequest.model_fields.items()
    for option in info.metadata
    if isinstance(option, Option)
}


def request_of(values: Mapping[str, Any], sources: Mapping[str, str]) -> RunRequest:
    """The request of these values. Raises UserError, which names the option, or what ``sources`` says."""
    named = {name: sources.get(name, f"--{option.flag}") for name, option in OPTIONS.items()}
    try:
        return RunRequest.model_validate({**values, "sources": named})
    except ValidationError as error:
        key, problem, remedy = first_mistake(RunRequest, {**values}, error.errors())
        name, dot, place = key.partition(".")
        where = _named(named.get(name, f"the argument {name}"), dot + place)
        raise UserError(f"{where}: {problem}", remedy) from None


def _named(source: str, place: str) -> str:
    """The option that gives a value, or the argument with the place in it."""
    return source + place if source.startswith("the argument") else source


@dataclass(frozen=True)
class AskedRun:
    """The run that a request means."""

    request: RunRequest
    config: RunConfig  # with every name resolved
    path: Path  # the run file
    figures: Path  # folder for its page


def resolve(request: RunRequest, night: datetime.date | None = None) -> AskedRun:
    """The run that a request means, of a night where one is given; nothing is asked. Raises UserError."""
    named = request.sources
    for one, other in (("needle", "needle_sets"), ("model", "readers"), ("suite", "config")):
        if getattr(request, one) and getattr(request, other):
            raise UserError(f"{named[one]} does not go with {named[other]}.", "Leave one of them out.")
    if request.api_base and not request.model:
        raise UserError(f"{named['api_base']} needs {named['model']}.", "Say which model it has.")
    from niah.needles.load import own_facts_folder, write_own_facts
    from niah.runs.load_config import load_config

    of_suite = request.model_dump(include={"needle_sets", "haystack", "lengths", "depths"})
    if request.needle or request.question or request.expect or request.save:
        facts = request.needle, request.question or "", request.expect
        of_suite["needle_sets"] = (write_own_facts(own_facts_folder(), *facts, named.__getitem__).stem,)
    try:
        config = load_config(
            *_named_keys(request),
            by_hand=request.model is not None,
            concurrency=request.concurrency,
            night=night or request.date,
            of_suite=of_suite,
            options=request.reader_options or {},
        )
    except ConfigError as error:
        key, dot, place = error.key.partition(".")
        if key not in request.model_fields_set:
            raise
        raise UserError(f"{_named(named[key], dot + place)}: {error.problem}", error.remedy) from None
    path = request.out or Path("runs") / f"{_run_name(request, config)}.sqlite"
    return AskedRun(request, config, path, request.plots or Path("plots") / path.stem)


def _named_keys(request: RunRequest) -> tuple[str, dict[str, Any]]:
    """What is looked for as a run config, and the keys that stand in place of its own. Raises UserError."""
    from niah.runs.load_config import SUITE_OF_NEEDLES, means_suite

    keys, suite = request.model_dump(include=_OF_CONFIG & request.model_fields_set), request.suite
    if request.model:
        keys["readers"] = [{"model": request.model, "api_base": request.api_base}]
    if request.config is not None:
        if "readers" not in keys or not means_suite(request.config):
            return request.config, keys
        suite = request.config
    if suite is None and not (request.needle or request.needle_sets):
        remedy = "Name a run config (niah list runs), a suite with --suite, or a fact with --needle."
        raise UserError("there is nothing to run yet.", remedy)
    suite = suite or SUITE_OF_NEEDLES
    return suite, {"suite": suite, "readers": [EMBEDDED], "strategies": ["lc"]} | keys


def _run_name(request: RunRequest, config: RunConfig) -> str:
    """What the files of a run are called: "quick-2026-11-22", "openai-gpt-4o-mini-needle-01b7ce"."""
    name = config.path.stem
    base = "needle" if request.needle else f"{name}-{config.date}" if config.date else name
    model = request.model or ""
    model = Path(model).stem if model.endswith(".gguf") else re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")
    given = request.model_dump(mode="json", include=request.model_fields_set)
    options = given.get("reader_options") or {}
    if options.get("mode") in ("chat", "batch"):  # it is the same run
        del options["mode"]
    changed = [[name, given[name]] for name in _OF_NAME if given.get(name, {}) != {}]
    digest = hashlib.sha256(repr(changed).encode()).hexdigest()[:6] if changed else ""
    words = (model, base, digest) if request.needle else (base, model, digest)
    part = f".shard-{request.shard.index}-of-{request.shard.of}" if request.shard else ""  # ".shard-2-of-8"
    return "-".join(filter(None, words)) + part
