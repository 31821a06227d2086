"""Readers that no trial can get an answer of: stopped early, while the others go on."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.file.read import read_run
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

PLANNED = 24
DEPTHS = list(range(PLANNED))
SUITE = f"{{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: {DEPTHS}}}"
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


def test_a_reader_is_stopped_after_a_few_and_the_others_go_on(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = {f"r{at}": reply for at, (reply, _) in enumerate(FATAL.values())}
    asked: Counter[str] = Counter()

    def reply(post: Post) -> Reply:
        name = post.path.split("/")[1]
        asked[name] += 1
        return replies.get(name, Reply(completion("Three lanterns.")))

    Path("mine.yaml").write_text(SUITE)
    with replying(reply) as address:
        readers = [
            {"model": "broken", "name": name, "api_base": f"{address}/{name}/v1", "concurrency": 4}
            for name in (*replies, "sound")
        ]
        Path("run.yaml").write_text(
            json.dumps({"suite": "mine.yaml", "strategies": ["lc"], "readers": readers})
        )
        assert main(["run", "run.yaml", "--out", "run.sqlite"]) == 4
    said = capsys.readouterr().err
    trials = read_run(Path("run.sqlite")).trials
    outcomes = {name: Counter(own["outcome"]) for name, own in trials.groupby("reader")}
    assert outcomes.pop("sound") == {"scored": PLANNED}
    assert main(["show", "run.sqlite"]) == 0
    shown = capsys.readouterr().out
    for (name, given), (_, told) in zip(replies.items(), FATAL.values(), strict=True):
        few = 10 if given.status == 200 else 3
        assert outcomes[name] == {"reader_error": few, "not_run": PLANNED - few}, told
        assert asked[name] <= few + 8
        assert told in said
        assert re.search(rf"stopped: .*\b{name} ", shown)
