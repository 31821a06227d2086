"""The worked examples of docs/judges.md, read from the page and judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.error_types import ERROR_TYPES, error_type
from niah.needles.needle_set import Element

PAGE = (Path(__file__).parents[2] / "docs" / "judges.md").read_text(encoding="utf-8")
ROW = re.compile(rf"^\| (\S+) \| (.+) \| (\d+) \| ({'|'.join(ERROR_TYPES)}) \| (.+) \|$", re.MULTILINE)
EXAMPLES = ROW.findall(PAGE)
DISPUTED = re.findall(r"^\| ([^|]+) \| ([^|]+) \| (\d+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
MEASURE = re.compile(r"a (\w+) of (.+)")


@pytest.mark.parametrize(("name", "answer", "score", "kind", "why"), EXAMPLES)
def test_the_page_tells_the_truth(name: str, answer: str, score: str, kind: str, why: str) -> None:
    key = key_of(name, 1)
    verdict = judge_by_rubric(answer, key)
    assert (str(verdict.score), error_type(verdict, answer, key)) == (score, kind), (why, verdict.reason)


def asked_for(said: str) -> AnswerKey:
    """The needle set of that name, or a question for a measure alone: "a width of 2.4 metres"."""
    if not (measure := MEASURE.fullmatch(said)):
        return key_of(said, 1)
    name, value = measure.groups()
    return AnswerKey(name, f"What is the {name} of the gate?", (value,), elements=(Element(value),))


@pytest.mark.parametrize(("said", "answer", "score", "how"), DISPUTED)
def test_what_people_score_differently_is_scored_as_the_page_says(
    said: str, answer: str, score: str, how: str
) -> None:
    verdict = judge_by_rubric(answer, asked_for(said))
    assert str(verdict.score) == score, (how, verdict.reason)
    assert (verdict.unsure is not None) == ("`unsure`" in how)


def test_every_line_of_what_people_score_differently_is_read() -> None:
    section = PAGE.split("### Where two people")[1].split("\n## ")[0]
    assert len(DISPUTED) == section.count("\n|") - 2 == 21


def test_every_line_of_the_examples_is_read() -> None:
    section = PAGE.split("## Examples")[1].split("\n## ")[0]
    assert len(EXAMPLES) == section.count("\n|") - 2 >= 25


@pytest.mark.parametrize("kind", ERROR_TYPES)
def test_every_error_type_is_explained_and_shown(kind: str) -> None:
    assert f"| `{kind}` |" in PAGE
    assert kind in {example[3] for example in EXAMPLES}
