"""Runs that are asked in batches, over loopback services of both forms: as by chat, whatever goes wrong."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from niah.readers.reader import Patience
from tests.batch_service import Batches, serving_batches
from tests.contract.conftest import Result, run_niah
from tests.examples import repeats
from tests.loopback import Reply

GRID = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [400]
depths: [0, 100]
readers: [READER]
strategies: [lc, "bm25/top-2/norm@100", closed-book]
prices: {MODEL: {input: 2, output: 8}}
"""
TRIALS, REQUESTS = 12, 10  # closed-book asks two questions, each twice alike
FORMS = {"openai": "m", "anthropic": "anthropic/claude-sonnet-4-5"}
LATER = ("cost", "latency_s", "from_cache")
KEY = "Zq7-private-0123456"


# In make test all is tried in one form, and what differs most in both.
@pytest.fixture(params=["openai", pytest.param("anthropic", marks=pytest.mark.slow)])
def service(
    request: pytest.FixtureRequest, in_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Batches]:
    with serving_batches(Batches(lambda prompt: f"Answer: {sum(map(ord, prompt)) % 1000}")) as made:
        made.form = request.param
        model, own = FORMS[made.form], f"api_base: '{made.base}', " if made.form == "openai" else ""
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_API_BASE", made.base.removesuffix("/v1"))
        for mode in ("chat", "batch"):
            reader = f"{{model: {model}, {own}mode: {mode}}}"
            Path(f"{mode}.yaml").write_text(GRID.replace("READER", reader).replace("MODEL", model))
        hasty = Patience(attempts=3, first_wait_s=0.01, gone_s=0.0)
        monkeypatch.setattr("niah.readers.resolve.PATIENT", hasty)
        monkeypatch.setattr("niah.readers.batch._LATE_S", 0.1)
        monkeypatch.setattr("niah.runs.execution.batches._FIRST_PAUSE_S", 0.05)
        yield made


of_both_forms = pytest.mark.parametrize("service", FORMS, indirect=True)


def ask(*args: object, code: int) -> Result:
    ran = run_niah("run", "batch.yaml", *args, cwd=Path.cwd())
    assert ran.code == code, ran.err
    assert "Traceback" not in ran.err
    assert KEY not in ran.err + ran.out
    return ran


def exported(name: str = "batch") -> list[dict[str, Any]]:
    """The trials, without what differs between batches and chat."""
    rows = run_niah("export", name, cwd=Path.cwd()).rows
    return [{key: value for key, value in row.items() if key not in LATER} for row in rows]


def outcomes() -> Counter[str]:
    return Counter(row["outcome"] for row in exported())


BY_CHAT: dict[str, list[dict[str, Any]]] = {}


@pytest.fixture
def by_chat(service: Batches, without_figures: None) -> list[dict[str, Any]]:
    """The trials of the same run by chat; it is asked once a form."""
    if service.form not in BY_CHAT:
        assert run_niah("run", "chat.yaml", cwd=Path.cwd()).code == 0
        BY_CHAT[service.form] = exported("chat")
        service.chats.clear()
    return BY_CHAT[service.form]


@of_both_forms
def test_the_same_as_by_chat_at_half_the_price(service: Batches, without_figures: None) -> None:
    assert run_niah("run", "chat.yaml", cwd=Path.cwd()).code == 0
    BY_CHAT[service.form] = by_chat = exported("chat")
    service.chats.clear()
    said = ask(code=5)
    assert f"waiting: 1 batch, {REQUESTS} requests; the same command collects" in said.err
    assert f": {REQUESTS} requests submitted as " in said.err
    assert (outcomes(), said.out) == ({"not_run": TRIALS}, "")
    assert (" does not take seed" in ask(code=0).err) == (service.form == "anthropic")
    assert exported() == by_chat
    assert (len(service.asked), len(service.chats)) == (REQUESTS, 1)
    costs, plans = ([total(name) for name in ("chat", "batch")] for total in (paid, planned))
    assert costs[1] == pytest.approx(costs[0] / 2)
    assert plans[1] == pytest.approx(plans[0] / 2)


def paid(name: str) -> float:
    return float(sum(row["cost"] for row in run_niah("export", name, cwd=Path.cwd()).rows))


def planned(name: str) -> float:
    said = run_niah("plan", f"{name}.yaml", "--out", "new.sqlite", "--json", cwd=Path.cwd()).out
    return float(json.loads(said)["total"]["usd"])


def once(
    *when: tuple[str, str], reply: Reply | str, times: int = 1
) -> Callable[[str, str], Reply | str | None]:
    """A step that fails so often where method and the path's end are among ``when``."""
    left = [times]

    def step(method: str, path: str) -> Reply | str | None:
        if left[0] and any(method == verb and path.endswith(end) for verb, end in when):
            left[0] -= 1
            return reply
        return None

    return step


CREATES = ("POST", "/batches")
LOOKS = tuple(("GET", f"/batches/{kind}_0") for kind in ("batch", "msgbatch"))
RESULTS = ("GET", "/content"), ("GET", "/results")
UPLOADS = ("POST", "/files")
CUT = Reply(b'{"custom_id": "x', headers={"Content-Length": "999", "Connection": "close"})
# What a run meets, one fault after the other.
PASSING: dict[str, list[tuple[Sequence[tuple[str, str]], Reply | str, int]]] = {
    "an upload or a creation that fails, a limit, looks that fail": [
        ([UPLOADS, CREATES], Reply({"error": "busy"}, 500), 1),
        ([UPLOADS, CREATES], Reply({"error": "slow"}, 429, {"Retry-After": "0"}), 1),
        (LOOKS, Reply(b"<html>", 502), 9),
    ],
    "a connection lost before a batch is made, a batch made and no word of it, results cut short": [
        ([CREATES], "!", 1),
        ([CREATES], "", 1),
        (RESULTS, CUT, 1),
    ],
}


@pytest.mark.parametrize("faults", PASSING)
def test_faults_that_pass_cost_nothing(service: Batches, by_chat: list[dict[str, Any]], faults: str) -> None:
    steps, met = [once(*when, reply=reply, times=times) for when, reply, times in PASSING[faults]], set[int]()

    def step(method: str, path: str) -> Reply | str | None:
        for at, each in enumerate(steps):
            if (reply := each(method, path)) is not None:
                met.add(at)
                return reply
        return None

    service.step = step
    ask("--wait", "20s", code=0)
    assert exported() == by_chat
    assert (len(service.made), len(service.asked), len(met)) == (1, REQUESTS, 3)


@pytest.mark.parametrize("service", ["openai"], indirect=True)
def test_a_batch_of_another_program_is_not_taken_for_ours(
    service: Batches, by_chat: list[dict[str, Any]]
) -> None:
    theirs = {"id": "theirs", "asked": [], "left": 0, "at": time.time(), "openai": True}
    service.made["theirs"] = theirs | {"input_file_id": "file-9"}
    service.step = once(CREATES, reply="!")
    ask("--wait", "20s", code=0)
    assert exported() == by_chat


def lose(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Another order, a line twice, one of somebody else's, and one lacking."""
    return [lines[0] | {"custom_id": "else"}, *lines[:0:-1], lines[1]]


def spoil(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Errors of three requests: a prompt that is too long, a fault of the service, and no turn in time."""
    told = [
        ("invalid_request_error", 400, "prompt is too long: 9000 tokens > 8192 maximum"),
        ("api_error", 500, "Internal error"),
    ]
    for line, (kind, status, message) in zip(lines, told, strict=False):
        error = {"type": kind, "message": message}
        if "response" in line:
            line["response"] = {"status_code": status, "body": {"error": error}}
        else:
            line["result"] = {"type": "errored", "error": {"type": "error", "error": error}}
    last = lines[2]
    if "response" in last:
        last |= {"response": None, "error": {"code": "batch_expired", "message": "not executed in time"}}
    else:
        last["result"] = {"type": "expired"}
    return lines


@of_both_forms
def test_results_in_any_order_with_strange_ones(service: Batches, without_figures: None) -> None:
    service.edit = lose
    ask(code=5)
    said = ask(code=0)
    assert "left out 1 result of no request of ours" in said.err
    assert outcomes() == {"scored": TRIALS - 1, "reader_error": 1}
    assert "ended without a result for it" in said.err
    service.edit = lambda lines: lines
    ask("--retry", "reader_error", code=5)
    ask(code=0)
    assert (outcomes(), len(service.asked)) == ({"scored": TRIALS}, REQUESTS + 1)


def test_what_failed_alone_and_what_expired(service: Batches, without_figures: None) -> None:
    service.edit, service.ending = spoil, "expired"
    ask("--concurrency", 1, code=5)
    said = ask(code=4)
    assert re.search(r"not run\): \S+ has no answer to 1 request \(expired\)", said.err)
    assert outcomes() == {"scored": TRIALS - 5, "overflow": 1, "reader_error": 1, "not_run": 3}
    service.edit, service.ending = lambda lines: lines, "completed"
    ask(code=5)
    ask(code=0)
    assert (outcomes()["not_run"], len(service.asked)) == (0, REQUESTS + 1)


WRONG: dict[str, tuple[Callable[[Batches], None], int, str]] = {
    "another account": (lambda made: made.made.clear(), 4, "Set the key that it was submitted with"),
    "a batch that is cancelled": (lambda made: setattr(made, "ending", "cancelled"), 4, "(cancelled)"),
    "a batch that is refused": (lambda made: setattr(made, "ending", "failed"), 4, "Line 1 is invalid."),
    "files that are deleted": (lambda made: made.files.clear(), 4, "No such File object"),
}


@pytest.mark.parametrize("service", ["openai"], indirect=True)
@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_collected_is_one_line_and_chat_goes_on(
    service: Batches, by_chat: list[dict[str, Any]], wrong: str
) -> None:
    ask(code=5)
    break_it, code, line = WRONG[wrong]
    if "files" in wrong:
        ask("--limit", 1, code=5)
    service.edit = lambda lines: [] if wrong.startswith("a batch") else lines
    break_it(service)
    said = ask(code=code)
    assert line in said.err
    assert "--reader-option mode=chat" in said.err
    assert len(service.asked) <= REQUESTS
    said = ask("--reader-option", "mode=chat", code=0)
    assert ("of a batch are asked one by one again" in said.err) == (not wrong.startswith("a batch"))
    assert exported() == by_chat


@pytest.mark.parametrize("code", [404, 405])
def test_an_endpoint_without_batches(service: Batches, without_figures: None, code: int) -> None:
    service.step = once(UPLOADS, CREATES, reply=Reply({"error": "Not Found"}, code), times=9)
    said = ask(code=2)
    assert said.err.count("the endpoint has no batches") == 1
    assert "mode=chat" in said.err
    assert not list(Path("runs").glob("*.sqlite"))


@pytest.mark.parametrize("model", ["smollm2", "gemini/gemini-2.5-flash"])
def test_models_without_batches(in_folder: Path, model: str) -> None:
    Path("batch.yaml").write_text(GRID.replace("READER", f"{{model: {model}, mode: batch}}"))
    said = ask(code=2)
    assert f"readers.0: {model} cannot be asked in batches" in said.err
    assert list(in_folder.iterdir()) == [in_folder / "batch.yaml"]


def test_a_wrong_key_stops_the_model_at_once(service: Batches, without_figures: None) -> None:
    denied = {"error": {"type": "authentication_error", "message": f"bad key {KEY}"}}
    places = ("POST", "/chat/completions"), ("POST", "/messages"), UPLOADS, CREATES
    service.step = once(*places, reply=Reply(denied, 401), times=9)
    said = ask(code=4)
    assert "Set a key for this model" in said.err
    assert not service.made
    service.step = lambda method, path: None
    ask("--wait", "20s", code=0)


@pytest.mark.parametrize(("limit", "most", "sizes"), [("requests", 4, [4, 4, 2]), ("bytes", 9, [1] * 10)])
def test_many_batches_within_limits(
    service: Batches,
    by_chat: list[dict[str, Any]],
    limit: str,
    most: int,
    sizes: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OpenAIBatchReader", "AnthropicBatchReader"):
        monkeypatch.setattr(f"niah.readers.batch.{name}.most_{limit}", most)
    service.rounds = 1
    said = ask(code=5)
    assert f"waiting: {len(sizes)} batches, {REQUESTS} requests" in said.err
    assert [len(made["asked"]) for made in service.made.values()] == sizes
    assert ask(code=5).err.count("submitted") == 0
    ask(code=0)
    assert exported() == by_chat


def test_a_budget_holds_what_is_under_way(service: Batches, without_figures: None) -> None:
    said = ask("--budget", "0.003usd", code=2)
    assert "its budget is 0.003 USD" in said.err
    ask("--budget", "0.01usd", code=5)
    ask("--budget", "0.01usd", code=0)


def test_what_prepares_stays_on_chat(service: Batches, without_figures: None) -> None:
    text = Path("batch.yaml").read_text().replace("closed-book", "bm25/top-2/norm@100+summary-50")
    Path("batch.yaml").write_text(text)
    said = ask(code=5)
    assert "bm25/top-2/norm@100+summary-50 stays on chat mode, at its price." in said.err
    assert outcomes() == {"scored": 4, "not_run": 8}
    ask(code=0)
    costs = Counter[str]()
    for row in run_niah("export", "batch", cwd=Path.cwd()).rows:
        costs[row["strategy"]] += (
            row["cost"] / (2 * row["prompt_tokens"] + 8 * row["completion_tokens"]) * 1e6 / 4
        )
    assert [round(each, 6) for each in costs.values()] == [0.5, 0.5, 1.0]


@pytest.mark.parametrize("service", ["openai"], indirect=True)
def test_a_night_is_collected_with_its_date(service: Batches, without_pages: None) -> None:
    said = run_niah("nightly", "batch.yaml", "--date", "2026-11-28", cwd=Path.cwd())
    assert (said.code, "the same command with --date 2026-11-28 collects" in said.err) == (5, True)
    said = run_niah("nightly", "batch.yaml", "--date", "2026-11-28", cwd=Path.cwd())
    assert said.code == 0, said.err


# Kills

KILLS = repeats(2, 50)
SMALL = (
    "from niah.readers import batch; batch._LATE_S = 1.0; batch.OpenAIBatchReader.most_requests = 4;"
    "batch.AnthropicBatchReader.most_requests = 4; from niah.cli.main import entry;"
    "import sys, pathlib, types; made = types.SimpleNamespace(page=pathlib.Path('index.html'));"
    "sys.modules['niah.plots.report'] = types.SimpleNamespace(write_report=lambda *_, **more: made); entry()"
)


@pytest.mark.slow
def test_killed_anywhere_nothing_is_submitted_twice_or_lost(
    service: Batches, by_chat: list[dict[str, Any]]
) -> None:
    """Killed when the n-th request of a start arrives, or is done; finished runs begin anew."""
    rng, kills, met = random.Random(54), 0, Counter[str]()
    service.delay_s = 0.01
    while True:
        is_last, before, at = kills >= KILLS, len(service.seen), rng.randint(1, 7)
        command = [sys.executable, "-c", SMALL, "run", "batch.yaml", *(("--wait", "2m") if is_last else ())]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and (is_last or len(service.seen) - before < at):
            time.sleep(0.001)
        if process.poll() is None:
            time.sleep(rng.uniform(0, 0.03))
            process.kill()
            kills += 1
            met[" ".join(service.seen[-1])[:24]] += 1
        _, said = process.communicate(timeout=60)
        assert process.returncode in (-9, 0, 5), said
        asked = [each["custom_id"][-20:] for made in service.made.values() for each in made["asked"]]
        assert len(asked) == len(set(asked))
        if process.returncode == 0:
            assert (exported(), len(asked)) == (by_chat, REQUESTS)
            if kills >= KILLS:
                break
            for file in Path("runs").glob("batch.*"):
                file.unlink()
            service.made.clear()
    print(met)


@pytest.mark.parametrize("service", ["openai"], indirect=True)
@pytest.mark.parametrize("body", [b"[]", b'{"data": 3, "id": [], "status": {}, "errors": [1]}', b"\xff<"])
def test_replies_in_no_known_form_are_no_traceback(
    service: Batches, without_figures: None, body: bytes
) -> None:
    service.step = lambda method, path: Reply(body) if "batches" in path or "files" in path else None
    for _ in range(2):
        said = run_niah("run", "batch.yaml", cwd=Path.cwd())
        assert (said.code in (4, 5), "Traceback" in said.err) == (True, False), said.err
    service.step = lambda method, path: None
    ask("--wait", "20s", code=0)
    assert len(service.asked) == REQUESTS
