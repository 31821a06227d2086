"""Texts in scripts that a strategy's embedder was not made to read."""

from __future__ import annotations

from collections.abc import Iterable

from niah.cases.sample import Sample
from niah.cases.samples import context_of
from niah.retrieval.names import parse_name
from niah.strategies.strategy import Strategy
from niah.text.writing import main_script

_ENGLISH = ("minilm", "static", "arctic", "contriever")
"""Short names of embedders that were made for English alone."""


def unread_scripts(samples: Iterable[Sample], strategies: Iterable[Strategy]) -> list[str]:
    """A line for each script that an embedder of English meets: what is retrieved there means little.

    Of each haystack and question set the shortest sample is looked at. Raises UserError where its source is
    gone.
    """
    retrievers = dict.fromkeys(strategy.retriever for strategy in strategies if strategy.retriever)
    english = [name for name in retrievers if parse_name(name).embedder in _ENGLISH]
    sources = _by_script(samples) if english else {}
    return [
        f"{name} reads English, and {' and '.join(sources[script])} is written in {script}: "
        "what it retrieves there means little. bm25, tfidf and mixpr read any script."
        for name in english
        for script in sources
        if script != "Latin"
    ]


def _by_script(samples: Iterable[Sample]) -> dict[str, list[str]]:
    """The names of haystacks and question sets by the script that most of their text is in."""
    shortest: dict[str, Sample] = {}
    for sample in sorted(samples, key=lambda sample: sample.tokens):
        shortest.setdefault(sample.haystack or sample.question_set or sample.sample_id, sample)
    sources: dict[str, list[str]] = {}
    for source, sample in shortest.items():
        if script := main_script(context_of(sample).text):
            sources.setdefault(script, []).append(source)
    return sources
