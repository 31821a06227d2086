"""Whether a reader that sees no context knows the answer: the rules that say so."""

from __future__ import annotations

from niah.cases.sample import AnswerKey
from niah.judges.judge import RuleJudge
from niah.judges.metrics.judging import ACCURACY, CONTAINED_MATCH, EXACT_MATCH
from niah.judges.references import is_unanswerable, references
from niah.judges.verdict import Verdict

KNOWLEDGE_MATCHES = (CONTAINED_MATCH.name, EXACT_MATCH.name)
"""By which exact match a free answer may count as known."""


def knowledge_rules(key: AnswerKey) -> tuple[RuleJudge, ...]:
    """The rules: accuracy for options, both exact matches for free answers; none where nothing can match."""
    if key.withheld:
        return ()
    if key.options:
        return (ACCURACY,)
    return () if is_unanswerable(key) or not references(key) else (CONTAINED_MATCH, EXACT_MATCH)


def knowledge_rule(key: AnswerKey, match: str) -> str:
    """The name of the rule that decides about a question, where ``match`` does about free answers."""
    return ACCURACY.name if key.options else match


def knowledge_verdicts(answer: str, key: AnswerKey) -> tuple[Verdict, ...]:
    """What each of the rules says of an answer that was given without a context."""
    return tuple(rule.verdict(answer, key) for rule in knowledge_rules(key))
