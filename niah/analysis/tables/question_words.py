"""Words of the questions that only one side answers (long-context-vs-rag, section 5.4 and figure 5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import coded_column, values_at
from niah.analysis.row_parts import row_parts
from niah.analysis.tables.rag_papers.both_sides import both_sides
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.trial_columns import Trials
from niah.cases.sample import Sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FEWEST = 5
"""Different questions that each side must answer alone before its words mean anything."""

_TOP = 15
_NOTE = (
    f"The {_TOP} words with the greatest weights, both sides added. A word's weight on a side is its mean"
    " TF-IDF weight over the pairs that this side alone answers correctly (by exact match where the run holds"
    " it, otherwise a score of 10), all readers together. A document is one question (the paper's is all"
    " questions of a data set); English stop words are left out."
    " lc_questions and rag_questions count the different questions of each side; with fewer than"
    f" {FEWEST} on either there are too few to say anything, and no words."
)


def question_words(frame: Trials, samples: Mapping[str, Sample]) -> Table:
    """The top words of each retrieving strategy; a row without a word where the questions are too few."""
    asked = _texts_asked(frame, samples)
    texts = sorted(set(asked) - {""})
    place = {text: at for at, text in enumerate(texts)}
    places = np.array([place.get(text, -1) for text in asked], dtype=np.int64)
    questions = places[np.asarray(frame["question"])]
    return Table(
        name="question-words",
        title="Words of questions that only one side answers",
        columns=("strategy", "word", "lc_weight", "rag_weight", "lc_questions", "rag_questions"),
        rows=tuple(
            row
            for strategy, only_lc, only_rag in _sides(frame, questions, len(texts))
            for row in _rows(strategy, tuple(texts), only_lc, only_rag)
        ),
        note=_NOTE,
    )


def _texts_asked(frame: Trials, samples: Mapping[str, Sample]) -> list[str]:
    """The words of each number in the frame's column "question"; "" where nobody knows them."""
    question = np.asarray(frame["question"])
    rows = np.zeros(int(question.max(initial=-1)) + 1, dtype=np.intp)
    rows[question] = np.arange(len(question))
    names = values_at(frame, "case_id", rows)
    return [samples[name].key.question if name in samples else "" for name in names]


def _sides(
    frame: Trials, questions: NDArray[np.int64], count: int
) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.int64]]]:
    """Each strategy with how often lc alone, and retrieval alone, answers each question."""
    sides = both_sides(frame)
    asked, strategies = questions[sides.rows], coded_column(frame, "strategy")
    pairs = strategies._replace(codes=strategies.codes[sides.rows])
    for (strategy,), rows in row_parts([pairs], np.flatnonzero(asked >= 0)):
        only_lc, only_rag = (rows[sides.parts[part][rows]] for part in ("only_lc", "only_rag"))
        yield (
            strategy,
            np.bincount(asked[only_lc], minlength=count),
            np.bincount(asked[only_rag], minlength=count),
        )


def _rows(
    strategy: str, questions: tuple[str, ...], only_lc: NDArray[np.int64], only_rag: NDArray[np.int64]
) -> Iterator[tuple[TableValue, ...]]:
    sizes = int((only_lc > 0).sum()), int((only_rag > 0).sum())
    if min(sizes) < FEWEST:
        yield (strategy, None, None, None, *sizes)
        return
    words, weights = _weights(questions)
    lc, rag = only_lc @ weights / only_lc.sum(), only_rag @ weights / only_rag.sum()
    for at in np.lexsort((words, -(lc + rag)))[:_TOP]:
        yield strategy, str(words[at]), float(lc[at]), float(rag[at]), *sizes


@lru_cache(maxsize=4)
def _weights(questions: tuple[str, ...]) -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    """Words, shape (w,), and their TF-IDF weights in each question, shape (q, w)."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer(stop_words="english")
    weights = vectoriser.fit_transform(questions)
    return np.asarray(vectoriser.get_feature_names_out(), dtype=np.str_), weights.toarray()
