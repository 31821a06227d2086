"""``filter: closed-book``: readers are asked without context first, and what they know is left out."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.runs.file.read import read_run
from tests.loopback import Post, Reply, completion, replying

PIER = "The lamp at the pier is green. Jonas Wirt lit it for forty years. Rain fell all night."
MILL = "The mill stood by the weir. Its gate has the code 4471. Ilse Brandt kept it until the flood."
QUESTIONS: list[dict[str, Any]] = [
    {"id": "lamp", "document_id": "pier", "question": "Which colour has the lamp?", "answers": ["green"]},
    {"id": "keeper", "document_id": "pier", "question": "Who lit the lamp?", "answers": ["Jonas Wirt"]},
    {"id": "code", "document_id": "mill", "question": "What is the code?", "answers": ["4471"]},
    {"id": "miller", "document_id": "mill", "question": "Who kept the mill?", "answers": ["Ilse Brandt"]},
    {"id": "place", "document_id": "mill", "question": "Where did the mill stand?",
     "options": ["by the weir", "by the pier"], "answer_index": 0},
    {"id": "end", "document_id": "mill", "question": "What ended her time?",
     "options": ["a fire", "the flood"], "answer_index": 1},
    {"id": "roof", "document_id": "mill", "question": "Who thatched its roof?", "kind": "unanswerable"},
    # What "lamp" asks, about another document: both are asked once without.
    {"id": "light", "document_id": "mill", "question": "Which colour has the lamp?", "answers": ["green"]},
]  # fmt: skip
RIGHT = {"lamp": "green", "keeper": "Jonas Wirt", "code": "4471", "miller": "Ilse Brandt",
         "place": "A", "end": "B", "roof": "It does not say."}  # fmt: skip
# Without the documents: "lamp" and "place" are known; so are "keeper" and "miller".
KNOWN = {
    "lamp": "Green.",
    "miller": "Ilse Brandt",
    "keeper": "I think that Jonas Wirt did",
    "place": "A",
    "end": "A",
    "code": "1234",
}
RUN = """
suite: suite.yaml
readers: [{{model: planted, api_base: "{address}"}}]
strategies: [lc, bm25/half/document@100]
repeats: 2
filter: closed-book
"""


@dataclass
class PlantedReader:
    """What it was asked, as (question's id, whether with a document)."""

    asked: list[tuple[str, bool]] = field(default_factory=list)

    def reply(self, post: Post) -> Reply:
        prompt = post.body["messages"][0]["content"]
        name = next(each["id"] for each in QUESTIONS if each["question"] in prompt)
        with_document = "mill stood" in prompt or "Rain fell" in prompt
        self.asked.append((name, with_document))
        return Reply(completion(RIGHT[name] if with_document else KNOWN.get(name, "Nobody knows.")))


@pytest.fixture
def reader(own_cache: Path, without_figures: None) -> Iterator[PlantedReader]:
    """In a working folder with ``run.yaml``."""
    planted = PlantedReader()
    with replying(planted.reply) as address:
        documents = [{"id": "pier", "text": PIER}, {"id": "mill", "text": MILL}]
        for file, lines in (("mine.jsonl", QUESTIONS), ("mine.documents.jsonl", documents)):
            Path(file).write_text("".join(json.dumps(line) + "\n" for line in lines))
        Path("suite.yaml").write_text("questions: mine.jsonl\n")
        Path("run.yaml").write_text(RUN.format(address=address))
        yield planted


def kept(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The questions that count, as many times as they are asked."""
    capsys.readouterr()
    assert main(["export", "run", "--to", "csv"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return sorted(row["case_id"].removeprefix("mine_") for row in rows if row["outcome"] != "not_run")


def four_times(*names: str) -> list[str]:
    """Two strategies, each question twice."""
    return sorted(names * 4)


COUNTS = "planted knows 5 of 8 questions without their context: they"


def test_exactly_what_the_reader_knows_is_left_out(
    reader: PlantedReader, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "run.yaml", "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)
    assert (planned["asked_without_context"], planned["readers"][0]["calls"]) == (6, 6 + 4 * 8)
    assert main(["run", "run.yaml"]) == 0
    assert COUNTS in capsys.readouterr().err
    alone = [name for name, with_document in reader.asked if not with_document]
    assert sorted(alone) == ["code", "end", "keeper", "lamp", "miller", "place"]  # none that nothing answers
    assert reader.asked[:6] == [(name, False) for name in alone]  # before anything else
    assert sorted(name for name, with_document in reader.asked if with_document) == sorted(
        [*four_times("code", "end"), *["roof"] * 4]
    )
    assert kept(capsys) == four_times("code", "end", "roof")
    assert main(["show", "run"]) == 0
    assert COUNTS in capsys.readouterr().out
    assert main(["show", "run", "--json"]) == 0
    (counted,) = json.loads(capsys.readouterr().out)["asked_without_context"]
    assert (counted["known"], counted["questions"]) == (5, 8)
    run = read_run(Path("runs/run.sqlite"))
    assert set(run.trials["case_id"]) == {"mine_code", "mine_end", "mine_roof"}
    asked = len(reader.asked)
    assert main(["run", "run.yaml"]) == 0
    assert main(["plan", "run.yaml", "--json"]) == 0
    assert len(reader.asked) == asked


def test_a_run_goes_on_within_the_filter_and_asks_nothing_twice(
    reader: PlantedReader, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "run.yaml", "--limit", "2"]) == 0
    assert "3 of 8 questions without their context" in (said := capsys.readouterr().err)
    assert "4 are still to be asked" in said
    assert [with_document for _, with_document in reader.asked] == [False, False]
    assert main(["run", "run.yaml", "--limit", "7"]) == 0
    assert main(["run", "run.yaml"]) == 0
    assert len(reader.asked) == 6 + 4 * 3
    assert kept(capsys) == four_times("code", "end", "roof")
    for out in ("again.sqlite", "kept.sqlite"):  # whose answers are all those of the run before
        assert main(["run", "run.yaml", "--reuse", "--out", out]) == 0
    assert len(reader.asked) == 6 + 4 * 3


def test_a_budget_holds_both(reader: PlantedReader, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "run.yaml", "--budget", "900tok"]) == 2
    assert "its budget is 900 tokens" in capsys.readouterr().err
    assert not reader.asked
    assert main(["run", "run.yaml", "--budget", "100ktok"]) == 0
    assert kept(capsys) == four_times("code", "end", "roof")


def test_a_model_that_stops_within_the_filter_keeps_no_other_from_its_trials(
    reader: PlantedReader, capsys: pytest.CaptureFixture[str]
) -> None:
    with replying(lambda post: Reply({"error": {"message": "no such key"}}, 401)) as other:
        config, shut = Path("run.yaml").read_text(), f"readers: [{{model: shut, api_base: '{other}'}}"
        Path("alone.yaml").write_text(re.sub(r"readers: \[.*", f"{shut}]", config))
        assert main(["run", "alone.yaml"]) == 4
        assert "to go" not in capsys.readouterr().err
        Path("run.yaml").write_text(config.replace("readers: [", f"{shut}, "))
        assert main(["run", "run.yaml"]) == 4
    outcomes = read_run(Path("runs/run.sqlite")).trials.groupby("reader")["outcome"].agg(set)
    assert outcomes["planted"] == {"scored"}
    assert "scored" not in outcomes["shut"]
