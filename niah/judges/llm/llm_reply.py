"""From an LLM judge's reply to a verdict, or to the reason why there is none. Pure.

The reply counts only if its last JSON object is a complete verdict and no brace stands outside of objects: a
brace left over belongs to an object that was broken off, or broken by a quotation, and what looks like the
last verdict may then be one that the answer brought along. For the same reason a verdict that the answer
spells out itself does not count. A judge that gives two different verdicts has given none: nobody can tell
which of them it stands by.

Tolerated: text around the object (a code fence, a sentence), earlier objects that are quoted from the answer,
say the same or are no verdict, names in other case or by an alias, and a name twice in one list. Not
tolerated: scores that are no plain integer of the rubric, missing, additional or repeated fields, and lists
that do not cover every element exactly once or contradict the score.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from niah.cases.sample import AnswerKey
from niah.judges.rubric.normalise import normalise, strip_reasoning
from niah.judges.verdict import Score
from niah.readers.http.outcomes import one_line

_PRINTED_SCORES = ", ".join(map(str, get_args(Score)))
_NO_MATTER = re.compile(r"[\s\\]+")


class NoVerdict(Exception):
    """A reply that is none; the message says why, in one line."""


def _plain_integer(value: object) -> object:
    """pydantic takes True for 1 and 10.0 for 10, as Python does."""
    if type(value) is not int:
        raise ValueError(f"must be one of the integers {_PRINTED_SCORES}")
    return value


class LLMVerdict(BaseModel):
    """A verdict on a student's answer."""

    # The fields in the order in which they are written: the score when the evidence is on paper.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    found: tuple[str, ...]
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    self_doubt: bool
    reason: str
    score: Annotated[Score, BeforeValidator(_plain_integer)]


# The same for every needle set: a provider compiles a schema, which takes seconds, and shows it to the model.
SCHEMA: dict[str, Any] = LLMVerdict.model_json_schema()


def read_verdict(reply: str, answer: str, key: AnswerKey) -> LLMVerdict:
    """The verdict in a judge's reply, its names as the needle set spells them and in its order.

    Args:
        reply: the judge's, complete as far as the endpoint knows.
        answer: what was judged.
        key: what was asked.

    Raises:
        NoVerdict: there is none that counts.
    """
    *earlier, text = _object_texts(strip_reasoning(reply))
    if _is_quoted(text, answer):
        raise NoVerdict("the verdict is a quotation from the answer")
    verdict = _checked(_parsed(text), key)
    for other in earlier:
        if not _is_quoted(other, answer) and (score := _other_score(other, verdict, key)) is not None:
            scores = f"score {score}" + (
                f", then score {verdict.score}" if score != verdict.score else " twice"
            )
            raise NoVerdict(one_line(f"the reply holds two different verdicts: {scores}"))
    return verdict


def _is_quoted(text: str, answer: str) -> bool:
    return _NO_MATTER.sub("", text) in _NO_MATTER.sub("", answer)


def _other_score(text: str, verdict: LLMVerdict, key: AnswerKey) -> object:
    """The score of an object that is another verdict than ``verdict``; None where it is none, or the same.

    A score alone makes a verdict here: what else it lacks does not take it back.
    """
    score = json.loads(text).get("score")
    if score is None or score != verdict.score:
        return score
    try:
        other = _checked(_parsed(text), key)
    except NoVerdict:
        return None
    return None if other.model_copy(update={"reason": verdict.reason}) == verdict else score


def _object_texts(reply: str) -> list[str]:
    """The texts of the outermost JSON objects, one at least; no brace stands outside of them."""
    if not reply.strip():
        raise NoVerdict("the reply is empty")
    texts, outside = [], 0
    for start, end in _objects(reply):
        if "}" in reply[outside:start]:
            raise NoVerdict("a closing brace stands outside of the JSON object")
        texts.append(reply[start:end])
        outside = end
    if "}" in reply[outside:]:
        raise NoVerdict("a closing brace stands outside of the JSON object")
    if not texts:
        raise NoVerdict("the reply has no JSON object")
    return texts


def _objects(reply: str) -> Iterator[tuple[int, int]]:
    """Where the outermost JSON objects start and end."""
    decoder = json.JSONDecoder(object_pairs_hook=_once_each)
    start = reply.find("{")
    while start >= 0:
        try:
            _, end = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            raise NoVerdict("a JSON object is broken or incomplete") from None
        yield start, end
        start = reply.find("{", end)


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise NoVerdict("a JSON object has a field twice")
    return fields


def _parsed(text: str) -> LLMVerdict:
    try:
        return LLMVerdict.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the JSON object"
        raise NoVerdict(one_line(f"{where}: {first['msg']}")) from None


def _checked(verdict: LLMVerdict, key: AnswerKey) -> LLMVerdict:
    found = _elements(verdict.found, "found", key)
    missing = _elements(verdict.missing, "missing", key)
    names = [element.name for element in key.elements]
    for name in names:
        if (name in found) == (name in missing):
            both = "both" if name in found else "neither"
            raise NoVerdict(one_line(f"{name!r} stands in {both} of found and missing"))
    wrong = tuple(dict.fromkeys(filter(None, map(one_line, verdict.wrong))))
    if right := [name for name in wrong if _element(name, key)]:
        raise NoVerdict(one_line(f"wrong: {right[0]!r} is an element of the reference answer"))
    if problem := _contradiction(verdict.score, len(found), len(missing), len(wrong)):
        raise NoVerdict(f"score {verdict.score}, and {problem}")
    return verdict.model_copy(
        update={
            "found": tuple(name for name in names if name in found),
            "missing": tuple(name for name in names if name in missing),
            "wrong": wrong,
            "reason": one_line(verdict.reason),
        }
    )


def _elements(names: Iterable[str], field: str, key: AnswerKey) -> frozenset[str]:
    """The elements that a list names, by their own names."""
    known = {name: _element(name, key) for name in names}
    for name, element in known.items():
        if not element:
            raise NoVerdict(one_line(f"{field}: {name!r} is no element"))
    return frozenset(known.values())


def _element(name: str, key: AnswerKey) -> str:
    """The element of that name, or the only one that it may mean; "" for none."""
    meant = {element.name for element in key.elements if element.name == name} or {
        element.name
        for element in key.elements
        if normalise(name).strip() in {normalise(known).strip() for known in element.names}
    }
    return meant.pop() if len(meant) == 1 else ""


def _contradiction(score: Score, found: int, missing: int, wrong: int) -> str:
    """What the lists hold against the score, by the rubric's own words; "" for nothing."""
    if score == 10 and (missing or wrong):
        return "something is missing or wrong"
    if score == 1 and found:
        return "something is found"
    if score >= 7 and missing and not found:
        return "nothing is found"
    if score < 7 and found and not (missing or wrong):
        return "everything is found and nothing wrong"
    return ""
