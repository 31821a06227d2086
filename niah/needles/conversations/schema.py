"""Conversations as people write them in a family: forms of writing, topics, and what tells pieces apart."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from niah.files import FileModel
from niah.needles.schema import OneLine

_Pool = Annotated[tuple[OneLine, ...], Field(min_length=2)]


class FormFile(FileModel):
    """A form of writing: how it is asked for, and sentences that its pieces are made of."""

    ask: OneLine = Field(description="What the user says; with {{ topic }}.")
    openings: _Pool = Field(description="How a piece begins.")
    middles: _Pool = Field(description="One to three of them stand between.")
    closings: _Pool = Field(description="How it ends.")


class ConversationFile(FileModel):
    """Turns of a user who asks for short pieces and an assistant who writes them."""

    user: str = Field(default="User:", min_length=1, description="Stands before what the user says.")
    assistant: str = Field(default="Assistant:", min_length=1, description="Stands before a piece.")
    marks: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        description="Slots of `each` that every piece has, with values of its own: the elements."
    )
    topics: Annotated[tuple[OneLine, ...], Field(min_length=3)]
    forms: Annotated[dict[str, FormFile], Field(min_length=2)] = Field(
        description="By the word for such a piece, {{ form }} in the question."
    )

    @model_validator(mode="after")
    def _asks_name_topics(self) -> ConversationFile:
        for name, form in self.forms.items():
            if "topic" not in form.ask:
                raise ValueError(f"the ask of {name!r} does not use the slot 'topic'. Add {{{{ topic }}}}.")
        return self
