"""The part ``values`` of the golden file: what functions of all packages make of fixed inputs.

A key is a function's name; its value a digest of all outputs, their number, and the first in plain form. The
table is tests/data/values.yaml: a function and the values of each argument, of which all combinations are
taken.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import random
import re
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from pandas import DataFrame
from pydantic import BaseModel

import niah
from niah.analysis.compare import Limits, compare_pairs
from niah.analysis.crossover import Crossover
from niah.analysis.frame import trial_frame
from niah.analysis.pairs import Pairs
from niah.analysis.stats import mean_interval
from niah.cases.case import Case
from niah.cases.questions.hash_hop import HashChains
from niah.cases.sample import AnswerKey, Sample, answer_key
from niah.cases.samples import context_of, key_of
from niah.errors import NiahError
from niah.event_loop import within
from niah.judges.error_types import error_type
from niah.judges.metrics import METRICS
from niah.judges.rubric import judge_by_rubric
from niah.judges.verdict import Verdict
from niah.needles.load import needle_set_of
from niah.needles.needle_set import NeedleSet
from niah.readers.limits import Sent, Share, heard, limits_in
from niah.readers.outcomes import Fault, read_completion
from niah.readers.reader import Answer, Failure, Patience, Request, Response, Usage
from niah.readers.retry import Endpoint, FaultStreak, request_log
from niah.registry import load_reference
from niah.retrieval.lexical import BM25Retriever, TfidfRetriever
from niah.retrieval.registry import get_retriever
from niah.retrieval.retriever import RandomRetriever
from niah.runs.cost.budget import BudgetLedger
from niah.runs.cost.prices import Budget, BudgetUnit, Price
from niah.runs.trial import TRIAL_COLUMNS, Trial, TrialResult
from niah.strategies.prepared.steps import ModelCall, PreparationFailed
from niah.strategies.select import select
from niah.strategies.strategy import parse
from niah.text.chunks import Chunk
from niah.text.tokenizer import get_tokenizer
from tests.analysis.small_trials import trial
from tests.samples import unbuilt
from tests.strategies.test_prepared import Asked
from tests.virtual_time import VirtualTime

DATA = Path(__file__).parent / "data"


def values(folder: Path) -> dict[str, Any]:
    """By function the digest of all its outputs, their number, and the first ones."""
    made: dict[str, Any] = {}
    with contextlib.chdir(folder):
        Path("text.md").write_text("\n\n".join(essay(n) for n in range(8)), encoding="utf-8")
        table = yaml.load((DATA / "values.yaml").read_text(encoding="utf-8"), Loader=_Loader)
        inputs: dict[str, list[Any]] = {}
        for name, (maker, *axes) in table["inputs"].items():
            make, found = _function(maker.removeprefix("each ")), list[Any]()
            for each in _calls(axes, inputs):
                with contextlib.suppress(NiahError, AssertionError, ArithmeticError, ValueError):
                    found.append(make(*each))
            inputs[name] = [one for each in found for one in each] if maker.startswith("each ") else found
        for name, axes in table["rows"].items():
            function = _function(name)
            outputs = [
                json.dumps(_outcome(function, each), ensure_ascii=False) for each in _calls(axes, inputs)
            ]
            digest = hashlib.sha256("\n".join(outputs).encode("utf-8", "replace")).hexdigest()[:16]
            made[name] = [digest, len(outputs), *(each[:160] for each in outputs[:3])]
    return made


class _Loader(yaml.SafeLoader):
    """Lists are tuples, and ``!MODULE:CLASS`` makes an object of niah's of what is behind it."""


def _tuple(loader: _Loader, node: yaml.SequenceNode) -> tuple[Any, ...]:
    return tuple(loader.construct_sequence(node, deep=True))


def _object(loader: _Loader, name: str, node: yaml.Node) -> Any:
    make = _function(name)
    if isinstance(node, yaml.MappingNode):
        return make(**{str(key): each for key, each in loader.construct_mapping(node, deep=True).items()})
    return make(*_tuple(loader, node)) if isinstance(node, yaml.SequenceNode) else make(str(node.value))


_Loader.add_constructor("tag:yaml.org,2002:seq", _tuple)
_Loader.add_multi_constructor("!", _object)


def _function(name: str) -> Callable[..., Any]:
    """What "MODULE:NAME.METHOD option=value" calls; a name alone is a function of this module."""
    path, *options = name.split(" ")
    others = ("builtins", "datetime", "decimal", "numpy", "pathlib", "tests", "textwrap", "types")
    ours = "" if path.startswith(others) else "niah."
    found = load_reference(f"{ours}{path}") if ":" in path else globals()[path]
    called: Callable[..., Any] = getattr(found, "func", None) or getattr(found, "fget", None) or found
    return partial(
        called,
        **{
            key: yaml.safe_load(value)
            for key, value in (each.split("=") for each in options if each[0] != "#")
        },
    )


def _calls(axes: Iterable[Any], inputs: Mapping[str, list[Any]]) -> Iterator[tuple[Any, ...]]:
    """All combinations of the arguments: "$name" is an input, "*name" one of several arguments each."""
    columns = [
        [tuple(each) for each in inputs[axis[1:]]]
        if isinstance(axis, str) and axis[0] == "*"
        else [(each,) for each in (inputs[axis[1:]] if isinstance(axis, str) else axis)]
        for axis in axes
    ]
    return (tuple(each for part in parts for each in part) for parts in product(*columns))


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What a call comes to, also where that is an error."""
    try:
        return plain(function(*arguments))
    except Exception as error:
        of_ours = f"{Path(niah.__file__).parent}" in traceback.extract_tb(error.__traceback__)[-1].filename
        said = error if of_ours and not isinstance(error, AssertionError) else ""  # pytest says more of these
        return f"{type(error).__name__}: {said}"


def plain(value: Any) -> Any:
    """A value as JSON has it, the same on every machine: floats of nine digits, sets sorted."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return str(value)
        case float() | np.floating():
            return float(f"{value:.9g}") + 0.0 if np.isfinite(value) else str(value)
        case np.generic() | np.ndarray() | pd.Series() | pd.Index():
            return plain(value.tolist())
        case pd.DataFrame():
            return plain([list(value.columns), [list(row) for row in value.astype(object).to_numpy()]])
        case Mapping():
            return [[plain(key), plain(each)] for key, each in value.items()]
        case set() | frozenset():
            return sorted(map(plain, value), key=json.dumps)
        case BaseModel():
            return plain(value.model_dump())
        case bytes():
            return value.decode(errors="replace")
        case Decimal() | date() | Path():
            return str(value)
    if is_dataclass(value):
        return [type(value).__name__, *(plain(getattr(value, each.name)) for each in fields(value))]
    return [plain(each) for each in value] if isinstance(value, Iterable) else type(value).__name__


# Inputs


def essay(number: int, letters: int | None = None) -> str:
    """The beginning of an essay that ships."""
    paths = sorted((DATA.parents[1] / "haystacks/essays").glob("*.md"))
    return paths[number].read_text(encoding="utf-8")[:letters]


def joined(*parts: object) -> str:
    """The parts as one text."""
    return "".join(map(str, parts))


def function(name: str) -> Callable[..., Any]:
    """A function as a value."""
    return _function(name)


def tokens(text: str) -> tuple[str, Any]:
    """A text, and where made-up tokens of six letters at most start, some of them in one character."""
    found = [match.start() for match in re.finditer(r"\s?\w{1,5}|\W", text)]
    return text, np.array(sorted([*found, *found[5::9]]), dtype=np.int64)


def words_read(text: str) -> tuple[list[tuple[int, int]], list[int]]:
    """Spans of made-up tokens, and the number of the word of each."""
    spans = [match.span() for match in re.finditer(r"\w{1,4}|\S", text)]
    return spans, [len(text[: start + 1].split()) for start, _ in spans]


def numbers(seed: int, *shape: int) -> Any:
    """Whole numbers from -4 to 9, many of them alike."""
    return np.random.default_rng(seed).integers(-4, 10, shape).astype(float)


def clustered(seed: int, n: int, many: int) -> tuple[Any, Any]:
    """So many numbers, and to which of the clusters each belongs."""
    return numbers(seed, n), np.random.default_rng(seed + 1).integers(0, many, n)


def answers(file: str, step: int) -> list[tuple[str, AnswerKey]]:
    """Every so many of the answers of a file, with their keys."""
    found = []
    for row in map(json.loads, (DATA / file).read_text(encoding="utf-8").splitlines()[::step]):
        if "key" in row:
            file_ = NeedleSet.model_validate_json(json.dumps({"description": "of an answer", **row["key"]}))
            found.append((row["answer"], answer_key(needle_set_of(DATA / "answers", file_))))
        else:
            found.append((row["answer"], key_of(row["set"], row.get("seed", 1))))
    return found


def two(*parts: Any) -> tuple[Any, ...]:
    """Its arguments as one."""
    return parts


def metric(name: str) -> Any:
    return METRICS[name]


def by_metric(metric: Any, answer: str, key: AnswerKey) -> Any:
    """Its verdict, or why it does not suit the question."""
    return metric._unsuited(key) or metric._verdict(answer, key)


def metric_of(name: str, answer: str, reference: str) -> float:
    return METRICS[name].of_pair(answer, reference)


def ranking(chunks: Sequence[Chunk], most: int, seed: int) -> tuple[Sequence[Chunk], list[int]]:
    """Chunks, and some of their numbers."""
    return chunks, random.Random(seed).sample(range(len(chunks)), min(most, len(chunks)))


def hashes(*of: int) -> Any:
    chains = HashChains(*of)
    return (
        chains.texts(0, chains.size),
        chains.texts(chains.size // 2, chains.size),
        chains.chain(0),
        chains.chain(chains.chains - 1),
    )


def scores(name: str, question: str, texts: Sequence[str]) -> Any:
    return get_retriever(name, lambda line: None).score(question, texts)


def completed(content: Any, reason: str | None, more: Any, written: int | None, thoughts: int | None) -> Any:
    """A reply of one choice, read as one to a model that may think, and to one that may not."""
    choice = {"message": {"role": "assistant", "content": content, **more}, "finish_reason": reason}
    usage = {"completion_tokens": written, "completion_tokens_details": {"reasoning_tokens": thoughts}}
    body = {"choices": [choice], "usage": usage | {"prompt_tokens": 9}}
    return [read_completion(body, Request("p", 5, thinking_tokens=room)) for room in (None, 0)]


def limits(form: str, kind: str, tail: str, size: str, left: str, reset: str) -> Any:
    said = {"limit": size, "remaining": left, "reset": reset}
    shape = "{0}-{2}-{1}" if "anthropic" in form else "{0}-{1}-{2}{3}"
    headers = {shape.format(form, name, kind, tail): value for name, value in said.items()}
    found = limits_in(headers, 1795910400.0)
    return [[*limit, *told] for limit, told in found.items()]


def shared(seed: int, size: int) -> Any:
    """When two readers of one key send, told of its limits by chance, and what is left of these."""
    clock, rng, readers, told = VirtualTime(), random.Random(seed), (Share("key"), Share("key")), list[Any]()

    async def reply(reader: Share, sent: Sent) -> None:
        await asyncio.sleep(rng.choice([0.1, 0.4, 1.5, 20.0]) + rng.random())  # no two at once
        said = dict[str, str]()
        for kind, most in rng.sample([("requests", 12), ("input-tokens", size), ("output-tokens", 900)], 2):
            left, reset = rng.choice([0, 1, most // 12, most - most // 10, most]), rng.choice([0, 7, 60])
            values = {"limit": most, "remaining": left, "reset": reset}
            said |= {f"anthropic-ratelimit-{kind}-{key}": str(each) for key, each in values.items()}
        heard.set(rng.choice([said, said, {}]))
        usage = Usage(rng.choice([None, 90, 20_000]), rng.choice([None, 7]), rng.choice([None, 80]))
        slow = Fault("slow", 429, retry_after_s=rng.choice([None, 0.5, 54.0, 70.0]))
        reader.leave(sent, rng.choice([Answer("a", usage, 0.1), slow, Fault("?")]))
        known = (each for limit in reader._account.limits.values() for each in vars(limit).values())
        limits = [f"{round(float(each), 2):.3g}" for each in known]
        told.append([round(sent.at, 1), sent.takes, limits, reader._limits])

    async def main() -> None:
        replies = list[asyncio.Task[None]]()
        for number in range(20):
            room = rng.choice([400, 999, 1000, 40_000]), rng.choice([1, 100])
            sent = await readers[number % 2].enter(*room, 65.0)
            replies.append(asyncio.create_task(reply(readers[number % 2], sent)))
        await asyncio.gather(*replies)

    clock.run(main())
    return told


def part_frame(trials: DataFrame) -> DataFrame:
    """Their frame, with names that only others have, as parts of a report's frame have them."""
    names = dict.fromkeys(("reader", "needle_set", "haystack", "kind", "trial_id"), "gone")
    others = trials.iloc[:1].assign(**names, strategy="mixpr")
    return trial_frame(pd.concat([trials, others], ignore_index=True)).iloc[:-1]


def engines(trials: DataFrame, at_once: int) -> DataFrame:
    """The frame of one engine that was asked twice in each of two ways."""
    again = trials.assign(repeat=1, answer=trials["answer"].str[:30])
    frame = part_frame(pd.concat([trials, again], ignore_index=True)).assign(engine="e")
    reader = frame["reader"].astype(object)
    ways = {"boreal": "cold", "weak": "shared"}, {"boreal": 1, "weak": at_once}
    return frame.assign(cache=reader.map(ways[0]), at_once=reader.map(ways[1]))


def of_model(trials: DataFrame, name: str) -> DataFrame:
    return trials[trials["reader"] == name]


def with_nights(pairs: Pairs, nights: Sequence[DataFrame], reference: int) -> Any:
    """A comparison with nights before it, of which some are the reference."""
    limits = Limits(0.5, 0.0, 0.5)
    return compare_pairs(pairs, history=nights, reference=nights[:reference], limits=limits)


def crossing(tokens: int, leader: str, lead: Any, above: Any, below: Any) -> Crossover:
    """Full context and retrieval at two lengths."""
    gaps = DataFrame({"length": [1000, 2000], "leader": ["", leader], "context_tokens": [0, 1000]})
    gaps["retrieval_tokens"] = [900, tokens]
    return Crossover("m", "dos", tokens != 952, gaps, 2000 if above else None, lead, above, below)


def held(length: int | None, low: int | None, high: int, clusters: int) -> dict[str, Any]:
    """An effective length."""
    found = {"reader": "m", "strategy": "lc", "length": length, "length_low": low, "length_high": high}
    return found | {"clusters": clusters, "shortest": 1000, "longest": 8000}


def shown(values: Any, clusters: Any) -> Any:
    return mean_interval(values, clusters, (-4.0, 9.0), 3).shown


class Marks:
    """Scores by the lengths of texts."""

    name = "marks"

    def score(self, query: str, texts: Sequence[str]) -> Any:
        return np.array([len(text) % 17 for text in texts], dtype=np.float64)


def marks(name: str) -> Any:
    return {"bm25": BM25Retriever, "tfidf": TfidfRetriever, "random": RandomRetriever}.get(name, Marks)()


def selected(name: str, sample: Sample, room: int) -> Any:
    """What a strategy sends of a case, whose evidence is known or not."""
    known, tokenizer = sample.context_length != 1200, get_tokenizer(sample.tokenizer)
    more: dict[str, Any] = {"seed": "s", "evidence_is_known": known}
    return select(parse(name), context_of(sample), sample.key.question, tokenizer, room, marks, **more)


def asked(name: str, text: str, replies: Mapping[str, Sequence[str]], room: int) -> Any:
    """What a strategy asks a model first, what it makes of such replies to each step, and its bounds."""
    told, chosen = Counter[str](), list[Any]()

    def reply(call: ModelCall) -> str:
        own = replies.get(call.step, ("1",))
        said = own[told[call.step] % len(own)]
        told[call.step] += 1
        chosen.append([call, call.is_understood(said), call.uses(said)])
        return said

    made = Asked(name, reply)
    try:
        chosen.append(made.choose(text, room))
    except PreparationFailed as failed:
        chosen.append(vars(failed))
    read = [made.strategy.tokens_read(tokens, room) for tokens in (100, 1_500, 9_000)]
    return [chosen, made.material, made.bounds(text, room), read]


def spent(seed: int, unit: BudgetUnit, judge: Any, price: Price) -> Any:
    """A budget through admissions and answers that are drawn: what may start, and what was spent."""
    rng, told, under_way = random.Random(seed), list[Any](), list[Trial]()
    sample = unbuilt(Case("three-gates", "essays", 1000, 50))
    prices, names = {"r0": price, "r1": replace(price, free=True)}, ["lc", "lc", "system:py:m:f"]
    trials = [Trial(sample, parse(names[n % 3]), f"r{n % 2}", n, 64, batched=n % 4 == 2) for n in range(40)]
    ledger = BudgetLedger(prices, judge, Budget(Decimal(30 if unit == "usd" else 20_000), unit))
    for following in trials:
        while (admitted := ledger.admits(following)) == "later" and under_way:
            usage = rng.choice(
                [Usage(1000, 10), Usage(1500, 640), Usage(), Usage(1, 1), Usage(1100, 64, 9, 9)]
            )
            own = Verdict(10, (), (), (), False, "j", "1", "", usage=rng.choice([Usage(), Usage(200, 20)]))
            said = "lantern " * rng.choice([0, 3, 60])
            more: dict[str, Any] = {"was_asked": rng.random() < 0.9, "from_cache": rng.random() < 0.1}
            result = TrialResult("scored", said, "", usage, 1.0, 940, verdicts=(own,), **more)
            failure = Failure("judge_error", "no", usage=Usage(300, 30)) if rng.random() < 0.1 else None
            result = replace(result, judge_failure=failure)
            told.append(ledger.settle(under_way.pop(rng.randrange(len(under_way))), result))
        told.append([admitted, ledger.spent, ledger.stopped, ledger.settled, ledger.own_counts])
        under_way += [following] if admitted == "yes" else []
        if seed % 2 and len(told) % 9 == 0:
            ledger.set_aside(following)
    return told


def patient(seed: int, concurrency: int, attempts: int, results: Sequence[Any]) -> Any:
    """When requests to an endpoint that fails by chance are sent, and what they come to."""
    clock, rng, sent, state = VirtualTime(), random.Random(seed), list[float](), random.getstate()

    async def attempt() -> Any:
        sent.append(round(clock.time(), 2))
        await asyncio.sleep(rng.choice([0.1, 1.0, 9.0]))
        return rng.choice(results[: 2 + seed])

    async def main() -> Any:
        made = Endpoint("r", Patience(attempts, 5.125, 0.5, 6.0, 15.0), concurrency, attempt)
        return await asyncio.gather(*(made.ask(attempt) for _ in range(12))), made.traffic, made.last_fault

    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder, within(request_log, Path(folder) / "a/b/log.jsonl"):
        made = clock.run(main())
        lines = map(json.loads, (Path(folder) / "a/b/log.jsonl").read_text(encoding="utf-8").splitlines())
        logged = sorted(json.dumps(each | {"at": ""}) for each in lines)
    random.setstate(state)
    return made, sent, logged


def streak(*responses: Response | None) -> list[tuple[bool, bool]]:
    """Of each response whether it adds nothing to what stopped a reader, and whether that is stopped."""
    counted = FaultStreak()
    return [(counted.note(each), bool(counted.stopped)) for each in responses]


def trials(seed: int, skill: float) -> DataFrame:
    """The trials of two models, right by chances that depend on length, depth, strategy and model."""
    rng, made = random.Random(seed), list[Any]()
    chances = {"lc": 0.9, "closed-book": 0.1, "oracle": 1, "bm25/top-5/norm": 0.8, "bm25/top-5/reverse": 0.7}
    grid = product(("rainbow-potion", "pizza-ingredients"), (600, 2200), (0, 50), range(1, 7))
    for (name, length, depth, at), strategy, reader in product(grid, chances, ("boreal", "weak")):
        case = Case(name, "text.md", length, depth, at)
        key, chance = key_of(name, case.seed), chances[strategy] - (reader == "weak") * skill
        chance -= (strategy == "lc") * case.context_length / 4000
        ranks = tuple(rng.choice([1, 2, 5, None]) for _ in key.needles)
        said = [each.name for each in key.elements if rng.random() < chance] + ["mud"] * (rng.random() < 0.1)
        answer = rng.choice(["", "I am not sure, but ", "Answer: "]) + ", ".join(said)
        found = judge_by_rubric(answer, key)
        outcome = rng.choices(["scored", "refused", "not_run"], [92, 5, 3])[0]
        more: dict[str, Any] = {"prompt_tokens": 60 + rng.randint(0, case.context_length), "cached_tokens": 9}
        more |= {
            "from_cache": rng.random() < 0.05,
            "reused_from": rng.choice(["", "2026-11-27T22:10:00.000Z"]),
        }
        more |= {"cost": rng.random() / 1000, "latency_s": rng.random(), "completion_tokens": len(answer)}
        if outcome == "scored":
            labels = {
                "rubric": found.score,
                "auto": rng.choice([1, 5, 10]),
                "label_1": rng.choice([None, 10, 3]),
            }
            more |= {each: getattr(found, each) for each in ("missing", "wrong", "self_doubt", "unsure")}
            more |= {"error_type": error_type(found, answer, key), "judge_scores": labels}
            more |= {"verdicts": (found, replace(found, judge="token-f1", value=rng.random()))}
        if "/" in strategy:
            seen = sum(each is not None for each in ranks) / len(ranks)
            more |= {"retrieval_completeness": seen, "noise_ratio": rng.choice([0.2, 0.5, 0.85, 0.97])}
            more |= {"needle_ranks": ranks, "foreign": rng.randint(0, 1), "retrieved": rng.randint(0, 5)}
        id = f"{case.case_id} {strategy} {reader}"
        more |= {"trial_id": id, "kind": key.kind, "floor": key.floor, "outcome": outcome, "answer": answer}
        score = found.score if outcome == "scored" else None
        made.append(vars(trial(strategy, score, case=case, reader=reader, **more)))
    return DataFrame(made, columns=list(TRIAL_COLUMNS), dtype=object)
