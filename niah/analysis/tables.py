"""Every table of a report: what makes its rows of the frame of trials, its title, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from niah.analysis.reference import ReferenceNumber, published
from niah.errors import UnknownName, UserError
from niah.registry import Registry, described, load_reference, naming_package

if TYPE_CHECKING:
    from pandas import DataFrame

# Here, since who lists tables needs no NumPy.
WORTH = 0.5  # points a question that a switch of strategies has to bring: a twentieth of the scale
FEWEST_LABELS = 10  # below these a mean is not corrected: its interval would be a guess
TableValue = str | int | float | bool | None  # none is a number that is not known, or does not exist; never 0


@dataclass(frozen=True)
class Table:
    """Rows under named columns."""

    name: str  # of its files, without ending ("win-rates")
    title: str  # one line for people
    columns: tuple[str, ...]  # one name each, with the unit where there is one ("latency_s")
    rows: tuple[tuple[TableValue, ...], ...]  # as wide as ``columns``
    note: str = ""  # what must be known to read it

    @staticmethod
    def of(name: str, title: str, frame: DataFrame, note: str = "") -> Table:
        """A table of a DataFrame's rows; what is missing there is None."""
        known = frame.astype(object).where(frame.notna(), None)
        rows = known.itertuples(index=False, name=None)  # models, and so columns, have any name
        return Table(name, title, tuple(map(str, frame.columns)), tuple(rows), note)


class TableRow(NamedTuple):
    """One row of the table of tables."""

    title: str  # for people
    note: str  # what must be known to read it
    make: str  # MODULE:FUNCTION of the trials; a paper's takes its published numbers too
    of: str = ""  # what it takes in their place
    paper: str = ""  # whose table it is; made on request


_ENDS = "floor: a guesser's mean score; ceiling: oracle's on the same questions."
_PAIRS = (
    "A pair: the same case, model and repeat with retrieval and with full context, both scored. low, high:"
    " 95 % interval from clusters."
)
# Of each table its name and what makes it, and below its title, and how to read it.
_TABLES = f"""
mean-scores summary:mean_scores
    Mean scores. Scores from 1 to 10 over the n scored trials; right: a score of 10. low, high: 95 % interval
    for new seeds of these needle sets, or new documents. {_ENDS}
crossover crossover:crossover_rows
    Where retrieval beats full context. {_PAIRS} send: one choice for all lengths, or a switch at one; without
    a clear one by length, either where the interval of the lead holds 0. Retrieval also where it surely
    loses less than {WORTH:g} and takes less.
consistency summary:consistency
    The same answers cold and shared, alone and at once. n: cases answered both ways; same: answers that are
    the same text; lost: right only under against; gained: only under model. Where the cache is cold, each
    prompt begins with letters of its own.
context-rot context_rot:effects
    What a long context does, cause by cause. effect: mean score under the last condition minus the first,
    of paired cases. low, high: intervals that hold together at 95 %, from seeds. found: – is too few to
    tell. wording, likeness: cosine of the needle with the question, or with the haystack's five nearest
    sentences; without the weights of static (`niah model fetch static`) both are left out. order: 1 is
    shuffled. focus: 1 is full context, 0 oracle's. published: Chroma 2025.
searching summary:searching
    Reading, retrieving, searching. Means. tokens: with those of the search; tokens_read, needles_seen: of the
    text for the answer.
scores-by-length summary:scores_by_length
    Scores by context length. Lengths in tokens. {_ENDS}
scores-by-facet summary:scores_by_facet
    Scores by kind, set, haystack and source. right: share with a score of 10. {_ENDS}
win-rates summary:win_rates
    Retrieval against full context. win_rate: as high a score or higher. {_PAIRS}
error-patterns patterns:find_patterns
    Error patterns. effect: mean behaviour under the condition minus without it, among trials of the same
    needle set, seed and model; relative: as a share of the mean without it; low, high: its 95 % interval.
    threshold: the first cut of a regression tree. p_adjusted: signs of clusters flipped, the cut searched
    again; Holm over patterns. not found: a difference of ten points would have been found in four of five
    such runs; detectable: what would.
causes summary:causes
    Causes of errors. n: scored trials; errors: those not correct, by the first cause that holds, in the order
    listed; the docs' page Concepts defines them.
effective-lengths effective_length:effective_lengths
    Effective length. length: the longest at which the mean over depths, made to fall with length, is at least
    85 % of base, the model's mean over the whole context at its shortest length; length_low, length_high:
    95 % of resampled clusters, from five on; none: not even the shortest. worst_depth: that with the lowest
    mean there.
judge-agreement calibration:judge_agreement
    Agreement between judges, and with labels by people. exact: the same score; kappa: Cohen's, 1 is perfect,
    0 chance; alpha: Krippendorff's for ordered levels; bias: mean level of the second minus the first.
label-confusion calibration:label_confusion
    Scores next to labels. A row for each label; of two people's each counts.
corrected-means calibration:corrected_means
    Means corrected by labels. Corrected by the labels (prediction-powered inference, Angelopoulos et al.
    2023) with 95 % intervals, for which each answer is a draw of its own; none for fewer than {FEWEST_LABELS}
    labels. judged: the mean as the judge has it. difference: from the model's first strategy, corrected too.
metrics summary:metrics
    Metrics. Mean value of each metric, 0 to 1.
outcomes summary:outcomes
    Outcomes. Only a scored trial has a score.
resources summary:resources
    Tokens, cost and latency. Over the trials that say; answers of other runs are left out.
beside-papers papers:published_comparison paper=any
    Next to published numbers. Intervals are of this run. In %: right answers, or pairs that retrieval does
    not lose.
u-niah-table-1 papers:lc_and_rag of=needle_set paper=u-niah
    u-niah, table 1: LC and RAG by needle set
u-niah-error-types summary:paper_errors paper=u-niah
    u-niah, section 5.2.2: error types. Of the scored answers.
u-niah-table-2 papers:u_niah_2 paper=u-niah
    u-niah, table 2: how retrieved text is organised
u-niah-table-3 papers:beside_table_3 paper=u-niah
    u-niah, table 3: error patterns. Columns as in error-patterns, next to the printed condition and effect.
u-niah-table-4 papers:lc_and_rag of=reader paper=u-niah
    u-niah, table 4: needles in needles
lc-vs-rag papers:lc_vs_rag
    Which side is right, and which is better
"""
_ROT = """context-rot-{0} context_rot:by_cause of={0} paper=context-rot
    Context rot: {0}. condition: as in the table context-rot. misled: answers that name a distractor's value;
    by: whose. in_place: share of the words to copy.
"""


def text_rows(text: str) -> Iterator[tuple[list[str], dict[str, str], str, str]]:
    """Of each entry the words of its first line and their NAME=VALUE; its title, and how it is read."""
    for lines in re.split(r"\n(?! )", text.strip()):
        head, says = (part.split() for part in lines.split("\n", 1))
        title, _, note = " ".join(says).partition(". ")
        yield head, dict(word.split("=") for word in head if "=" in word), title, note


_ROT_CAUSES = ("wording", "distractors", "order", "likeness", "focus", "copying")
TABLES: Mapping[str, TableRow] = {
    head[0]: TableRow(title, note, f"niah.analysis.{head[1]}", **options)
    for head, options, title, note in text_rows(_TABLES + "".join(map(_ROT.format, _ROT_CAUSES)))
}
"""In the order of a report."""


def function_of_trials(name: str, made: object, returns: str = "DataFrame") -> Callable[[Any], Any]:
    """What a package adds, for a registry. Raises TypeError where it is no function."""
    if not callable(made):
        raise TypeError(f"it is no function of a DataFrame of trials that returns a {returns}")
    return made


# Tables of installed packages: functions of the trials' frame that return a DataFrame.
ADDED: Registry[Callable[[Any], Any]] = Registry("tables", {}, function_of_trials)


def table_names() -> dict[str, str]:
    """What tables there are, with their titles."""
    return {name: row.title for name, row in TABLES.items()} | {
        name: described(make) for name, make in ADDED.items()
    }


def make_table(name: str, frame: DataFrame, numbers: Sequence[ReferenceNumber] = ()) -> Table:
    """One table, maybe without rows; ``numbers`` are published ones, for papers' tables.

    Raises UnknownName, and UserError where a package's fails.
    """
    if row := TABLES.get(name):
        more = (row.of,) if row.of else (numbers,) if row.paper else ()
        return Table.of(name, row.title, load_reference(row.make)(frame, *more), row.note)
    if name not in ADDED:
        raise UnknownName("table", name, table_names())
    make = ADDED.find(name, "table")
    with naming_package(f"table {name} of {ADDED.package(name)}"):
        return Table.of(name, described(make) or name, make(frame.copy()))


def report_tables(frame: DataFrame, paper: str | None, say: Callable[[str], None]) -> Iterator[Table]:
    """The tables that have rows, in the order of a report, with those of ``paper``.

    ``say`` is called with a line for each table of an installed package that cannot be made. Raises
    UnknownName or ConfigError for a paper that cannot be read.
    """
    numbers = published(paper) if paper else ()
    of_paper = {"", *(number.paper for number in numbers), *(["any"] if paper else [])}
    for name in (*(name for name, row in TABLES.items() if row.paper in of_paper), *ADDED):
        try:
            if (table := make_table(name, frame, numbers)).rows:
                yield table
        except UserError as error:
            if name in TABLES:
                raise
            say(error.message)
