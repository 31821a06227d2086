"""Keys stay out of everything that is written, whatever an endpoint echoes and however loud the logs are."""

from __future__ import annotations

import base64
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from tests.loopback import Post, Reply, claude_message, completion, replying
from tests.plugins.one_process import in_one_process

# With characters that change when they are encoded for an address, a header or JSON.
OPENAI_KEY = "sk-planted/openai+4711=key"
DOTENV_KEY = "sk-planted/dotenv+0815=key"
ANTHROPIC_KEY = "sk-ant-planted/4242+key="
PASSWORD = "planted/user+info:1234@word"
QUERY_KEY = "planted/query+key=9999&more"

INPUTS = {
    "small.yaml": "suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n",
    "mine.yaml": "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512, 1024]\n"
    "depths: [0, 20, 40, 60, 80, 100]\n",
}


@dataclass
class Echo:
    """A real endpoint that says back what it was sent, in answers and in errors.

    ``seen`` holds each request's path and headers.
    """

    host: str = ""
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
    stop = ("end_turn", "max_tokens")[turn % 2]
    message = claude_message(f"The lanterns say {said}.", {"input_tokens": 7, "output_tokens": 3}, stop)
    refusal = {"type": "error", "error": {"type": "authentication_error", "message": f"invalid {said}"}}
    return (401, json.dumps(refusal).encode()) if turn % 3 == 2 else (200, json.dumps(message).encode())


@pytest.fixture
def echo(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Echo]:
    """Serves, in a folder with the inputs and no key of this machine's."""
    endpoint, turns = Echo(), count()
    for name in [name for name in os.environ if name.startswith(("OPENAI", "ANTHROPIC"))]:
        monkeypatch.delenv(name)
    for name, text in INPUTS.items():
        Path(name).write_text(text)

    def reply(post: Post) -> Reply:
        names = ("Authorization", "x-api-key", "api-key")
        sent = [post.headers[name] for name in names if post.headers[name]]
        said = " ".join([post.path, *sent])
        endpoint.seen.append(said)
        status, data = (anthropic_reply if "/messages" in post.path else openai_reply)(next(turns), said)
        return Reply(data, status, {"X-Echo": said})

    with replying(reply) as address:
        endpoint.host = address.removeprefix("http://")
        yield endpoint


def forms(secret: str) -> set[bytes]:
    """How a secret may stand in a file: as it is, in JSON, in an address, in base64 at any offset."""
    plain = {secret, json.dumps(secret)[1:-1], secret.replace("/", "\\/"), escaped(secret)}
    encoded = {quote(secret), quote(secret, safe=""), quote_plus(secret)}
    # Of what follows and what comes before the secret in the same group of three bytes, nothing is known.
    shifted = [base64.b64encode(b"\0" * shift + secret.encode())[(0, 2, 3)[shift] : -4] for shift in range(3)]
    in_base64 = {form.replace(b"+", b"-").replace(b"/", b"_") for form in shifted} | set(shifted)
    return {form.encode() for form in plain | encoded} | in_base64


def leaks(said: list[str], secrets: list[str]) -> list[str]:
    """Where secrets stand: in a file of the working folder that niah has written, or in what it said."""
    files = [path for path in sorted(Path().rglob("*")) if path.is_file()]
    places = {str(path): path.read_bytes() for path in files if path.name not in (*INPUTS, ".env")}
    places |= {f"output {at}": text.encode() for at, text in enumerate(said)}
    return [
        f"{place}: ...{data[max(0, data.index(form) - 90) : data.index(form) + 60]!r}"
        for place, data in places.items()
        for secret in secrets
        for form in sorted(forms(secret))
        if form in data
    ]


def niah(commands: list[str], **environment: str) -> tuple[set[int], list[str]]:
    """Exit codes, and what was said, by a process that warns of all that Python can warn of."""
    environment |= {"NIAH_CACHE": str(Path("cache").absolute()), "PYTHONDEVMODE": "1"}
    done = in_one_process("", Path(), commands, **environment)
    return {code for code, _, _ in done.values()}, [
        text for _, out, err in done.values() for text in (out, err)
    ]


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
    echo: Echo, environment: dict[str, str], dotenv: str, reader: str, echoed: list[str], others: list[str]
) -> None:
    environment = {name: value.replace("HOST", echo.host) for name, value in environment.items()}
    if dotenv:
        Path(".env").write_text(dotenv)
    asked = f"small.yaml {reader.replace('HOST', echo.host)}"
    run = f"run {asked} --out run.sqlite --plots plots"
    to = "export run.sqlite --to"
    commands = [f"plan {asked}", run, f"{run} --retry reader_error,truncated,refused"]
    commands += ["export run.sqlite --out out.jsonl", f"{to} csv", f"{to} every-eval-ever --out shared"]
    codes, said = niah(commands, **environment)
    assert codes == {0}, said
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    codes, more = niah([f"show {rows[0]['case_id']}"], **environment)
    assert codes == {0}, more

    # What makes the search mean something: every secret came back, and was cut out of what is kept.
    seen = "\n".join(echo.seen).encode()
    assert all(any(form in seen for form in forms(secret)) for secret in echoed)
    assert {"scored", "reader_error"} <= {row["outcome"] for row in rows}
    assert all("***" in row["answer"] for row in rows if row["outcome"] == "scored")
    with closing(sqlite3.connect("run.sqlite")) as db:
        assert any("***" in reason for (reason,) in db.execute("SELECT reason FROM trials"))
    (kept,) = Path("cache").glob("answers*.sqlite")
    assert b"***" in kept.read_bytes()
    assert list(Path("plots").iterdir())
    assert leaks([*said, *more], [OPENAI_KEY, *echoed, *others]) == []


@pytest.mark.usefixtures("echo")
def test_an_address_that_is_none() -> None:
    address = f"ftp://u:{quote(PASSWORD, safe='')}@127.0.0.1/v1"
    command = f"run small.yaml --model m --api-base {address}"
    codes, said = niah([command], OPENAI_API_KEY=OPENAI_KEY)
    assert (max(codes), sum(text.count("\n") for text in said)) == (2, 1)
    assert leaks(said, [OPENAI_KEY, PASSWORD]) == []
