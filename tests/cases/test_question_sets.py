from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from niah.cases.prompts import load_prompt, prompt_names
from niah.cases.question_sets import (
    describe_question_set,
    question_samples,
    question_set_names,
    question_set_path,
)
from niah.cases.questions import question_lines
from niah.cases.questions.question_lines import QuestionLine
from niah.cases.records import CANARY
from niah.cases.sample import Sample
from niah.cases.samples import rebuild
from niah.errors import CaseError, ConfigError, UnknownName
from niah.text.tokenizer import count, get_tokenizer

MANUAL = """# Pump P-7

| part | torque (Nm) |
| --- | ---: |
| cover bolt | 24 |
| drain plug | 11 |

Close the valve first. Then
open the drain.\tWait.

```python
if depth < 0:
    raise ValueError("above the water")
```
"""

FREE = {
    "id": "torque",
    "question": "How tight is the drain plug?",
    "document_id": "pump",
    "answers": ["11 Nm", "11 newton metres"],
    "kind": "table",
    "source": "our own manuals",
    "licence": "CC0",
    "evidence": ["| drain plug | 11 |"],
}
CHOICE = {
    "id": "first step",
    "question": "What comes first?",
    "document_id": "pump",
    "options": ["opening the drain", "closing the valve", "waiting"],
    "answer_index": 1,
}


def question_set(folder: Path, *lines: dict[str, Any], name: str = "mine") -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    documents = [{"id": "pump", "text": MANUAL, "title": "Pump P-7"}, {"id": "none", "text": "Nothing."}]
    (folder / f"{name}.documents.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in documents))
    return path


def samples(path: Path, prompt: str = "u-niah", tokenizer: str = "cl100k") -> list[Sample]:
    return question_samples(path, tokenizer, prompt)


def test_a_line_is_a_sample_with_key_document_and_evidence(tmp_path: Path) -> None:
    free, choice = samples(question_set(tmp_path, FREE, CHOICE))
    assert (free.sample_id, choice.sample_id) == ("mine_torque", "mine_first-step")
    assert (free.origin, free.question_set, free.document_id) == ("given", "mine", "pump")
    assert (free.source_name, free.licence, free.key.kind) == ("our own manuals", "CC0", "table")
    assert free.key.references == ("11 Nm", "11 newton metres")
    (placed,) = free.needles
    assert (
        MANUAL[placed.start : placed.end] == placed.text == free.key.needles[0].text == "| drain plug | 11 |"
    )
    assert (choice.key.references, choice.key.answer_index) == (("closing the valve",), 1)
    assert (choice.key.options, choice.evidence_is_known) == (
        ("opening the drain", "closing the valve", "waiting"),
        False,
    )
    assert (free.needle_set, free.haystack, free.depth, free.seed) == (None, None, None, None)


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
def test_tokens_and_prompt_tokens_are_those_of_the_whole_prompt(tmp_path: Path, tokenizer: str) -> None:
    for sample in samples(question_set(tmp_path, FREE, CHOICE), tokenizer=tokenizer):
        prompt = load_prompt("u-niah").render(MANUAL, sample.key.question, sample.key.options)
        assert sample.context_length == count(get_tokenizer(tokenizer), prompt)
        assert sample.tokens == count(get_tokenizer(tokenizer), MANUAL)


def test_a_context_is_the_document_byte_for_byte(tmp_path: Path) -> None:
    sample = samples(question_set(tmp_path, FREE))[0]
    assert rebuild(sample).text == MANUAL
    assert rebuild(sample).needles == sample.needles


def test_a_document_may_stand_in_its_line_and_is_one_however_many_ask_of_it(tmp_path: Path) -> None:
    first = {"id": "a", "question": "What is it?", "answers": ["A pump."], "document": MANUAL}
    other = {**first, "id": "c", "document": "Another text.\r\nOf two lines."}
    a, b, c = samples(question_set(tmp_path, first, {**first, "id": "b"}, other))
    assert (a.document_id, b.document_id, c.document_id) == ("a", "a", "c")
    assert rebuild(b).text == MANUAL
    assert rebuild(c).text == "Another text.\r\nOf two lines."


def test_a_document_may_be_one_that_ships_and_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = question_set(
        tmp_path, {**FREE, "document_id": "essays/brine", "evidence": ["in the middle of Cheshire"]}
    )
    sample = samples(path)[0]
    monkeypatch.chdir(tmp_path)
    assert rebuild(sample).text.startswith("The floor of the pan house at Marston slopes")
    assert not Path(str(sample.source.path)).is_absolute()  # type: ignore[union-attr]


def test_evidence_may_differ_in_white_space_and_is_told_as_the_document_has_it(tmp_path: Path) -> None:
    line = {**FREE, "evidence": ["Then open the drain.", "Close the valve first."]}
    placed = samples(question_set(tmp_path, line))[0].needles
    assert [needle.text for needle in placed] == ["Close the valve first.", "Then\nopen the drain."]
    assert placed[0].token_start < placed[1].token_start


def test_the_right_option_may_be_named_by_its_text(tmp_path: Path) -> None:
    line = {key: value for key, value in CHOICE.items() if key != "answer_index"} | {"answers": ["waiting"]}
    assert samples(question_set(tmp_path, line))[0].key.answer_index == 2


def test_a_question_without_an_answer_says_so(tmp_path: Path) -> None:
    line = {"id": "x", "question": "Who made it?", "document_id": "pump", "kind": "unanswerable"}
    assert samples(question_set(tmp_path, line))[0].key.references == ()


def test_what_is_null_is_not_there(tmp_path: Path) -> None:
    line = {**FREE, "document": None, "options": None, "answer_index": None}
    assert samples(question_set(tmp_path, line))[0].key.options == ()


def test_room_for_an_answer_grows_with_the_reference(tmp_path: Path) -> None:
    long = {**FREE, "id": "long", "answers": ["word " * 400]}
    assert [sample.key.answer_tokens for sample in samples(question_set(tmp_path, FREE, CHOICE, long))] == [
        128,
        256,
        pytest.approx(800, abs=4),
    ]


def test_identity_is_what_is_asked_and_not_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "moved").mkdir()
    here = samples(question_set(tmp_path, FREE))[0]
    there = samples(question_set(tmp_path / "moved", FREE))[0]
    assert (here.sample_id, here.fingerprint) == (there.sample_id, there.fingerprint)
    for change in (
        {"question": "How tight?"},
        {"answers": ["12 Nm"]},
        {"document_id": "none", "evidence": []},
    ):
        assert samples(question_set(tmp_path, {**FREE, **change}))[0].fingerprint != here.fingerprint
    assert samples(question_set(tmp_path, FREE), prompt="lc-vs-rag")[0].fingerprint != here.fingerprint
    assert samples(question_set(tmp_path, FREE), prompt="lc-vs-rag")[0].sample_id == "mine_torque_p-lc-vs-rag"


def test_a_document_that_changed_or_went_is_a_clear_error(tmp_path: Path) -> None:
    path = question_set(tmp_path, FREE)
    sample = samples(path)[0]
    beside = tmp_path / "mine.documents.jsonl"
    beside.write_text(json.dumps({"id": "pump", "text": "Another pump."}))
    with pytest.raises(CaseError, match="its document 'pump' has changed since the run was planned"):
        rebuild(sample)
    beside.unlink()
    with pytest.raises(CaseError, match=r"mine_torque: its document cannot be read any more: .*No such file"):
        rebuild(sample)


def test_a_document_is_read_once_for_many_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        {**FREE, "id": str(n), "document_id": ("pump", "none")[n % 2], "evidence": []} for n in range(40)
    ]
    read: list[Path] = []
    lines_of = question_lines._lines

    def counted(path: Path) -> Iterator[tuple[int, int, bytes]]:
        read.append(path)
        return lines_of(path)

    monkeypatch.setattr(question_lines, "_lines", counted)
    path = question_set(tmp_path, *lines)
    assert [sample.key.name for sample in samples(path)] == [str(n) for n in range(40)]
    assert sorted(file.name for file in read) == ["mine.documents.jsonl", "mine.jsonl"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"qestion": "?"}, "line 2, qestion: unknown key. Did you mean 'question'"),
        ({"question": ""}, "line 2, question: is empty"),
        ({"answers": "11 Nm"}, "line 2, answers: should be a list .* Put it in"),
        ({"answers": [11]}, "line 2, answers.0: should be text .* Put it in quotes"),
        ({"answers": []}, "line 2, answers: holds no answer. Add one, or write kind: unanswerable"),
        ({"id": "first step"}, "line 2, id: 'first step' is also the id of line 1"),
        ({"document": "Text."}, "line 2: has both a document and a document_id. Write"),
        ({"document_id": None}, "line 2: has no document. Write the text as document"),
        ({"document_id": "pumps"}, "line 2, document_id: no document called 'pumps'. Did you mean 'pump'"),
        ({"document_id": "essays/brin"}, "line 2, document_id: .* Did you mean 'essays/brine'"),
        ({"document_id": "starlight/aniseed"}, "line 2, document_id: 'starlight' is a world"),
        ({"options": ["one", "one"]}, "line 2, options: 'one' stands twice"),
        ({"options": ["one", "two"]}, "line 2, answer_index: is missing, and the answers are not"),
        (
            {"options": ["one", "two"], "answer_index": 2},
            "line 2, answer_index: is 2, and there are 2 options",
        ),
        ({"kind": "unanswerable"}, "line 2, kind: is unanswerable, and there is an answer. Take one of them"),
        (
            {"kind": "unanswerable", "answers": [], "options": ["one", "two"], "answer_index": 1},
            "line 2, kind: is unanswerable, and there is an answer",
        ),
        ({"answer_index": 0}, "line 2, answer_index: counts options, and there are none"),
        (
            {"evidence": ["drain plug"] * 2 + ["rusty"]},
            "line 2, evidence.2: the document 'pump' does not hold",
        ),
    ],
)
def test_one_clear_message_with_file_line_key_and_remedy(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    with pytest.raises(ConfigError, match=rf"mine\.jsonl: {says}") as caught:
        samples(question_set(tmp_path, CHOICE, {**FREE, **change}))
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no question"),
        ("\n[1]\n", "line 2: is not a JSON object"),
        ('{"id": "a"', "line 1: is not JSON"),
        ("\n\nid: a\n", "line 3: is not JSON"),
    ],
)
def test_what_is_no_question_set_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text)
    with pytest.raises(ConfigError, match=rf"mine\.jsonl: {says}"):
        samples(path)


def test_one_option_is_no_choice(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"line 1, options: .* at least 2 entries, and has 1"):
        samples(question_set(tmp_path, {**CHOICE, "options": ["closing the valve"]}))


def test_mistakes_in_documents_name_their_own_file(tmp_path: Path) -> None:
    path = question_set(tmp_path, FREE)
    (tmp_path / "mine.documents.jsonl").write_text('{"id": "pump"}\n')
    with pytest.raises(ConfigError, match=r"mine\.documents\.jsonl: line 1, text: is missing"):
        samples(path)


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(tmp_path: Path) -> None:
    path = question_set(tmp_path, FREE)
    path.write_bytes(
        b"\xef\xbb\xbf" + json.dumps({**FREE, "document_id": None, "document": MANUAL}).encode() + b"\r\n"
    )
    assert rebuild(samples(path)[0]).text == MANUAL


def test_options_need_a_prompt_that_shows_them(tmp_path: Path) -> None:
    path = question_set(tmp_path, FREE, CHOICE)
    with pytest.raises(
        ConfigError, match=r"line 2, question: prompt 'dos-rag-qa' does not show .* dos-rag-mcq"
    ):
        samples(path, prompt="dos-rag-qa")
    with pytest.raises(ConfigError, match="line 1, question: prompt 'dos-rag-mcq' needs options"):
        samples(path, prompt="dos-rag-mcq")


def test_names_look_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cases" / "questions"
    folder.mkdir(parents=True)
    question_set(folder, FREE)
    monkeypatch.chdir(tmp_path)
    assert "mine" in question_set_names()
    assert not any(name.endswith("documents") for name in question_set_names())
    assert question_set_path("mine") == question_set_path("cases/questions/mine.jsonl")
    with pytest.raises(UnknownName, match=r"no question set called 'mien'\. Did you mean 'mine'"):
        question_set_path("mien")


@pytest.mark.parametrize("prompt", ["u-niah", "lc-vs-rag"])
def test_the_questions_over_the_shipped_essays(prompt: str) -> None:
    shipped = samples(question_set_path("essays"), prompt=prompt)
    choices = [sample for sample in shipped if sample.key.options]
    assert (len(shipped), len(choices), len({sample.document_id for sample in shipped})) == (40, 20, 10)
    assert all(sample.needles and sample.licence == "Apache-2.0" for sample in shipped)
    # No place among the options is the right one more often than a third of the time.
    places = [sample.key.answer_index for sample in choices]
    assert max(map(places.count, range(4))) <= 7
    # Nor is it the longest one more often than half of the time: what a reader could guess by.
    longest = 0
    for sample in choices:
        lengths = [len(option) for option in sample.key.options]
        longest += max(lengths) == lengths[sample.key.answer_index or 0]
    assert longest <= len(choices) // 2


def test_every_line_that_ships_carries_the_canary() -> None:
    for path in (question_set_path("essays"), Path("tests/bench/gutenberg.jsonl")):
        assert all(json.loads(line)["canary"] == CANARY for line in path.read_text().splitlines())


def test_described_in_one_line() -> None:
    says = "40 questions (20 multiple choice) over 10 documents; niah's own essays; Apache-2.0"
    assert describe_question_set("essays") == says


def test_the_example_in_the_docs_is_a_question_set(tmp_path: Path) -> None:
    lines = re.findall(r"^\{.*\}$", Path("docs/questions.md").read_text(), re.MULTILINE)
    path = question_set(tmp_path, *map(json.loads, lines))
    assert [sample.key.name for sample in samples(path)] == ["drain-plug", "first-step"]


def test_the_docs_name_every_key() -> None:
    page = Path("docs/questions.md").read_text()
    assert [key for key in QuestionLine.model_fields if f"`{key}`" not in page] == []
    assert [name for name in prompt_names() if f"| `{name}` |" not in page] == []
