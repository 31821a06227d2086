"""Texts in scripts that a strategy's embedder was not made to read."""

from __future__ import annotations

from collections.abc import Iterable

from niah.cases.sample import Sample
from niah.cases.samples import context_of
from niah.retrieval.embedders.languages import read_languages
from niah.strategies.strategy import Strategy
from niah.text.writing import main_script


def unread_scripts(samples: Iterable[Sample], strategies: Iterable[Strategy]) -> list[str]:
    """A line for each embedder and script that it does not read: what is retrieved there means little.

    What the embedder's makers do not say is taken to be read. Of each haystack and question set the shortest
    sample is looked at. Raises UserError where its source is gone.
    """
    retrievers = dict.fromkeys(strategy.retriever for strategy in strategies if strategy.retriever)
    known = {name: reads for name in retrievers if (reads := read_languages(name))}
    sources = _by_script(samples) if known else {}
    return [
        f"{name} reads {reads.languages}, and {' and '.join(sources[script])} is written in {script}: "
        "what it retrieves there means little. bm25, tfidf and mixpr read any script."
        for name, reads in known.items()
        for script in sources
        if script not in reads.scripts
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
