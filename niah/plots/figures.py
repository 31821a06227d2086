"""Every figure of a report: a row says what its axes, colours and panels are, and of which trials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from niah.analysis.tables import function_of_trials, text_rows
from niah.registry import Registry, described

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing
    from pandas import DataFrame


Kind = Literal["heatmaps", "lines", "shares", "points"]


@dataclass(frozen=True)
class Figure:
    """One row of the table of figures; names of columns are those of ``drawing.prepared``."""

    kind: Kind
    title: str
    caption: str = ""  # how to read it
    where: str = ""  # the column that is true, or known, of the rows that are drawn; all rows without it
    y: tuple[str, ...] = ("score",)  # whose mean is drawn, a panel each; of shares what cuts them
    x: str = "context_length"
    down: str = ""  # of heatmaps the other axis
    series: str = "strategy"  # lines and colours
    panel: tuple[str, ...] = ("reader",)
    paper: str = ""  # whose figure it is; drawn on request


# Of each figure its name, kind and columns, and below its title, and how to read it.
_FIGURES = """
heatmaps heatmaps where=planted down=depth panel=reader,strategy,sets
    Score by context length and depth. Mean score of a cell; hatched: no score.
score-by-length lines panel=reader,sets
    Score by context length. Mean score of each strategy.
score-by-tokens points x=prompt_tokens
    Score by prompt tokens. Up and left is better; lines join what nothing beats, and budgets.
rag-minus-lc lines where=retrieves y=lead panel=reader,sets
    Retrieval minus full context. Of the same questions; above 0 retrieval is better.
error-types shares where=error_type y=error_type
    Error types. Of the scored answers.
retrieval-by-length lines where=once y=retrieval_completeness,every_needle series=retrieval panel=needles
    Retrieval by context length. Before any model answers; orders retrieve the same.
score-by-depth lines where=planted x=depth panel=reader,sets
    Score by depth. Over all lengths: is the middle lost?
score-by-kind heatmaps where=asked_kind x=asked_kind down=strategy
    Score by kind of question. All are of one kind: by set or source.
question-similarity lines where=similarity x=similarity series=context_length
    Score by likeness of question and needle. One fact, asked for in several wordings; a line a length.
output-positions heatmaps where=words y=in_place down=position panel=reader,strategy,needle_set
    Copied words by their place in the answer. Share in the right place, by context length.
missing-and-extra lines where=several_elements y=missing_share,extra_share
    Missing and wrong elements. As shares of what a complete answer names.
context-organisation heatmaps where=scope x=order down=scope panel=reader,retriever
    How retrieved text is organised. How much is retrieved, in which order.
distractors lines where=several_distractors x=n_distractors
    Score by number of distractors. Of the sets that are asked with several.
u-niah-4 lines where=whole series=needle_set paper=u-niah
    u-niah, figure 4: full context by length. A line a needle set.
u-niah-5 lines where=whole x=depth series=context_length paper=u-niah
    u-niah, figure 5: full context by depth
u-niah-6 heatmaps where=whole down=depth panel=reader,needle_set paper=u-niah
    u-niah, figure 6: full context
u-niah-7 lines where=led y=lead series=needle_set paper=u-niah
    u-niah, figure 7: retrieval minus full context. A line a needle set.
u-niah-8 lines where=led y=lead panel=reader,needle_set paper=u-niah
    u-niah, figure 8: retrieval minus full context
u-niah-10 shares where=errs_with_all y=error_type series=reader panel=needle_set paper=u-niah
    u-niah, figure 10: errors under perfect retrieval. Of the wrong answers.
u-niah-11 lines where=led y=missing_share,extra_share series=reader panel=scope paper=u-niah
    u-niah, figure 11: missing and wrong elements. A panel a scope.
u-niah-13 lines where=whole_nested series=reader panel=haystack paper=u-niah
    u-niah, figure 13: needles in needles, full context
u-niah-14 lines where=led_nested y=lead series=haystack paper=u-niah
    u-niah, figure 14: needles in needles, retrieval minus full context
lc-vs-rag-3 shares where=side y=side series=knowledge_source panel=reader,strategy paper=long-context-vs-rag
    long-context-vs-rag, figure 3: which side is right by knowledge source. Of the questions.
lc-vs-rag-4 shares where=side y=side series=question_type panel=reader,strategy paper=long-context-vs-rag
    long-context-vs-rag, figure 4: which side is right by question type. Of the questions.
lc-vs-rag-6 shares where=side y=better series=knowledge_source panel=reader,strategy paper=long-context-vs-rag
    long-context-vs-rag, figure 6: which side is better by knowledge source. Of the questions.
lc-vs-rag-7 shares where=side y=better series=question_type panel=reader,strategy paper=long-context-vs-rag
    long-context-vs-rag, figure 7: which side is better by question type. Of the questions.
"""


def _rows() -> Iterator[tuple[str, Figure]]:
    for (name, kind, *_), columns, title, caption in text_rows(_FIGURES):
        arguments: dict[str, Any] = columns
        arguments |= {key: tuple(arguments[key].split(",")) for key in ("y", "panel") if key in arguments}
        yield name, Figure(cast(Kind, kind), title, caption, **arguments)


FIGURES: Mapping[str, Figure] = dict(_rows())
"""In the order of a report."""


_adapt = partial(function_of_trials, returns="matplotlib figure")
ADDED: Registry[Callable[[DataFrame], Drawing | None]] = Registry("figures", {}, _adapt)
"""Figures of installed packages: functions of the trials' frame that return a matplotlib figure, or None."""


def figure_names() -> dict[str, str]:
    """What there is to draw, with its title."""
    ours = {name: each.title for name, each in FIGURES.items()}
    return ours | {name: described(make) for name, make in ADDED.items()}
