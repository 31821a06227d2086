"""A run against endpoints that fail in thirty-two ways: what comes of 300 trials each, by the server's log.

    python -m tests.bench.bench_chaos [whole|TRIALS] [NAME ...]

Each line is one real ``niah run`` (a process of its own, eight requests at once, default patience) against a
real HTTP server on this machine: how long it took, figures too; how long after the first fault it said that
it asks no further (goal: 30 s); how it ended, what became of the trials, how many requests the server
counted, and how many trials were scored whose every reply was at fault. That has to be 0. With "whole" or a
number all thirty-two, eleven minutes; without either seven of them, 100 trials each.
"""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.bench.goals import beside_goal
from tests.loopback import Post, Reply, completion, replying

ANSWER = "Three lanterns."
Fate = Callable[[int], Reply | None]
"""From the number of a request, from 0, to what it gets; None closes the connection."""


def good() -> Reply:
    """What an endpoint in good health says."""
    return Reply(completion(ANSWER, 512, 4))


def error(status: int, message: str, code: str = "", **headers: str) -> Reply:
    """A fault in OpenAI's form."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply({"error": {"message": message, "code": code or None}}, status, named)


def always(reply: Reply | None) -> Fate:
    """The same for everyone."""
    return lambda number: reply


def after(healthy: int, fate: Fate) -> Fate:
    """In good health for so many requests."""
    return lambda number: good() if number < healthy else fate(number)


def hang(number: int) -> None:
    """No reply, for as long as anybody waits."""
    time.sleep(900)


def away(seconds: float) -> Fate:
    """In good health for 50 requests, and then not for so many seconds."""
    since: list[float] = []

    def reply(number: int) -> Reply | None:
        if number >= 50 and not since:
            since.append(time.monotonic())
        return None if since and time.monotonic() - since[0] < seconds else good()

    return reply


def every(nth: int, reply: Reply | None) -> Fate:
    """One request in so many is at fault."""
    return lambda number: reply if number % nth == nth - 1 else good()


def limited(per_second: int) -> Fate:
    """So many requests in a second; the others are told to wait one."""
    allowed: list[float] = []

    def reply(number: int) -> Reply:
        now = time.monotonic()
        allowed[:] = [then for then in allowed if now - then < 1]
        if len(allowed) >= per_second:
            return error(429, "slow down", Retry_After="1")
        allowed.append(now)
        return good()

    return reply


def slowly(seconds: float, fate: Fate) -> Fate:
    """The same, after a while."""

    def reply(number: int) -> Reply | None:
        time.sleep(seconds)
        return fate(number)

    return reply


def a_stream() -> bytes:
    """What an endpoint sends that streams unasked."""
    chunk = {"choices": [{"index": 0, "delta": {"content": ANSWER}, "finish_reason": "stop"}]}
    return f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()


WHOLE = json.dumps(completion(ANSWER, 512, 4)).encode()
NO_CONTENT = completion(ANSWER, 512, 0) | {
    "choices": [{"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": "stop"}]
}
FAULTS: dict[str, Fate] = {
    "none": always(good()),
    "401": always(error(401, "Incorrect API key", "invalid_api_key")),
    "401 after 50": after(50, always(error(401, "Key revoked"))),
    "403": always(error(403, "no access to this model")),
    "quota exhausted": always(error(429, "You exceeded your quota", "insufficient_quota")),
    "402": always(error(402, "payment required")),
    "unknown model": always(error(404, "model not found", "model_not_found")),
    "429 till tomorrow": always(error(429, "daily limit", Retry_After="86400")),
    "400 always": always(error(400, "field x is required")),
    "500 always": always(error(500, "oops")),
    "502 after 50": after(50, always(Reply(b"<html>Bad Gateway</html>", 502))),
    "503 always": always(Reply(b"busy", 503)),
    "no reply at all": hang,
    "no reply after 50": after(50, hang),
    "hangs up": always(None),
    "hangs up after 50": after(50, always(None)),
    "a page": always(Reply(b"<html>Sign in</html>")),
    "redirect": always(Reply(b"", 307, {"Location": "/elsewhere"})),
    "null content": always(Reply(NO_CONTENT)),
    "no choices": always(Reply({"choices": []})),
    "no UTF-8": always(Reply(WHOLE.replace(b"lanterns", b"lantern\xff"))),
    "cut JSON": always(Reply(WHOLE[:-20])),
    "gzip bomb": always(Reply(gzip.compress(b" " * 2**27, 1), 200, {"Content-Encoding": "gzip"})),
    "a stream unasked": always(Reply(a_stream(), 200, {"Content-Type": "text/event-stream"})),
    "ends midway": always(Reply(WHOLE[:60], 200, {"Content-Length": str(len(WHOLE)), "Connection": "close"})),
    "500, one in 5": every(5, error(500, "oops")),
    "cut JSON, one in 5": every(5, Reply(WHOLE[:-20])),
    "503, one in 5": every(5, error(503, "overloaded", Retry_After="0.2")),
    "null, one in 5": every(5, Reply(NO_CONTENT)),
    "hangs up, one in 5": every(5, None),
    "away for 8 s": away(8),
    "5 requests/s": limited(5),
    "slow, 429 one in 5": slowly(0.05, every(5, error(429, "slow down", Retry_After="0.2"))),
}
A_FEW = (
    *("401", "503 always", "no reply at all", "hangs up after 50", "a page"),
    *("cut JSON, one in 5", "null, one in 5"),
)


@dataclass
class Log:
    """What the server saw.

    Attributes:
        replies: by prompt, whether each reply was without fault.
        requests: all of them, short questions too.
        faults_at: when those came that met a fault or got no reply, by number and the monotonic clock.
    """

    fate: Fate
    requests: int = 0
    faults_at: dict[int, float] = field(default_factory=dict)
    replies: dict[str, list[bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers = count()

    def __call__(self, post: Post) -> Reply | None:
        """Reply, and note it."""
        self.requests += 1
        number = next(self._numbers)
        self.faults_at[number] = time.monotonic()
        reply = self.fate(number)
        sound = reply is not None and reply.status == 200 and reply.body == good().body
        if sound:
            del self.faults_at[number]
        self.replies.setdefault(post.body["messages"][0]["content"], []).append(sound)
        return reply

    @property
    def sound(self) -> int:
        """Replies without fault to trials; two seeds may give the same prompt."""
        return sum(sum(replies) for prompt, replies in self.replies.items() if "lantern" in prompt)


def write_config(folder: Path, trials: int) -> None:
    """A run of so many trials."""
    seeds = list(range(1, trials + 1))
    suite = (
        f"haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512]\ndepths: [50]\nseeds: {seeds}\n"
    )
    (folder / "suite.yaml").write_text(suite)
    (folder / "run.yaml").write_text("suite: suite.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")


@dataclass(frozen=True)
class Ran:
    """What came of a run.

    Attributes:
        took_s: from the start to the end of the command.
        gave_up_s: from the first fault until it said so; None where it did not.
        code: its exit code.
        outcomes: of the trials.
        log: the server's.
        said: its lines on standard error.
    """

    took_s: float
    gave_up_s: float | None
    code: int
    outcomes: Counter[str]
    log: Log
    said: list[str]


def run(fate: Fate, folder: Path) -> Ran:
    """One run against a server."""
    log, said, gave_up = Log(fate), [], None
    with replying(log) as address:
        command = [sys.executable, "-m", "niah", "run", "run.yaml", "--model", "m"]
        command += ["--api-base", f"{address}/v1", "--out", "run.sqlite", "--plots", "plots"]
        started = time.monotonic()
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stderr
            for line in process.stderr:
                said.append(line)
                if "asked no further" in line:
                    gave_up = time.monotonic()
        ended = time.monotonic()
    outcomes: Counter[str] = Counter()
    if (folder / "run.sqlite").exists():  # a mistyped model leaves none
        with closing(sqlite3.connect(folder / "run.sqlite")) as db:
            outcomes.update(outcome for (outcome,) in db.execute("SELECT outcome FROM trials"))
    faulty_s = gave_up - min(log.faults_at.values()) if gave_up else None
    return Ran(ended - started, faulty_s, process.returncode, outcomes, log, said)


def main() -> None:
    """Print the table."""
    count, *some = sys.argv[1:] or ["100", *A_FEW]
    trials = 300 if count == "whole" else int(count)
    names, slowest = some or list(FAULTS), 0.0
    heads = ("fault", "seconds", "gave up after", "exit", "scored", "reader errors", "not run")
    print("|", " | ".join((*heads, "requests", "faults scored", "lines")), "|")
    print("|" + " --- |" * (len(heads) + 3))
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            write_config(Path(folder), trials)
            ran = run(FAULTS[name], Path(folder))
        gave_up = "" if ran.gave_up_s is None else f"{ran.gave_up_s:.0f}"
        slowest = max(slowest, ran.gave_up_s or 0.0)
        outcomes, wrong = ran.outcomes, max(0, ran.outcomes["scored"] - ran.log.sound)
        told = len([line for line in ran.said if re.search(r"reader_error|stopped", line)])
        print(
            f"| {name} | {ran.took_s:.0f} | {gave_up} | {ran.code} | {outcomes['scored']} "
            f"| {outcomes['reader_error']} | {outcomes['not_run']} | {ran.log.requests} | {wrong} | {told} |",
            flush=True,
        )
    print(beside_goal("until a reader at fault is asked no further", slowest))


if __name__ == "__main__":
    main()
