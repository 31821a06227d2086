"""The page in a real browser: what a model wrote is text, and nothing leaves the page."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

from tests.contract.conftest import LAMP, answering, run_niah, write
from tests.contract.conftest import chrome as chrome
from tests.plots.html.hostile import HOSTILE

_OPEN = """
    const done = arguments[1];
    location.hash = "trial=" + arguments[0];
    setTimeout(() => done(document.querySelector(".answer")?.textContent), 400);
"""


def test_nothing_that_a_model_wrote_is_run(tmp_path: Path, chrome: Any) -> None:
    answers = cycle(text for text in HOSTILE if len(text) < 10_000 and text.isprintable())
    write(tmp_path / "needles" / "lamp.yaml", LAMP)
    with answering(m=lambda prompt: next(answers)) as endpoint:
        readers = [{"model": "m", "api_base": endpoint.base}]
        grid = {"haystacks": ["essays"], "lengths": [512], "depths": [0, 50], "seeds": list(range(1, 13))}
        config = {**grid, "needle_sets": ["needles/lamp.yaml"], "readers": readers, "strategies": ["lc"]}
        write(tmp_path / "runs" / "h.yaml", json.dumps(config))
        done = run_niah("run", "h", cwd=tmp_path)
    assert done.code == 0, done.err
    chrome.get((tmp_path / "plots" / "h" / "index.html").as_uri())
    chrome.set_script_timeout(20)
    rows = run_niah("export", "h", cwd=tmp_path).rows
    for row in rows[:8]:
        assert chrome.execute_async_script(_OPEN, row["trial_id"]) == row["answer"]
    foreign = "return document.querySelectorAll('#drawer :is(script, img, svg, iframe, a, style)').length"
    assert chrome.execute_script(foreign) == 0
    assert chrome.execute_script("return window.pwned === undefined")
    asked = "return performance.getEntriesByType('resource').map((each) => each.name)"
    assert [name for name in chrome.execute_script(asked) if name.startswith("http")] == []
