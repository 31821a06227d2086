"""The rubric with the embedded model behind it, which is really asked, and seldom gives a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from tests.cli.judging.endpoint import CONFIG, SUITE, Endpoint, exported

pytestmark = pytest.mark.usefixtures("without_figures")

ROOM = 24
"""Tokens of a reply: too few for any verdict, so that the model fails whatever it says."""


@pytest.mark.slow  # the judge's instructions take it twenty seconds to read
def test_a_model_that_cannot_judge_loses_nothing(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.without_context = "figs, prosciutto and goat"
    Path("grid.yaml").write_text(
        SUITE.replace("three-gates", "pizza-ingredients").replace("[0, 50, 100]", "[0]")
    )
    judge = f"judge: {{model: rubric+smollm2, max_tokens: {ROOM}}}\n"
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url).replace(", closed-book", "") + judge)

    assert main(["run", "small.yaml"]) == 3
    said = capsys.readouterr().err
    assert said.count("the judge smollm2 is too small to judge") == 1
    assert (
        "1 of the 1 answers that rubric is unsure of got no verdict of smollm2 (no verdict in 3 replies"
        in said
    )
    assert f"after {ROOM} tokens; the judge's max_tokens or thinking_tokens give it more room" in said
    assert said.count("niah judge runs/small.sqlite --judge rubric --primary") == 1

    (row,) = exported(capsys)
    assert (row["outcome"], row["score"], row["judge_scores"]) == ("judge_error", None, {"rubric": 7})
    assert row["unsure"] == {
        "reason": "something like 'goat cheese' stands there",
        "lowest": 7,
        "highest": 10,
    }
    assert main(["show", "small"]) == 0
    assert "outcomes: 1 judge_error" in capsys.readouterr().out

    assert main(["judge", "small", "--judge", "rubric", "--primary"]) == 0
    (row,) = exported(capsys)
    assert (row["outcome"], row["score"], row["unsure"]["highest"]) == ("scored", 7, 10)
    assert len(endpoint.read) == 1
