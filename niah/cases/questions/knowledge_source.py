"""What the contexts of published question sets are: long-context-vs-rag's knowledge sources.

Its figures 3 and 6 tell questions apart by them. Which set has which source is as its authors' script has it
(github.com/lixinze777/LC_VS_RAG); other names here are those of the same sets in LongBench and L-Eval.
"""

from __future__ import annotations

import re

_SETS = {
    "Wikipedia": (
        *("2wikimultihopqa", "2wikimhqa", "2wikimqa", "hotpotqa", "musique"),
        *("naturalquestion", "natural_question", "nq"),
    ),
    "story": ("narrativeqa", "quality", "novelqa", "novelqa-gen"),
    "paper or report": ("qasper", "multifieldqa", "multifieldqa_en"),
    "dialogue": ("toeflqa", "toefl-qa", "tpo", "multidoc2dial", "multidoc_qa"),
    "course website": ("coursera",),
}
_SOURCES = {_name: source for source, _names in _SETS.items() for _name in _names}


def knowledge_source(question_set: str | None, source: str | None) -> str | None:
    """What contexts of a question set are; where the paper has no such set, the questions' own source.

    Args:
        question_set: its name ("hotpotqa", "quality.dev").
        source: of a question, in its set's words.
    """
    for name in (question_set, source):
        plain = re.sub(r"_e$", "", (name or "").rpartition("/")[2].lower())
        if known := _SOURCES.get(plain) or _SOURCES.get(plain.partition(".")[0]):
            return known
    return source
