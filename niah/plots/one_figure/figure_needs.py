"""What trials a figure needs, in words: for who asked for one that a run has nothing for."""

from __future__ import annotations

from collections.abc import Mapping

_PRICES = (
    "It needs trials with a price above 0: give the reader `prices` in the run config, and trials that are"
    " asked from then on have one."
)
_GIVEN = "It needs questions over given documents, asked with full context and with retrieval."

NEEDS: Mapping[str, str] = {
    "score-by-kind": "It needs questions over given documents of several kinds, sources or question sets.",
    "score-by-depth": "It needs planted needles at two depths at least.",
    "rag-minus-lc": "It needs cases with a score of full context (lc) and of a retrieving strategy.",
    "effective-length": "It needs planted needles at two lengths, and 5 clusters (needle set x seed).",
    "needle-in-needle": "It needs a needle set whose needles hide in long passages, and its plain twin.",
    "distractors": "It needs cases with distractors, in several numbers of them.",
    "beside-papers": "It needs a model, strategy, needle set and length of which a paper published a mean.",
    "retrieval-by-length": "It needs a retrieving strategy, and cases with needles or evidence.",
    "context-organisation": "It needs one retriever with two orders or two scopes.",
    "missing-and-extra": "It needs needle sets that ask for several elements.",
    "noise-ratio": "It needs a retrieving strategy that found every needle of some cases.",
    "outcomes": "It needs trials that were asked and have no score; here all have one.",
    "score-by-cost": _PRICES,
    "score-by-budget-cost": f"It needs strategies that differ in budget-N alone. {_PRICES}",
    "score-by-budget": (
        "It needs strategies that differ in budget-N alone, such as bm25/budget-500/document and"
        " bm25/budget-2000/document."
    ),
    **{f"lc-vs-rag-figure-{number}": _GIVEN for number in (3, 4, 6, 7)},
}
"""By figure, a sentence that says what to ask; of others the docs say it."""
