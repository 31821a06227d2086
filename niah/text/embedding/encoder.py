"""What an encoder is: it turns texts into vectors. What keeps them is ``niah.text.embedding.embedder``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from niah.text.embedding.vector_cache import Vectors

# Many models read a question otherwise than what is searched for its answer.
TextSide = Literal["query", "passage"]


class Encoder(Protocol):
    """Embeds texts with one model, here or at an endpoint. Used by one thread at a time."""

    @property
    def identity(self) -> str:
        """Of the model; equal only where all embeddings are equal."""
        ...

    def mark(self, side: TextSide) -> str:
        """What is done to texts of that side, such as a prefix. Sides of one mark share embeddings."""
        ...

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions).

        A text longer than the model reads comes as several windows, none of them cut.
        """
        ...
