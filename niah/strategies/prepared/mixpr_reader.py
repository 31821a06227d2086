"""MixPR's router by the reader (mixture-of-pageranks, section 4): it says whether a question is about the
whole text, from the question and the text's first and last two chunks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from niah.retrieval.mixpr.router import read_routing
from niah.retrieval.names import MixPRForm
from niah.strategies.prepared.steps import (
    AskedQuestion,
    Chosen,
    GetRetriever,
    ModelCall,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    SendingStrategy,
    Steps,
)
from niah.strategies.prepared.templates import render

if TYPE_CHECKING:
    from niah.strategies.axes.retrieval_plan import RetrievalPlan

_CHUNKS_SHOWN = 2
_REPLY_ROOM = 4


@dataclass(frozen=True)
class MixPRByReader(PreparedStrategy):
    """``mixpr-reader``, or ``mixpr-reader-a0.3/SCOPE/ORDER``.

    Attributes:
        routed: MixPR with its scope, order and chunks, whose rules are not asked.
        form: of its retriever.
    """

    routed: SendingStrategy
    form: MixPRForm

    templates = ("mixpr-router",)

    def __str__(self) -> str:
        return self.routed.definition.replace("mixpr", "mixpr-reader", 1)

    @property
    def description(self) -> str:
        """One line for people."""
        return f"{self.routed.definition}, where the reader says which questions are about the whole text"

    @property
    def _plan(self) -> RetrievalPlan:
        assert self.routed.retrieval
        return self.routed.retrieval

    @property
    def scored(self) -> RetrievalPlan:
        """MixPR's."""
        return self._plan

    @property
    def order(self) -> str:
        """MixPR's."""
        return self._plan.order

    @property
    def budget(self) -> int | None:
        """MixPR's."""
        return self._plan.budget

    @property
    def reads(self) -> str:
        """As many tokens as by MixPR's own rules."""
        return self.routed.definition

    def question(
        self,
        document: PreparedDocument,
        material: Any,
        question: AskedQuestion,
        retriever: GetRetriever | None,
    ) -> Steps[Chosen]:
        """What MixPR ranks first, with the alpha that the reader's letter stands for."""
        chunks = self._plan.chunker.chunks(document.text, document.starts)
        shown = [document.text[chunk.start : chunk.end] for chunk in chunks]
        prompt = render(
            "mixpr-router",
            first="\n".join(shown[:_CHUNKS_SHOWN]),
            last="\n".join(shown[-_CHUNKS_SHOWN:]),
            question=question.text,
        )
        (reply,) = yield [
            ModelCall(
                "routing",
                prompt,
                _REPLY_ROOM,
                "n",
                is_understood=lambda said: read_routing(said) is not None,
                by_reader=True,
            )
        ]
        reach = read_routing(reply)
        if reach is None:
            raise PreparationFailed(f"the reader said neither y nor n: {reply.strip()[:60]!r}")
        alpha = 0.0 if reach == "global" else self.form.local_alpha
        plan = replace(self._plan, retriever=replace(self.form, alpha=alpha).text)
        return Chosen(selection=question.selected(str(plan)))
