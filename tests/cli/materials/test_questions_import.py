"""``niah questions import``: two rows of each published format, written here, and wrong ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from niah.cases.question_sets import question_samples
from niah.cases.questions.published.datasets import DATASETS
from niah.cases.sample import Sample
from niah.cli.main import main
from niah.judges.metrics.metric import METRICS
from tests.cli.materials.published_rows import ROWS

WITHOUT_IDS = {"narrativeqa", "babilong", "mrcr", "l-eval", "helmet", "lc-vs-rag"}
"""Whose questions are numbered."""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def published(rows: list[Any], as_list: bool = False) -> str:
    text = json.dumps(rows) if as_list else "".join(f"{json.dumps(row)}\n" for row in rows)
    Path("published").write_text(text, encoding="utf-8")
    Path("published.txt").write_text("Ivo rows twice. Oda never does.\n", encoding="utf-8")  # NovelQA's novel
    return "published"


def imported(name: str, rows: list[Any], as_list: bool = False) -> tuple[list[dict[str, Any]], list[Sample]]:
    """The lines that were written, and what a suite makes of them."""
    assert main(["questions", "import", name, published(rows, as_list), "--out", "mine.jsonl"]) == 0
    lines = [json.loads(line) for line in Path("mine.jsonl").read_text(encoding="utf-8").splitlines()]
    return lines, question_samples(Path("mine.jsonl"), "cl100k", "u-niah")


def documents() -> dict[str, Any]:
    lines = Path("mine.documents.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


def refused(name: str, rows: list[Any], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that is said of a wrong file, after which nothing is there but the file."""
    file = published(rows)
    assert main(["questions", "import", name, file, "--out", "mine.jsonl"]) == 2
    shown = capsys.readouterr()
    assert {path.name for path in Path().iterdir()} == {file, "published.txt"}
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    return line


def without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("as_list", [False, True])
def test_two_rows_become_a_question_set_with_licence_and_citation(
    name: str, as_list: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = DATASETS[name]
    lines, samples = imported(name, ROWS[name], as_list)
    assert len(lines) == len(samples) >= 2
    assert {line["document_id"] for line in lines} == set(documents())
    assert all(line["licence"] and line["source"] for line in lines)
    assert {line["citation"] for line in lines} == {dataset.citation}
    out = capsys.readouterr().out
    assert f"{len(lines)} questions over {len(documents())} documents: mine.jsonl" in out
    assert f"licence: {dataset.licence}\n" in out
    assert f"cite: {dataset.citation}\n" in out


@pytest.mark.parametrize("name", DATASETS)
def test_a_row_of_another_kind_is_named_and_nothing_is_written(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(name, [ROWS[name][0], {"text": "of another dataset"}], capsys)
    assert line.startswith("niah: published: line 2, ")
    assert line.endswith("is missing. Name the file as it was published.")
    assert refused(name, ["no row"], capsys) == (
        "niah: published: line 1: is not a JSON object. Name the file as it was published."
    )
    assert "published: holds no question." in refused(name, [], capsys)


@pytest.mark.parametrize("name", sorted(set(DATASETS) - WITHOUT_IDS))
def test_the_same_rows_twice_are_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = ROWS[name][0]
    assert "gives too. Take one of them out." in refused(name, [first, first], capsys)


def test_quality_merges_the_questions_of_two_writers_about_an_article() -> None:
    lines, samples = imported("quality", ROWS["quality"])
    assert [(line["id"], line["kind"]) for line in lines] == [
        ("40001_WRITERA_1", "hard"),
        ("40001_WRITERA_2", "not hard"),
        ("40001_B_asked", "not hard"),
    ]
    assert [sample.key.references for sample in samples] == [
        ("a brass key",),
        ("Oda",),
        ("in the ice house",),
    ]
    assert {(line["source"], line["licence"]) for line in lines} == {("Gutenberg", "public domain")}
    (document,) = documents().values()
    assert (document["id"], document["title"]) == ("40001", "The Ice House")
    assert document["text"] == "The Ice House\n\nOda hid a brass key & a map\nunder the third step."


def test_quality_without_markup_is_kept_letter_by_letter() -> None:
    text = "  Oda said: 3 < 4 &amp; more.\n\n\n\nThen   she left. "
    imported("quality", [{**ROWS["quality"][0], "article": text}])
    assert documents()["40001"]["text"] == text


def test_quality_says_of_the_test_split_that_it_has_no_answers(capsys: pytest.CaptureFixture[str]) -> None:
    first = ROWS["quality"][0]
    asked = [first["questions"][0], without(first["questions"][1], "gold_label")]
    assert refused("quality", [{**first, "questions": asked}], capsys) == (
        "niah: published: line 1, questions.1.gold_label: is missing. "
        "Import the train or the dev split: the test split has no public answers."
    )
    asked = [{**first["questions"][0], "options": ["alone"], "gold_label": 1}]
    assert "line 1, options: should be a list of at least 2 entries, and has 1. Mend" in refused(
        "quality", [{**first, "questions": asked}], capsys
    )
    assert "line 1, article: holds no words." in refused("quality", [{**first, "article": "<p></p>"}], capsys)
    asked = [{**first["questions"][0], "gold_label": 5}]
    assert "line 1, questions.0.gold_label: is 5, and there are 4 options." in refused(
        "quality", [{**first, "questions": asked}], capsys
    )


def test_quality_with_two_texts_of_one_article_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = ROWS["quality"]
    line = refused("quality", [first, {**second, "article": "Another story."}], capsys)
    assert "line 2: has another text for the document '40001' than line 1." in line


def test_narrativeqa_keeps_a_story_once_and_both_answers() -> None:
    lines, samples = imported("narrativeqa", ROWS["narrativeqa"])
    assert [line["id"] for line in lines] == ["0a17f_1", "0a17f_2"]
    assert [sample.key.references for sample in samples] == [
        ("Her brother", "Her older brother Ivo"),
        ("A lamp",),
    ]
    assert {line["source"] for line in lines} == {"gutenberg"}
    assert documents()["0a17f"]["title"] == "The Lamp Lighter"


def test_longbench_keeps_a_shared_context_once_and_takes_only_sets_that_ask(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, samples = imported("longbench", ROWS["longbench"])
    assert [line["source"] for line in lines] == ["hotpotqa", "hotpotqa_e"]
    assert [sample.key.references for sample in samples] == [("at the mole", "the mole"), ("Ulla",)]
    (document,) = documents().values()
    assert document["text"] == ROWS["longbench"][0]["context"]
    Path("mine.jsonl").unlink()
    Path("mine.documents.jsonl").unlink()
    capsys.readouterr()
    code = {**ROWS["longbench"][0], "dataset": "lcc"}
    line = refused("longbench", [ROWS["longbench"][1], code], capsys)
    assert "line 2, dataset: is 'lcc', which asks no question. Import one of narrativeqa, qasper" in line
    assert "line 1, input: is empty." in refused("longbench", [{**ROWS["longbench"][0], "input": ""}], capsys)


def test_longbench_v2_has_its_right_option_by_letter() -> None:
    lines, samples = imported("longbench-v2", ROWS["longbench-v2"])
    assert [sample.key.references for sample in samples] == [("more boats",), ("old boats",)]
    assert [(line["kind"], line["source"]) for line in lines] == [
        ("easy", "Single-Document QA"),
        ("hard", "Single-Document QA"),
    ]


def test_longbench_v2_takes_no_other_letter_and_no_option_twice(capsys: pytest.CaptureFixture[str]) -> None:
    row = ROWS["longbench-v2"][0]
    assert "line 1, answer: " in refused("longbench-v2", [{**row, "answer": "E"}], capsys)
    line = refused("longbench-v2", [{**row, "choice_D": "no boats"}], capsys)
    assert "line 1: has the option 'no boats' twice in the question 'v1'." in line


def test_infinitebench_takes_both_kinds_of_questions_about_a_book() -> None:
    lines, samples = imported("infinitebench", ROWS["infinitebench"])
    assert [line["id"] for line in lines] == ["mc-0", "qa-0"]
    assert [line["source"] for line in lines] == ["InfiniteBench En.MC", "InfiniteBench En.QA"]
    assert [sample.key.answer_index for sample in samples] == [1, None]
    assert samples[1].key.references == ("Norhaven", "in Norhaven")
    assert len(documents()) == 1


def test_infinitebench_needs_one_right_option(capsys: pytest.CaptureFixture[str]) -> None:
    row = {**ROWS["infinitebench"][0], "answer": ["Ulla"]}
    assert "line 1, answer: 'Ulla' is the text of 0 of the options." in refused(
        "infinitebench", [row], capsys
    )


def test_ruler_asks_with_its_last_line_and_wants_all_outputs_of_needles() -> None:
    needles, asked = imported("ruler", ROWS["ruler"])[0]
    assert needles["question"].startswith("What are all the special magic numbers for ice")
    assert needles["answers"] == ["41, 97"]
    assert documents()[needles["document_id"]]["text"].endswith("for ice is: 97.")
    assert asked["question"] == "Who rows?"
    assert asked["answers"] == ["Ulla", "the ferryman"]


def test_ruler_says_where_it_finds_no_question(capsys: pytest.CaptureFixture[str]) -> None:
    row = ROWS["ruler"][0]
    assert "line 1, input: has no line break" in refused("ruler", [{**row, "input": "all in one?"}], capsys)
    line = refused("ruler", [{**row, "input": f"{row['input']}<|eot|>\n\nassistant"}], capsys)
    assert (
        "line 1, input: ends in 'assistant', no question. Generate it with the model template base." in line
    )


def test_longmemeval_orders_sessions_by_date_and_knows_its_evidence() -> None:
    lines, samples = imported("longmemeval", ROWS["longmemeval"])
    assert [line["kind"] for line in lines] == ["multi-session", "abstention"]
    assert [sample.key.references for sample in samples] == [("3",), ("You never said.",)]
    assert lines[0]["question"] == "How many lanterns did I buy? (Asked on 2023/06/01 (Thu) 10:00.)"
    (document,) = documents().values()
    assert document["text"] == (
        "Session of 2023/05/20 (Sat) 02:36\nuser: I bought 3  lanterns\ntoday.\n\n"
        "Session of 2023/05/21 (Sun) 08:00\nuser: It rains.\nassistant: Take a coat."
    )
    assert [placed.text for placed in samples[0].needles] == ["I bought 3  lanterns\ntoday."]


def test_longmemeval_needs_a_date_for_each_session(capsys: pytest.CaptureFixture[str]) -> None:
    row = {**ROWS["longmemeval"][0], "haystack_dates": []}
    assert "line 1, haystack_dates: has 0 dates for 2 sessions." in refused("longmemeval", [row], capsys)
    row = {**row, "haystack_sessions": []}
    assert "line 1, haystack_sessions: is empty." in refused("longmemeval", [row], capsys)


def test_babilong_is_numbered() -> None:
    lines, samples = imported("babilong", ROWS["babilong"])
    assert [line["id"] for line in lines] == ["babilong-1", "babilong-2"]
    assert [sample.key.references for sample in samples] == [("mill",), ("key",)]


def test_mrcr_asks_with_the_last_message_about_those_before_it() -> None:
    lines, samples = imported("mrcr", ROWS["mrcr"])
    assert [line["answers"] for line in lines] == [["qX9A gull sat on a post."], ["Zz1A gull flew off."]]
    assert lines[1]["question"] == "Prepend Zz1 to the 2nd (1 indexed) poem about gulls."
    assert [[placed.text for placed in sample.needles] for sample in samples] == [
        ["A gull sat on a post."],
        ["A gull flew off."],
    ]
    (document,) = documents().values()
    assert document["text"].startswith("user: write a poem about gulls\n\nassistant: A gull sat on a post.")
    assert "Prepend" not in document["text"]


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("no JSON", "is not a JSON list of messages with role and content."),
        ('[{"role": "user", "content": "alone"}]', "has no conversation and a question after it."),
    ],
)
def test_mrcr_needs_a_conversation(prompt: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"line 1, prompt: {says}" in refused("mrcr", [{**ROWS["mrcr"][0], "prompt": prompt}], capsys)


def test_what_is_there_is_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.documents.jsonl").write_text("kept")
    file = published(ROWS["quality"])
    assert main(["questions", "import", "quality", file, "--out", "mine.jsonl"]) == 2
    assert (
        "mine.documents.jsonl is there already. Name another with --out, or remove it."
        in capsys.readouterr().err
    )
    assert not Path("mine.jsonl").exists()
    assert main(["questions", "import", "quality", file, "--out", "mine.csv"]) == 2
    assert "mine.csv is no name of a question set." in capsys.readouterr().err


def test_without_out_a_suite_finds_it_by_the_formats_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "import", "quality", published(ROWS["quality"])]) == 0
    assert main(["list", "question-sets"]) == 0
    assert "quality  3 questions (3 multiple choice) over 1 documents; Gutenberg; public domain; Pang" in (
        capsys.readouterr().out
    )


def test_wrong_names_and_files_get_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cut").write_text('{"article_id": "4')
    assert main(["questions", "import", "qualty", "cut"]) == 2
    assert "no published format called 'qualty'. Did you mean 'quality'?" in capsys.readouterr().err
    assert main(["questions", "import", "quality", "cut"]) == 2
    assert "cut: line 1: is not JSON" in capsys.readouterr().err
    assert main(["questions", "import", "quality", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert main(["questions", "import", "quality", "/dev/zero"]) == 2
    assert "/dev/zero: is no file." in capsys.readouterr().err


def test_the_formats_are_listed_with_their_terms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "question-formats"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{dataset.description}; licence: {dataset.licence}" in shown for dataset in DATASETS.values())


def test_infinitebench_asks_for_a_summary_where_a_row_asks_nothing() -> None:
    row = {**ROWS["infinitebench"][1], "input": "", "answer": ["Ivo writes a book."]}
    (line,), (sample,) = imported("infinitebench", [row])
    assert (line["id"], line["kind"], line["source"]) == ("sum-0", "summary", "InfiniteBench En.Sum")
    assert sample.key.references == ("Ivo writes a book.",)


def test_hotpotqa_has_its_supporting_sentences_as_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    lines, samples = imported("hotpotqa", ROWS["hotpotqa"])
    assert [line["kind"] for line in lines] == ["bridge", "comparison"]
    assert lines[0]["evidence"] == ["The ferry lands there.", "Ulla rows it."]
    assert "evidence" not in lines[1]  # the dataset itself names sentences that are not there
    (document,) = documents().values()
    assert document["text"] == "Ferry\nUlla rows it. It is old.\n\nQuay\nIt is stone. The ferry lands there."
    assert [placed.text for placed in samples[0].needles] == ["Ulla rows it.", "The ferry lands there."]
    for file in ("mine.jsonl", "mine.documents.jsonl"):
        Path(file).unlink()
    capsys.readouterr()
    row = {**ROWS["hotpotqa"][0], "supporting_facts": [["Mole", 0]]}
    assert "line 1, supporting_facts: names 'Mole'" in refused("hotpotqa", [row], capsys)


def test_hotpotqa_is_the_same_in_the_hubs_columns() -> None:
    lines, _ = imported("hotpotqa", ROWS["hotpotqa"])
    again()
    rows = [
        {
            **without(row, "_id"),
            "id": row["_id"],
            "context": dict(
                zip(("title", "sentences"), map(list, zip(*row["context"], strict=True)), strict=True)
            ),
            "supporting_facts": {
                "title": [title for title, _ in row["supporting_facts"]],
                "sent_id": [number for _, number in row["supporting_facts"]],
            },
        }
        for row in ROWS["hotpotqa"]
    ]
    assert imported("hotpotqa", rows)[0] == lines


def test_musique_keeps_aliases_and_unanswerable_questions() -> None:
    lines, samples = imported("musique", ROWS["musique"])
    assert [(line["kind"], line.get("evidence")) for line in lines] == [
        ("2hop", ["Ulla rows it."]),
        ("unanswerable", None),
    ]
    assert [sample.key.references for sample in samples] == [("Ulla", "the ferrywoman"), ()]


def test_squad_makes_an_article_one_document() -> None:
    lines, samples = imported("squad", ROWS["squad"])
    assert [line.get("kind") for line in lines] == [None, "unanswerable", None]
    assert [sample.key.references for sample in samples] == [("March", "in March"), (), ("August",)]
    assert lines[2]["evidence"] == ["It held until August."]
    (document,) = documents().values()
    assert document["title"] == "Ice house"
    assert document["text"] == "Oda filled the house in March.\n\nIt held until August."


def test_qasper_reads_annotators_as_its_evaluator_does(capsys: pytest.CaptureFixture[str]) -> None:
    lines, samples = imported("qasper", ROWS["qasper"])
    assert [(line["id"], line["kind"]) for line in lines] == [
        ("p1-0", "extractive"),
        ("p1-1", "boolean"),
        ("p2-0", "unanswerable"),
    ]
    assert [sample.key.references for sample in samples] == [
        ("two ferries, oars", "Two ferries", "Unanswerable"),
        ("Yes",),
        (),
    ]
    assert [[placed.text for placed in sample.needles] for sample in samples] == [
        ["Two ferries  were\nmeasured."],
        ["Both leak."],
        [],
    ]
    assert documents()["p1"]["text"] == (
        "Ferries and Words\n\nWe row.\n\nData: Boats\n\nTwo ferries  were\nmeasured.\n\nBoth leak."
    )
    again()
    asked = [{**ROWS["qasper"][1]["qas"][0], "answers": []}]
    capsys.readouterr()
    assert "line 1, qas.0.answers: is empty. Import the train or the dev split" in refused(
        "qasper", [{**ROWS["qasper"][0], "qas": asked}], capsys
    )


def test_qasper_is_the_same_by_paper_and_in_columns() -> None:
    lines, _ = imported("qasper", ROWS["qasper"])
    again()
    by_paper = {row["id"]: without(row, "id") for row in ROWS["qasper"]}
    Path("qasper-dev-v0.3.json").write_text(json.dumps(by_paper, indent=1))
    assert main(["questions", "import", "qasper", "qasper-dev-v0.3.json", "--out", "mine.jsonl"]) == 0
    assert [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()] == lines
    again()
    assert imported("qasper", [_in_columns(row) for row in ROWS["qasper"]])[0] == lines


def _in_columns(row: dict[str, Any]) -> dict[str, Any]:
    """The row as the hub has it."""
    qas = {key: [asked[key] for asked in row["qas"]] for key in ("question", "question_id")}
    answers = [{"answer": [each["answer"] for each in asked["answers"]]} for asked in row["qas"]]
    full_text = {key: [part[key] for part in row["full_text"]] for key in ("section_name", "paragraphs")}
    return {**row, "full_text": full_text, "qas": {**qas, "answers": answers}}


def test_a_mistake_in_an_object_of_rows_names_the_row(capsys: pytest.CaptureFixture[str]) -> None:
    Path("dev.json").write_text(json.dumps({"p1": without(ROWS["qasper"][0], "title")}))
    assert main(["questions", "import", "qasper", "dev.json"]) == 2
    assert "dev.json: entry 'p1', title: is missing. Name the file as" in capsys.readouterr().err


def test_rows_of_parquet_are_those_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = imported("qasper", ROWS["qasper"])
    again()
    parquet("one.parquet", [_in_columns(row) for row in ROWS["qasper"]])
    assert main(["questions", "import", "qasper", "one.parquet", "--out", "mine.jsonl"]) == 0
    assert [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()] == lines
    again()
    parquet("wrong.parquet", [without(row, "abstract") for row in ROWS["qasper"]])
    capsys.readouterr()
    assert main(["questions", "import", "qasper", "wrong.parquet", "--out", "mine.jsonl"]) == 2
    assert "wrong.parquet: row 1, abstract: is missing." in capsys.readouterr().err
    Path("cut.parquet").write_bytes(Path("one.parquet").read_bytes()[:200])
    assert main(["questions", "import", "qasper", "cut.parquet", "--out", "mine.jsonl"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cut.parquet: is a Parquet file that cannot be read" in line


def test_several_files_are_one_question_set(capsys: pytest.CaptureFixture[str]) -> None:
    for number, row in enumerate(ROWS["quality"]):
        Path(f"part-{number}.jsonl").write_text(json.dumps(row))
    assert (
        main(["questions", "import", "quality", "part-0.jsonl", "part-1.jsonl", "--out", "mine.jsonl"]) == 0
    )
    assert "3 questions over 1 documents" in capsys.readouterr().out
    again()
    Path("part-1.jsonl").write_text('{"article_id": "1"}')
    assert main(["questions", "import", "quality", "part-0.jsonl", "part-1.jsonl"]) == 2
    assert "2 files: part-1.jsonl, line 1, set_unique_id: is missing." in capsys.readouterr().err


def parquet(name: str, rows: list[dict[str, Any]]) -> None:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), name)


def again() -> None:
    """Makes room for the same question set once more."""
    for file in ("mine.jsonl", "mine.documents.jsonl"):
        Path(file).unlink()


def test_l_eval_has_options_where_one_letter_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    lines, samples = imported("l-eval", ROWS["l-eval"])
    assert [line["id"] for line in lines] == [
        "coursera-1-1",
        "coursera-1-2",
        "coursera-1-3",
        "multidoc_qa-2-1",
    ]
    assert lines[0]["question"] == "Question 1. What did Oda hide?"
    assert (samples[0].key.options, samples[0].key.answer_index) == (("a coin", "a key", "a rope"), 1)
    assert (samples[1].key.options, samples[1].key.references) == ((), ("BC",))
    assert [sample.key.references for sample in samples[2:]] == [("Oda",), ("Ulla",)]
    for file in ("mine.jsonl", "mine.documents.jsonl"):
        Path(file).unlink()
    capsys.readouterr()
    row = {**ROWS["l-eval"][0], "outputs": ["B"]}
    assert "line 1, outputs: has 1 answers to 3 instructions." in refused("l-eval", [row], capsys)


def test_helmet_numbers_one_question_at_several_depths() -> None:
    lines, samples = imported("helmet", ROWS["helmet"])
    assert [line["id"] for line in lines] == ["helmet-1", "helmet-2"]
    assert [document["text"] for document in documents().values()] == [
        "Ferry\nUlla rows.\n\nRain fell.",
        "Rain fell.\n\nFerry\nUlla rows.",
    ]
    assert samples[0].key.references == ("Ulla",)


_HELMET = {
    "ruler/niah_multivalue/validation_65536.jsonl": (
        {
            "context": "Oda keeps 41 and 97.",
            "query": "Oda",
            "type_needle_v": "numbers",
            "outputs": ["41", "97"],
        },
        "What are all the special magic numbers for Oda that the text mentions?",
        ("41, 97",),
    ),
    "ruler/vt/validation_65536.jsonl": (
        {"context": "VAR A = 12 VAR B = VAR A", "query": "12", "num_v": 2, "outputs": ["A", "B"]},
        "Find all variables that are assigned the value 12 in the text above.",
        ("A, B",),
    ),
    "ruler/cwe/validation_65536.jsonl": (
        {"context": "1. oar 2. oar 3. mole", "outputs": ["oar", "mole"]},
        "What are the ten words that appear most often in the list above?",
        ("oar, mole",),
    ),
    "ruler/qa_1/validation_65536.jsonl": (
        {"context": "Document 1: Ulla rows.", "question": "Who rows?", "answer": ["Ulla", "Ulla Berg"]},
        "Who rows?",
        ("Ulla", "Ulla Berg"),
    ),
    "json_kv/test_k2_dep6.jsonl": (
        {"context": '{"9f": "c4", "11": "d8"}', "question": "9f", "answer": "c4", "num_kvs": 2, "demos": []},
        "9f",
        ("c4",),
    ),
    "alce/asqa_eval_gtr_top2000.json": (
        {"question": "Who rows?", "docs": [{"title": "Ferry", "text": "Ulla rows."}], "answer": "Ulla does."},
        "Who rows?",
        ("Ulla does.",),
    ),
    "alce/qampari_eval_gtr_top2000.json": (
        {
            "question": "Who row?",
            "docs": [{"text": "Ulla and Ivo row."}],
            "answers": [["Ulla", "U."], ["Ivo"]],
        },
        "Who row?",
        ("Ulla, Ivo",),
    ),
}


@pytest.mark.parametrize("name", _HELMET)
def test_helmets_other_files(name: str) -> None:
    row, question, references = _HELMET[name]
    file = Path("data") / name
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps([row]))
    assert main(["questions", "import", "helmet", str(file), "--out", "mine.jsonl"]) == 0
    (sample,) = question_samples(Path("mine.jsonl"), "cl100k", "u-niah")
    assert (sample.key.question, sample.key.references) == (question, references)
    assert sample.key.kind == (file.parent.name if "ruler" in name else file.stem)


def _to_rank(*labels: int | None, qid: str = "7") -> dict[str, Any]:
    """A row of msmarco: passages with the ids 11, 12 and so on."""
    texts = ("Rain fell.", "Ulla rows.", "Ivo rowed once.")
    passages = [
        {"id": str(number), "text": text, **({} if label is None else {"label": label})}
        for number, text, label in zip(range(11, 14), texts, labels, strict=False)
    ]
    return {"qid": qid, "query": "who rows", "ctxs": passages}


def test_helmets_passages_are_ranked() -> None:
    titled = _to_rank(1, 0, 0, qid="8")
    titled["ctxs"][0]["title"] = "Weather"
    lines, samples = imported("helmet", [_to_rank(0, 3, 1), titled])
    assert [line["answers"] for line in lines] == [["12 (3) > 13 (1)"], ["11 (1)"]]
    texts = [document["text"] for document in documents().values()]
    assert texts[0] == "[ID: 11] Rain fell.\n\n[ID: 12] Ulla rows.\n\n[ID: 13] Ivo rowed once."
    assert texts[1].startswith("[ID: 11] Weather\nRain fell.\n\n[ID: 12]")
    key = samples[0].key
    assert key.question.endswith("Query: who rows")
    # 3 / log2(3) + 1 / log2(4), by 3 + 1 / log2(3)
    assert METRICS["ndcg-10"].of_key("ID11 > ID12 > ID13", key) == pytest.approx(0.6590018)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ((0, 0, 0), "line 1, ctxs: holds no passage with a label above 0: nothing to rank."),
        ((1, None, 0), "line 1, ctxs.1.label: is missing."),
        ((-1, 1, 0), "line 1, ctxs.0.label"),
    ],
)
def test_passages_that_cannot_be_ranked(
    labels: tuple[int | None, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused("helmet", [_to_rank(*labels)], capsys)


def test_passages_need_ids_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    twice = _to_rank(1, 0)
    twice["ctxs"][1]["id"] = "11"
    assert "line 1, ctxs: holds the id 11 twice." in refused("helmet", [twice], capsys)
    twice["ctxs"][1]["id"] = "D11"
    assert "line 1, ctxs.1.id" in refused("helmet", [twice], capsys)
    del twice["ctxs"][1]["id"]
    assert "line 1, ctxs.1.id: is missing." in refused("helmet", [twice], capsys)


def test_helmet_says_what_is_no_answer_and_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    unanswered = {"question": "Who rows?", "ctxs": [{"text": "Ulla rows."}]}
    assert "line 1, answers: is missing." in refused("helmet", [unanswered], capsys)
    bare = {"question": "Who rows?", "answer": "Ulla"}
    assert "line 1, context: is missing." in refused("helmet", [bare], capsys)


def novelqa(folder: Path) -> list[str]:
    """Two novels as NovelQA.zip unpacks; the files of their questions."""
    for part in ("Books", "Data"):
        (folder / part / "PublicDomain").mkdir(parents=True)
    (folder / "bookmeta.json").write_text(
        json.dumps({"B00": {"title": "The Ferry"}, "B01": {"title": "Ice"}})
    )
    files = []
    for book in ("B00", "B01"):
        (folder / "Books" / "PublicDomain" / f"{book}.txt").write_text(f"{book}: Ivo rows twice.\n")
        rows = {row["QID"]: without(row, "QID") for row in ROWS["novelqa"]}
        data = folder / "Data" / "PublicDomain" / f"{book}.json"
        data.write_text(json.dumps(rows, indent=1))
        files.append(str(data))
    return files


@pytest.mark.parametrize("kind", ["novelqa", "novelqa-gen"])
def test_novelqa_has_novels_and_no_answers(kind: str) -> None:
    files = novelqa(Path("NovelQA"))
    assert main(["questions", "import", kind, *files, "--out", "mine.jsonl"]) == 0
    lines = [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["B00-Q0002", "B00-Q0001", "B01-Q0002", "B01-Q0001"]
    assert all(line["withheld"] and "answers" not in line for line in lines)
    assert [len(line.get("options", ())) for line in lines] == ([4, 2] * 2 if kind == "novelqa" else [0] * 4)
    assert {(id, one["title"], one["text"]) for id, one in documents().items()} == {
        ("B00", "The Ferry", "B00: Ivo rows twice.\n"),
        ("B01", "Ice", "B01: Ivo rows twice.\n"),
    }
    samples = question_samples(Path("mine.jsonl"), "cl100k", "u-niah")
    assert all(sample.key.withheld and not sample.key.references for sample in samples)


def test_novelqa_says_what_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    file, _ = novelqa(Path("NovelQA"))
    Path("NovelQA/Books/PublicDomain/B00.txt").unlink()
    assert main(["questions", "import", "novelqa", file]) == 2
    assert "B00.json: entry 'Q0002': has no novel: neither " in capsys.readouterr().err
    Path("NovelQA/Books/PublicDomain/B00.txt").write_text("A novel.")
    Path("NovelQA/bookmeta.json").write_text("{")
    assert main(["questions", "import", "novelqa", file]) == 2
    assert "bookmeta.json beside it, which is no JSON object." in capsys.readouterr().err


def test_lc_vs_rag_knows_its_sets_by_their_files(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("toeflqa.jsonl")
    file.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS["lc-vs-rag"]))
    assert main(["questions", "import", "lc-vs-rag", str(file), "--out", "mine.jsonl"]) == 0
    lines = [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["toeflqa-1-1", "toeflqa-1-2", "toeflqa-2-1"]
    assert {(line["kind"], line["source"]) for line in lines} == {("toeflqa", "dialogue")}
    assert (lines[1]["question"], lines[1]["options"]) == ("What is rowed?", ["a barge", "the ferry"])
    assert lines[1]["answer_index"] == 1
    for left in ("mine.jsonl", "mine.documents.jsonl", "toeflqa.jsonl"):
        Path(left).unlink()
    capsys.readouterr()
    row = {**ROWS["lc-vs-rag"][0], "answer": ["Ulla"]}
    assert "line 1, answer: has 1 answers to 2 questions." in refused("lc-vs-rag", [row], capsys)
