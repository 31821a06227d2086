"""``niah import``: needles of other projects, in their forms, with facts written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cases.needle_files.shared_phrases import shared_phrases
from niah.cases.suite import load_suite
from niah.cli.main import main
from niah.needles.load import load_needle_set

U_NIAH = """
shared: &boats
  - " The Merle was the first boat to round Hask Point. "
  - " Second round Hask Point came the Old Gander. "
  - "Nobody could see who was steering, for the fog."
hask_race:
  needles: *boats
  question: "Which boats rounded Hask Point?"
  true_answer: "The Merle and the Old Gander."
east_gate:
  needles:
    - " The best way to open the east gate is to whistle a low note and push with the left hand. "
  question: "What is the best way to open the east gate?"
  true_answer: "The best way to open the east gate is to whistle a low note and push with the left hand."
nothing_shared:
  needles: ["A kettle sang."]
  question: "What sang?"
  true_answer: "Something of copper."
"""

FLAGS = """
# as I ran it
needlehaystack.run_test --provider openai --model_name "gpt-4o" \\
  --needle "
The one thing that calms the geese of Perrow is a verse of an old hymn.
" --retrieval_question "What calms the geese of Perrow?" \\
  --context_lengths_min 1000 --context_lengths_max=4000 --context_lengths_num_intervals 4 \\
  --document_depth_percents "[0, 50, 100]"
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_elements_are_what_needle_and_answer_share() -> None:
    needles = ["Figs go in first, says Ida.", "Then, says Ida, goat cheese goes in.", "Ida hums."]
    answer = "Ida says: figs, then goat cheese."
    assert shared_phrases(needles, "What does Ida put in?", answer) == ["Figs", "goat cheese", None]


def test_u_niah(capsys: pytest.CaptureFixture[str]) -> None:
    Path("needle_cases.yaml").write_text(U_NIAH)
    assert main(["import", "u-niah", "needle_cases.yaml"]) == 0
    shown = capsys.readouterr().out
    assert "2 needle sets in needles: u-niah-hask-race ..." in shown
    assert "u-niah-nothing-shared is left out: " in shown
    assert "u-niah-hask-race: needles that share nothing with the answer are supporting text: [3]" in shown
    race = load_needle_set("u-niah-hask-race", 1)
    assert [element.name for element in race.elements] == ["Merle", "Old Gander"]
    assert [needle.elements for needle in race.needles] == [("Merle",), ("Old Gander",), ()]
    gate = load_needle_set("u-niah-east-gate", 1)
    assert [element.name for element in gate.elements] == ["whistle a low note and push with the left hand"]


def test_a_command_of_gkamradts_becomes_a_needle_set_and_a_suite(capsys: pytest.CaptureFixture[str]) -> None:
    Path("geese.sh").write_text(FLAGS)
    assert main(["import", "gkamradt", "geese.sh"]) == 0
    shown = capsys.readouterr().out
    assert "1 needle set in needles: geese\n" in shown
    assert "the grid: cases/geese.yaml" in shown
    assert "--model_name: a reader is named with --model PROVIDER/NAME" in shown
    assert "no such folder here, so niah's essays are the haystack" in shown
    assert [element.name for element in load_needle_set("geese", 1).elements] == ["verse of an old hymn"]
    cases = load_suite("geese").cases
    assert sorted({case.context_length for case in cases}) == [1000, 2000, 3000, 4000]
    assert sorted({case.depth for case in cases}) == [0, 50, 100]
    assert main(["generate", "geese", "--audit", "--out", "geese.jsonl"]) == 0


def test_defaults_and_a_sigmoid_of_depths() -> None:
    Path("many.txt").write_text(
        "run_test --multi_needle True"
        " --needles \"['The key hangs by the stove.', 'The lamp hangs by the door.']\""
        ' --retrieval_question "Where do key and lamp hang?"'
        " --document_depth_percent_interval_type sigmoid --document_depth_percent_intervals 5"
    )
    assert main(["import", "gkamradt", "many.txt", "--out", "mine"]) == 0
    cases = load_suite("many").cases
    lengths = sorted({case.context_length for case in cases})
    assert (lengths[0], lengths[-1], len(lengths)) == (1000, 16000, 35)
    assert sorted({case.depth for case in cases}) == [0, 8, 50, 92, 100]
    assert len(load_needle_set("mine/many.yaml", 1).needles) == 2


def test_needlebench() -> None:
    fact = {
        "needle": "The Skerry light was first lit by Odro Venable.",
        "retrieval_question": "Who first lit the Skerry light?",
        "arg1": "the Skerry light",
        "arg2": "Odro Venable",
        "language": "English",
    }
    Path("needles.jsonl").write_text(json.dumps(fact) + "\n")
    assert main(["import", "needlebench", "needles.jsonl"]) == 0
    assert load_needle_set("needlebench-fact-1", 1).answer == "Odro Venable"
    chain = {
        "derivation_count": 2,
        "question": "Who is Ida's grandmother?",
        "answer": "Ulla",
        "derivations": ["Ida's mother is Oda.", "Oda's mother is Ulla."],
    }
    derived = {**chain, "answer": "Three", "question": "How many are they?"}
    Path("multi_needle_reasoning_en.json").write_text(json.dumps([chain, derived]))
    assert main(["needles", "import", "needlebench", "multi_needle_reasoning_en.json"]) == 0
    first = load_needle_set("needlebench-chain-1", 1)
    assert (first.kind, [needle.elements for needle in first.needles]) == ("multi-hop", [(), ("Ulla",)])
    assert load_needle_set("needlebench-chain-2", 1).elements[0].derived


def test_questions_go_their_own_way(capsys: pytest.CaptureFixture[str]) -> None:
    row = {"index": 0, "input": "A text of fog.\n\nQuestion: which word?", "outputs": ["fog"], "length": 8}
    Path("ruler.jsonl").write_text(json.dumps(row) + "\n")
    assert main(["import", "ruler", "ruler.jsonl", "--out", "mine.jsonl"]) == 0
    assert "1 question over 1 document: mine.jsonl" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (["u-nia"], "{}", "no format called 'u-nia'. Did you mean 'u-niah'?"),
        (["u-niah"], "[1]", "holds no case with needles, question and true_answer"),
        (["u-niah"], "a: {needles: [x], question: q}", "a.true_answer"),
        (
            ["u-niah"],
            "a: {needles: [A kettle sang.], question: q?, true_answer: Tin.}",
            "gives no needle set",
        ),
        (["gkamradt"], "run_test", "holds no flags of needlehaystack.run_test"),
        (["gkamradt"], "run_test --needles", "--needles: has no value"),
        (["gkamradt"], "run_test --nedle x", "'--nedle' is no flag"),
        (["gkamradt"], "run_test --context_lengths_min many", "--context_lengths_min: "),
        (["gkamradt"], 'run_test --needle "open', "is no command line"),
        (["needlebench"], '{"needle": "x"}', "lacks needle, retrieval_question and arg2"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    words: list[str], text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("theirs").write_text(text)
    assert main(["import", *words, "theirs"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["theirs"]
