"""Questions that a router is tried on: what they ask for is known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from niah.files import FileModel, load_yaml
from niah.retrieval.mixpr.router import Reach

_QUESTIONS = Path(__file__).with_name("router-questions.yaml")


class _Kind(FileModel):
    kind: str
    reach: Reach
    questions: tuple[str, ...] = Field(min_length=1)


class _KindsFile(FileModel):
    kinds: tuple[_Kind, ...]


@dataclass(frozen=True)
class RouterQuestion:
    """A question whose expert is known.

    Attributes:
        kind: the kind of task that it is from.
        held_out: whether the rules were never mended by it.
    """

    kind: str
    reach: Reach
    text: str
    held_out: bool


def router_questions() -> list[RouterQuestion]:
    """The questions that ship, forty of each of eight kinds of task."""
    return [
        RouterQuestion(kind.kind, kind.reach, text, held_out=bool(place % 2))
        for kind in load_yaml(_QUESTIONS, _KindsFile).kinds
        for place, text in enumerate(kind.questions)
    ]
