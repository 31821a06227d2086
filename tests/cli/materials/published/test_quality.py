"""QuALITY, as published."""

from __future__ import annotations

import pytest

from tests.cli.materials.published.importing import documents, imported, refused, without
from tests.cli.materials.published_rows import ROWS


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
