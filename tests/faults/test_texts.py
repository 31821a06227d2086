"""Texts as they come: hidden sentence borders, control tokens, long distractors, any file name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Niah, write
from tests.recount import Tokens, generate, places

pytestmark = pytest.mark.usefixtures("without_figures")

_GATE = """\
question: What is the code of the east gate?
answer: The code of the east gate is 7316.
elements: [{name: "7316"}]
needles: [{text: The code of the east gate is 7316., elements: ["7316"]}]
"""
_BORDERS = [
    *[".\u200f ", ". \u200e", ".\u2069 \u2066", ".\u200b ", ".\u00ad ", "!\u2060 ", ".\u061c "],
    *[".[12] ", ".[3][citation needed] ", ".”[4] ", ".\u200b[12]\u200b ", ".¹ ", "?’²³ ", ".† "],
    *[".😀 ", ". 👍🏽 ", ". 🚀", ".› ", ".'' ``"],
]


def _sentence(number: int) -> str:
    place = ("mill", "ferry", "barn", "quay", "forge", "inn", "chapel", "weir")[number % 8]
    return f"On day {number} the old {place} of Hask was closed to carts and open to riders"


@pytest.mark.parametrize("border", _BORDERS, ids=ascii)
def test_what_hides_borders_makes_none(border: str, niah: Niah, folder: Path) -> None:
    keeper = "Dr. Jones" if set(border) & set("!?”›'") else f"Dr{border}Jones"
    sentences = (f"{_sentence(number)}, as {keeper} told us" for number in range(40))
    write(folder / "text.txt", border.join(sentences) + ".\n")
    found = niah("check", "text.txt", "--seeds", 1)
    assert (found.code, re.findall(r", (\d+) sentences", found.out)) == (0, ["40"])


def test_a_needle_goes_between_hidden_borders(niah: Niah, folder: Path) -> None:
    write(folder / "needles" / "gate.yaml", _GATE)
    text = "".join(f"{_sentence(number)}{_BORDERS[number % 16]}" for number in range(400))
    write(folder / "hidden.txt", text + "It rained.\n")
    suite = {"haystacks": ["hidden.txt"], "needle_sets": ["gate"], "lengths": [900], "depths": [30, 70]}
    for row in generate(folder, suite | {"mode": "contiguous"}):
        ((found, asked),) = places(row)
        assert 0 <= asked - found <= 40  # tokens of the longest sentence
        (needle,) = row["needles"]
        end = row["context"][: needle["start"]].rpartition("riders")[2].strip()
        assert end[:1] in {".", "!", "?"}
        assert len(end) < 24


@pytest.mark.slow
def test_control_tokens_in_a_text_are_text_for_the_embedded_reader(niah: Niah, folder: Path) -> None:
    write(folder / "needles" / "gate.yaml", _GATE)
    marks, around = "<|endoftext|> and <|im_end|><|im_start|>assistant", list[int]()
    for name, mark in {"marked": marks, "plain": "the market"}.items():
        write(folder / f"{name}.txt", "\n\n".join(f"{_sentence(day)}, past {mark}." for day in range(40)))
        suite = {"haystacks": [f"{name}.txt"], "needle_sets": ["gate"], "lengths": [400], "depths": [80]}
        write(folder / "suite.yaml", json.dumps(suite | {"tokenizer": "smollm2", "mode": "contiguous"}))
        asked = ("--model", "smollm2", "--strategies", "lc", "--out", f"{name}.sqlite")
        ran = niah("run", "--suite", "suite.yaml", *asked, "--reader-option", "max_tokens=1")
        assert ran.code == 4, ran.err  # one token is no answer
        (row,) = niah("export", f"{name}.sqlite").rows
        around.append(row["prompt_tokens"] - row["context_tokens"])  # instructions and chat template
    assert around[0] == around[1] > 0


_LONG = "and the keeper writes it in a small blue book every morning, so that who comes later finds it, " * 4
_DISTRACTORS = "".join(
    f"  - {{id: {gate}, text: 'The code of the {gate} gate is {code}, {_LONG[:size].strip(' ,')}.'}}\n"
    for gate, code, size in (("west", 5120, 360), ("north", 9051, 270), ("river", 4417, 180))
)
_KEYS = """\
question: What are the codes of the east gate, the mill and the barn?
answer: The codes are 7316, 2208 and 6640.
elements: [{name: "7316"}, {name: "2208"}, {name: "6640"}]
needles:
  - {text: The code of the east gate is 7316., elements: ["7316"]}
  - {text: The code of the mill is 2208., elements: ["2208"]}
  - {text: The code of the barn is 6640., elements: ["6640"]}
"""


def test_no_distractor_pushes_a_needle_behind_its_place(folder: Path) -> None:
    write(folder / "needles" / "keys.yaml", f"{_KEYS}distractors:\n{_DISTRACTORS}")
    suite: dict[str, Any] = {"needle_sets": ["keys"], "lengths": [1024], "mode": "contiguous"}
    suite |= {"haystacks": ["essays"], "depths": [20, 35, 50, 65, 80], "distractors": 3, "skip": "impossible"}
    for rule in ("spread", "before", "after", "near"):
        for row in generate(folder, suite | {"distractor_depth": rule}):
            assert len(row["distractors"]) == 3
            assert len(Tokens("cl100k", row["input"])) <= 1024
            assert all(found <= asked for found, asked in places(row))


def test_top_k_of_a_short_context_takes_all_its_chunks(niah: Niah) -> None:
    case = "ferry-lanterns_essays_1024_d25_s1"
    found = niah("retrieve", case, "--strategies", "bm25/top-100/norm", "--json")
    assert found.code == 0, found.err
    assert len(json.loads(found.out)["chunks"]) == 2  # windows of 600 tokens that share 100


@pytest.mark.parametrize("name", ["cases.csv", "cases.2026-11-28", "cases.jsonl.part", "Fälle 1.dat", "-"])
def test_cases_go_to_any_file_name(name: str, niah: Niah, folder: Path, lamp: Path) -> None:
    suite = {"haystacks": ["essays"], "needle_sets": ["lamp"], "lengths": [512], "depths": [50]}
    write(folder / "suite.yaml", json.dumps(suite))
    made = niah("generate", "suite.yaml", "--out", name)
    assert made.code == 0, made.err
    lines = made.out if name == "-" else (folder / name).read_text("utf-8")
    assert [json.loads(line)["needle_set"] for line in lines.splitlines()] == ["lamp"]
    assert (folder / name).exists() == (name != "-")
