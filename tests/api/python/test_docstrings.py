"""The examples in docstrings of what ``import niah`` offers run as they stand."""

from __future__ import annotations

import re
import shutil
import textwrap
from pathlib import Path

import pytest

import niah
from tests.conftest import SimulatedServer

EXAMPLES = {
    name: textwrap.dedent(match[0])
    for name in niah.__all__
    if (
        match := re.search(
            r"(?: {4,}import niah\n)(?: {4,}.*\n)+", (getattr(niah, name).__doc__ or "") + "\n"
        )
    )
}


def test_each_function_has_an_example() -> None:
    assert set(EXAMPLES) == {"run", "plan", "load_run", "compare", "report", "judge", "cases"}


@pytest.mark.usefixtures("asked")
def test_the_examples_run_as_they_stand(simulated: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", simulated.base_url)
    made: dict[str, niah.Run] = {}
    exec(EXAMPLES["run"], made)
    for name in ("quick", "quick-before"):
        shutil.copy(made["run"].path, f"runs/{name}.sqlite")
    for example in EXAMPLES.values():
        exec(example, {})
    assert Path("plots/quick/index.html").is_file()
