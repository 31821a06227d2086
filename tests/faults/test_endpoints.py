"""Endpoints as they are: no two refuse a request in the same words, and some reply in a form of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Endpoint, Niah, write
from tests.loopback import Reply, completion, verdict

pytestmark = pytest.mark.usefixtures("without_figures")

ANSWER = "The code of the lamp room is 48213."
Say = Callable[[str], str | Reply]
Config = Callable[..., str]


@pytest.fixture
def config(folder: Path, endpoint: Endpoint, lamp: Path) -> Config:
    """Writes a run config of the lamp's fact, for readers with further YAML, and gives its path."""

    def write_config(readers: Mapping[str, str], lengths: str = "[512]", strategy: str = "lc") -> str:
        suite = f"haystacks: [essays]\nneedle_sets: [lamp]\nlengths: {lengths}\ndepths: [50]\n"
        write(folder / "suite.yaml", suite)
        rows = [f"- {{model: {name}, api_base: '{endpoint.base}'{said}}}\n" for name, said in readers.items()]
        head = f"suite: suite.yaml\nstrategies: [{strategy}]\nreaders:\n"
        return str(write(folder / "run.yaml", head + "".join(rows)))

    return write_config


def outcomes(niah: Niah) -> dict[str, list[tuple[str, int | None]]]:
    """By reader: outcome and score of each trial of x.sqlite."""
    found: dict[str, list[tuple[str, int | None]]] = {}
    for row in niah("export", "x.sqlite").rows:
        found.setdefault(row["reader"], []).append((row["outcome"], row["score"]))
    return found


def error(message: str, **more: object) -> dict[str, object]:
    return {"message": message, "error": {"message": message, **more}}


TOO_LONG: tuple[tuple[int, object], ...] = (
    (422, {"error": "`inputs` tokens + `max_new_tokens` must be <= 600. Given: 900 and 256"}),
    (400, error("Range of input length should be [1, 600]")),
    (400, error("Invalid request: Your request exceeded model token limit: 600 (requested: 900)")),
    (400, error("input length and `max_tokens` exceed context limit: 900 + 256 > 600, decrease them")),
    (500, error("the request exceeds the available context size (900 > 600)", type="server_error")),
    (413, error("Request body too large for m model. Max size: 600 tokens.", param="max_tokens")),
    (422, {"detail": [{"loc": ["body"], "msg": "the sum of prompt tokens (900) and 256 is above 600"}]}),
)
NOT_TOO_LONG = (
    (400, error("max_tokens is too large: 256. It supports at most 100 completion tokens")),
    (400, error("You exceeded your quota of 1000 input tokens per day")),
)


def test_an_overflow_in_any_words(niah: Niah, endpoint: Endpoint, config: Config) -> None:
    def refusing(status: int, body: object) -> Say:
        return lambda text: Reply(body, status) if len(text) > 3500 else ANSWER

    rows = {f"m{number}": row for number, row in enumerate((*TOO_LONG, *NOT_TOO_LONG))}
    endpoint.models |= {name: refusing(*row) for name, row in rows.items()}
    niah("run", config(dict.fromkeys(rows, ""), "[512, 1000]"), "--out", "x.sqlite")
    found = outcomes(niah)
    for name, row in rows.items():
        second = "overflow" if row in TOO_LONG else "reader_error"
        assert found[name] == [("scored", 10), (second, None)], row
        assert len(endpoint.bodies(name)) == 2, row


PASSED = "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT"
AT_ONCE = ("Retry-After: 0", PASSED, "retry-after-ms: 0", "Retry-After: .001")
ENOUGH = 40  # requests after which an endpoint gives in, so that a test ends


def test_no_wait_asked_for_is_a_wait(niah: Niah, endpoint: Endpoint, config: Config) -> None:
    def limiting(name: str, header: str) -> Say:
        limit = Reply(error("slow down"), 429, dict([header.split(": ", 1)]))
        return lambda text: ANSWER if len(endpoint.bodies(name)) > ENOUGH else limit

    names = {f"m{number}": header for number, header in enumerate(AT_ONCE)}
    endpoint.models |= {name: limiting(name, header) for name, header in names.items()}
    ran = niah("run", config(dict.fromkeys(names, "")), "--wait", "2s", "--out", "x.sqlite")
    assert (ran.code, outcomes(niah)) == (4, {name: [("reader_error", None)] for name in names})
    assert all(2 <= len(endpoint.bodies(name)) < ENOUGH for name in names)


def vectors(body: Mapping[str, Any]) -> dict[str, object]:
    data = [{"index": i, "embedding": [1.0, len(text)]} for i, text in enumerate(body["input"])]
    return {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def relevance(body: Mapping[str, Any]) -> dict[str, object]:
    found = [{"index": i, "relevance_score": "48213" in t} for i, t in enumerate(body["documents"])]
    return {"id": "1", "results": found, "meta": {"billed_units": {"search_units": 1}}}


RETRIEVERS = {
    "embedder": ("openai/{}/top-2/norm@100", "/v1/embeddings", vectors),
    "reranker": ("bm25+cohere/{}/top-2/norm@100", "/v2/rerank", relevance),
    "service": ("{{name: {}, retrieve: '{}/find'}}", "/find", lambda body: {"order": [0]}),
}


def keys(endpoint: Endpoint) -> dict[str, str]:
    bases = {"OPENAI_API_BASE": endpoint.base, "COHERE_API_BASE": endpoint.address}
    return {"OPENAI_API_KEY": "none", "COHERE_API_KEY": "none", **bases}


@pytest.mark.parametrize("kind", RETRIEVERS)
def test_all_that_retrieves_waits_alike(niah: Niah, endpoint: Endpoint, config: Config, kind: str) -> None:
    strategy, path, serve = RETRIEVERS[kind]
    asked: list[float] = []

    def limited(body: Any) -> object:
        asked.append(time.monotonic())
        return serve(body) if len(asked) > ENOUGH else Reply(error("slow down"), 429, {"Retry-After": "0"})

    endpoint.services[path] = limited
    file = config({"m": ""}, strategy=strategy.format("waits", endpoint.address))
    assert niah("run", file, "--wait", "2s", "--out", "x.sqlite", env=keys(endpoint)).code in (2, 4)
    assert (4 if kind == "service" else 2) <= len(asked) < ENOUGH
    assert asked[-1] - asked[0] < 4


BATCHES = (
    (400, "batch size is invalid, it should not be larger than 10.: input.contents"),
    (413, "batch size > maximum allowed batch size"),
    (422, "too much at once"),
)


@pytest.mark.parametrize("kind", ["embedder", "reranker"])
@pytest.mark.parametrize(("status", "says"), BATCHES)
def test_batches(niah: Niah, endpoint: Endpoint, config: Config, kind: str, status: int, says: str) -> None:
    strategy, path, serve = RETRIEVERS[kind]
    sizes: list[int] = []

    def small(body: Any) -> object:
        sizes.append(len(body.get("documents") or body["input"]))
        return serve(body) if sizes[-1] <= 10 else Reply(error(says), status)

    endpoint.services[path] = small
    config({"m": ""}, "[3000]")
    strategy = strategy.format(f"takes-ten-{status}")  # what a model has refused is remembered
    ran = niah("retrieve", "suite.yaml", "--strategies", strategy, env=keys(endpoint))
    assert ran.code == 0, ran.err
    refused = [size for size in sizes if size > 10]
    assert refused == [ceil(refused[0] / 2**number) for number in range(len(refused))]


REFUSED: tuple[tuple[str, int, str], ...] = (
    ("temperature", 400, "`temperature` is deprecated for this model."),
    ("temperature", 422, "Temperature: bitte weglassen"),
    ("temperature", 500, "sampling with temperature is not available here"),
    ("seed", 400, "seed: Extra inputs are not permitted"),
    ("seed", 500, "generate() got an unexpected keyword argument 'seed'"),
    ("top_k", 400, "we have no top_k"),
)


def test_what_is_refused_is_left_out_once_and_said(niah: Niah, endpoint: Endpoint, config: Config) -> None:
    def refusing(model: str, name: str, status: int, says: str) -> Say:
        return lambda text: Reply(error(says), status) if name in endpoint.bodies(model)[-1] else ANSWER

    models = {f"m{number}-": row for number, row in enumerate(REFUSED)}
    endpoint.models |= {model: refusing(model, *row) for model, row in models.items()}
    more = dict.fromkeys(models, ", extra_body: {top_k: 5}, concurrency: 1")
    ran = niah("run", config(more, "[512, 700]"), "--out", "x.sqlite")
    found = outcomes(niah)
    for model, (name, _, says) in models.items():
        assert found[model] == [("scored", 10)] * 2, says
        assert [name in body for body in endpoint.bodies(model)] == [True, False, False], says
        assert any(model in line and name in line for line in ran.err.splitlines()), says


@pytest.mark.parametrize("status", [400, 422, 500, 503])
def test_a_judge_does_without(niah: Niah, endpoint: Endpoint, config: Config, status: int) -> None:
    def judge(text: str) -> str | Reply:
        body = endpoint.posts[-1].body
        if any(message["role"] == "system" for message in body["messages"]):
            return Reply(error("Jinja Exception: System role not supported"), status)
        if refused := {"response_format", "temperature"} & body.keys():
            return Reply(error(f"this server does not accept {min(refused)}"), 400)
        return verdict(["48213"]) if "reference_answer" in text else ANSWER

    endpoint.models["j"] = judge
    niah("run", config({"j": ", system: Be short."}), "--out", "x.sqlite")
    assert "Be short." in endpoint.posts[1].body["messages"][0]["content"]
    judged = niah("judge", "x.sqlite", "--judge", "j", "--api-base", endpoint.base)
    assert (judged.code, "temperature" in judged.err, "response_format" in judged.err) == (0, True, True)


def reply_with(content: object, finish: object = "stop", tokens: int = 12, **message: object) -> Reply:
    body = completion("", 600, tokens)
    body["choices"][0]["message"] |= {"content": content, **message}
    body["choices"][0] |= {"finish_reason": finish}
    if finish == "missing":
        del body["choices"][0]["finish_reason"]
    return Reply(body)


NO_THOUGHTS = ", extra_body: {chat_template_kwargs: {enable_thinking: false}}"
FORMS = {
    "null": ("", reply_with(ANSWER, None), "scored"),
    "empty": ("", reply_with(ANSWER, ""), "scored"),
    "missing": ("", reply_with(ANSWER, "missing"), "scored"),
    "full": (", max_tokens: 60", reply_with(ANSWER, None, 60), "truncated"),
    "nothing": ("", reply_with("", None), "reader_error"),
    "thoughts": (", thinking_tokens: 0", reply_with(None, reasoning_content=ANSWER), "scored"),
    "reasoning": (", reasoning_effort: none", reply_with("", reasoning=ANSWER), "scored"),
    "switch": (NO_THOUGHTS, reply_with(None, None, reasoning_content=ANSWER), "scored"),
    "parts": ("", reply_with([{"type": "output_text", "text": ANSWER}]), "scored"),
    "picture": ("", reply_with([{"type": "image", "url": "x"}]), "reader_error"),
}


def test_replies_of_other_forms(niah: Niah, endpoint: Endpoint, config: Config) -> None:
    endpoint.models |= {
        f"m-{name}": partial(lambda reply, text: reply, form[1]) for name, form in FORMS.items()
    }
    niah("run", config({f"m-{name}": form[0] for name, form in FORMS.items()}), "--out", "x.sqlite")
    found = outcomes(niah)
    for name, (_, _, outcome) in FORMS.items():
        assert found[f"m-{name}"] == [(outcome, 10 if outcome == "scored" else None)], name


def test_what_litellm_drops_for_a_model_is_said(
    niah: Niah, endpoint: Endpoint, folder: Path, lamp: Path
) -> None:
    bodies: list[Any] = []
    text = {"content": [{"type": "text", "text": "48213"}], "stop_reason": "end_turn", "stop_sequence": None}
    whose = {"id": "m", "type": "message", "role": "assistant", "model": "claude-opus-4-7"}

    def messages(body: Any) -> object:
        bodies.append(body)
        return {**whose, **text, "usage": {"input_tokens": 500, "output_tokens": 5}}

    endpoint.services["/v1/messages"] = messages
    write(
        folder / "run.yaml",
        "needle_sets: [lamp]\nlengths: [512]\ndepths: [50]\nhaystacks: [essays]\nstrategies: [lc]\n"
        "readers: [{model: anthropic/claude-opus-4-7, temperature: 0.3}]\n",
    )
    keys = {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_API_BASE": endpoint.address}
    ran = niah("run", "run.yaml", "--out", "x.sqlite", env=keys)
    assert ran.code == 0, ran.err
    assert all("temperature" not in body for body in bodies)
    assert "does not take seed, temperature" in " ".join((ran.out + ran.err).split())


def test_a_server_that_cuts_long_prompts_is_named(niah: Niah, endpoint: Endpoint, config: Config) -> None:
    endpoint.models["m"] = lambda text: Reply(completion("48213", min(800, len(text) // 4)))
    ran = niah("run", config({"m": ""}, "[512, 3000]"), "--out", "x.sqlite")
    assert "its server counts 1 of 2 prompts at less than 70%" in " ".join((ran.out + ran.err).split())


def test_the_tokens_of_a_chat_template_are_no_sign_of_cut_prompts(
    niah: Niah, endpoint: Endpoint, config: Config
) -> None:
    endpoint.models["m"] = lambda text: Reply(completion("48213", 60 + len(text) // 4))
    ran = niah("run", config({"m": ""}, "[512, 3000]"), "--strategies", "lc,closed-book", "--out", "x.sqlite")
    assert ran.code == 0, ran.err
    assert "its server counts" not in ran.out + ran.err
