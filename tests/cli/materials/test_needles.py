"""``niah needles check`` and ``niah schema``, run in-process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main


def test_a_line_for_each_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needles", "check", "pizza-ingredients", "stairs-portrait"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("pizza-ingredients: multi-needle, 3 needles of ")
    assert first.endswith("3 elements, 6 distractors (3 hard, 2 medium, 1 easy): ok")
    assert second.startswith("stairs-portrait: unanswerable, 0 needles, 0 elements, 5 distractors")


def test_a_family_is_drawn_small_middling_and_large(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needles", "check", "chain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["chain@1", "chain@7", "chain@8"]
    assert all(line.endswith(", seeds 1-5: ok") for line in lines)


def test_one_size_of_a_nested_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needles", "check", "starlight-nested@6"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert "6 needles of " in line
    assert " in 4 passages, " in line


def test_every_mistake_is_one_line_and_what_is_good_is_still_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("question: Who?\nanswer: Nobody.\nneedels: []\n")
    assert main(["needles", "check", str(path), "pizza-ingredients", "starlight-shrot@3"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("pizza-ingredients: ")
    assert err.splitlines() == [
        f"niah: {path}: needels: unknown key. Did you mean 'needles'?",
        "niah: no needle set called 'starlight-shrot@3'. Did you mean 'starlight-short@3'?",
    ]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("needle-set", "needles"),
        ("family", "each"),
        ("haystack", "structure"),
        ("suite", "depths"),
        ("run", "readers"),
    ],
)
def test_a_schema_is_printed(name: str, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", name]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert schema["title"].startswith("A ")
    assert key in schema["properties"]
    assert schema["additionalProperties"] is False


def test_the_needle_set_schema_spells_keys_as_the_yaml_does(capsys: pytest.CaptureFixture[str]) -> None:
    main(["schema", "needle-set"])
    distractor = json.loads(capsys.readouterr().out)["$defs"]["DistractorFile"]["properties"]
    assert {"id", "text", "from", "change", "elements", "hardness"} == set(distractor)
    assert all("description" in of_key for of_key in distractor.values())


def test_all_schemas_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--out", str(tmp_path / "schemas")]) == 0
    names = ["needle-set", "family", "haystack", "suite", "run"]
    paths = [tmp_path / "schemas" / f"{name}.schema.json" for name in names]
    assert capsys.readouterr().out.split() == [str(path) for path in paths]
    assert all(json.loads(path.read_text())["type"] == "object" for path in paths)


def test_no_schema_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 2
    assert "Name one of needle-set, family, haystack, suite, run" in capsys.readouterr().err


def test_families_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "needle-sets"]) == 0
    out = capsys.readouterr().out
    assert "starlight-short@K" in out
    assert "K from 1 to 8: " in out
