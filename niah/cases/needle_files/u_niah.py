"""U-NIAH's needle sets (config/needle_cases.yaml of Tongji-KGLLM/U-NIAH) as needle sets of niah.

A mapping of names to ``needles``, ``question`` and ``true_answer``. Which part of the answer a needle carries
is not written there: it is taken to be what needle and answer share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from niah.cases.needle_files.drafts import NeedleSetDraft, WrittenNeedleSets, write_those_that_hold
from niah.cases.needle_files.shared_phrases import shared_phrases
from niah.errors import ConfigError
from niah.file_mistakes import first_mistake
from niah.files import NonEmptyText
from niah.yaml_file import parse_yaml

_ANSWER_TOKENS = 256


class _NeedleCase(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    needles: Annotated[list[NonEmptyText], Field(min_length=1)]
    question: NonEmptyText
    true_answer: NonEmptyText


def import_u_niah(paths: Sequence[Path], folder: Path, called: Path) -> WrittenNeedleSets:
    """Write a needle set for each case of the files. Raises ConfigError about ``called``, and UserError."""
    cases = dict[str, Any]()
    for path in paths:
        data = parse_yaml(path)
        if isinstance(data, Mapping):
            cases |= {str(name): value for name, value in data.items() if isinstance(value, Mapping)}
    if not cases:
        problem = "holds no case with needles, question and true_answer."
        raise ConfigError(called, "", problem, "Name U-NIAH's needle_cases.yaml.")
    return write_those_that_hold(_drafts(cases, called), folder, called)


def _drafts(cases: Mapping[str, Any], called: Path) -> Iterator[NeedleSetDraft]:
    for name, value in cases.items():
        try:
            case = _NeedleCase.model_validate(value)
        except ValidationError as error:
            mistake = first_mistake(_NeedleCase, value, error.errors())
            raise ConfigError(called, f"{name}.{mistake.key}", mistake.problem, mistake.remedy) from None
        yield needle_set_draft(name, case.needles, case.question, case.true_answer, _ANSWER_TOKENS)


def needle_set_draft(
    name: str, needles: list[str], question: str, answer: str, answer_tokens: int
) -> NeedleSetDraft:
    """A draft whose elements are what needles and answer share; a needle without any is supporting text."""
    texts = [" ".join(needle.split()) for needle in needles]
    phrases = shared_phrases(texts, question, answer)
    elements = list(dict.fromkeys(phrase for phrase in phrases if phrase))
    losses = [
        f"needle {place} shares nothing with the answer, and stands as supporting text"
        for place, phrase in enumerate(phrases, 1)
        if phrase is None
    ]
    if elements:
        losses.append(f"elements are guessed from the answer: {', '.join(elements)}")
    data: dict[str, object] = {
        "kind": "single" if len(texts) == 1 else "multi-needle",
        "question": question,
        "answer": answer,
        "answer_tokens": answer_tokens,
        "elements": [{"name": element} for element in elements],
        "needles": [
            {"text": text, "elements": [phrase] if phrase else []}
            for text, phrase in zip(texts, phrases, strict=True)
        ],
    }
    return NeedleSetDraft(_as_name(name), data, tuple(losses))


def _as_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "needles"
