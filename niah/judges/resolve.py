"""From a judge's name, as a user writes it, to the judge. Cheap; no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from niah.errors import UnknownName
from niah.readers.resolve import EMBEDDED, names, resolve

if TYPE_CHECKING:
    from niah.judges.judge import Judge

RUBRIC = "rubric"


def judge_names() -> list[tuple[str, str]]:
    """The forms a judge's name can have, each with one line, for ``niah list``."""
    return [(RUBRIC, "deterministic, from elements and doubts: needs no model and no key"), *names()]


def resolve_judge(
    name: str, api_base: str | None = None, concurrency: int | None = None, key_variable: str | None = None
) -> Judge:
    """The judge of that name.

    Args:
        name: one of the forms of ``judge_names``.
        api_base: an OpenAI-compatible endpoint, which then knows the model by exactly this name; "rubric"
            has no use for it.
        concurrency: how many answers it may be given at once; its own default without it.
        key_variable: the environment variable that holds the key for ``api_base``.

    Raises:
        UnknownName: the name has none of the forms.
        ReaderConfigError: a key is missing, or ``api_base`` is no web address.
    """
    if name == RUBRIC:
        from niah.judges.rubric.deterministic import Deterministic
        from niah.judges.rubric.rubric import RubricJudge

        return Deterministic(RubricJudge())
    return _llm(name, api_base, concurrency, key_variable)


def _llm(name: str, api_base: str | None, concurrency: int | None, key_variable: str | None) -> Judge:
    try:
        reader = resolve(name, api_base, concurrency=concurrency, key_variable=key_variable)
    except UnknownName:
        raise _unknown(name) from None
    from niah.judges.llm.llm import LLMJudge

    return LLMJudge(reader)


def _unknown(name: str) -> UnknownName:
    error = UnknownName("judge", name, [RUBRIC, EMBEDDED])
    forms = "; ".join(f"{form} ({line})" for form, line in judge_names())
    error.remedy = f"{error.remedy} A judge is one of: {forms}."
    return error
