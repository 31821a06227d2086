"""Wrong input: exit code 2, one line that names the file or the key, and nothing written or asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.contract.conftest import LAMP, Endpoint, Niah, write
from tests.loopback import completion, serving

_RUN = """\
suite: cases/s.yaml
readers: [{model: m, api_base: "SERVER"}]
strategies: [lc, bm25/top-1/document@100]
"""
_SUITE = """\
haystacks: [essays]
needle_sets: [needles/lamp.yaml]
lengths: [512]
depths: [50]
"""
_GOOD = {
    "runs/r.yaml": _RUN,
    "cases/s.yaml": _SUITE,
    "needles/lamp.yaml": LAMP,
    "own/one.txt": "A boat is moored at the quay. It is a small one.\n",
    "notes.txt": "No run file.\n",
}


Refused = Callable[..., None]


@pytest.fixture
def refused(niah: Niah, folder: Path, endpoint: Endpoint) -> Refused:
    """Runs a command over the good files, one of them changed, and checks how it is refused."""

    def check(words: str, named: list[str], changed: str = "", before: str = "", after: str = "") -> None:
        (folder / "nothing-in-it").mkdir()
        for name, text in _GOOD.items():
            given = text.replace(before, after, 1) if name == changed else text
            write(folder / name, given.replace("SERVER", endpoint.base))
        there = sorted(folder.rglob("*"))
        env = dict(word.split("=") for word in words.split() if word.startswith("NIAH_"))
        done = niah(*(word for word in words.split() if not word.startswith("NIAH_")), env=env)
        assert done.code == 2, (done.out, done.err)
        assert len(done.err.strip().splitlines()) == 1, done.err
        assert done.out == ""
        assert "Traceback" not in done.err
        for part in named:
            assert part in done.err
        assert sorted(folder.rglob("*")) == there
        assert endpoint.posts == []

    return check


def test_the_good_files_are_good(niah: Niah, folder: Path, endpoint: Endpoint) -> None:
    for name, text in _GOOD.items():
        write(folder / name, text.replace("SERVER", endpoint.base))
    assert niah("run", "r").code == 0


# The name of a file and what is written in place of a part of it.
@pytest.mark.parametrize(
    ("name", "before", "after", "named"),
    [
        ("runs/r.yaml", "suite:", "strategie: [lc]\nsuite:", ["runs/r.yaml", "strategie:"]),
        ("runs/r.yaml", "cases/s.yaml", "cases/none.yaml", ["cases/none.yaml"]),
        ("runs/r.yaml", "readers: [", "readers: [[", ["runs/r.yaml"]),
        ("runs/r.yaml", "[lc,", "[lcc,", ["runs/r.yaml", "lcc"]),
        ("runs/r.yaml", "document@", "backwards@", ["runs/r.yaml", "backwards"]),
        ("runs/r.yaml", "top-1", "top-0", ["runs/r.yaml", "top-0"]),
        ("runs/r.yaml", "bm25/top", "py:./none.py:rank/top", ["none.py"]),
        ("runs/r.yaml", "SERVER", "http://127.0.0.1:9/v1", ["nothing answers at http://127.0.0.1:9/v1"]),
        ("runs/r.yaml", "[lc,", "[lc, lc,", ["runs/r.yaml", "lc"]),
        ("runs/r.yaml", "suite:", "lengths: [1k]\nsuite:", ["lengths: cannot be next", "--lengths."]),
        ("runs/r.yaml", "suite:", "judge: nobody-knows\nsuite:", ["nobody-knows"]),
        ("runs/r.yaml", "suite:", "budget: much\nsuite:", ["runs/r.yaml", "budget"]),
        ("runs/r.yaml", "suite:", "seeds: 1-8\nsuite:", ["runs/r.yaml: seeds: is '1-8'. Write a list"]),
        ("runs/r.yaml", "suite: cases/s.yaml", _SUITE.replace("sets", "set"), ["'needle_sets'?"]),
        ("runs/r.yaml", "model: m,", "", ["runs/r.yaml", "model"]),
        ("runs/r.yaml", "model: m,", "model: m, temperature: hot,", ["runs/r.yaml", "temperature"]),
        ("runs/r.yaml", "model: m,", "model: m, mode: talk,", ["should be chat, completion, turns or batch"]),
        ("runs/r.yaml", "model: m,", "model: m, key_variable: NO_SUCH_KEY,", ["NO_SUCH_KEY"]),
        ("runs/r.yaml", "readers: [", "readers: [{model: m}, ", ["runs/r.yaml", "readers"]),
        ("cases/s.yaml", "[512]", "[512", ["cases/s.yaml"]),
        ("cases/s.yaml", "[512]", "[5]", ["cases/s.yaml", "lengths"]),
        ("cases/s.yaml", "[50]", "[]", ["cases/s.yaml", "depths", "an empty list"]),
        ("cases/s.yaml", "[50]", "[101]", ["cases/s.yaml", "depths"]),
        ("cases/s.yaml", "[essays]", "[essay]", ["essay"]),
        ("cases/s.yaml", "needles/lamp", "needles/lmp", ["there is no file needles/lmp.yaml. Check"]),
        ("cases/s.yaml", "needles/lamp.yaml", "./needles", ["./needles is a folder. Check"]),
        ("cases/s.yaml", "lengths", "prompt: ./my.j2\nlengths", ["there is no file ./my.j2. Check"]),
        ("cases/s.yaml", "[essays]", "[own]", ["own"]),  # too short for 512 tokens
        ("cases/s.yaml", "[essays]", "[nothing-in-it]", ["nothing-in-it"]),
        ("cases/s.yaml", "lengths:", "lengths: [512]\nlengths:", ["cases/s.yaml", "lengths"]),
        ("needles/lamp.yaml", 'name: "48213"', 'name: "4821"', ["needles/"]),
        ("needles/lamp.yaml", "room is 48213., el", "room is a secret., el", ["needles/"]),
        ("needles/lamp.yaml", "answer:", "reply: 48213\nanswer:", ["needles/", "reply"]),
        ("needles/lamp.yaml", LAMP, "- a list\n", ["needles/"]),
        ("needles/lamp.yaml", "[{text", "[{id: A B, text", ["needles.0.id: should be lower-case words"]),
    ],
)
def test_a_wrong_file(refused: Refused, name: str, before: str, after: str, named: list[str]) -> None:
    refused("run r", named, name, before, after)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("run r --shard 4/3", "4/3"),
        ("run r --lengths 1x", "--lengths"),
        ("run r --seeds 3-1", "--seeds"),
        ("run r --budget 5", "--budget"),
        ("run r --retry everything", "everything"),
        ("run r --reader-option temperature", "temperature"),
        ("run r --model a --model b", "--model is given twice. Give it once."),
        ("merge a b --out a --out b", "--out is given twice. Give it once."),
        ("nightly r --date 28-11-2026", "--date: '28-11-2026' is no date. Write YYYY-MM-DD."),
        ("run singel", "Did you mean 'single'?"),
        ("doctor --model m --api-base a --model b", "--model is given twice."),
        ("run r --no-such-option", "--no-such-option"),
        ("run r --strategies lc,lcc", "niah: --strategies: no strategy called 'lcc'."),
        ("run r --metrics token-f1,f1", "niah: --metrics: "),
        ("retrieve single --strategies ,", "--strategies: ',' names nothing."),
        ("nightly r --detect nan", "detect=nan are no limits of a comparison."),
        ("compare a b --missing-limit 101", "--missing-limit: 101.0 is not in the range 0<=x<=100."),
        ("run r --budget", "--budget"),
        ("run r --save", "--needle is missing."),
        ("run r --out notes.txt/x.sqlite", "notes.txt"),
        ("run r --plots notes.txt/x", "notes.txt"),
        ("run --needle Rain. --question Which? --expect Snow", "Snow"),
        ("run --suite single --model gpt-4o-mini --api-base ftp://here", "ftp://here"),
        ("export notes.txt", "notes.txt"),
        ("generate cases/s.yaml --out notes.txt/x.jsonl", "notes.txt"),
        ("no-such-command", "no-such-command"),
        ("NIAH_RUN_LIMIT=some run r", "NIAH_RUN_LIMIT"),
        ("NIAH_RUN_DEPTHS=deep run r", "NIAH_RUN_DEPTHS"),
    ],
)
def test_a_wrong_command(refused: Refused, words: str, named: str) -> None:
    refused(words, [named])


def test_a_judge_or_model_that_its_server_does_not_list(niah: Niah, folder: Path) -> None:
    """The judge is asked before the reader is, and is no mistake where a model of its name answers."""
    posts: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"data": [{"id": "alpha"}]}')

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            posts.append(body["model"])
            self.send_response(404 if body["model"] == "alpah" else 200)
            self.end_headers()
            self.wfile.write(json.dumps(completion("48213")).encode())

        def log_message(self, format: str, *args: object) -> None: ...

    with serving(Server) as address:
        base = f"{address}/v1"
        judge = f"judge: {{model: alpah, api_base: '{base}'}}\n"
        for name, text in (_GOOD | {"runs/r.yaml": _RUN.replace("model: m", "model: alpha") + judge}).items():
            write(folder / name, text.replace("SERVER", base))
        ran, examined = niah("run", "r"), niah("doctor", "--model", "alpah", "--api-base", base)
        assert (ran.code, examined.code, posts) == (2, 2, ["alpah"])
        assert not [*folder.glob("runs/r.sqlite*")]
        write(folder / "runs/r.yaml", (folder / "runs/r.yaml").read_text().replace("alpah", "rubric+beta"))
        assert "no 'beta' on its list" in (unlisted := niah("run", "r")).err
        assert unlisted.code == 0
        again = niah("judge", "runs/r.sqlite", "--judge", "alpah", "--api-base", base)
        assert (again.code, again.err.count("alpah: HTTP 404"), posts.count("alpah")) == (2, 1, 2)
    for said in (ran.err, examined.out, again.err):
        assert said.count("no 'alpah' on its list of models. Did you mean 'alpha'?") == 1
