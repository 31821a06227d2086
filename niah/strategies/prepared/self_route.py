"""Self-route: the reader answers from what one strategy retrieves, or says that it cannot and gets another's.

As in "Retrieval Augmented Generation or Long-Context LLMs?" (arXiv 2407.16802, section 4): the first prompt
lets the reader say "unanswerable", and whatever else it says is its answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.strategies.prepared.steps import (
    AskedQuestion,
    Chosen,
    GetRetriever,
    ModelCall,
    PreparedDocument,
    PreparedStrategy,
    SendingStrategy,
    Steps,
)
from niah.strategies.prepared.templates import render

if TYPE_CHECKING:
    from niah.strategies.axes.retrieval_plan import RetrievalPlan

_GIVES_UP = "unanswerable"


@dataclass(frozen=True)
class SelfRoute(PreparedStrategy):
    """``route(FIRST,THEN)``.

    Attributes:
        first: what the reader answers from, if it can.
        then: what it gets otherwise.
    """

    first: SendingStrategy
    then: SendingStrategy

    templates = ("route",)

    def __str__(self) -> str:
        return f"route({self.first.definition},{self.then.definition})"

    @property
    def description(self) -> str:
        """One line for people."""
        return f"the reader answers from {self.first.name}, or says unanswerable and gets {self.then.name}"

    @property
    def scored(self) -> RetrievalPlan | None:
        """The first one's."""
        return self.first.retrieval

    @property
    def order(self) -> str:
        """The first one's."""
        return self.first.order or "document"

    @property
    def reads(self) -> str:
        """What a question gets that is unanswerable at first."""
        return self.then.definition

    @property
    def may_answer(self) -> bool:
        """From what the first one sends."""
        return True

    @property
    def goes_by(self) -> tuple[str, ...]:
        """Template, and what both go by."""
        return (*super().goes_by, *self.first.packages, *self.then.packages)

    def question(
        self,
        document: PreparedDocument,
        material: Any,
        question: AskedQuestion,
        retriever: GetRetriever | None,
    ) -> Steps[Chosen]:
        """The reader's own answer, or what it reads next."""
        selection = question.selected(self.first.definition)
        prompt = render("route", prompt=question.prompt(selection.text))
        (reply,) = yield [
            ModelCall("answer", prompt, question.answer_tokens, _GIVES_UP, by_reader=True, is_answer=True)
        ]
        if re.search(rf"\b{_GIVES_UP}\b", reply, re.IGNORECASE):
            return Chosen(selection=question.selected(self.then.definition))
        return Chosen(selection=selection, answer=reply)
