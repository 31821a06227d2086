"""Strategies for which a model is asked once a question, and nothing before.

SelfRoute is that of "Retrieval Augmented Generation or Long-Context LLMs?" (arXiv 2407.16802, section 4), and
MixPRByReader that of mixture-of-pageranks, section 4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from niah.retrieval.names import parse_form
from niah.strategies.parts import RetrievalPlan
from niah.strategies.prepared import steps

_GIVES_UP = re.compile(r"\bunanswerable\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"\W*(?:(y(?:es)?)|no?)\b", re.IGNORECASE).match
_CHUNKS_SHOWN, _LETTER_ROOM = 2, 4


@dataclass(frozen=True, kw_only=True)
class Summarised(steps.PreparedStrategy):
    """``STRATEGY+summary-N``: what its source sends, summarised in so many tokens at most."""

    templates = ("compress",)
    budget: int

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """A summary as long as it may be."""
        return min(room, self.budget), min(room, self.budget)

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """The summary alone."""
        text = question.selected(str(self.sources[0])).text
        most = min(self.budget, question.room)
        prompt = steps.render("compress", text=text, question=question.text, tokens=most)
        replies = yield [steps.ModelCall("summary", prompt, most)]
        return steps.Chosen([steps.Part(summary) for summary in steps.said(replies, "summaries")])

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """One summary."""
        text, document = question.selected(str(self.sources[0])).context_tokens, question.document
        prompt = document.template_tokens("compress") + document.count(question.text) + text
        return [steps.CallBound(1, prompt, min(self.budget, question.room))]


@dataclass(frozen=True)
class SelfRoute(steps.PreparedStrategy):
    """``route(FIRST,THEN)``: the reader answers from FIRST, or says "unanswerable" and gets THEN."""

    templates = ("route",)

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """The reader's own answer, or what it reads next."""
        first, then = map(str, self.sources)
        selection = question.selected(first)
        prompt = steps.render("route", prompt=question.prompt(selection.text))
        room = question.answer_tokens
        (reply,) = yield [steps.ModelCall("answer", prompt, room, by_reader=True, is_answer=True)]
        if _GIVES_UP.search(reply):
            return steps.Chosen(selection=question.selected(then))
        return steps.Chosen(selection=selection, answer=reply)

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """One answer."""
        text, document = question.selected(str(self.sources[0])).context_tokens, question.document
        prompt = document.template_tokens("route") + document.count(question.prompt("")) + text
        return [steps.CallBound(1, prompt, question.answer_tokens, by_reader=True, is_answer=True)]


@dataclass(frozen=True)
class MixPRByReader(steps.PreparedStrategy):
    """``mixpr-reader``: MixPR, where the reader says from the text's both ends what a question is about."""

    templates = ("mixpr-router",)
    scored: RetrievalPlan

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """What MixPR ranks first, with the alpha that the reader's letter stands for."""
        document = question.document
        sentences = self.scored.chunker.chunks(document.text, document.starts)
        shown = [document.text[each.start : each.end] for each in sentences]
        first, last = ("\n".join(end) for end in (shown[:_CHUNKS_SHOWN], shown[-_CHUNKS_SHOWN:]))
        prompt = steps.render("mixpr-router", first=first, last=last, question=question.text)
        call = steps.ModelCall(
            "routing", prompt, _LETTER_ROOM, lambda text: bool(_YES_OR_NO(text)), by_reader=True
        )
        (reply,) = yield [call]
        form, said = parse_form(self.scored.retriever), _YES_OR_NO(reply)
        if said is None or form is None:
            raise steps.PreparationFailed(f"the reader said neither y nor n: {reply.strip()[:60]!r}")
        form = replace(form, alpha=0.0 if said[1] else form.local_alpha)
        return steps.Chosen(selection=question.selected(str(replace(self.scored, retriever=form.text))))

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """One letter."""
        document, shown = question.document, 2 * _CHUNKS_SHOWN * (self.scored.chunker.read[1] + 1)
        prompt = document.template_tokens("mixpr-router") + document.count(question.text) + shown
        return [steps.CallBound(1, prompt, _LETTER_ROOM, by_reader=True)]
