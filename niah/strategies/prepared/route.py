"""Strategies in which the reader is asked which way to go.

SelfRoute, as in "Retrieval Augmented Generation or Long-Context LLMs?" (arXiv 2407.16802, section 4): the
reader answers from what one strategy retrieves, or says "unanswerable" and gets what another one sends.

MixPRByReader (mixture-of-pageranks, section 4): the reader says whether a question is about the whole text,
from the question and the text's first and last two chunks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from niah.retrieval.mixpr.router import read_routing
from niah.retrieval.names import MixPRForm
from niah.strategies.parts import RetrievalPlan
from niah.strategies.prepared.steps import (
    AskedQuestion,
    CallBound,
    Chosen,
    GetRetriever,
    ModelCall,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    QuestionBound,
    SentPlan,
    Steps,
    render,
)

_GIVES_UP = re.compile(r"\bunanswerable\b", re.IGNORECASE)
_CHUNKS_SHOWN, _LETTER_ROOM = 2, 4


@dataclass(frozen=True)
class SelfRoute(PreparedStrategy):
    """``route(FIRST,THEN)``.

    Attributes:
        first: what the reader answers from, if it can.
        then: what it gets otherwise.
    """

    first: SentPlan
    then: SentPlan

    templates = ("route",)
    may_answer = True
    budget = None

    def __str__(self) -> str:
        return f"route({self.first},{self.then})"

    @property
    def scored(self) -> RetrievalPlan | None:
        """The first one's."""
        return self.first if isinstance(self.first, RetrievalPlan) else None

    @property
    def sources(self) -> tuple[SentPlan, ...]:
        """Both."""
        return (self.first, self.then)

    @property
    def reads(self) -> str:
        """What a question gets that is unanswerable at first."""
        return str(self.then)

    def question(
        self, document: PreparedDocument, material: Any, question: AskedQuestion, retriever: GetRetriever
    ) -> Steps[Chosen]:
        """The reader's own answer, or what it reads next."""
        selection = question.selected(str(self.first))
        prompt = render("route", prompt=question.prompt(selection.text))
        (reply,) = yield [ModelCall("answer", prompt, question.answer_tokens, by_reader=True, is_answer=True)]
        if _GIVES_UP.search(reply):
            return Chosen(selection=question.selected(str(self.then)))
        return Chosen(selection=selection, answer=reply)

    def question_bounds(self, document: PreparedDocument, question: QuestionBound) -> Sequence[CallBound]:
        """One answer."""
        prompt = document.template("route") + question.prompt_tokens + question.selected(str(self.first))
        return [CallBound(1, prompt, question.answer_tokens, by_reader=True, is_answer=True)]


@dataclass(frozen=True)
class MixPRByReader(PreparedStrategy):
    """``mixpr-reader``, or ``mixpr-reader-a0.3/SCOPE/ORDER``.

    Attributes:
        plan: MixPR with its scope, order and chunks, whose rules are not asked.
        form: of its retriever.
    """

    plan: RetrievalPlan
    form: MixPRForm

    templates = ("mixpr-router",)

    def __str__(self) -> str:
        return str(self.plan).replace("mixpr", "mixpr-reader", 1)

    @property
    def scored(self) -> RetrievalPlan:
        """MixPR's."""
        return self.plan

    @property
    def reads(self) -> str:
        """As many tokens as by MixPR's own rules."""
        return str(self.plan)

    def question(
        self, document: PreparedDocument, material: Any, question: AskedQuestion, retriever: GetRetriever
    ) -> Steps[Chosen]:
        """What MixPR ranks first, with the alpha that the reader's letter stands for."""
        chunks = self.plan.chunker.chunks(document.text, document.starts)
        shown = [document.text[chunk.start : chunk.end] for chunk in chunks]
        prompt = render(
            "mixpr-router",
            first="\n".join(shown[:_CHUNKS_SHOWN]),
            last="\n".join(shown[-_CHUNKS_SHOWN:]),
            question=question.text,
        )
        is_letter = lambda said: read_routing(said) is not None  # noqa: E731
        (reply,) = yield [ModelCall("routing", prompt, _LETTER_ROOM, is_letter, by_reader=True)]
        reach = read_routing(reply)
        if reach is None:
            raise PreparationFailed(f"the reader said neither y nor n: {reply.strip()[:60]!r}")
        alpha = 0.0 if reach == "global" else self.form.local_alpha
        plan = replace(self.plan, retriever=replace(self.form, alpha=alpha).text)
        return Chosen(selection=question.selected(str(plan)))

    def question_bounds(self, document: PreparedDocument, question: QuestionBound) -> Sequence[CallBound]:
        """One letter."""
        shown = 2 * _CHUNKS_SHOWN * (self.plan.chunker.tokens + 1)
        prompt = document.template("mixpr-router") + question.tokens + shown
        return [CallBound(1, prompt, _LETTER_ROOM, by_reader=True)]
