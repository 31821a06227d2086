"""How depths, outcomes, scores, amounts and times are written."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from niah.runs.trial import Outcome

if TYPE_CHECKING:
    from pandas import Series


def why_unscored(outcomes: Series[Any]) -> str:
    """Why a cell's trials have no score, mostly, in a word that fits into it; "" of scored ones."""
    return {
        "refused": "ref.",
        "truncated": "trunc.",
        "overflow": "over",
        "reader_error": "err.",
        "preparation_error": "prep.",
        "judge_error": "judge",
        "not_run": "not run",
    }.get(outcomes.mode().iloc[0], "")


def depth_label(depth: float) -> str:
    """A depth, 0 to 100: "25 %"."""
    return f"{depth:g} %"


def outcome_words(outcome: Outcome) -> str:
    """An outcome in words, which must not be taken for an answer that declines."""
    return "refused by the endpoint" if outcome == "refused" else outcome.replace("_", " ")


def mean_label(mean: float) -> str:
    """A mean score with one decimal; a full 10 without. Halves go up, as in the page's own script."""
    return "10" if mean == 10 else str(Decimal(mean).quantize(Decimal("0.1"), ROUND_HALF_UP))


def signed(value: float) -> str:
    """A difference with its sign: "+0.4", "−1.2"; "0" for none."""
    text = f"{abs(value):.1f}"
    return "0" if text == "0.0" else f"{'+' if value > 0 else '−'}{text}"


def amount_label(amount: float | None) -> str:
    """A number of tokens, short: "812", "48.3k", "1.2M"; "–" where it is not known (None or NaN)."""
    if amount is None or amount != amount:
        return "–"
    for size, unit in ((1_000_000, "M"), (1000, "k")):
        if amount >= size * 0.9995:
            scaled = amount / size
            return f"{scaled:.1f}{unit}" if scaled < 99.95 else f"{scaled:.0f}{unit}"
    return f"{amount:.0f}"


def money_label(dollars: float | None) -> str:
    """US dollars: "0.31", "0.0042"; "–" where no price is known (None or NaN), or nothing is paid."""
    if not dollars or dollars != dollars:
        return "–"
    return f"{dollars:,.2f}" if dollars >= 0.1 else f"{Decimal(f'{dollars:.2g}'):f}"


def duration_label(seconds: float | None) -> str:
    """A duration, short: "0.4 s", "73 s", "12 min", "3.4 h"; "–" where it is not known (None or NaN)."""
    if seconds is None or seconds != seconds:
        return "–"
    if seconds < 99.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5970 else f"{seconds / 3600:.1f} h"


def value_words(value: Any) -> str:
    """A stored value for people: "lc, dos"; "anchor 1, 2; rotating 2026112201"; "–" for none."""
    if isinstance(value, dict):
        known = (f"{key} {value_words(each)}" for key, each in value.items() if each not in ([], None))
        return "; ".join(known) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_words, value)) or "–"
    return {"None": "–", "True": "yes", "False": "no"}.get(str(value), str(value))
