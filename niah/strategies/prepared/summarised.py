"""Context compression by a model: what a strategy retrieves is summarised for the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.strategies.prepared.steps import (
    AskedQuestion,
    Chosen,
    GetRetriever,
    ModelCall,
    Part,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    SendingStrategy,
    Steps,
    expected_text,
)
from niah.strategies.prepared.templates import render

if TYPE_CHECKING:
    from niah.strategies.axes.retrieval_plan import RetrievalPlan


@dataclass(frozen=True)
class Summarised(PreparedStrategy):
    """``STRATEGY+summary-N``.

    Attributes:
        source: what is summarised.
        tokens: of a summary, at most.
    """

    source: SendingStrategy
    tokens: int

    templates = ("compress",)

    def __str__(self) -> str:
        return f"{self.source.definition}+summary-{self.tokens}"

    @property
    def description(self) -> str:
        """One line for people."""
        return f"a model's summary, for the question, of what {self.source.name} sends"

    @property
    def scored(self) -> RetrievalPlan | None:
        """That of what is summarised."""
        return self.source.retrieval

    @property
    def budget(self) -> int:
        """A summary's."""
        return self.tokens

    @property
    def goes_by(self) -> tuple[str, ...]:
        """Template, and what the source goes by."""
        return (*super().goes_by, *self.source.packages)

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """A summary as long as it may be."""
        return min(room, self.tokens), min(room, self.tokens)

    def question(
        self,
        document: PreparedDocument,
        material: Any,
        question: AskedQuestion,
        retriever: GetRetriever | None,
    ) -> Steps[Chosen]:
        """The summary alone."""
        text = question.selected(self.source.definition).text
        most = min(self.tokens, question.room)
        prompt = render("compress", text=text, question=question.text, tokens=most)
        (summary,) = yield [ModelCall("summary", prompt, most, expected_text(most, text))]
        if not summary.strip():
            raise PreparationFailed("the summary is empty")
        return Chosen([Part(summary.strip())])
