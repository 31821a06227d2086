"""Keys stay out of everything that is written, whatever an endpoint echoes and however loud the logs are."""

from __future__ import annotations

import base64
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from tests.loopback import Post, Reply, completion, replying

# With characters that change when they are encoded for an address, a header or JSON.
OPENAI_KEY = "sk-planted/openai+4711=key"
DOTENV_KEY = "sk-planted/dotenv+0815=key"
ANTHROPIC_KEY = "sk-ant-planted/4242+key="
PASSWORD = "planted/user+info:1234@word"
QUERY_KEY = "planted/query+key=9999&more"

CONFIG = "suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"
SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512, 1024]
depths: [0, 20, 40, 60, 80, 100]
"""
# As the command does, but starting once for several: a process takes seconds to import all that a run needs.
ONE_AFTER_ANOTHER = """
import json, sys
from niah.cli.main import main
for command in json.loads(sys.argv[1]):
    if code := main(command):
        sys.exit(code)
"""
INPUTS = {"mine.yaml", "small.yaml", ".env"}


@dataclass
class Echo:
    """A real endpoint that says back what it was sent, in answers and in errors.

    ``seen`` holds each request's path and headers.
    """

    port: int = 0
    seen: list[str] = field(default_factory=list)


def escaped(text: str) -> str:
    """Every character as JSON may write it: "\\u0073" for "s"."""
    return "".join(f"\\u{ord(character):04x}" for character in text)


def error(message: str, code: str) -> dict[str, object]:
    return {"error": {"message": message, "type": code, "code": code}}


def openai_reply(turn: int, said: str) -> tuple[int, bytes]:
    """One of eight ways to echo, in turns."""
    answers: list[tuple[int, object]] = [
        (200, completion(f"The lanterns say {said}.")),
        (401, error(f"Incorrect API key provided: {said}", "invalid_api_key")),
        # Of an account without money: other 500s are tried again, after seconds.
        (500, error(f"upstream broke on {said}", "insufficient_quota")),
        (200, completion(f"The lanterns say {said}", finish_reason="length")),
        (200, completion(said, finish_reason="content_filter")),
        (200, completion("cut", finish_reason=said)),
        (400, {"detail": {said: said}}),
    ]
    if turn % 8 == 7:
        return 200, f"<html>{said}</html>".encode()
    status, body = answers[turn % 8]
    data = json.dumps(body)
    # Every other time in a form that only a JSON parser sees through.
    return status, (data if turn % 16 < 8 else data.replace(json.dumps(said)[1:-1], escaped(said))).encode()


def anthropic_reply(turn: int, said: str) -> tuple[int, bytes]:
    """One of three ways to echo, in turns."""
    message = {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [{"type": "text", "text": f"The lanterns say {said}."}],
        "stop_reason": ("end_turn", "max_tokens")[turn % 2],
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }
    refusal = {"type": "error", "error": {"type": "authentication_error", "message": f"invalid {said}"}}
    return (401, json.dumps(refusal).encode()) if turn % 3 == 2 else (200, json.dumps(message).encode())


@pytest.fixture
def echo() -> Iterator[Echo]:
    endpoint, turns = Echo(), count()

    def reply(post: Post) -> Reply:
        names = ("Authorization", "x-api-key", "api-key")
        sent = [post.headers[name] for name in names if post.headers[name]]
        said = " ".join([post.path, *sent])
        endpoint.seen.append(said)
        status, data = (anthropic_reply if "/messages" in post.path else openai_reply)(next(turns), said)
        return Reply(data, status, {"X-Echo": said})

    with replying(reply) as address:
        endpoint.port = int(address.rpartition(":")[2])
        yield endpoint


def forms(secret: str) -> set[bytes]:
    """How a secret may stand in a file: as it is, in JSON, in an address, in base64 at any offset."""
    plain = {secret, json.dumps(secret)[1:-1], secret.replace("/", "\\/"), escaped(secret)}
    encoded = {quote(secret), quote(secret, safe=""), quote_plus(secret)}
    # Of what follows and what comes before the secret in the same group of three bytes, nothing is known.
    shifted = [base64.b64encode(b"\0" * shift + secret.encode())[(0, 2, 3)[shift] : -4] for shift in range(3)]
    in_base64 = {form.replace(b"+", b"-").replace(b"/", b"_") for form in shifted} | set(shifted)
    return {form.encode() for form in plain | encoded} | in_base64


def leaks(folder: Path, said: list[bytes], secrets: list[str]) -> list[str]:
    """Where secrets stand: in a file under ``folder`` that niah has written, or in what it said."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in INPUTS]
    places = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    places |= {f"output {at}": text for at, text in enumerate(said)}
    return [
        f"{place}: ...{data[max(0, data.index(form) - 90) : data.index(form) + 60]!r}"
        for place, data in places.items()
        for secret in secrets
        for form in sorted(forms(secret))
        if form in data
    ]


class Shell:
    """Runs niah in a folder, in a process of its own, with planted secrets; keeps what it said."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.said: list[bytes] = []
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "ANTHROPIC"))
        }
        own = {"NIAH_CACHE": str(folder / "cache")}
        self._environment = kept | own | environment
        (folder / "mine.yaml").write_text(SUITE)
        (folder / "small.yaml").write_text(CONFIG)

    def niah(self, *commands: list[str]) -> int:
        """Run one command after another in a process; the first exit code that is not 0."""
        command = [sys.executable, "-X", "dev", "-c", ONE_AFTER_ANOTHER, json.dumps(commands)]
        done = subprocess.run(command, cwd=self.folder, env=self._environment, capture_output=True)
        self.said += done.stdout, done.stderr
        return done.returncode

    def all_of_it(self, *reader: str) -> None:
        """Plan, run, run what failed again, export, show."""
        run = ["run", "small.yaml", *reader, "--out", "run.sqlite", "--plots", "plots"]
        again = [*run, "--retry", "reader_error,truncated,refused"]
        exports = [["export", "run.sqlite", "--out", "out.jsonl"], ["export", "run.sqlite", "--to", "csv"]]
        exports.append(["export", "run.sqlite", "--to", "every-eval-ever", "--out", "shared"])
        assert self.niah(["plan", "small.yaml", *reader], run, again, *exports) == 0, self.said
        assert self.niah(["show", str(self.records()[0]["case_id"])]) == 0

    def records(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in (self.folder / "out.jsonl").read_text().splitlines()]


def check_echoes(shell: Shell, echo: Echo, secrets: list[str]) -> None:
    """What makes the search mean something: every secret came back, and was cut out of what is kept."""
    seen = "\n".join(echo.seen).encode()
    for secret in secrets:
        assert any(form in seen for form in forms(secret)), f"{secret} was never sent"
    outcomes = {record["outcome"] for record in shell.records()}
    assert {"scored", "reader_error"} <= outcomes
    answers = [str(record["answer"]) for record in shell.records() if record["outcome"] == "scored"]
    assert all("***" in answer for answer in answers)
    connection = sqlite3.connect(shell.folder / "run.sqlite")
    reasons = [row[0] for row in connection.execute("SELECT reason FROM trials WHERE reason <> ''")]
    connection.close()
    assert any("***" in reason for reason in reasons)
    (kept,) = (shell.folder / "cache").glob("answers*.sqlite")
    assert b"***" in kept.read_bytes()
    assert len(list((shell.folder / "plots").iterdir())) > 0


OPENAI = {"OPENAI_API_KEY": OPENAI_KEY, "OPENAI_LOG": "debug"}
DEBUG = {"LITELLM_LOG": "DEBUG", "OPENAI_LOG": "debug"}
IN_ADDRESS = f"http://user:{quote(PASSWORD, safe='')}@HOST/v1?key={quote_plus(QUERY_KEY)}"


# One key, in quick runs of this process: tests/contract/test_running.py.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "dotenv", "reader", "echoed", "others"),
    [
        (OPENAI, "", f"--model m --api-base {IN_ADDRESS}", [f"user:{PASSWORD}", QUERY_KEY], [PASSWORD]),
        (
            {"OPENAI_BASE_URL": "http://HOST/v1", "OPENAI_LOG": "debug"},
            f"OPENAI_API_KEY={DOTENV_KEY}\n",
            *("--model openai/gpt-4o-mini", [DOTENV_KEY], []),
        ),
        (
            {"ANTHROPIC_API_KEY": ANTHROPIC_KEY, "ANTHROPIC_API_BASE": "http://HOST"} | DEBUG,
            *("", "--model anthropic/claude-3-5-haiku-20241022", [ANTHROPIC_KEY], []),
        ),
    ],
    ids=["in the address", "in .env", "of another provider"],
)
def test_what_is_echoed_is_written_nowhere(
    tmp_path: Path,
    echo: Echo,
    environment: dict[str, str],
    dotenv: str,
    reader: str,
    echoed: list[str],
    others: list[str],
) -> None:
    host = f"127.0.0.1:{echo.port}"
    shell = Shell(tmp_path, {name: value.replace("HOST", host) for name, value in environment.items()})
    if dotenv:
        (tmp_path / ".env").write_text(dotenv)
    shell.all_of_it(*reader.replace("HOST", host).split())
    check_echoes(shell, echo, echoed)
    assert leaks(tmp_path, shell.said, [OPENAI_KEY, *echoed, *others]) == []


def test_an_address_that_is_none(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {"OPENAI_API_KEY": OPENAI_KEY})
    address = f"ftp://u:{quote(PASSWORD, safe='')}@127.0.0.1/v1"
    assert shell.niah(["run", "small.yaml", "--model", "m", "--api-base", address]) == 2
    assert shell.said[-1].count(b"\n") == 1
    assert leaks(tmp_path, shell.said, [OPENAI_KEY, PASSWORD]) == []
