"""What a run config or a command line may say of how a reader is asked, and what that means for a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator, Field, ValidationError, field_validator

from niah.errors import UserError, did_you_mean
from niah.file_mistakes import first_mistake
from niah.files import FileModel, NonEmptyText
from niah.readers.options import PromptMode, ReaderOptions, with_default_room

_LEAST_OF_CLAUDE = 1024
_OWN_FIELDS = frozenset(
    {
        *("model", "messages", "prompt", "max_completion_tokens", "stream", "n", "response_format"),
        *("thinking", "chat_template"),
    }
)
"""Fields of a request that niah writes itself, beside those that are keys of a reader."""
_SECRET = re.compile(r"(^|[_-])(api_?key|authorization|password|secret|token|credentials?)$", re.IGNORECASE)


def _as_list(value: object) -> object:
    """One text alone as a list of one."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


class ThinkingFile(FileModel):
    """How a model that is a reader or a judge is asked."""

    thinking_tokens: Annotated[int, Field(ge=0)] | None = None
    reasoning_effort: NonEmptyText | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    extra_body: dict[str, Any] | None = None

    @field_validator("extra_body")
    @classmethod
    def _only_what_niah_does_not_say(cls, body: dict[str, Any] | None) -> dict[str, Any] | None:
        for name in body or {}:
            if name in OPTION_NAMES:
                raise ValueError(f"{name} is a key of the reader. Write it there.")
            if name in _OWN_FIELDS:
                raise ValueError(f"{name} is what niah says itself. Take it out.")
            if _SECRET.search(name):
                remedy = "Write key_variable: NAME, and set NAME to it."
                raise ValueError(f"{name}: keys have no place in a config. {remedy}")
        return body


class OptionsFile(ThinkingFile):
    """How a reader is asked; each key changes answers, and is part of what a trial is."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    seed: Annotated[int, Field(ge=0)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    system: NonEmptyText | None = None
    stop: Annotated[
        tuple[NonEmptyText, ...],
        BeforeValidator(_as_list, json_schema_input_type=str | tuple[NonEmptyText, ...]),
    ] = ()
    mode: PromptMode | None = None


_TEXTS = ("system", "stop", "reasoning_effort", "mode")
OPTION_NAMES = tuple(OptionsFile.model_fields)
"""What ``--reader-option`` knows, and the keys of a reader that change its answers."""


def parse_options(texts: Iterable[str]) -> dict[str, Any]:
    """What ``--reader-option NAME=VALUE`` says, by name; fields of the body as extra_body.NAME=VALUE.

    Raises UserError for what is no option, or no value of it, and for one that is there twice.
    """
    said: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    given = set[str]()
    for text in texts:
        name, sign, value = text.partition("=")
        option, dot, field = name.partition(".")
        if not sign or (dot and (option != "extra_body" or not field)):
            problem = f"{text!r} is no option of a reader."
            raise UserError(problem, "Write NAME=VALUE, such as temperature=0.7 or extra_body.top_k=20.")
        if option not in OPTION_NAMES:
            raise UserError(f"no reader option called {option!r}.", did_you_mean(option, OPTION_NAMES))
        if name in given or (option in said if dot else option == "extra_body" and fields):
            raise UserError(f"the reader option {name} is given twice.", "Say once what it is.")
        given.add(name)
        if dot:
            fields[field] = _as_value(value)
        else:
            said[option] = value if option in _TEXTS else _as_value(value)
    return checked_options(said | ({"extra_body": fields} if fields else {}))


def options_as_texts(options: Mapping[str, Any]) -> list[str]:
    """What ``parse_options`` reads as ``options``."""
    fields = {f"extra_body.{name}": value for name, value in (options.get("extra_body") or {}).items()}
    said = {name: value for name, value in options.items() if name != "extra_body"} | fields
    texts = {
        name: value if isinstance(value, str) else orjson.dumps(value).decode()
        for name, value in said.items()
    }
    return [f"{name}={text}" for name, text in texts.items()]


def checked_options(said: Mapping[str, Any]) -> dict[str, Any]:
    """``said``, by names of ``OptionsFile``, as a run takes it. Raises UserError for what it cannot take."""
    data = orjson.dumps(dict(said))
    try:
        checked = OptionsFile.model_validate_json(data)
    except ValidationError as error:
        mistake = first_mistake(OptionsFile, orjson.loads(data), error.errors())
        raise UserError(f"reader option {mistake.key}: {mistake.problem}", mistake.remedy) from None
    return {name: getattr(checked, name) for name in checked.model_fields_set}


def options_of(file: OptionsFile, model: str, instead: Mapping[str, Any]) -> ReaderOptions:
    """A reader's options: those of its config, those of the command line in their place.

    Room for thoughts comes on top, where the model is known to think. Raises UserError for what cannot be.

    Args:
        file: its entry of the run config.
        model: as the user names it.
        instead: what the command line says.
    """
    said = {name: getattr(file, name) for name in OPTION_NAMES} | dict(instead)
    options = _with_room(said, model)
    if options.mode == "completion" and (options.thinking_tokens or options.reasoning_effort):
        raise UserError("a completion has no thoughts.", "Take out thinking_tokens and reasoning_effort.")
    return options


def judge_options(file: ThinkingFile, model: str, max_tokens: int | None) -> ReaderOptions:
    """How a judge is asked, by its entry of the run config. Raises UserError for what cannot be.

    Args:
        file: the entry.
        model: as the user names it.
        max_tokens: room for a verdict, in place of the usual.
    """
    said = {name: getattr(file, name) for name in ThinkingFile.model_fields}
    return _with_room(said | {"max_tokens": max_tokens}, model)


def _with_room(said: Mapping[str, Any], model: str) -> ReaderOptions:
    """With room for thoughts on top, where the model thinks. Raises UserError."""
    given = {name: value for name, value in said.items() if value is not None}
    options = with_default_room(ReaderOptions(**given), model)
    if "claude" in model and 0 < (options.thinking_tokens or 0) < _LEAST_OF_CLAUDE:
        raise UserError(
            f"{model} thinks {_LEAST_OF_CLAUDE:,} tokens at least, not {options.thinking_tokens}.",
            "Raise thinking_tokens, or write 0.",
        )
    return options


def _as_value(text: str) -> Any:
    """A number, true, a list: JSON where it is that, and otherwise the text."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
