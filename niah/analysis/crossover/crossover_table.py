"""Full context against the best retrieval, length by length, with what each takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from niah.analysis.crossover.advice import side_to_send
from niah.analysis.crossover.crossover import WORTH, Crossover, LengthGap, crossovers
from niah.analysis.lengths import octave_label
from niah.analysis.tables.table import Table, TableValue

if TYPE_CHECKING:
    from pandas import DataFrame

_NOTE = (
    "strategy: of those that can be deployed, the one that it pays most to switch to at some length. Scores,"
    " tokens and costs are means over pairs: trials of the same case, reader and repeat, both scored; costs"
    " are empty where no price is set, or nothing is paid. lead:"
    " retrieval's score less full context's; low and high: 95 % interval for new seeds of these needle sets,"
    " or new documents, from clusters (needle set and seed, or document). send: what to send at that length:"
    " the leads from the crossover on, and those below it, are taken together; where luck alone could make"
    " them, who is clearly ahead at that length, or else either; retrieval, too, where it reads less and"
    " scores no lower or surely loses less"
    f" than {WORTH:g}. From the crossover on retrieval's leads, taken together, are worth most beyond"
    f" {WORTH:g} points a question."
)


def crossover_table(frame: DataFrame) -> Table:
    """One row per reader and length."""
    return Table(
        name="crossover",
        title="Where retrieval beats full context",
        columns=(
            *("reader", "strategy", "length", "send", "context_score", "retrieval_score"),
            *("lead", "low", "high", "pairs", "clusters"),
            *("context_tokens", "retrieval_tokens", "context_cost", "retrieval_cost"),
        ),
        rows=tuple(
            (
                *(each.reader, each.strategy, gap.length if each.is_grid else octave_label(gap.length)),
                _send(each, gap),
                *_numbers(gap),
            )
            for each in crossovers(frame)
            for gap in each.gaps
        ),
        note=_NOTE,
    )


def _send(crossing: Crossover, gap: LengthGap) -> str | None:
    """What to send at a length; None where too little is known to say."""
    side = side_to_send(crossing, gap)
    return {"context": "everything", "retrieval": crossing.strategy}.get(side, side) or None


def _numbers(gap: LengthGap) -> tuple[TableValue, ...]:
    context, retrieval, lead = gap.context, gap.retrieval, gap.lead
    # Nothing was paid, or nobody has set a price: no 0.00 that reads as one.
    costs = (context.cost, retrieval.cost) if context.cost or retrieval.cost else (None, None)
    return (
        *(context.score, retrieval.score, lead.estimate, lead.low, lead.high, lead.n, lead.clusters),
        *(context.prompt_tokens, retrieval.prompt_tokens, *costs),
    )
