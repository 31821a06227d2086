"""``niah check`` and ``niah schema``, run in-process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main


def test_every_mistake_is_one_line_and_what_is_good_is_still_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("question: Who?\nanswer: Nobody.\nneedels: []\n")
    assert main(["check", str(path), "pizza-ingredients", "starlight-shrot@3"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("pizza-ingredients: ")
    assert err.splitlines() == [
        f"niah: {path}: needels: unknown key. Did you mean 'needles'?",
        "niah: no needle set called 'starlight-shrot@3'. Did you mean 'starlight-short@3'?",
    ]


def test_the_needle_set_schema_spells_keys_as_the_yaml_does(capsys: pytest.CaptureFixture[str]) -> None:
    main(["schema", "needle-set"])
    distractor = json.loads(capsys.readouterr().out)["$defs"]["Distractor"]["properties"]
    assert {"id", "text", "from", "change", "elements", "hardness"} == set(distractor)
    assert all("description" in of_key for of_key in distractor.values())


def test_all_schemas_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--out", str(tmp_path / "schemas")]) == 0
    names = ["needle-set", "family", "haystack", "suite", "run"]
    paths = [tmp_path / "schemas" / f"{name}.schema.json" for name in names]
    assert capsys.readouterr().out.split() == [str(path) for path in paths]
    assert all(json.loads(path.read_text())["type"] == "object" for path in paths)
