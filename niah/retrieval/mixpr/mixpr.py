"""MixPR: a mixture of two PageRanks over the graph of similar chunks (mixture-of-pageranks, section 4).

Chunks are nodes and A = normalise(E E^T) joins the similar ones, E being their L2-normalised TF-IDF rows. A
local question starts the walk at its own chunks and returns there often (alpha 0.6); a global one ranks the
chunks by how central they are (alpha 0). A is never formed, unless weak similarities are dropped first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Literal

import numpy as np

from niah.retrieval.mixpr.graph import Floats, Graph, MatrixGraph, StreamGraph, centrality, personalised
from niah.retrieval.names import MixPRForm
from niah.text.sentences import short_sentences

_FEW = 250_000  # SciPy is through with so many characters before the loops are loaded


class MixPR:
    """The retriever: chunks and question, cut into sentences of at most 32 words, in one graph; p lies on the
    question's, which come last, in equal parts; of a global question it is uniform."""

    def __init__(
        self, top: int = 100, form: MixPRForm | None = None, say: Callable[[str], None] = lambda line: None
    ) -> None:
        self._form, self._top, self._say = form or MixPRForm(), top, say

    def score(self, query: str, texts: Sequence[str]) -> Floats:
        """Shape (len(texts),): each chunk's share of pi; together with the question's own they sum to 1."""
        asked = [query[start:end] for start, end in short_sentences(query)] or [query]
        form, alpha = self._form, self._form.alpha
        if alpha is None:
            alpha = form.local_alpha if route(query) == "local" else 0.0
        every = [*texts, *asked]
        is_short = sum(map(len, every)) <= _FEW or find_spec("numba") is None
        if is_short or form.threshold is not None:
            graph: Graph = MatrixGraph(every, form.threshold)
        else:  # compiled loops, where the text is long and niah's extra ``fast`` brings numba
            from niah.retrieval.mixpr import kernels
            from niah.retrieval.mixpr.terms import term_stream

            if not kernels.are_compiled():
                self._say("Compiling MixPR for this machine, once: less than 10 seconds ...")
            graph = StreamGraph(term_stream(every))
        pi = personalised(graph, len(asked), alpha) if alpha else centrality(graph)
        return pi[: len(texts)]

    def best(self, query: str, texts: Sequence[str]) -> list[int]:
        """The places of the ``top`` best chunks, best first, equal ones in document order."""
        scores = self.score(query, texts)
        least = np.partition(scores, -self._top)[-self._top] if self._top < len(scores) else 0.0
        best = np.flatnonzero(scores >= least)
        ranking = best[np.argsort(-scores[best], kind="stable")]
        return list(map(int, ranking[: self._top]))


# Which PageRank answers: a global question is about all of the text, as a summary, the words that come most
# often, a description of the whole (appendix A.2). The rules are kept narrow, since alpha 0 fails on local
# questions while alpha 0.6 only weakens on global ones (figure 3): "the overall cost of the trip" is local,
# "the overall theme" global.

_WHOLE = (
    r"(?:the|this)\s+(?:\w+\s+)?(?:text|document|book|story|novel|passage|article|report|conversation|memoir"
    r"|correspondence|manuscript|essay|paper|collection|log|list)"
)
_WORDS = r"(?:words?|terms?|tokens?|phrases?|nouns?|verbs?|items?|two|three|four|five|ten|\d+|top)"
_OFTEN = (
    r"(?:(?:most|least|highest)[\s-]+(?:\w+[\s-]+)?(?:common|frequent|often|repeated|used|mentioned|recurring"
    r"|numerous|times|counts?|occurrences)\w*|commonest|the\s+most|more\s+often\s+than\s+(?:any|all)|frequenc\w*)"
)
# "Who wrote the summary?" and "What did the clerk write in it?" ask for none.
_SUMMARY = rf"""
    \bsummari[sz](?:e|ing)\b | \btl;?dr\b | \bnutshell\b | \bsum(?:ming)?\s+(?:\w+\s+){{0,2}}up\b
  | \b(?:condense|shorten|retell|abridge|boil)\s+(?:{_WHOLE}|this|it)\b
  | \A\W*(?!who|whose|where|when|which|why|what\s+(?:did|was|is\s+(?!the\s+gist))|how|did|(?:in|on|to)\s+w)
    [^.?!]{{0,80}}? \b(?:summary|synopsis|gist|outline|overview|pr[eé]cis|abstract|digest|blurb|recap)\b
"""
_FREQUENCY = rf"""
    \b{_WORDS}\b [^.?]{{0,80}} \b{_OFTEN} | \b{_OFTEN}\s [^.?]{{0,60}} \b{_WORDS}\b | \bword\s+counts?\b
  | \b(?:appears?|occurs?|recurs?|repeat|comes?|turn|named|listed)\s+(?:\w+\s+)?{_OFTEN}
  | \bhow\s+often\b [^.?]{{0,12}} \bwords?\b
  | \bcount\s+(?:all|every|each)\b [\s\S]{{0,200}} \b(?:most|least|fewest)\b
"""
_DESCRIPTION = rf"""
    \b(?:main|central|overall|principal|key|general|major|core|underlying|most\s+important)
    \s+(?:\w+\s+)?(?:ideas?|themes?|topics?|points?|messages?|arguments?|plot|story|tone|takeaways?)\b
  | \b(?:whole|entire|full|complete)\s+(?:text|document|book|story|novel|report|manuscript|correspondence)\b
  | \b(?:what|which)\s+(?:topics|themes)\b | \bwhat\s+(?:is|was)\s+{_WHOLE}\s+about\b
  | \bwhat\s+happens\s+in\s+{_WHOLE} | \b(?:throughout|course\s+of|what)\s+{_WHOLE} | \bas\s+a\s+whole\b
  | \A\W*overall\b | \b(?:moral|plot|theme|message|thesis)\s+of\s+{_WHOLE}
"""
_GLOBAL = re.compile(f"{_SUMMARY} | {_FREQUENCY} | {_DESCRIPTION}", re.IGNORECASE | re.VERBOSE)


def route(question: str) -> Literal["local", "global"]:
    """Which one answers, by rules over English words: "global" for all of the text, else "local"."""
    return "global" if _GLOBAL.search(question) else "local"
