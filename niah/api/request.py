"""What a run is asked for, described once.

The options of ``niah run``, ``plan`` and ``nightly``, the arguments of ``niah.run`` and ``niah.plan``, their
environment variables and the settings that a run file stores all come from ``RunRequest``.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from niah.errors import UnknownName, UserError

if TYPE_CHECKING:
    from niah.runs.cost.prices import Budget
    from niah.runs.provenance import Source
    from niah.runs.shards import Shard
else:  # help does not wait for these modules
    Budget = Shard = Source = Any

ASKED, ANSWERS, JUDGED = "What is asked", "Who answers, and how", "How answers are judged"
MUCH, PLACES = "How much", "Where it goes"
GROUPS = (ASKED, ANSWERS, JUDGED, MUCH, PLACES)
RETRIED = ("refused", "truncated", "overflow", "reader_error", "preparation_error", "judge_error")

_OF_RUN, _OF_PLAN, _OF_ALL = ("run",), ("run", "plan"), ("run", "plan", "nightly")
_SEEDS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_MOST_SEEDS = 1000
_Value = TypeVar("_Value", bound=Hashable)


@dataclass(frozen=True)
class Option:
    """What a field of ``RunRequest`` takes, and what it is on a command line.

    Attributes:
        read: makes the value of a text or of a Python value. Raises UserError.
        group: of the help text.
        completes: the kind of ``niah list`` whose names a shell completes.
        form: one text, several (the option may be repeated), no value, or an argument of Python alone.
        commands: that have it.
        flag: its name on the command line, where that is not the field's.
        shown: in ``--help``; the others stand in ``--help-all``.
    """

    read: Callable[[Any], Any]
    group: str
    help: str
    metavar: str = ""
    completes: str = ""
    form: Literal["text", "several", "flag", "python"] = "text"
    commands: tuple[str, ...] = _OF_PLAN
    flag: str = ""
    shown: bool = True


def _asked(*args: Any, **named: Any) -> Any:
    """A field of ``RunRequest`` with this ``Option``."""
    option = Option(*args, **named)
    empty: Any = {"flag": False, "several": ()}.get(option.form)
    return Field(empty, description=option.help, json_schema_extra={"option": option})  # type: ignore[dict-item]


def _more(
    read: Callable[[Any], Any],
    group: str,
    help: str,
    metavar: str = "",
    commands: tuple[str, ...] = _OF_PLAN,
    form: str = "text",
    flag: str = "",
) -> Any:
    """The same, for what ``--help-all`` alone shows."""
    return _asked(read, group, help, metavar, "", form, commands, flag, shown=False)


def _text(value: Any) -> str:
    if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
        raise UserError(f"is {value!r}.", "Write a text or a name, or leave it out.")
    return str(value)


def _path(value: Any) -> Path:
    return Path(_text(value))


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise UserError(f"is {value!r}.", "Write True or False.")
    return value


def read_count(value: Any) -> int:
    """A whole number from 1 on. Raises UserError."""
    try:
        number = int(str(value))
    except ValueError:
        number = 0
    if not 0 < number < 2**63:
        raise UserError(f"{value!r} is no whole number from 1 on.", "Write one, such as 4.")
    return number


def plain(value: Any) -> Any:
    """A value of Python, NumPy or pandas as YAML has it."""
    if callable(as_list := getattr(value, "tolist", None)):
        return as_list()
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return str(value) if isinstance(value, Path) else value
    return [plain(each) for each in value]


def _listed(value: Any) -> list[Any]:
    """The entries of a list, or of a text with commas, but for those in brackets. Raises UserError."""
    given = plain(value)
    if isinstance(given, str):
        given = [word.strip() for word in re.split(r",(?![^(]*\))", given) if word.strip()]
    listed = given if isinstance(given, list) else [given]
    if not listed:
        raise UserError("names nothing.", "Write one or more, with commas between them.")
    return listed


def _once(values: Iterable[_Value], part: Callable[[Any], object] = str) -> tuple[_Value, ...]:
    """The values. Raises UserError where two of them are the same."""
    found = tuple(values)
    parts = [part(value) for value in found]
    if twice := next((each for place, each in enumerate(parts) if each in parts[:place]), None):
        raise UserError(f"{twice} stands twice.", "Take one out.")
    return found


def _names(value: Any) -> tuple[str, ...]:
    return _once(map(_text, _listed(value)))


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_text, [value] if isinstance(value, str) else _listed(value)))


def _entries(value: Any) -> list[Any]:
    """Names or mappings, as the list of a run config has them, which checks them."""
    found = _listed(value)
    _once(each for each in found if isinstance(each, str))
    return found


def _lengths(value: Any) -> tuple[int, ...]:
    from niah.cases.case import LEAST_LENGTH, length_of

    def tokens(word: object) -> int:
        if (found := length_of(str(word))) is None:
            remedy = f"Write {LEAST_LENGTH} tokens or more, such as 4k,32k."
            raise UserError(f"{word!r} is no context length.", remedy)
        return found

    return _once(map(tokens, _listed(value)))


def _depths(value: Any) -> tuple[float, ...]:
    from niah.cases.case import depth_part

    def percent(word: object) -> float:
        try:
            found = float(str(word).removesuffix("%"))
        except ValueError:
            found = -1.0
        if not 0 <= found <= 100:
            raise UserError(f"{word!r} is no depth.", "Write percentages from 0 to 100, such as 0,50,100.")
        return abs(found)  # -0 is 0

    return _once(map(percent, _listed(value)), depth_part)


def _seeds(value: Any) -> dict[str, Any]:
    """Seeds as a run config has them; 1-8 are eight."""
    if isinstance(value, Mapping):
        return dict(plain(value))
    seeds: list[int] = []
    for word in _listed(value):
        found = _SEEDS.fullmatch(str(word))
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
        if not first <= last < first + _MOST_SEEDS:
            problem = f"{word!r} is no seed, and no range of at most {_MOST_SEEDS:,}."
            raise UserError(problem, "Write whole numbers from 0 on, such as 1,2,3 or 1-8.")
        seeds += range(first, last + 1)
    return {"anchor": list(_once(seeds))}


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise UserError(f"is {value!r}.", f"Write {' or '.join(words)}.")
        return str(value)

    return read


def _reserve(value: Any) -> int | str:
    if value == "template":
        return "template"
    if not re.fullmatch(r"[0-9]{1,18}", str(value)):
        raise UserError(f"{value!r} is no number of tokens.", "Write one, such as 40, or template.")
    return int(value)


def read_date(value: Any) -> datetime.date:
    """The date of a text such as 2026-11-22. Raises UserError."""
    if isinstance(value, datetime.date):
        return value.date() if isinstance(value, datetime.datetime) else value
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", str(value), re.ASCII):
            return datetime.date.fromisoformat(str(value))
    except ValueError:
        pass
    raise UserError(f"{value!r} is no date.", "Write one of the calendar as 2026-11-22.")


def read_duration(value: Any) -> float:
    """The seconds of 30, "30s" or "10m". Raises UserError."""
    from niah.readers.patience import parse_duration

    return parse_duration(str(value))


def read_budget(value: Any) -> Budget:
    """The budget of a text such as 5usd. Raises UserError."""
    from niah.runs.cost.prices import parse_budget

    return parse_budget(_text(value))


def _shard(value: Any) -> Shard:
    from niah.runs.shards import parse_shard

    return parse_shard(_text(value))


def _retried(value: Any) -> frozenset[str]:
    for name in _listed(list(value) if isinstance(value, set | frozenset) else value):
        if name not in RETRIED:
            raise UnknownName("outcome to retry", str(name), RETRIED)
    return frozenset(_listed(value))


def _reader_options(value: Any) -> dict[str, Any]:
    from niah.runs.config import checked_options, parse_options

    return checked_options(plain(value)) if isinstance(value, Mapping) else parse_options(_texts(value))


class RunRequest(BaseModel):
    """What a run is asked for; None is what a run config or suite says, or the default.

    Attributes:
        config: a run config or a suite, by name or path; None where the other fields say all.
        sources: of each field that was given, what gave it, and the name of the environment variable.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    config: str | None = _asked(_text, "", "", form="python")
    suite: str | None = _asked(
        *(_text, ASKED, "Ask this suite, with no run config: a name of niah list suites, or a file."),
        *("SUITE", "suites"),
    )
    needle_sets: tuple[str, ...] | None = _asked(
        _names, ASKED, "Needle sets in place of the suite's, with commas.", "LIST", "needle-sets"
    )
    haystack: str | None = _asked(
        *(_text, ASKED, "Haystack in place of the suite's: a name, or a folder or file of text."),
        *("NAME|PATH", "haystacks"),
    )
    lengths: tuple[int, ...] | None = _asked(
        _lengths, ASKED, "Context lengths in place of the suite's: 4k,32k.", "LIST"
    )
    depths: tuple[float, ...] | None = _asked(
        _depths, ASKED, "Depths in place of the suite's, in percent: 0,50,100.", "LIST"
    )
    seeds: dict[str, Any] | None = _asked(
        _seeds, ASKED, "Seeds in place of the config's: 1,2,3 or 1-8. More give narrower intervals.", "LIST"
    )
    needle: tuple[str, ...] = _asked(
        *(_texts, ASKED, "A fact of your own to hide, with --question and --expect; may be repeated."),
        *("TEXT", "", "several"),
    )
    question: str | None = _asked(_text, ASKED, "What is asked about --needle.", "TEXT")
    expect: tuple[str, ...] = _asked(
        *(_texts, ASKED, "What an answer has to name, as --needle has it; may be repeated."),
        *("WORD", "", "several"),
    )
    date: datetime.date | None = _more(
        *(read_date, ASKED, "The night whose rotating seeds the run takes; today (UTC) without it."),
        *("YYYY-MM-DD", _OF_ALL),
    )
    skip: Literal["nothing", "impossible"] | None = _more(
        *(_one_of("nothing", "impossible"), ASKED, "Leave out the cases that cannot be built, and say why."),
        "nothing|impossible",
    )
    accidents: Literal["stop", "avoid"] | None = _more(
        *(_one_of("stop", "avoid"), ASKED, "Leave out haystack sentences that answer by accident."),
        "stop|avoid",
    )
    reserve: int | Literal["template"] | None = _more(
        _reserve, ASKED, "Tokens of each length kept for a chat template.", "N|template"
    )
    readers: list[Any] | None = _asked(_entries, ANSWERS, "Models in place of the config's.", form="python")
    model: str | None = _asked(
        *(
            _text,
            ANSWERS,
            "Model in place of the config's: openai/gpt-4o-mini, a litellm name, a .gguf file.",
        ),
        *("NAME", "readers"),
    )
    api_base: str | None = _asked(
        *(
            _text,
            ANSWERS,
            "Address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp) that has --model.",
        ),
        "URL",
    )
    strategies: list[Any] | None = _asked(
        *(_entries, ANSWERS, "Strategies in place of the config's: lc,dos. Without a config, lc."),
        *("LIST", "strategies"),
    )
    reader_options: dict[str, Any] | None = _more(
        _reader_options,
        ANSWERS,
        "Settings of every model: temperature=0.7, thinking_tokens=2000, extra_body.top_k=20.",
        "NAME=VALUE",
        _OF_ALL,
        form="several",
        flag="reader-option",
    )
    concurrency: int | None = _more(
        read_count, ANSWERS, "Requests at once to each model over HTTP; 8, or the config's.", "N", _OF_ALL
    )
    wait: float | None = _more(
        *(read_duration, ANSWERS, "How long to wait for an endpoint that does not answer: 10m."),
        *("DURATION", _OF_ALL),
    )
    timeout: float | None = _more(
        read_duration, ANSWERS, "How long one request may take; 10m without it.", "DURATION", _OF_ALL
    )
    attempts: int | None = _more(
        read_count, ANSWERS, "Most requests for one answer; 4 without it.", "N", _OF_ALL
    )
    judge: Any = _asked(
        *(plain, JUDGED),
        "Judge in place of the config's: rubric, any model, or rubric+openai/gpt-4o-mini, which asks the "
        "model only where the rubric is unsure.",
        *("NAME", "judges", "text", _OF_ALL),
    )
    metrics: tuple[str, ...] | None = _more(
        _names, JUDGED, "Metrics beside the judge's verdict: niah list metrics.", "LIST"
    )
    limit: int | None = _asked(
        *(read_count, MUCH, "Run at most this many trials now; the rest can follow.", "N"), commands=_OF_RUN
    )
    budget: Budget | None = _asked(
        *(read_budget, MUCH, "The most that the run may take: 25usd, 40Mtok. The config's without it."),
        *("AMOUNT", "", "text", _OF_ALL),
    )
    repeats: int | None = _more(read_count, MUCH, "How often each question is asked.", "N")
    retry: frozenset[Any] | None = _more(
        _retried, MUCH, "Outcomes to try again, such as reader_error,truncated.", "LIST", _OF_RUN
    )
    reuse: bool = _more(
        *(_flag, MUCH),
        "Take the answers that earlier runs got to the very same requests: right only while the model behind "
        "its name and address is the same.",
        form="flag",
    )
    shard: Shard | None = _more(
        _shard, MUCH, "Only the I-th of N parts of the run, in a run file of its own.", "I/N"
    )
    out: Path | None = _asked(
        _path, PLACES, "Run file; one in runs/ without it. Its folders are made.", "FILE"
    )
    plots: Path | None = _more(
        _path, PLACES, "Folder for the page; plots/NAME without it.", "FOLDER", _OF_RUN
    )
    save: bool = _more(
        _flag, PLACES, "Write the needle set of --needle to needles/ too.", "", _OF_RUN, "flag"
    )
    log: Path | None = _more(
        *(_path, PLACES, "File for a line of JSON a request; no prompts, no keys.", "FILE"),
        ("run", "nightly"),
    )
    on: Any = _more(
        *(_one_of("local", "ray"), PLACES),
        "Where models are asked: in this process, or on the Ray cluster at RAY_ADDRESS.",
        *("local|ray", ("run", "nightly")),
    )
    progress: bool | None = _asked(_flag, PLACES, "Show how far it is, on standard error.", form="python")
    sources: dict[str, tuple[Any, str]] = {}

    @field_validator("*", mode="plain")
    @classmethod
    def _read(cls, value: Any, info: ValidationInfo) -> Any:
        option = OPTIONS.get(str(info.field_name))
        try:
            return value if option is None or value is None else option.read(value)
        except UserError as error:
            told = {"problem": error.message, "remedy": error.remedy}
            raise PydanticCustomError("niah", "{problem}", told) from None

    def has(self, name: str) -> bool:
        """Whether the field was given."""
        return name in self.sources


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
    try:
        return RunRequest(**values, sources={**sources})
    except ValidationError as error:
        first = error.errors()[0]
        name, told = str(first["loc"][0]), first.get("ctx", {})
        if first["type"] == "extra_forbidden":
            raise UnknownName("argument", name, OPTIONS) from None
        raise UserError(
            f"{named(name, sources)}: {told.get('problem', first['msg'])}", told.get("remedy", "")
        ) from None


def named(name: str, sources: Mapping[str, tuple[Source, str]]) -> str:
    """How the user gave a field: "--date", "NIAH_RUN_DATE" or "the argument date"."""
    source, variable = sources.get(name, ("", ""))
    if "argument" in (source, *(each for each, _ in sources.values())):
        return f"the argument {name}"
    return variable or f"--{flag_of(name)}"


def flag_of(name: str) -> str:
    """A field's name on the command line, without the hyphens before it."""
    return (OPTIONS[name].flag if name in OPTIONS else "") or name.replace("_", "-")
