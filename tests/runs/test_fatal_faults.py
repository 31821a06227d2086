"""Readers that no trial can get an answer of: stopped early, while the others go on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.file.read import read_run
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

PLANNED = 40
SUITE = f"""
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: {[step * 2.5 for step in range(PLANNED)]}
"""
READERS = """
suite: mine.yaml
strategies: [lc]
readers:
  - {{model: broken, api_base: "{address}/broken/v1", concurrency: {lanes}}}
  - {{model: sound, api_base: "{address}/sound/v1"}}
"""
REFUSED = Reply({"error": {"message": "Incorrect API key"}}, 401)
UNKNOWN_MODEL = {"error": {"message": "The model `broken` does not exist", "code": "model_not_found"}}
EXHAUSTED = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
FATAL: dict[str, tuple[Reply, str]] = {
    "a refused key": (REFUSED, "Set a key for this model; a reader's key_variable names it."),
    "an exhausted account": (Reply(EXHAUSTED, 429), "Fill up the account"),
    "an unknown model": (Reply(UNKNOWN_MODEL, 404), "Correct the model's name"),
    "a wait till tomorrow": (Reply({}, 429, {"Retry-After": "86400"}), "asked to wait 86400 s"),
    "another address": (Reply(b"", 308, {"Location": "https://elsewhere.example/"}), "elsewhere.example"),
    "a page in place of answers": (Reply(b"<html>Sign in</html>"), "an OpenAI-compatible endpoint's"),
}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


class Endpoints:
    """Two readers behind one address: one that gives the broken reply, and a sound one."""

    def __init__(self, broken: Reply) -> None:
        self.broken = broken
        self.asked: Counter[str] = Counter()

    def __call__(self, post: Post) -> Reply:
        reader = post.path.split("/")[1]
        self.asked[reader] += 1
        return self.broken if reader == "broken" else Reply(completion("Three lanterns."))


def run(address: str, lanes: int = 8) -> int:
    Path("both.yaml").write_text(READERS.format(address=address, lanes=lanes))
    return main(["run", "both.yaml", "--out", "run.sqlite"])


def outcomes(reader: str) -> Counter[str]:
    trials = read_run(Path("run.sqlite")).trials
    return Counter(trials[trials["reader"] == reader]["outcome"])


@pytest.mark.parametrize("fault", FATAL)
def test_a_reader_is_stopped_after_a_few_and_the_others_go_on(
    fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reply, told = FATAL[fault]
    endpoints = Endpoints(reply)
    with replying(endpoints) as address:
        assert run(address) == 4
    few = 10 if reply.status == 200 else 3
    assert outcomes("broken") == {"reader_error": few, "not_run": PLANNED - few}
    assert outcomes("sound") == {"scored": PLANNED}
    assert endpoints.asked["broken"] <= few + 8
    said = capsys.readouterr().err
    assert told in said
    assert main(["show", "run.sqlite"]) == 0
    assert "stopped: broken " in capsys.readouterr().out
