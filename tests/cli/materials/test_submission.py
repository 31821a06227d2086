"""Questions whose right answers are not public: asked, not scored, written as a leaderboard takes them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.loopback import Post, Reply, completion, replying


def _withheld(id: str, document: str, question: str, *options: str) -> dict[str, object]:
    asked = {"id": id, "document_id": document, "question": question, "withheld": True}
    return {**asked, "options": options} if options else asked


_QUESTIONS: list[dict[str, object]] = [
    _withheld("B01-Q2", "ice", "Who fills it?", "Oda", "Ivo"),
    _withheld("B00-Q9", "ferry", "Who waits?", "Ulla", "Oda"),
    _withheld("B00-Q1", "ferry", "Who rows?", "Ulla", "Ivo"),
    _withheld("B00-Q5", "ferry", "Where does it land?"),
    {"id": "known", "document_id": "ferry", "question": "Who sings?", "answers": ["Ivo"]},
]
_DOCUMENTS = [
    {"id": "ferry", "text": "Ivo rows and sings. Ulla waits at the mole.", "title": "The Ferry"},
    {"id": "ice", "text": "Oda fills the house in March.", "title": "Ice, and More"},
]
_SAYS = {
    "fills": "A",
    "waits": "I cannot say.",
    "rows": "The answer is B.",
    "land": "At the mole.",
    "sings": "Ivo",
}


def _reply(post: Post) -> Reply:
    asked = str(post.body["messages"][-1]["content"]).rpartition("?")[0][-40:]
    return Reply(completion(next(said for word, said in _SAYS.items() if word in asked), 20))


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("mine", _QUESTIONS), ("mine.documents", _DOCUMENTS)):
        Path(f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    Path("suite.yaml").write_text("questions: mine.jsonl\nprompt: lc-vs-rag\n")
    with replying(_reply) as found:
        yield f"{found}/v1"


def _run(address: str, strategies: str = "lc", more: str = "") -> int:
    reader = f"{{model: m, api_base: '{address}'}}"
    config = f"suite: suite.yaml\nreaders: [{reader}]\nstrategies: [{strategies}]\n{more}"
    Path("mine.yaml").write_text(config)
    return main(["run", "mine.yaml"])


def test_answers_have_no_score_and_are_written_for_their_authors(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(address, more="filter: closed-book\n") == 0
    err = capsys.readouterr().err
    assert (
        "4 answers have no score: what is right is not public. niah questions submission runs/mine.sqlite"
        in err
    )
    assert "asks again" not in err
    assert main(["export", "mine", "--out", "mine.out.jsonl"]) == 0
    trials = [json.loads(line) for line in Path("mine.out.jsonl").read_text().splitlines()]
    # The one question with an answer is known without its context, and left out.
    assert {(trial["outcome"], trial["score"]) for trial in trials} == {("judge_error", None)}
    assert main(["questions", "submission", "mine", "--out", "mine.zip"]) == 0
    assert "4 questions, 1 without an answer: mine.zip" in capsys.readouterr().out
    with zipfile.ZipFile("mine.zip") as packed:
        assert {name: json.loads(packed.read(name)) for name in packed.namelist()} == {
            "res_mc/res_mc.json": {"The Ferry": ["B", ""], "Ice, and More": ["A"]},
            "res_gen/res_gen.json": {"The Ferry": ["At the mole."]},
        }
