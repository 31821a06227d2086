"""Every judge by its name, as a user writes it: rules, a metric, a model, or a model behind rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from niah.errors import NiahError, OutsideError, UnknownName, UserError
from niah.judges.metrics import METRICS
from niah.judges.verdict import HIGHEST, LOWEST, RuleJudge, Verdict, is_unanswerable
from niah.readers.reader import EMBEDDED_WINDOWS, PLAIN, ReaderOptions, with_default_room
from niah.readers.resolve import ReaderSpec, reader_forms, resolve_reader
from niah.registry import Registry, error_line

if TYPE_CHECKING:
    from niah.cases.sample import AnswerKey
    from niah.judges.llm import LLMJudge

# Gives verdicts. Opened with ``async with``; ``judge`` may be called concurrently.
Judge: TypeAlias = "RuleJudge | LLMJudge"

_AUTO_WITH = "auto:"


def make_auto(name: str = "auto", metric: str = "squad-f1") -> RuleJudge:
    """The judge that takes the rules that suit each question, and for free answers the metric named."""
    version = ", ".join(f"{each} {JUDGES[each].version}" for each in ("rubric", "accuracy", metric))

    def judge(answer: str, key: AnswerKey) -> Verdict:
        verdict = rules_for(key, metric).verdict(answer, key)
        return replace(verdict, judge=name, version=version, reason=f"{verdict.judge}: {verdict.reason}")

    about = f"the rubric, accuracy or {metric}, as each question allows"
    return RuleJudge(name, version, about, judge, lambda key: "")


def _adapted(name: str, made: object) -> RuleJudge:
    """A judge by rules, or a function without arguments that makes one."""
    judge = made if isinstance(made, RuleJudge) or not callable(made) else made()
    if not isinstance(judge, RuleJudge):
        raise TypeError("it is neither a RuleJudge nor a function that makes one")
    return judge if name in JUDGES.own else guarded(name, judge)


def guarded(name: str, judge: RuleJudge, kind: str = "judge") -> RuleJudge:
    """A package's judge or metric, whose faults are said of one answer in one line."""
    checked = TypeAdapter(Verdict).validate_python

    def verdict(answer: str, key: AnswerKey) -> Verdict:
        try:
            found = checked(vars(judge.verdict(answer, key)))
            if LOWEST <= found.score <= HIGHEST:  # not a number is neither
                return found
            problem = f"it gave the score {found.score}, not {LOWEST} to {HIGHEST}"
            problem = problem if found.value is None else f"it gave {found.value:g}, not 0 to 1"
        except NiahError:
            raise
        except ValidationError as error:
            first = error.errors()[0]
            problem = f"its verdict's {first['loc'][0]}: {first['msg']}"
        except Exception as error:  # whatever a stranger's function does
            problem = error_line(error)
        raise OutsideError(f"the {kind} {name} failed: {problem}.", "Mend the package that has it.")

    return replace(judge, name=name, verdict=verdict)


JUDGES: Registry[RuleJudge] = Registry(
    "judges",
    {
        "rubric": "niah.judges.rubric:RUBRIC",
        **{name: METRICS[name].judge() for name in METRICS.own},
        "auto": make_auto,
    },
    _adapted,
)
"""A package adds one with an entry point of the group ``niah.judges``; its metrics are judges as well."""


@cache
def rule_judges() -> dict[str, RuleJudge]:
    """The judges that need no model, niah's and those of installed packages, by name."""
    metrics = {name: guarded(name, metric.judge(), "metric") for name, metric in METRICS.added.items()}
    return metrics | dict(JUDGES)


def find_rule_judge(name: str) -> RuleJudge:
    """Niah's rules or a package's of that name, or "auto:METRIC". Raises UnknownName."""
    if name.startswith(_AUTO_WITH):
        metric = name.removeprefix(_AUTO_WITH)
        free = [each for each in METRICS.own if not METRICS[each].needs_options]
        if metric not in free:
            raise UnknownName("metric for free answers", metric, free)
        return make_auto(name, metric)
    if found := JUDGES[name] if name in JUDGES.own else rule_judges().get(name):
        return found
    raise UnknownName("metric", name, rule_judges())


def judge_names() -> list[tuple[str, str]]:
    """The forms a judge's name can have, each with one line, for ``niah list``."""
    return [
        *((judge.name, judge.description) for judge in rule_judges().values()),
        (f"{_AUTO_WITH}METRIC", "as auto, with METRIC (contained-match, ...) for free answers"),
        ("rubric+MODEL", "the rubric, and MODEL (one of the names below) where it is unsure"),
        *reader_forms(),
    ]


def rules_and_model(name: str) -> tuple[str, str]:
    """What judges by that name, "rubric+openai/gpt-4o-mini"; "" for rules or a model that it has not."""
    rules, _, model = (part.strip() for part in name.partition("+"))
    if rules in JUDGES.own or rules.startswith(_AUTO_WITH):
        return rules, model
    # A package's rules are not looked for where a provider's model is named.
    return (name, "") if "/" not in name and name in rule_judges() else ("", name)


def resolve_judge(name: str, *, options: ReaderOptions = PLAIN, votes: int = 1, **of_model: Any) -> Judge:
    """The judge of that name, one of the forms of ``judge_names``; the rest is of a model, as in ReaderSpec.

    Raises UnknownName, and UserError for a missing key or an ``api_base`` that is no web address.
    """
    rules, model = rules_and_model(name)
    if rules not in ("", name) and (rules in METRICS.own or not rules_and_model(model)[1]):
        problem = f"{name!r} is no judge: a model stands behind rubric or auto."
        raise UserError(problem, "Write it as rubric+openai/gpt-4o-mini.")
    if not model:
        return find_rule_judge(rules)
    try:
        reader = resolve_reader(ReaderSpec(model, **of_model))
    except UnknownName:
        if failure := JUDGES.failure(model, "judge"):
            raise failure from None
        error = UnknownName("judge", model, [*rule_judges(), *EMBEDDED_WINDOWS])
        error.remedy += " A model is PROVIDER/NAME, or in a config {model: NAME, api_base: ADDRESS}."
        raise error from None
    from niah.judges.llm import LLMJudge

    return LLMJudge(
        reader, with_default_room(options, model), votes, find_rule_judge(rules) if rules else None
    )


def rules_for(key: AnswerKey, metric: str = "squad-f1") -> RuleJudge:
    """Accuracy for options, the rubric for elements or where the text does not answer, else ``metric``."""
    if is_unanswerable(key) or (key.elements and not key.options):
        return JUDGES["rubric"]
    return JUDGES["accuracy" if key.options else metric]


def second_judge(judge: Judge, key: AnswerKey) -> RuleJudge | None:
    """The rules that judge next to ``judge``: those that suit the question best; None if it goes by them."""
    auto, _, metric = judge.name.partition(":")
    is_auto = auto == "auto" and not judge.needs_model
    best, own = rules_for(key), rules_for(key, metric or "squad-f1") if is_auto else judge
    return None if own == best else best


def check_suited(judge: Judge, keys: Iterable[AnswerKey]) -> None:
    """Raise UserError, with the judge to take, for the first answer that a judge cannot judge."""
    for key in keys:
        if problem := judge.unsuited(key):
            message = f"the judge {judge.name} cannot judge {key.name}: {problem}."
            auto = "auto+MODEL" if judge.needs_model else "auto"
            raise UserError(message, f"Take {auto} ({rules_for(key).name} for this question), or a model.")
