"""Files as other projects publish them: L-Eval's questions, U-NIAH's needles. All texts are our own."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Endpoint, Niah, Result, write

pytestmark = pytest.mark.usefixtures("without_figures")

_TEXT = "The miller of Hask keeps two keys. One opens the sluice, one the loft. The ferry runs on fair days."
_LETTERS = (
    "Which of these does a key of the miller open?\nA. The church\nB. The sluice\nC. The ferry\nD. The loft"
)
_BOTH = ["B, D", "D and B", "(B) (D)", "BD", "b, d", "The answers are B and D."]
_GLUED = "Who keeps keys?\nA.The boatman\nB.The miller\nC.The smith"
_LONG = "What runs on fair days?\n(A) The sluice, which was mended.\n(B) The ferry, as the text says."
_TRUTH = "In the world of the text, rivers run uphill, True or False?"
_ROWS = {
    "sci_fi": [(_TRUTH, "True [fact: False]"), (_TRUTH.replace("up", "down"), "False [fact: True]")],
    "coursera": [(_LETTERS, "BD"), (_GLUED, "B")],
    "quality": [(_LONG, "(B) The ferry, as the text says."), ("Which?\n(A) ferry\n(B) loft", "(A)")],
    "gsm100": [("How many keys does the miller keep?", "2")],
}


def _import(niah: Niah, folder: Path, name: str, rows: list[tuple[str, str]], **row: str) -> Result:
    """The result of an import of one line of L-Eval's form, without a source unless given."""
    instructions, outputs = ([each[place] for each in rows] for place in (0, 1))
    line = {"instructions": instructions, "outputs": outputs, "input": _TEXT, "evaluation": "exam"}
    write(folder / f"{name}.jsonl", json.dumps(line | row) + "\n")
    return niah("import", "l-eval", f"{name}.jsonl", "--out", f"{name}-set.jsonl")


@pytest.mark.parametrize(
    ("name", "scored"),
    [
        ("sci_fi", {"True": [10, 1], "False": [1, 10], "False. It says so.": [1, 10]}),
        (
            "coursera",
            {
                **{said: [10] for said in _BOTH},
                "B. The sluice\nD. The loft": [10],
                "B": [5.5, 10],
                "A, C": [1],
                "C": [1, 1],
                "B. The miller": [5.5, 10],
            },
        ),
        ("quality", {"B": [10, 1], "(B)": [10, 1], "The ferry, as the text says.": [10], "A": [1, 10]}),
        ("gsm100", {"2": [10], "3": [1]}),
    ],
)
def test_l_eval_s_answers_are_judged_as_meant(
    name: str, scored: dict[str, list[float]], niah: Niah, folder: Path, endpoint: Endpoint
) -> None:
    done = _import(niah, folder, name, _ROWS[name], **({} if name == "gsm100" else {"source": name}))
    assert done.code == 0, done.err
    endpoint.models.update(
        {f"m{place}": partial(lambda text, prompt: text, text) for place, text in enumerate(scored)}
    )
    write(folder / "suite.yaml", json.dumps({"questions": [f"{name}-set.jsonl"]}))
    readers = [{"model": model, "api_base": endpoint.base} for model in endpoint.models]
    config = {"suite": "suite.yaml", "readers": readers, "strategies": ["lc"]}
    write(folder / "run.yaml", json.dumps(config))
    ran = niah("run", "run.yaml", "--out", "x.sqlite")
    assert ran.code == 0, ran.err
    rows = sorted(niah("export", "x.sqlite").rows, key=lambda row: row["case_id"])
    for place, (said, wanted) in enumerate(scored.items()):
        scores = [row["score"] for row in rows if row["reader"] == f"m{place}"]
        assert scores[: len(wanted)] == wanted, said
    assert not any("[fact" in post.body["messages"][0]["content"] for post in endpoint.posts)


def test_questions_that_no_rule_can_judge_are_named_at_import(niah: Niah, folder: Path) -> None:
    done = _import(niah, folder, "tpo", [("Which is right?", "BD"), ("Which key?", "C"), (_LETTERS, "BD")])
    assert (done.code, "2 questions (tpo-1-1 ...)" in done.out) == (0, True)
    done = _import(niah, folder, "news", [("Sum it up.", "Keys are kept.")], evaluation="LLM", source="news")
    assert (done.code, "1 question (news-1-1 ...)" in done.out) == (0, True)
    assert "question (" not in _import(niah, folder, "quality", _ROWS["quality"]).out


_COURSES = ["Bell Casting", "Rope & Sail Making", "Tide Reading", "Lamp Trimming", "Fog Signalling"]
U_NIAH = """\
pizza_ingredients:
  needles: [" Rye is one thing that the bread of Hask needs. ", " Caraway is one thing that it needs. "]
  question: "What does the bread of Hask need?"
  true_answer: "Rye and Caraway."
Pizza-ingredients: {needles: [Rye is what it needs.], question: "What does it need?", true_answer: Rye.}
library: &halls
  - "The Hall of Charts holds maps. Each is drawn anew, and some of them show the sea bed as it was once."
  - "In the Echo Cellars a pupil hears old lessons again. They are kept in étuis, and opened once a year."
  - "Nothing is known of the attic. The roof of it leaks, and features a gilded cock that turns with wind."
library_revolution:
  needles: *halls
  question: "What makes the library of Hask the best?"
  true_answer: "It features two things: the Hall of Charts for sailors, and the Echo Cellars for all others."
needle_in_needle:
  needles:
    - " In the second year pupils mend nets. They splice.Bell Castingis a course that all freshmen take. "
    - " The third year is spent at sea. No pupil stays ashore then, or comes back before it is over. "
    - " Rope & Sail Making is for freshmen. Tide Reading is asked of them too. Later they may leave it out."
    - " Freshmen begin each day early. Lamp Trimmingis taught to freshmen at dusk. Rope & Sail Making goes on"
    - " The bell is rung at six.Fog Signalling must be taken by freshmen. It is hard. "
  question: "Which courses must freshmen take?"
  true_answer: "These:  Bell Casting, Rope & Sail Making, Tide Reading, Lamp Trimming and Fog Signalling."
"""


def _records(niah: Niah, folder: Path, *needle_sets: str) -> dict[str, dict[str, Any]]:
    grid = {"haystacks": ["essays"], "lengths": [2048], "depths": [50], "mode": "contiguous"}
    write(folder / "suite.yaml", json.dumps(grid | {"needle_sets": needle_sets, "accidents": "avoid"}))
    made = niah("generate", "suite.yaml", "--audit")
    assert made.code == 0, made.err
    return {row["needle_set"]: row for row in made.rows}


def test_u_niah_s_needles_hide_no_set_of_niah_s(niah: Niah, folder: Path) -> None:
    shipped = _records(niah, folder, "pizza-ingredients")["pizza-ingredients"]
    write(folder / "needle_cases.yaml", U_NIAH)
    done = niah("import", "u-niah", "needle_cases.yaml")
    assert done.code == 0, done.err
    assert _records(niah, folder, "pizza-ingredients")["pizza-ingredients"] == shipped
    names = sorted(path.stem for path in (folder / "needles").iterdir())
    assert len(names) == 3
    assert all(name.startswith("u-niah-") for name in names)
    assert niah("check", *names).code == 0
    done = niah("import", "u-niah", "needle_cases.yaml")
    assert (done.code, len(done.err.strip().splitlines())) == (2, 1)
    assert len(list((folder / "needles").iterdir())) == 3


def test_u_niah_s_courses_are_nested_and_its_halls_are_elements(niah: Niah, folder: Path) -> None:
    write(folder / "needle_cases.yaml", U_NIAH[U_NIAH.index("library:") :])
    done = niah("import", "u-niah", "needle_cases.yaml")
    assert (done.code, done.out.splitlines()[0].endswith(" ...")) == (0, True)  # one of two is named
    nested, halls = (f"u-niah-{name}" for name in ("needle-in-needle", "library-revolution"))
    rows = _records(niah, folder, nested, halls)
    assert [each["name"] for each in rows[nested]["elements"]] == _COURSES
    assert len(rows[nested]["passages"]) == 5
    carried = {name for each in rows[nested]["needles"] for name in each["elements"]}
    assert carried == set(_COURSES)
    for needle in rows[nested]["needles"]:
        inside = [p for p in rows[nested]["passages"] if p["start"] <= needle["start"] < p["end"]]
        assert len(inside) == 1
        assert inside[0]["end"] - inside[0]["start"] > needle["end"] - needle["start"]
    assert [each["name"] for each in rows[halls]["elements"]] == ["Hall of Charts", "Echo Cellars"]


_ONE_FILE = """\
haystacks: [essays]
needle_sets: [lamp]
lengths: [512, 1k]
depths: [0, 100]
seeds: [3]
questions: keys.csv
readers: [{{model: close, api_base: "{address}"}}]
strategies: [lc]
judge: contained-match
"""


def test_one_file_holds_a_grid_a_table_of_questions_and_the_run(
    niah: Niah, folder: Path, endpoint: Endpoint, lamp: Path
) -> None:
    write(folder / "keys.csv", f'id,question,answers,document\nkeys,Who keeps keys?,miller,"{_TEXT}"\n')
    write(folder / "one.yaml", _ONE_FILE.format(address=endpoint.base))
    ran = niah("run", "one.yaml", "--out", "x.sqlite")
    assert ran.code == 0, ran.err
    rows = niah("export", "x.sqlite").rows
    assert sorted(
        (row["context_length"], row["depth"], row["score"]) for row in rows if row["needle_set"]
    ) == [*((512, 0, 10), (512, 100, 10), (1024, 0, 10), (1024, 100, 10))]
    assert [row["score"] for row in rows if not row["needle_set"]] == [10]
    made = niah("generate", "one.yaml", "--out", "-").rows
    assert {row["case_id"] for row in made} == {row["case_id"] for row in rows if row["needle_set"]}
