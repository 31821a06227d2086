"""The examples of docs/needles-and-haystacks.md pass the check that the page tells of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from niah.api.needle_sets import check_needle_sets
from niah.errors import UserError

PAGE = (Path(__file__).parents[2] / "docs" / "needles-and-haystacks.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"```yaml\n# (needles/\S+\.yaml)\n(.+?)```", PAGE, re.DOTALL))


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_s_examples_are_good(tmp_path: Path, name: str) -> None:
    for checked in check_needle_sets(write(tmp_path, name, EXAMPLES[name])):
        assert checked.mistakes == ()


def test_a_reference_answer_that_lacks_an_element_is_named(tmp_path: Path) -> None:
    name = "needles/lock-house-cat.yaml"
    text = EXAMPLES[name].replace("to Quillabee and Tarrywick.", "to Quillabee and Tarryworth.")
    (checked,) = check_needle_sets(write(tmp_path, name, text))
    (mistake,) = checked.mistakes
    assert f"{name}: answer: " in str(mistake)
    assert "missing: Tarrywick" in str(mistake)


def test_the_count_that_the_page_describes(tmp_path: Path) -> None:
    text = EXAMPLES["needles/families/tolls.yaml"].replace("greatest, of: pence", "count, of: load")
    text = text.replace("took {{ pence }} pence", "took {{ pence }} pence for {{ load }}")
    text = text.replace("Which town paid the highest toll", "How many towns carried {{ counted }}")
    text = re.sub(r"^answer:.*$", 'answer: "{{ elements }} carried {{ counted }}."', text, flags=re.MULTILINE)
    for checked in check_needle_sets(write(tmp_path, "families/tolls.yaml", text)):
        assert checked.mistakes == ()


def test_without_compute_the_page_s_family_is_refused(tmp_path: Path) -> None:
    text = (
        EXAMPLES["needles/families/tolls.yaml"].replace("compute:", "# ").replace(", {{ value }} pence,", "")
    )
    found: list[UserError] = []
    for checked in check_needle_sets(write(tmp_path, "families/tolls.yaml", text)):
        found += checked.mistakes
    assert any("every town drawn is a right answer" in str(error) for error in found)
