"""What a run is asked for, described once.

The options of ``niah run``, ``plan`` and ``nightly``, the arguments of ``niah.run`` and ``niah.plan``, their
environment variables and the settings that a run file stores all come from ``RunRequest``.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from niah.errors import UnknownName, UserError
from niah.file_mistakes import first_mistake
from niah.files import check_each_once

if TYPE_CHECKING:
    from niah.runs.provenance import Source

ASKED, ANSWERS, JUDGED = "What is asked", "Who answers, and how", "How answers are judged"
MUCH, PLACES = "How much", "Where it goes"

_RUN, _PLAN, _ALL = ("run",), ("run", "plan"), ("run", "plan", "nightly")
_SEEDS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_MOST_SEEDS = 1000


@dataclass(frozen=True)
class Option:
    """What a field of ``RunRequest`` is on a command line."""

    group: str
    help: str
    metavar: str = ""
    completes: str = ""  # the kind of ``niah list`` whose names a shell completes
    form: Literal["text", "several", "flag", "python"] = "text"  # several: repeated; python: no option
    commands: tuple[str, ...] = _PLAN
    flag: str = ""  # its name on the command line, where that is not the field's
    shown: bool = True  # in --help; --help-all shows the others too


def _option(*args: Any, **named: Any) -> Any:
    """A field with this ``Option``."""
    option = Option(*args, **named)
    empty: Any = {"flag": False, "several": ()}.get(option.form)
    return Field(empty, description=option.help, json_schema_extra={"option": option})  # type: ignore[dict-item]


_more = partial(_option, shown=False)


# What values may be: texts as on a command line, or what Python and YAML have in their place


def plain(value: Any) -> Any:
    """A value of Python, NumPy or pandas as YAML has it."""
    if callable(as_list := getattr(value, "tolist", None)):
        return as_list()
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return str(value) if isinstance(value, Path | datetime.date) else value
    return [plain(each) for each in value]


def _as_text(value: Any) -> str:
    if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
        raise ValueError(f"is {value!r}. Write a text or a name, or leave it out.")
    return str(value)


def _as_list(value: Any) -> list[Any]:
    """The entries of a list, or of a text with commas, but for those in brackets."""
    given = plain(value)
    if isinstance(given, str):
        given = [word.strip() for word in re.split(r",(?![^(]*\))", given) if word.strip()]
    listed = given if isinstance(given, list) else [given]
    if not listed:
        raise ValueError("names nothing. Write one or more, with commas between them.")
    check_each_once([each for each in listed if isinstance(each, str)])
    return listed


def _as_tokens(value: Any) -> int:
    from niah.cases.case import LEAST_LENGTH, length_of

    if (found := length_of(str(value))) is None:
        raise ValueError(
            f"{value!r} is no context length. Write {LEAST_LENGTH} tokens or more, such as 4k,32k."
        )
    return found


def _as_seeds(value: Any) -> Any:
    """Seeds as a run config has them; 1-8 are eight."""
    if isinstance(value, Mapping):
        return plain(value)
    seeds: list[int] = []
    for word in _as_list(value):
        found = _SEEDS.fullmatch(str(word))
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
        if not first <= last < first + _MOST_SEEDS:
            known = f"Write whole numbers from 0 on, or ranges of at most {_MOST_SEEDS:,}: 1,2,3 or 1-8."
            raise ValueError(f"{word!r} is no seed. {known}")
        seeds += range(first, last + 1)
    check_each_once(seeds)
    return {"anchor": seeds}


def _each_once(values: tuple[Any, ...]) -> tuple[Any, ...]:
    check_each_once(values)
    return values


def _read_by(module: str, function: str) -> BeforeValidator:
    """What a function of niah makes of a text; it is imported when there is one."""

    def read(value: Any) -> Any:
        try:
            return getattr(import_module(module), function)(_as_text(value))
        except UserError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(read)


def _as_options(value: Any) -> dict[str, Any]:
    from niah.runs.config import checked_options, parse_options

    given = plain(value)
    try:
        if isinstance(given, dict):
            return checked_options(given)
        return parse_options([given] if isinstance(given, str) else given)
    except UserError as error:
        raise ValueError(str(error)) from None


Text = Annotated[str, BeforeValidator(_as_text)]
Count = Annotated[int, Field(ge=1, lt=2**63)]
Names = Annotated[tuple[Text, ...], BeforeValidator(_as_list)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(lambda each: [each] if isinstance(each, str) else each)]
Entries = Annotated[list[Any], BeforeValidator(_as_list)]
Tokens = Annotated[int, BeforeValidator(_as_tokens)]
Lengths = Annotated[tuple[Tokens, ...], BeforeValidator(_as_list), AfterValidator(_each_once)]
WithoutSign = BeforeValidator(lambda value: str(value).removesuffix("%"))
Depth = Annotated[float, WithoutSign, Field(ge=0, le=100), AfterValidator(abs)]  # -0 is 0
Depths = Annotated[tuple[Depth, ...], BeforeValidator(_as_list), AfterValidator(_each_once)]
Retried = Literal["refused", "truncated", "overflow", "reader_error", "preparation_error", "judge_error"]
Duration = Annotated[float, _read_by("niah.readers.patience", "parse_duration"), BeforeValidator(str)]
File = Annotated[Path, BeforeValidator(_as_text)]


class RunRequest(BaseModel):
    """What a run is asked for; None is what a run config or suite says, or the default.

    Attributes:
        config: a run config or a suite, by name or path; None where the other fields say all.
        sources: of each field that was given, what gave it, and the name of the environment variable.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    config: Text | None = _option("", "", form="python")
    suite: Text | None = _option(
        ASKED, "Ask this suite, with no run config: a name of niah list suites, or a file.", "SUITE", "suites"
    )
    needle_sets: Names | None = _option(
        ASKED, "Needle sets in place of the suite's, with commas.", "LIST", "needle-sets"
    )
    haystack: Text | None = _option(
        ASKED, "Haystack in place of the suite's: a name, or a folder or file.", "NAME|PATH", "haystacks"
    )
    lengths: Lengths | None = _option(ASKED, "Context lengths in place of the suite's: 4k,32k.", "LIST")
    depths: Depths | None = _option(ASKED, "Depths in place of the suite's, in percent: 0,50,100.", "LIST")
    seeds: Annotated[dict[str, Any], BeforeValidator(_as_seeds)] | None = _option(
        ASKED, "Seeds in place of the config's: 1,2,3 or 1-8. More give narrower intervals.", "LIST"
    )
    needle: Texts = _option(
        ASKED, "A fact to hide, with --question and --expect; may be repeated.", "TEXT", form="several"
    )
    question: Text | None = _option(ASKED, "What is asked about --needle.", "TEXT")
    expect: Texts = _option(
        ASKED, "What an answer has to name, as --needle has it; may be repeated.", "WORD", form="several"
    )
    date: datetime.date | None = _more(
        ASKED,
        "The night whose rotating seeds are taken; today (UTC) without it.",
        "YYYY-MM-DD",
        commands=_ALL,
    )
    readers: Entries | None = _option(ANSWERS, "Models in place of the config's.", form="python")
    model: Text | None = _option(
        ANSWERS,
        "Model in place of the config's: openai/gpt-4o-mini, a litellm or .gguf name.",
        "NAME",
        "readers",
    )
    api_base: Text | None = _option(
        ANSWERS, "Address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp) that has --model.", "URL"
    )
    strategies: Entries | None = _option(
        ANSWERS, "Strategies in place of the config's: lc,dos. Without a config, lc.", "LIST", "strategies"
    )
    reader_options: Annotated[dict[str, Any], BeforeValidator(_as_options)] | None = _more(
        ANSWERS,
        "Settings of every model: temperature=0.7, thinking_tokens=2000, extra_body.top_k=20.",
        "NAME=VALUE",
        form="several",
        commands=_ALL,
        flag="reader-option",
    )
    concurrency: Count | None = _more(
        ANSWERS, "Requests at once to each model over HTTP; 8, or the config's.", "N", commands=_ALL
    )
    wait: Duration | None = _more(
        ANSWERS, "How long to wait for an endpoint that does not answer: 10m.", "DURATION", commands=_ALL
    )
    timeout: Duration | None = _more(
        ANSWERS, "How long one request may take; 10m without it.", "DURATION", commands=_ALL
    )
    attempts: Count | None = _more(ANSWERS, "Most requests for one answer; 4 without it.", "N", commands=_ALL)
    judge: Annotated[Any, BeforeValidator(plain)] = _option(
        JUDGED,
        "Judge in place of the config's: rubric, any model, or rubric+openai/gpt-4o-mini, which asks the "
        "model only where the rubric is unsure.",
        "NAME",
        "judges",
        commands=_ALL,
    )
    metrics: Names | None = _more(JUDGED, "Metrics beside the judge's verdict: niah list metrics.", "LIST")
    limit: Count | None = _option(
        MUCH, "Run at most this many trials now; the rest can follow.", "N", commands=_RUN
    )
    budget: Annotated[Any, _read_by("niah.runs.cost.prices", "parse_budget")] = _option(
        MUCH,
        "The most that the run may take: 25usd, 40Mtok; without it the config's.",
        "AMOUNT",
        commands=_ALL,
    )
    repeats: Count | None = _more(MUCH, "How often each question is asked.", "N")
    retry: Annotated[frozenset[Retried], BeforeValidator(_as_list)] | None = _more(
        MUCH, "Outcomes to try again, such as reader_error,truncated.", "LIST", commands=_RUN
    )
    reuse: bool = _more(
        MUCH,
        "Take the answers that earlier runs got to the very same requests: right only while the model behind "
        "its name and address is the same.",
        form="flag",
        commands=_RUN,
    )
    shard: Annotated[Any, _read_by("niah.runs.plan", "parse_shard")] = _more(
        MUCH, "Only the I-th of N parts of the run, in a run file of its own.", "I/N"
    )
    out: File | None = _option(PLACES, "Run file; one in runs/ without it. Its folders are made.", "FILE")
    plots: File | None = _more(PLACES, "Folder for the page; plots/NAME without it.", "FOLDER", commands=_RUN)
    save: bool = _more(
        PLACES, "Write the needle set of --needle to needles/ too.", form="flag", commands=_RUN
    )
    log: File | None = _more(
        PLACES, "File for a line of JSON a request; no prompts, no keys.", "FILE", commands=("run", "nightly")
    )
    on: Literal["local", "ray"] | None = _more(
        PLACES,
        "Where models are asked: in this process, or on the Ray cluster at RAY_ADDRESS.",
        "local|ray",
        commands=("run", "nightly"),
    )
    progress: bool | None = _option(PLACES, "Show how far it is, on standard error.", form="python")
    sources: dict[str, tuple[Any, str]] = {}

    def has(self, name: str) -> bool:
        """Whether the field was given."""
        return name in self.sources

    def named(self, name: str) -> str:
        """How the user gave a field: "--date", "NIAH_RUN_DATE" or "the argument date"."""
        return named(name, self.sources)


OPTIONS: dict[str, Option] = {
    name: info.json_schema_extra["option"]  # type: ignore[misc, index]
    for name, info in RunRequest.model_fields.items()
    if name != "sources"
}


def options_of(command: str) -> dict[str, Option]:
    """The fields that a command takes as options."""
    taken = OPTIONS.items()
    return {name: each for name, each in taken if command in each.commands and each.form != "python"}


def request_of(values: Mapping[str, Any], sources: Mapping[str, tuple[Source, str]]) -> RunRequest:
    """The request of these values. Raises UserError, which names the option, variable or argument."""
    if unknown := next((name for name in values if name not in OPTIONS), None):
        raise UnknownName("argument", unknown, OPTIONS)
    try:
        return RunRequest(**values, sources={**sources})
    except ValidationError as error:
        mistake = first_mistake(RunRequest, {**values}, error.errors())
        name, dot, place = mistake.key.partition(".")
        raise UserError(f"{named(name, sources)}{dot}{place}: {mistake.problem}", mistake.remedy) from None


def named(name: str, sources: Mapping[str, tuple[Source, str]]) -> str:
    """See ``RunRequest.named``."""
    source, variable = sources.get(name, ("", ""))
    if "argument" in (source, *(each for each, _ in sources.values())):
        return f"the argument {name}"
    return variable or f"--{flag_of(name)}"


def flag_of(name: str) -> str:
    """A field's name on the command line, without the hyphens before it."""
    return (OPTIONS[name].flag if name in OPTIONS else "") or name.replace("_", "-")
