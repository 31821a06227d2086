"""Every judge by its name, as a user writes it. Cheap; no network."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

from niah.errors import NiahError, OutsideError, UnknownName, UserError
from niah.judges.verdict import HIGHEST, LOWEST, Judge, RuleJudge, Verdict, is_unanswerable
from niah.plugins.registry import Registry, error_line
from niah.readers.options import PLAIN, ReaderOptions
from niah.readers.patience import Transport
from niah.readers.reader import EMBEDDED, Failure
from niah.readers.resolve import ReaderSpec, reader_forms, resolve_reader

if TYPE_CHECKING:
    from niah.cases.sample import AnswerKey

_BY_METRIC = (
    *("accuracy", "exact-match", "contained-match", "squad-f1", "token-f1", "set-f1", "share-of-references"),
    *("rouge-l", "rouge-l-sum", "chrf", "mrcr", "ndcg-10"),
)
CASCADING = ("rubric", "auto")
"""The rules that say what they are unsure of; a model may be asked behind them, and behind auto:METRIC."""
_AUTO_WITH = "auto:"


def make_auto(name: str = "auto", metric: str = "squad-f1") -> RuleJudge:
    """The judge that takes the rules that suit each question, and for free answers the metric named."""
    versions = (f"{each} {JUDGES[each].version}" for each in ("rubric", "accuracy", metric))
    version = ", ".join(versions)

    def judge(answer: str, key: AnswerKey) -> Verdict:
        verdict = rules_for(key, metric).verdict(answer, key)
        return replace(verdict, judge=name, version=version, reason=f"{verdict.judge}: {verdict.reason}")

    about = f"the rubric, accuracy or {metric}, as each question allows"
    return RuleJudge(name, version, about, judge, lambda key: "")


def _of_metric(name: str) -> RuleJudge:
    from niah.judges.metrics import METRICS

    return METRICS[name].judge()


def _judge(name: str, made: object) -> Judge:
    """A judge, or a class or function without arguments that makes one."""
    judge: Any = made if isinstance(made, RuleJudge) or not callable(made) else made()
    if isinstance(judge, RuleJudge):
        return replace(judge, name=name)
    parts = (
        "name",
        "version",
        "description",
        "needs_model",
        "share_asked",
        "settings",
        "concurrency",
        "check",
    )
    if missing := [part for part in parts if not hasattr(judge, part)]:
        raise TypeError(f"it is no judge, since it has no {missing[0]}")
    if judge.name != name:
        raise ValueError(f"it is called {judge.name!r}, and its entry point {name!r}")
    return cast(Judge, judge)


JUDGES: Registry[Judge] = Registry(
    "judges",
    {
        "rubric": "niah.judges.rubric:RUBRIC",
        **{name: partial(_of_metric, name) for name in _BY_METRIC},
        "auto": make_auto,
    },
    _judge,
)
"""A package adds one with an entry point of the group ``niah.judges``: a ``RuleJudge``, or what makes one.

Its metrics are judges as well.
"""


@cache
def rule_judges() -> dict[str, RuleJudge]:
    """Niah's judges that need no model, by name."""
    return {name: judge for name in JUDGES.own if isinstance(judge := JUDGES[name], RuleJudge)}


@cache
def added_judges() -> dict[str, Judge]:
    """The judges of installed packages, and their metrics, by name."""
    from niah.judges.metrics import METRICS

    judges = {name: guarded(judge) for name, judge in JUDGES.added.items()}
    return {name: metric.judge() for name, metric in METRICS.added.items()} | judges


def guarded(judge: Judge) -> Judge:
    """A package's judge, whose faults are one line, said of one answer."""
    if isinstance(judge, RuleJudge):
        return replace(judge, verdict=partial(_by_rules, judge))
    return cast(Judge, _Guarded(judge))


def _by_rules(judge: RuleJudge, answer: str, key: AnswerKey) -> Verdict:
    try:
        return _checked(judge.name, judge.verdict(answer, key))
    except NiahError:
        raise
    except Exception as error:  # whatever a stranger's function does
        raise _failed(judge.name, error_line(error)) from error


class _Guarded:
    """A judge that a package wrote from the ground up; all but ``judge`` is its own."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    async def __aenter__(self) -> Judge:
        await self._judge.__aenter__()
        return cast(Judge, self)

    async def __aexit__(self, *exc: object) -> None:
        await self._judge.__aexit__(*exc)

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """Its verdict, or why there is none."""
        try:
            made = await self._judge.judge(answer, key)
            return made if isinstance(made, Failure) else _checked(self._judge.name, made)
        except OutsideError as error:
            return Failure("judge_error", error.message)
        except Exception as error:  # whatever a stranger's judge does
            return Failure("judge_error", _failed(self._judge.name, error_line(error)).message)


def _checked(name: str, verdict: object) -> Verdict:
    """What a judge gave, if it is a verdict with a score of the scale. Raises OutsideError."""
    if not isinstance(verdict, Verdict):
        raise _failed(name, f"it gave a {type(verdict).__name__}, not a Verdict")
    if not (isinstance(verdict.score, int | float) and LOWEST <= verdict.score <= HIGHEST):
        raise _failed(name, f"it gave the score {verdict.score!r}, not {LOWEST} to {HIGHEST}")
    return verdict


def _failed(name: str, problem: str) -> OutsideError:
    return OutsideError(f"the judge {name} failed: {problem}.", "Mend the package that has it.")


def find_rule_judge(name: str) -> RuleJudge:
    """The judge of that name, niah's or a package's, which asks no model. Raises UnknownName."""
    added = {name: judge for name, judge in added_judges().items() if isinstance(judge, RuleJudge)}
    known = {**added, **rule_judges()}
    if name not in known:
        raise UnknownName("metric", name, [*known])
    return known[name]


def _auto_metric(name: str) -> str:
    """The metric that a judge of that name takes for free answers: of auto squad-f1; "" of other judges."""
    if name == "auto":
        return "squad-f1"
    return name.removeprefix(_AUTO_WITH) if name.startswith(_AUTO_WITH) else ""


def _auto_with(name: str) -> RuleJudge:
    """The judge "auto:METRIC". Raises UnknownName."""
    own = [each for each in rule_judges() if each not in (*CASCADING, "accuracy")]
    metric = name.removeprefix(_AUTO_WITH)
    if metric not in own:
        raise UnknownName("metric for free answers", metric, own)
    return make_auto(name, metric)


def is_cascading(name: str) -> bool:
    """Whether a model may stand behind the rules of that name."""
    return name in CASCADING or name.startswith(_AUTO_WITH)


def judge_names() -> list[tuple[str, str]]:
    """The forms a judge's name can have, each with one line, for ``niah list``."""
    with_metric = (f"{_AUTO_WITH}METRIC", "as auto, with METRIC (contained-match, ...) for free answers")
    cascade = ("rubric+MODEL", "the rubric, and MODEL (one of the names below) where it is unsure")
    return [
        *((judge.name, judge.description) for judge in rule_judges().values()),
        *((judge.name, judge.description) for judge in added_judges().values()),
        with_metric,
        cascade,
        *reader_forms(),
    ]


def cascade_of(name: str) -> tuple[str, str] | None:
    """The rules and the model of a cascade's name, "rubric+openai/gpt-4o-mini"; None of other names."""
    rules, plus, model = name.partition("+")
    return (rules, model) if plus and (rules in JUDGES.own or is_cascading(rules)) else None


def asked_model(name: str) -> str:
    """The model that a judge of that name asks; "" for rules."""
    if cascade := cascade_of(name):
        return cascade[1]
    return "" if name in JUDGES.own or is_cascading(name) or _is_added(name) else name


def _is_added(name: str) -> bool:
    """Whether a package adds a judge of that name: none that names a provider's model is looked for."""
    return "/" not in name and name in added_judges()


def resolve_judge(
    name: str,
    api_base: str | None = None,
    concurrency: int | None = None,
    key_variable: str | None = None,
    *,
    options: ReaderOptions = PLAIN,
    by_hand: bool = False,
    transport: Transport | None = None,
    votes: int = 1,
) -> Judge:
    """The judge of that name.

    Args:
        name: one of the forms of ``judge_names``.
        api_base: an OpenAI-compatible endpoint, which then knows the model by exactly this name; judges
            without a model have no use for it.
        concurrency: how many answers it may be given at once; its own default without it.
        key_variable: the environment variable that holds the key for ``api_base``.
        options: how a model is asked; one that is known to think gets room for it, whatever they say.
        by_hand: whether the user gave ``api_base`` on the command line.
        transport: how patiently a model's endpoint is asked.
        votes: so many verdicts of a model make one, by majority.

    Raises:
        UnknownName: the name has none of the forms.
        ReaderConfigError: a key is missing, or ``api_base`` is no web address.
    """
    if name in JUDGES.own:
        return JUDGES[name]
    if _is_added(name):
        return added_judges()[name]
    if cascade := cascade_of(name):
        rules, model = cascade
        if not is_cascading(rules) or model in JUDGES.own or not model:
            problem = f"{name!r} is no judge: a model stands behind {' or '.join(CASCADING)}."
            raise UserError(problem, "Write it as rubric+openai/gpt-4o-mini.")
        from niah.judges.llm import CascadeJudge

        asked = resolve_judge(
            model,
            api_base,
            concurrency,
            key_variable,
            options=options,
            by_hand=by_hand,
            transport=transport,
            votes=votes,
        )
        return CascadeJudge(rule_judges().get(rules) or _auto_with(rules), asked)
    if is_cascading(name):
        return _auto_with(name)
    try:
        spec = ReaderSpec(
            name,
            api_base,
            concurrency=concurrency,
            key_variable=key_variable,
            without_key="judge with auto",
            by_hand=by_hand,
            transport=transport or Transport(),
        )
        reader = resolve_reader(spec)
    except UnknownName:
        if failure := JUDGES.failure(name, "judge"):
            raise failure from None
        error = UnknownName("judge", name, [*rule_judges(), *added_judges(), EMBEDDED])
        error.remedy = f"{error.remedy} See: niah list judges."
        raise error from None
    from niah.judges.llm import LLMJudge
    from niah.readers.options import with_default_room

    return LLMJudge(reader, with_default_room(options, name), votes)


def rules_for(key: AnswerKey, metric: str = "squad-f1") -> RuleJudge:
    """The judge without a model that suits a question best.

    Accuracy for options, the rubric where elements are known or the text does not answer, ``metric`` for
    other free answers.
    """
    known = key.elements or is_unanswerable(key)
    by_options = key.options and not is_unanswerable(key)
    judge = JUDGES["accuracy" if by_options else "rubric" if known else metric]
    assert isinstance(judge, RuleJudge)
    return judge


def default_judge(*, given: bool) -> str:
    """The name of the judge of a run that names none.

    Args:
        given: whether there are questions over given documents.
    """
    return "auto" if given else "rubric"


def second_judge(judge: Judge, key: AnswerKey) -> RuleJudge | None:
    """The rules that judge beside ``judge``: those that suit the question best; None if it goes by them."""
    best = rules_for(key)
    metric = _auto_metric(judge.name) if isinstance(judge, RuleJudge) else ""
    rules = rules_for(key, metric) if metric else judge
    return None if rules == best else best


def check_suited(judge: Judge, keys: Iterable[AnswerKey]) -> None:
    """Raise UserError, with the judge to take, for the first question whose answers a judge cannot judge.

    Questions whose right answers are not public are passed over: no judge can.
    """
    for key in keys:
        if not key.withheld and (problem := judge.unsuited(key)):
            message = f"the judge {judge.name} cannot judge {key.name}: {problem}."
            raise UserError(message, f"Take auto ({rules_for(key).name} for this question), or a model.")
