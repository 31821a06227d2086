"""Stories as people write them in a family: a task, how its events are told, what is asked."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from niah.file_mistakes import as_yaml
from niah.files import FileModel
from niah.needles.schema import OneLine
from niah.needles.stories.shapes import SHAPES


class AskFile(FileModel):
    """A question about a story, and its reference answer."""

    question: OneLine
    answer: OneLine


def _is_task(name: str) -> str:
    if name not in SHAPES:
        raise ValueError(f"{as_yaml(name)} is no task. Tasks: {', '.join(SHAPES)}.")
    return name


class StoryFile(FileModel):
    """Facts that are told in order, as many as the set has needles, and a question that follows from them."""

    task: Annotated[str, AfterValidator(_is_task)] = Field(
        description="What is simulated.", json_schema_extra={"enum": list(SHAPES)}
    )
    tell: dict[str, tuple[OneLine, ...]] = Field(description="Templates by event of the task.")
    asks: dict[str, AskFile] = Field(description="The task's questions; the seed picks one.")
