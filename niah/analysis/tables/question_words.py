"""Words of the questions that only one side answers (long-context-vs-rag, section 5.4 and figure 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.causes.needle_sets_asked import Asked
from niah.analysis.columns import Coded, Columns, coded, groups
from niah.analysis.pairs import CORRECT, lc_scores
from niah.analysis.tables.table import Table, Value
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FEWEST = 5
"""Different questions that each side must answer alone before its words mean anything."""

_TOP = 15
_NOTE = (
    f"The {_TOP} words with the greatest weights, both sides added. A word's weight on a side is its mean"
    " TF-IDF weight over the pairs that this side alone answers correctly (score 10), all readers together. A"
    " document is one question (the paper's is all questions of a data set); English stop words are left out."
    " lc_questions and rag_questions count the different questions of each side; with fewer than"
    f" {FEWEST} on either there are too few to say anything, and no words."
)


def question_words(columns: Columns, records: Sequence[TrialRecord], asked: Asked) -> Table:
    """The top words of each retrieving strategy; a row without a word where the questions are too few."""
    texts = {key: needle_set.question for key, needle_set in asked.items()}
    questions = coded([texts.get((record.needle_set, record.seed), "") for record in records])
    return Table(
        name="question-words",
        title="Words of questions that only one side answers",
        columns=("strategy", "word", "lc_weight", "rag_weight", "lc_questions", "rag_questions"),
        rows=tuple(
            row for name, *sides in _sides(columns, questions) for row in _rows(name, questions, *sides)
        ),
        note=_NOTE,
    )


def _sides(columns: Columns, questions: Coded) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.int64]]]:
    """Each strategy with how often lc alone, and retrieval alone, answers each question."""
    lc, known = lc_scores(columns), np.array([bool(name) for name in questions.names], dtype=np.bool_)
    paired = np.flatnonzero(~np.isnan(lc) & known[questions.codes])
    for (strategy,), rows in groups(paired, columns.strategy):
        right, lc_right = columns.score[rows] == CORRECT, lc[rows] == CORRECT
        only_lc, only_rag = rows[lc_right & ~right], rows[right & ~lc_right]
        yield strategy, _counts(questions, only_lc), _counts(questions, only_rag)


def _counts(questions: Coded, rows: NDArray[np.intp]) -> NDArray[np.int64]:
    return np.bincount(questions.codes[rows], minlength=len(questions.names))


def _rows(
    strategy: str, questions: Coded, only_lc: NDArray[np.int64], only_rag: NDArray[np.int64]
) -> Iterator[tuple[Value, ...]]:
    sizes = int((only_lc > 0).sum()), int((only_rag > 0).sum())
    if min(sizes) < FEWEST:
        yield (strategy, None, None, None, *sizes)
        return
    words, weights = _weights(questions.names)
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
