"""Every metric by its name."""

from __future__ import annotations

from niah.errors import UnknownName
from niah.judges.metrics.accuracy import accuracy
from niah.judges.metrics.bleu import bleu_1, bleu_4
from niah.judges.metrics.exact_match import exact_match
from niah.judges.metrics.meteor import meteor
from niah.judges.metrics.metric import Metric
from niah.judges.metrics.rouge_l import rouge_l
from niah.judges.metrics.squad_f1 import squad_f1
from niah.judges.metrics.token_f1 import token_f1

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("exact-match", "The same words, but for case, punctuation and articles", exact_match),
        Metric("token-f1", "F1 over sets of words (long-context-vs-rag)", token_f1),
        Metric("squad-f1", "F1 over bags of words, without articles", squad_f1),
        Metric("rouge-l", "F measure of the longest common subsequence of words", rouge_l),
        Metric("bleu-1", "BLEU of single words", bleu_1),
        Metric("bleu-4", "BLEU of one to four words in a row, smoothed", bleu_4),
        Metric("meteor", "METEOR (2005) by words and stems, without synonyms", meteor),
        Metric("accuracy", "Multiple choice: the option that the answer decides for", accuracy),
    )
}


def find_metric(name: str) -> Metric:
    """The metric of that name. Raises UnknownName, which suggests the nearest."""
    try:
        return METRICS[name]
    except KeyError:
        raise UnknownName("metric", name, METRICS) from None
