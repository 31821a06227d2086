"""The lines that close a run, over trials that are written down by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from niah.api.run import closing
from niah.readers.reader import Lasting
from niah.runs.trial import TRIAL_COLUMNS
from tests.analysis.small_trials import trial


def said(stopped: dict[str, Lasting], *facts: dict[str, Any]) -> tuple[str, int]:
    """The lines and the exit code of a run whose trials differ from scored ones in these facts."""
    rows = [vars(trial("lc", 10)) | {"reason": ""} | each for each in facts]
    trials = pd.DataFrame(rows, columns=list(TRIAL_COLUMNS), dtype=object)
    contents = SimpleNamespace(
        **{"trials": trials, "samples": {}, "closed_book": None, "preparations": (), "judges": {}},
        **{"readers": {}, "traits": {}, "judge": "rubric+gpt", "path": "x.sqlite"},
    )
    ledger = SimpleNamespace(own_counts={"simulated": 2}, unreported={}, stopped=False, budget=None)
    asked = [SimpleNamespace(reader="simulated", max_tokens=200)]
    told = {"contents": contents, "ledger": ledger, "trials": asked, "stopped_readers": stopped}
    result: Any = SimpleNamespace(**told, stopped=False)
    lines, code = closing(result)
    return "\n".join(lines), code


FAILED = {"outcome": "reader_error", "reason": "rate limit"}
CUT = [{"prompt_tokens": 1000, "own_prompt_tokens": 1000}] * 3 + [
    {"prompt_tokens": 500, "own_prompt_tokens": 1000}
]


@pytest.mark.parametrize(
    ("stopped", "facts", "line", "code"),
    [
        ({}, CUT, "its server counts 1 of 4 prompts at less than 70% of the tokens of others", 0),
        ({}, CUT, "simulated reported no plausible usage for 2 answers", 0),
        (
            {},
            [{"outcome": "truncated"}, {}],
            "1 trial ended as truncated; the same command with --retry truncated asks again with the same",
            0,
        ),
        (
            {},
            [{"outcome": "judge_error", "reason": "HTTP 500."}, *[{}] * 20],  # of which rules are sure
            "--retry judge_error asks again; niah judge x.sqlite --judge auto --primary asks no model.",
            3,
        ),
        (
            {},
            [FAILED, {}],
            "1 trial ended as reader_error (rate limit); the same command with --retry reader_error asks",
            0,
        ),
        ({}, [FAILED, FAILED], "None of the 2 trials that were asked got an answer.", 4),
        ({}, [FAILED, {"reader": "b"}], "simulated got no answer in 1 trial (rate limit).", 4),
        ({}, [FAILED | {"strategy": "own"}, {}], "own got no answer in 1 trial (rate limit).", 4),
        (
            {"simulated": Lasting(3, "Set a key.", reason="HTTP 401.")},
            [FAILED, {"outcome": "not_run"}],
            "simulated was asked no further (1 of its 2 trials not run), 3 trials in a row: HTTP 401. Set a",
            4,
        ),
    ],
)
def test_a_run_says_what_is_missing(
    stopped: dict[str, Lasting], facts: list[dict[str, Any]], line: str, code: int
) -> None:
    lines, found = said(stopped, *facts)
    assert line in lines
    assert found == code
