"""Generated cases: exact positions and lengths, counted again from outside; the same bytes every time."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import niah as api
from tests.contract.conftest import Niah, run_niah, write
from tests.recount import (
    Row,
    Tokens,
    background,
    generate,
    insertions,
    left_over,
    places,
    size,
    smollm2_counts,
)
from tests.script_texts import compose, compose_text

KEYS = {
    *("case_id", "needle_set", "haystack", "context_length", "depth", "seed", "tokenizer", "mode"),
    *("question", "answer", "elements", "needles", "distractors", "tokens", "prompt_tokens", "sha256"),
}
LANGUAGES = {"english": "es", "russian": "ru", "chinese": "zh", "arabic": "ar", "hindi": "hi"}
SIZE = 20_000
DOORS = {
    "vermilion": "On Kestle quay the north door is vermilion, as the harbour board wished.",
    "ochre": "The middle door of Kestle quay, which sticks in wet weather, is ochre.",
    "turquoise": "They painted the south door of Kestle quay turquoise.",
}
QUAY = {
    "question": "Which three colours do the doors of Kestle quay have?",
    "answer": "The doors of Kestle quay are vermilion, ochre and turquoise.",
    "elements": [{"name": "vermilion"}, {"name": "ochre", "aliases": ["ocher"]}, {"name": "turquoise"}],
    "needles": [{"id": name, "text": text} for name, text in DOORS.items()],
    "distractors": [
        {"id": "other", "text": "The doors of Hask quay are mauve, to the grief of its pilots."},
        {"id": "older", "text": f"Before a flood a door of Kestle quay {'was painted, ' * 30}beige."},
    ],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder with the needle set ``quay`` and small haystacks of five scripts and of lines."""
    folder = tmp_path_factory.mktemp("cases")
    write(folder / "needles" / "quay.yaml", json.dumps(QUAY))
    for kind in (*LANGUAGES, "logs", "csv"):
        write(folder / kind / "text.txt", compose_text(kind, SIZE))
    return folder


def pieces(kind: str) -> set[str]:
    """The sentences or lines of a small haystack."""
    header = ["number,name,place,date,thing,worth"] if kind == "csv" else []
    return {*header, *(piece for paragraph in compose(kind, SIZE // 60 + 2) for piece in paragraph)}


def suite(**keys: Any) -> Row:
    """The grid of one case of ``quay`` in the English text, with ``keys`` in place of its own."""
    one = {"haystacks": ["./english"], "needle_sets": ["quay"], "lengths": [700], "depths": [37]}
    return one | {"seeds": [1]} | keys


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k", "minilm", "anthropic/claude-2", "own"])
def test_tokenizers_count_the_same_from_outside(place: Path, tokenizer: str) -> None:
    name = unigram(place) if tokenizer == "own" else tokenizer
    asked = suite(tokenizer=name, lengths=[1200], depths=[0, 12.3, 100], distractors=2, order="shuffled")
    for row in in_both_modes(place, asked, "english"):
        assert (row["tokenizer"], len(row["distractors"])) == (name, 2)


def in_both_modes(place: Path, asked: Row, kind: str) -> list[Row]:
    """The cases in exact and in contiguous mode, of which no count, place or border is wrong."""
    rows = [row for mode in ("exact", "contiguous") for row in generate(place, asked | {"mode": mode})]
    longest = max(size(rows[0]["tokenizer"], piece) for piece in pieces(kind))
    for row in rows:
        room = longest if row["mode"] == "contiguous" else 0
        assert 0 <= row["context_length"] - len(Tokens(row["tokenizer"], row["input"])) <= room
        assert all(0 <= asked_token - at <= room for at, asked_token in places(row))
        assert left_over(row, pieces(kind)) == ""
        text = re.sub(r"\s", "", compose_text(kind, SIZE))
        whole = re.sub(r"\s", "", "".join(background(row)))
        assert (whole in text * 2) == (row["mode"] == "contiguous"), "one unbroken passage"
    assert len({row["mode"] for row in rows}) == 2
    return rows


def unigram(place: Path) -> str:
    """A Unigram tokenizer that is trained here; SentencePiece's space in front of each text."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.UnigramTrainer(vocab_size=2000, special_tokens=["<unk>"], unk_token="<unk>")
    tokenizer.train_from_iterator([compose_text("english", SIZE), json.dumps(QUAY)], trainer)
    tokenizer.save(str(place / "own.json"))
    return str(place / "own.json")


def test_smollm2_counts_as_llama_cpp_does(place: Path) -> None:
    gate = {"question": "What is the code?", "answer": "7316", "needles": [{"text": "The code is 7316."}]}
    write(place / "needles" / "gate.yaml", json.dumps(gate))
    (row,) = generate(place, suite(tokenizer="smollm2", needle_sets=["gate"], lengths=[300]))
    first = row["needles"][0]
    before = row["context"][: first["start"]].rstrip()
    assert smollm2_counts(row["input"], before) == [300, first["token_start"]]
    assert first["token_start"] == first["asked_token"]


@pytest.mark.parametrize("kind", [*LANGUAGES, "logs", "csv"])
def test_five_scripts_are_cut_between_sentences_and_two_tables_between_lines(place: Path, kind: str) -> None:
    needle_set = f"boats-{LANGUAGES[kind]}@3" if kind in LANGUAGES else "quay"
    asked = suite(haystacks=[f"./{kind}"], needle_sets=[needle_set], lengths=[1500], depths=[20, 81])
    for row in in_both_modes(place, asked | {"distractors": 1}, kind):
        own = {each["text"] for each in [*row["needles"], *row["distractors"]]}
        assert kind in LANGUAGES or own <= set(row["context"].splitlines())


@pytest.mark.parametrize(
    ("needle_set", "haystack", "length", "least", "most"),
    [
        ("academy-courses-brief", "essays", 2000, 15, 50),
        ("starlight-short@5", "starlight", 1500, 40, 80),
        ("starlight-long@3", "starlight", 3000, 390, 510),
        ("starlight-nested@4", "starlight", 4000, 15, 60),
        ("needle-in-needle", "essays", 12000, 15, 110),
    ],
)
def test_needles_short_long_and_nested_stand_where_the_formula_asks(
    place: Path, needle_set: str, haystack: str, length: int, least: int, most: int
) -> None:
    asked = suite(needle_sets=[needle_set], haystacks=[haystack], lengths=[length], depths=[0, 33, 100])
    for row in generate(place, asked):
        assert len(Tokens("cl100k", row["input"])) == length
        assert all(at == d for at, d in places(row))
        sizes = [size("cl100k", each["text"]) for each in row["needles"]]
        assert least <= min(sizes) <= max(sizes) <= most
        assert all(re.search(r"(^|[.?!:][”’\"')\]*_]*)\s*$", part) for part in background(row)[:-1])
        nested = Counter(
            passage["id"]
            for needle in row["needles"]
            for passage in row["passages"]
            if passage["start"] <= needle["start"] < needle["end"] <= passage["end"]
        )
        assert nested.total() == ("nest" in needle_set or "-in-" in needle_set) * len(sizes)
        assert not nested or len({nested[each["id"]] for each in row["passages"]}) > 1, "unevenly"


def test_distractors_stand_where_they_are_asked(place: Path) -> None:
    for depth in ("before", "after", "near", "spread"):
        for row in in_both_modes(
            place, suite(distractors=2, distractor_depth=depth, lengths=[1500]), "english"
        ):
            others = "".join("-x"[each in row["distractors"]] for each in insertions(row))
            assert re.fullmatch(
                {"before": "xx---", "after": "---xx", "near": ".*x-.*"}.get(depth, ".{5}"), others
            )


def test_the_background_depends_on_haystack_and_seed_alone(place: Path) -> None:
    grid = suite(lengths=[700, 1100], depths=[20, 60, 100], seeds=[1, 2, 3])
    first: dict[int, set[str]] = {1: set(), 2: set(), 3: set()}
    for row in generate(place, grid | {"needle_sets": ["quay", "three-gates"]}):
        first[row["seed"]].add(row["context"][:100])
    assert all(len(starts) == 1 for starts in first.values())
    assert len(set.union(*first.values())) == 3


def test_a_world_is_drawn_by_the_seed(place: Path) -> None:
    grid = suite(haystacks=["starlight"], needle_sets=["starlight-short@3"], seeds=[1, 2])
    one, two = generate(place, grid)
    assert one["answer"] != two["answer"]
    names = [set(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{3,}", row["context"])) for row in (one, two)]
    assert len(names[0] & names[1]) <= len(names[0] | names[1]) / 3
    assert "{{" not in one["context"]
    assert [row["context"] for row in generate(place, grid)] == [one["context"], two["context"]]


def test_a_line_has_every_key_and_is_rebuilt_byte_for_byte(place: Path) -> None:
    grid = suite(distractors=1, depths=[0, 50])
    rows = generate(place, grid)
    assert rows == generate(place, grid)
    assert run_niah("generate", "suite.yaml", "--out", "bare", cwd=place).code == 0
    bare = [json.loads(line) for line in (place / "bare").read_text("utf-8").splitlines()]
    assert run_niah("generate", "suite.yaml", "--out", "-", cwd=place).rows == bare
    assert "context" not in bare[0]
    extra = ("context", "input")
    assert rows == [line | {key: row[key] for key in extra} for line, row in zip(bare, rows, strict=True)]
    assert len({row["case_id"] for row in rows}) == 2
    for row in rows:
        assert set(row) >= KEYS
        spans = {"id", "text", "start", "end", "token_start"}
        assert set(row["distractors"][0]) >= spans
        assert set(row["needles"][0]) >= {*spans, "elements", "asked_token"}
        assert row["elements"][1] == {"name": "ochre", "aliases": ["ocher"]}
        assert [needle["elements"] for needle in row["needles"]] == [[name] for name in DOORS]
        assert (row["question"], row["answer"]) == (QUAY["question"], QUAY["answer"])
        assert re.fullmatch(r"niah:canary:[0-9a-f-]{36}", row["canary"])
        shown = json.loads(run_niah("show", row["case_id"], "--json", cwd=place).out)
        assert shown["context"] == row["context"]


def test_python_gives_the_same_cases_as_the_command(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = generate(place, suite(depths=[10, 90]))
    monkeypatch.chdir(place)
    contexts = [case.context for case in api.cases("suite.yaml")]
    assert [hashlib.sha256(each.encode()).hexdigest() for each in contexts] == [row["sha256"] for row in rows]


def test_a_haystack_that_answers_by_accident_stops_or_loses_the_sentence(niah: Niah, folder: Path) -> None:
    write(folder / "needles" / "quay.yaml", json.dumps(QUAY))
    said = "The old lighthouse was ochre in those days."
    write(folder / "hay.txt", compose_text("english", SIZE).replace("\n\n", f" {said}\n\n"))
    grid = suite(haystacks=["./hay.txt"], lengths=[1500])
    write(folder / "suite.yaml", json.dumps(grid))
    stopped = niah("generate", "suite.yaml", "--with-context")
    assert (stopped.code, stopped.out) == (2, "")
    assert "ochre" in stopped.err
    assert "needle, or leave it out by a suite with accidents: avoid." in stopped.err
    write(folder / "suite.yaml", json.dumps(grid | {"accidents": "avoid"}))
    (row,) = niah("generate", "suite.yaml", "--with-context", "--audit").rows
    assert said not in row["context"]
    assert left_over(row | {"passages": []}, pieces("english")) == ""
    assert row["tokens"] + row["prompt_tokens"] == 1500


def test_what_cannot_be_built_is_left_out_and_named(niah: Niah, folder: Path) -> None:
    write(folder / "needles" / "quay.yaml", json.dumps(QUAY))
    write(folder / "short.txt", compose_text("english", SIZE))
    grid = suite(haystacks=["./short.txt"], lengths=[40, 1500], skip="impossible")
    write(folder / "suite.yaml", json.dumps(grid))
    assert niah("generate", "suite.yaml", "--out", "made.jsonl").code == 0
    (left,) = [json.loads(line) for line in (folder / "made.left-out.jsonl").read_text("utf-8").splitlines()]
    assert (left["context_length"], left["needle_set"]) == (40, "quay")
    assert len((folder / "made.jsonl").read_text("utf-8").splitlines()) == 1
    write(folder / "suite.yaml", json.dumps(grid | {"skip": "nothing"}))
    assert niah("generate", "suite.yaml").code == 2


ENDLESS = "It was so. " * 90 + "A" * 9000 + " " + "So it was, they said. " * 400


@pytest.mark.parametrize("kind", ["chinese", "logs", "csv", "endless"])
def test_every_case_of_a_haystack_is_built_exact_or_contiguous(niah: Niah, folder: Path, kind: str) -> None:
    write(folder / "needles" / "quay.yaml", json.dumps(QUAY))
    text = ENDLESS if kind == "endless" else compose_text(kind, SIZE)
    write(folder / f"{kind}-15.txt", text)
    grid = suite(
        haystacks=[f"./{kind}-15.txt"], lengths=[500, 1000, 2000], depths=[0, 25, 50, 75, 100], repeat=True
    )
    write(folder / "suite.yaml", json.dumps(grid))
    made = niah("generate", "suite.yaml", "--with-context", "--audit", "--out", "made.jsonl")
    rows = [json.loads(line) for line in (folder / "made.jsonl").read_text("utf-8").splitlines()]
    assert (made.code, len(rows)) == (0, 15)
    contiguous = [row for row in rows if row["mode"] == "contiguous"]
    for row in rows:
        total, exact = row["tokens"] + row["prompt_tokens"], row["mode"] == "exact"
        assert total == row["context_length"] if exact else total <= row["context_length"]
        for needle in row["needles"]:
            assert needle["token_start"] == needle["asked_token"] or (
                not exact and needle["token_start"] < needle["asked_token"]
            )
    lines = [line for line in made.err.splitlines() if "contiguous" in line]
    assert len(lines) == bool(contiguous)
    assert not lines or lines[0].startswith(f"{len(contiguous)} of 15 cases")
    if contiguous:
        write(folder / "suite.yaml", json.dumps(grid | {"mode": "exact"}))
        assert niah("generate", "suite.yaml", "--out", "made.jsonl").code == 2
