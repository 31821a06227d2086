"""The sentences that an audit's answers are made of, from the YAML files beside this module."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from niah.cases.sample import AnswerKey
from niah.files import FileModel, load_yaml

if TYPE_CHECKING:
    from niah.judges.audit.probe import Claim

Text = Annotated[str, Field(min_length=1)]
_WithBase = Annotated[str, Field(pattern=r"\{base\}")]
_WithAnswer = Annotated[str, Field(pattern=r"\{answer\}")]
_FOLDER = Path(__file__).parent


class Sayings(FileModel):
    """Sentences of answers that claim nothing, doubt, refuse or run on (sayings.yaml)."""

    refusals: tuple[Text, ...] = Field(min_length=5)
    ignorance: tuple[Text, ...]
    unrelated: tuple[str, ...]
    hedges: tuple[_WithAnswer, ...]
    retractions: tuple[_WithAnswer, ...]
    asides: tuple[_WithAnswer, ...]
    preambles: tuple[Text, ...]
    closing: Text


class Repeated(FileModel):
    """A text that comes ``times`` times, after what stands before it."""

    before: str
    text: Text
    times: int


class HostileFile(FileModel):
    """Answers that talk to the judge, and marks that hide a wrong element (hostile.yaml)."""

    texts: dict[str, _WithBase]
    repeated: dict[str, Repeated]
    invisible_marks: dict[str, Text]

    def every_text(self) -> dict[str, str]:
        """All texts by name, the repeated ones written out."""
        return self.texts | {name: one.before + one.text * one.times for name, one in self.repeated.items()}


class Wording(FileModel):
    """A sentence, or lines, with room for claims (wordings.yaml says what its slots stand for)."""

    whole: Text
    item: str = "{name}"
    keyed: str = "{name} for {key}"
    between: str = ", "
    last: str = " and "
    alias: bool = False
    upper_case: bool = False

    def phrase(self, claims: Sequence[Claim], key: AnswerKey) -> str:
        """The claims as one answer."""
        items = [self._item(claim, number, key) for number, claim in enumerate(claims, 1)]
        answer = self.whole
        for slot, text in (
            ("{answers}", "answer is" if len(claims) == 1 else "answers are"),
            ("{list}", self.last.join([*filter(None, [self.between.join(items[:-1])]), *items[-1:]])),
            ("{json}", _json(claims)),
            ("{table}", _table(claims)),
        ):
            answer = answer.replace(slot, text)
        return answer.upper() if self.upper_case else answer

    def _item(self, claim: Claim, number: int, key: AnswerKey) -> str:
        name = claim.element.aliases[0] if self.alias and claim.element.aliases else claim.name
        # With its article, if the question writes one: "the copper gate", "Corrow".
        owner = f"the {claim.key}" if f"the {claim.key}" in key.question else claim.key
        item = self.keyed.replace("{key}", owner) if claim.key else self.item
        return item.replace("{number}", str(number)).replace("{name}", name)


class Wordings(FileModel):
    """Claims in sentences of an answer's own, and in the formats that models answer in (wordings.yaml)."""

    plain: Wording
    paraphrases: dict[str, Wording]
    formats: dict[str, Wording]


@cache
def sayings() -> Sayings:
    """The shipped sayings."""
    return load_yaml(_FOLDER / "sayings.yaml", Sayings)


@cache
def hostile_texts() -> HostileFile:
    """The shipped hostile texts and invisible marks."""
    return load_yaml(_FOLDER / "hostile.yaml", HostileFile)


@cache
def wordings() -> Wordings:
    """The shipped wordings."""
    return load_yaml(_FOLDER / "wordings.yaml", Wordings)


def plain_answer(claims: Sequence[Claim], key: AnswerKey) -> str:
    """The claims in the plainest words: "The answers are figs, ham and goat cheese."."""
    return wordings().plain.phrase(claims, key)


def _json(claims: Sequence[Claim]) -> str:
    rows = [{"for": claim.key, "answer": claim.name} if claim.key else claim.name for claim in claims]
    return json.dumps({"answer": rows}, ensure_ascii=False)


def _table(claims: Sequence[Claim]) -> str:
    head = ["For", "Answer"] if claims and claims[0].key else ["Answer"]
    rows = [[claim.key, claim.name] if claim.key else [claim.name] for claim in claims]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *rows))
