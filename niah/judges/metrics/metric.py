"""Every metric by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from niah.cases.sample import AnswerKey
from niah.judges.metrics.added import metric_value
from niah.judges.metrics.bleu import bleu_1, bleu_4
from niah.judges.metrics.choices import accuracy, chosen_options
from niah.judges.metrics.chrf import chrf
from niah.judges.metrics.listed.answer_set import holds_reference, set_f1
from niah.judges.metrics.listed.ranking import ndcg_10
from niah.judges.metrics.meteor import meteor
from niah.judges.metrics.rouge_sum import rouge_l_sum
from niah.judges.metrics.word_overlap import (
    contained_match,
    exact_match,
    marked_ratio,
    rouge_l,
    squad_f1,
    token_f1,
)
from niah.judges.references import references, right_options
from niah.judges.rubric.normalise import strip_reasoning
from niah.plugins.registry import Registry, described


@dataclass(frozen=True)
class Metric:
    """A number for an answer, from 0 (nothing of the reference) to 1.

    Attributes:
        name: as users call it.
        description: one line.
        of_pair: the value of an answer, without its reasoning, for one reference.
        needs_options: whether it is for multiple-choice questions alone.
        of_elements: whether it is the mean over all elements that a question asks for, each by the best of
            its names, where these are known; without them the best reference counts, as for the others.
        version: of its values, raised whenever one may change; a verdict of the metric as judge names it.
    """

    name: str
    description: str
    of_pair: Callable[[str, str], float]
    needs_options: bool = False
    of_elements: bool = False
    version: str = "1"

    def score(self, answer: str, references: tuple[str, ...] | list[str]) -> float:
        """The best value over ``references``; what the reader thought aloud does not count.

        Each reference is compared for itself, BLEU's too: n-grams of several are never pooled.

        Raises:
            ValueError: no references, so nothing to be the best of.
        """
        if not references:
            raise ValueError(f"{self.name} has no reference to compare with. Give at least one.")
        said = strip_reasoning(answer)
        return max(self.of_pair(said, reference) for reference in references)

    def of_key(self, answer: str, key: AnswerKey) -> float | None:
        """The value by an answer key; None where the key has nothing to compare with."""
        if self.needs_options:
            right, chosen = right_options(key), chosen_options(answer, key)
            return len(right & chosen) / len(right | chosen) if right else None
        if self.of_elements and key.elements:
            found = [self.score(answer, element.names) for element in key.elements]
            return sum(found) / len(found)
        against = references(key)
        return self.score(answer, against) if against else None


def _metric(name: str, made: object) -> Metric:
    """A metric, or a function of an answer and one reference answer; a package's is looked after."""
    if not isinstance(made, Metric):
        if not callable(made):
            raise TypeError("it is neither a Metric nor a function of an answer and a reference answer")
        made = Metric(name, described(made), made)
    if name in METRICS.own:
        return replace(made, name=name)
    return replace(made, name=name, of_pair=partial(metric_value, name, made.of_pair))


_OF_CHARACTERS = "2"
"""Version of what counts words: in scripts without spaces each character is one, where "1" had clauses."""

METRICS: Registry[Metric] = Registry(
    "metrics",
    {
        metric.name: metric
        for metric in (
            Metric(
                "exact-match",
                "The same words, but for case, punctuation and articles",
                exact_match,
                version=_OF_CHARACTERS,
            ),
            Metric(
                "contained-match",
                "All words of one are in the other (the exact match of long-context-vs-rag's authors)",
                contained_match,
                version=_OF_CHARACTERS,
            ),
            Metric(
                "token-f1", "F1 over sets of words (long-context-vs-rag)", token_f1, version=_OF_CHARACTERS
            ),
            Metric("squad-f1", "F1 over bags of words, without articles", squad_f1, version=_OF_CHARACTERS),
            Metric(
                "set-f1",
                "F1 over sets of answers, for questions that ask for several things",
                set_f1,
                version=_OF_CHARACTERS,
            ),
            Metric(
                "share-of-references",
                "Share of the elements asked for that the answer holds (RULER)",
                holds_reference,
                of_elements=True,
            ),
            Metric(
                "rouge-l",
                "F measure of the longest common subsequence of words",
                rouge_l,
                version=_OF_CHARACTERS,
            ),
            Metric("rouge-l-sum", "ROUGE-L over the lines of a summary", rouge_l_sum, version=_OF_CHARACTERS),
            Metric("bleu-1", "BLEU of single words", bleu_1),
            Metric("bleu-4", "BLEU of one to four words in a row, smoothed", bleu_4),
            Metric("meteor", "METEOR (2005) by words and stems, without synonyms", meteor),
            Metric("chrf", "F measure of runs of one to six characters", chrf),
            Metric("mrcr", "Ratio of matching blocks behind the required code (OpenAI's MRCR)", marked_ratio),
            Metric("ndcg-10", "NDCG of the first ten of a ranking, by graded references", ndcg_10),
            Metric("accuracy", "Multiple choice: the option that the answer decides for", accuracy, True),
        )
    },
    _metric,
)
"""A package adds one with an entry point of the group ``niah.metrics``: a function, or a ``Metric``."""


def find_metric(name: str) -> Metric:
    """The metric of that name. Raises UnknownName, which suggests the nearest."""
    return METRICS.find(name, "metric")
