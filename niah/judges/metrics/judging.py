"""Metrics as judges: what an answer is worth by its reference answers alone."""

from __future__ import annotations

from functools import partial

from niah.cases.sample import AnswerKey
from niah.judges.judge import RuleJudge
from niah.judges.metrics.choices import chosen_options
from niah.judges.metrics.metric import METRICS, Metric
from niah.judges.references import references, right_options
from niah.judges.verdict import HIGHEST, LOWEST, Verdict


def _verdict(metric: Metric, answer: str, key: AnswerKey) -> Verdict:
    """A verdict with the metric's value; by accuracy with the options chosen and missed as its elements."""
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    value = metric.of_key(answer, key)
    assert value is not None
    reason = f"value {value:.2f}"
    if metric.needs_options:
        right, chosen = right_options(key), chosen_options(answer, key)
        found, missing, wrong = (
            tuple(key.options[place] for place in sorted(places))
            for places in (right & chosen, right - chosen, chosen - right)
        )
        reason = f"chose {', '.join((*found, *wrong))}" if chosen else "no option chosen"
    return Verdict(
        # Whole numbers as the rubric gives them.
        score=LOWEST + (HIGHEST - LOWEST) * value if 0 < value < 1 else (HIGHEST if value else LOWEST),
        found=found,
        missing=missing,
        wrong=wrong,
        self_doubt=False,
        judge=metric.name,
        version=metric.version,
        reason=reason,
        value=value,
    )


def _unsuited(metric: Metric, key: AnswerKey) -> str:
    if metric.needs_options:
        return "" if key.options else "it has no options"
    return "" if references(key) else "it has no reference answer"


def metric_judge(metric: Metric) -> RuleJudge:
    """The judge that goes by a metric alone."""
    return RuleJudge(
        metric.name, metric.version, metric.description, partial(_verdict, metric), partial(_unsuited, metric)
    )


(
    ACCURACY,
    EXACT_MATCH,
    CONTAINED_MATCH,
    SQUAD_F1,
    TOKEN_F1,
    SET_F1,
    SHARE,
    ROUGE_L,
    ROUGE_L_SUM,
    CHRF,
    MRCR_RATIO,
    NDCG_10,
) = (
    metric_judge(METRICS[name])
    for name in (
        "accuracy",
        "exact-match",
        "contained-match",
        "squad-f1",
        "token-f1",
        "set-f1",
        "share-of-references",
        "rouge-l",
        "rouge-l-sum",
        "chrf",
        "mrcr",
        "ndcg-10",
    )
)
"""Those of niah's metrics that are judges too."""
