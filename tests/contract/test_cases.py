"""Generated cases: exact positions and lengths, counted again from outside; the same bytes every time."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

import niah as api
from tests.contract.conftest import Niah, run_niah, write
from tests.contract.recount import Row, Tokens, background, generate, places, rebuilt, smollm2_counts
from tests.contract.small_texts import SCRIPTS, left_over, lines, prose, sentences

CANARY = r"niah:canary:[0-9a-f-]{36}"
KEYS = {
    *("case_id", "needle_set", "haystack", "context_length", "depth", "seed", "tokenizer", "mode"),
    *("question", "answer", "elements", "needles", "distractors", "tokens", "prompt_tokens", "sha256"),
}
QUAY = {
    "question": "Which three colours do the doors of Kestle quay have?",
    "answer": "The doors of Kestle quay are vermilion, ochre and turquoise.",
    "elements": [{"name": "vermilion"}, {"name": "ochre", "aliases": ["ocher"]}, {"name": "turquoise"}],
    "needles": [
        {"id": "north", "text": "On Kestle quay the north door is vermilion, as the harbour board wished."},
        {"id": "middle", "text": "The middle door of Kestle quay, which sticks in wet weather, is ochre."},
        {"id": "south", "text": "They painted the south door of Kestle quay turquoise."},
    ],
    "distractors": [
        {"id": "other", "text": "The doors of Hask quay are mauve, to the grief of its pilots."},
        {"id": "older", "text": "Before the flood a door of Kestle quay was to become beige."},
    ],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder with the needle set ``quay`` and small haystacks of all scripts and of lines."""
    folder = tmp_path_factory.mktemp("cases")
    write(folder / "needles" / "quay.yaml", json.dumps(QUAY))
    for script in SCRIPTS:
        write(folder / script / "text.txt", prose(script))
    for kind in ("log", "csv"):
        write(folder / f"ship.{kind}", "\n".join(lines(kind)) + "\n")
    return folder


def suite(**keys: Any) -> Row:
    """The grid of one case of ``quay`` in the Latin text, with ``keys`` in place of its own."""
    return {
        "haystacks": ["./latin"],
        "needle_sets": ["quay"],
        "lengths": [700],
        "depths": [37],
        "seeds": [1],
        **keys,
    }


@pytest.mark.parametrize("mode", ["exact", "contiguous"])
@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k", "minilm", "anthropic/claude-2", "own"])
def test_six_tokenizers_count_the_same_from_outside(place: Path, tokenizer: str, mode: str) -> None:
    name = unigram(place) if tokenizer == "own" else tokenizer
    made = suite(
        tokenizer=name, mode=mode, lengths=[1200], depths=[0, 37, 100], distractors=2, order="shuffled"
    )
    for row in generate(place, made):
        assert row["tokenizer"] == name
        total = len(Tokens(name, row["input"]))
        found = places(row)
        if mode == "exact":
            assert total == row["context_length"]
            assert all(at == d for at, d in found)
        else:
            assert row["context_length"] - 40 <= total <= row["context_length"]
            assert all(d - 40 <= at <= d for at, d in found)
        assert left_over(background(row), sentences("latin")) == ""
        assert len(row["distractors"]) == 2


def unigram(place: Path) -> str:
    """A Unigram tokenizer that is trained here; SentencePiece's space in front of each text."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.UnigramTrainer(vocab_size=2000, special_tokens=["<unk>"], unk_token="<unk>")
    tokenizer.train_from_iterator([prose("latin"), json.dumps(QUAY)], trainer)
    tokenizer.save(str(place / "own.json"))
    return str(place / "own.json")


def test_smollm2_counts_as_llama_cpp_does(place: Path) -> None:
    gate = {"question": "What is the code?", "answer": "7316", "needles": [{"text": "The code is 7316."}]}
    write(place / "needles" / "gate.yaml", json.dumps(gate))
    (row,) = generate(place, suite(tokenizer="smollm2", needle_sets=["gate"], lengths=[300]))
    assert smollm2_counts(row["input"]) == 300
    first = row["needles"][0]
    assert (
        smollm2_counts(row["context"][: first["start"]].rstrip())
        == first["token_start"]
        == first["asked_token"]
    )


@pytest.mark.parametrize("mode", ["exact", "contiguous"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_five_scripts_are_cut_between_sentences(place: Path, script: str, mode: str) -> None:
    family = {"cyrillic": "ru", "chinese": "zh", "arabic": "ar", "devanagari": "hi", "latin": "es"}[script]
    rows = generate(
        place,
        suite(
            haystacks=[f"./{script}"],
            needle_sets=[f"boats-{family}@3"],
            lengths=[1100],
            mode=mode,
            depths=[20, 81],
        ),
    )
    for row in rows:
        total, found = len(Tokens("cl100k", row["input"])), places(row)
        assert total == 1100 if mode == "exact" else 1020 < total <= 1100
        assert all(at == d if mode == "exact" else d - 80 < at <= d for at, d in found)
        assert left_over(background(row), sentences(script)) == ""


@pytest.mark.parametrize("kind", ["log", "csv"])
def test_a_haystack_of_lines_is_cut_between_lines(place: Path, kind: str) -> None:
    for row in generate(place, suite(haystacks=[f"./ship.{kind}"], depths=[0, 37, 90], distractors=1)):
        assert len(Tokens("cl100k", row["input"])) == 700
        assert all(at == d for at, d in places(row))
        own = [each["text"] for each in [*row["needles"], *row["distractors"]]]
        parts = row["context"].splitlines()
        assert set(own) <= set(parts)
        assert {part for part in parts if part} - set(own) <= set(lines(kind))


@pytest.mark.parametrize(
    ("needle_set", "length", "each", "passages"),
    [
        ("academy-courses-brief", 2000, (15, 110), 0),
        ("starlight-short@5", 1500, (40, 80), 0),
        ("starlight-long@3", 3000, (390, 510), 0),
        ("starlight-nested@4", 4000, (15, 110), 2),
        ("needle-in-needle", 12000, (15, 110), 10),
    ],
)
def test_needles_short_long_and_nested_stand_where_the_formula_asks(
    place: Path, needle_set: str, length: int, each: tuple[int, int], passages: int
) -> None:
    haystacks = ["essays" if "-in-" in needle_set else "starlight"]
    for row in generate(
        place, suite(haystacks=haystacks, needle_sets=[needle_set], lengths=[length], depths=[0, 33, 100])
    ):
        assert len(Tokens("cl100k", row["input"])) == length
        assert all(at == d for at, d in places(row))
        tokens = Tokens("cl100k", row["context"])
        sizes = [tokens.begun(one["end"]) - one["token_start"] for one in row["needles"]]
        assert each[0] <= min(sizes) <= max(sizes) <= each[1]
        assert len(row.get("passages", [])) >= passages
        inside = [
            sum(one["start"] <= needle["start"] and needle["end"] <= one["end"] for needle in row["needles"])
            for one in row.get("passages", [])
        ]
        assert sum(inside) == (len(row["needles"]) if passages else 0)
        assert len(set(inside)) > 1 or not passages, "nested unevenly"
        cut = [part.strip() for part in background(row)[:-1]]
        assert all(not part or re.search(r"[.?!:][”’\"')\]*_]*$", part) for part in cut)


def test_distractors_stand_where_they_are_asked(place: Path) -> None:
    by_depth = {}
    for depth in ("before", "after", "near", "spread"):
        (row,) = generate(place, suite(distractors=2, distractor_depth=depth))
        assert all(at == d for at, d in places(row))
        by_depth[depth] = [each["id"] in ("other", "older") for each in sorted_by_start(row)]
    assert by_depth["before"][:2] == [True, True]
    assert by_depth["after"][-2:] == [True, True]
    assert any(by_depth["near"][at] for at in (1, 2, 3))


def sorted_by_start(row: Row) -> list[Row]:
    """Needles and distractors in the order of the text."""
    return sorted([*row["needles"], *row["distractors"]], key=lambda each: int(each["start"]))


def test_the_background_depends_on_haystack_and_seed_alone(place: Path) -> None:
    grid = suite(
        lengths=[700, 1100], depths=[20, 60, 100], seeds=[1, 2, 3], needle_sets=["quay", "three-gates"]
    )
    first: dict[int, set[str]] = {}
    for row in generate(place, grid):
        first.setdefault(row["seed"], set()).add(row["context"][:100])
    assert all(len(starts) == 1 for starts in first.values())
    assert len(set.union(*first.values())) == 3


def test_a_world_is_drawn_by_the_seed(place: Path) -> None:
    grid = suite(haystacks=["starlight"], needle_sets=["starlight-short@3"], seeds=[1, 2])
    one, two = generate(place, grid)
    assert one["answer"] != two["answer"]
    names = [set(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{3,}", row["context"])) for row in (one, two)]
    assert len(names[0] & names[1]) <= len(names[0] | names[1]) / 3

    read = [
        run_niah("haystack", "read", "starlight", "--document", "1", "--seed", seed, cwd=place)
        for seed in (1, 1, 2)
    ]
    assert read[0].out == read[1].out != read[2].out
    assert len(read[0].out) > 1000
    assert "{{" not in read[0].out


def test_a_line_has_every_key_and_is_rebuilt_byte_for_byte(place: Path) -> None:
    grid = suite(distractors=1, depths=[0, 50])
    rows = generate(place, grid)
    assert rows == generate(place, grid)
    write(place / "suite.yaml", json.dumps(grid))
    bare = run_niah("generate", "suite.yaml", "--out", "bare.jsonl", cwd=place)
    assert bare.code == 0, bare.err
    written = [json.loads(line) for line in (place / "bare.jsonl").read_text("utf-8").splitlines()]
    assert written == [
        {key: value for key, value in row.items() if key not in ("context", "input")} for row in rows
    ]
    assert len({row["case_id"] for row in rows}) == 2
    assert all(re.search(CANARY, row["canary"]) for row in written)
    for row in rows:
        assert set(row) >= KEYS
        assert set(row["needles"][0]) >= {
            "id",
            "text",
            "elements",
            "start",
            "end",
            "token_start",
            "asked_token",
        }
        assert set(row["distractors"][0]) >= {"id", "text", "start", "end", "token_start"}
        assert row["elements"][1] == {"name": "ochre", "aliases": ["ocher"]}
        assert [needle["elements"] for needle in row["needles"]] == [["vermilion"], ["ochre"], ["turquoise"]]
        assert (row["question"], row["answer"]) == (QUAY["question"], QUAY["answer"])
        assert rebuilt(row["case_id"], place) == row["context"]


def test_python_gives_the_same_cases_as_the_command(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = generate(place, suite(depths=[10, 90]))
    monkeypatch.chdir(place)
    contexts = [case.context for case in api.cases("suite.yaml")]
    assert [hashlib.sha256(each.encode()).hexdigest() for each in contexts] == [row["sha256"] for row in rows]


def test_a_haystack_that_answers_by_accident_stops_or_loses_the_sentence(niah: Niah, folder: Path) -> None:
    write(folder / "needles" / "quay.yaml", json.dumps(QUAY))
    said = "The old lighthouse was ochre in those days."
    write(folder / "hay.txt", prose("latin").replace("\n\n", f" {said}\n\n"))
    write(folder / "suite.yaml", json.dumps(suite(haystacks=["./hay.txt"], lengths=[1500])))
    stopped = niah("generate", "suite.yaml", "--with-context")
    assert (stopped.code, stopped.out) == (2, "")
    assert "ochre" in stopped.err
    (row,) = niah("generate", "suite.yaml", "--with-context", "--audit", "--accidents", "avoid").rows
    assert said not in row["context"]
    assert left_over(background(row | {"passages": []}), sentences("latin")) == ""
    assert row["tokens"] + row["prompt_tokens"] == 1500


def test_what_cannot_be_built_is_left_out_and_named(niah: Niah, folder: Path) -> None:
    write(folder / "needles" / "quay.yaml", json.dumps(QUAY))
    write(folder / "short.txt", prose("latin"))
    grid = suite(haystacks=["./short.txt"], lengths=[100, 1500], skip="impossible")
    write(folder / "suite.yaml", json.dumps(grid))
    made = niah("generate", "suite.yaml", "--out", "made.jsonl")
    assert made.code == 0, made.err
    (left,) = [json.loads(line) for line in (folder / "made.left-out.jsonl").read_text("utf-8").splitlines()]
    assert (left["context_length"], left["needle_set"]) == (100, "quay")
    assert len((folder / "made.jsonl").read_text("utf-8").splitlines()) == 1
    assert niah("generate", "suite.yaml", "--skip", "nothing").code == 2
