"""Nights of a small suite before a loopback server; every test gets a copy of the first one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from niah.analysis.nights import NightVerdict
from niah.api.nightly import run_night
from niah.api.request import request_of, resolve
from niah.runs.file.nights import NightRecord, read_night_record
from tests.conftest import SimulatedServer

FIRST, SECOND, THIRD, FOURTH = (f"2026-11-{day}" for day in range(20, 24))
SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [512]
depths: [0, 100]
seeds: [1, 2, 3, 4, 5, 6, 7, 8]
"""
CONFIG = """
suite: grid.yaml
readers: [{{model: simulated, api_base: {base}}}]
strategies: [lc, closed-book]
{more}
"""
PLANNED = 2 * 2 * 8 * 2


@dataclass
class Nights:
    """Run files of nights in runs/ of the folder of the test.

    Attributes:
        server: the readers'.
        said: the lines that the nights said, in order.
    """

    server: SimulatedServer
    said: list[str] = field(default_factory=list)

    def write_config(self, more: str = "", suite: str = SUITE) -> None:
        """night.yaml and grid.yaml in the folder of the test."""
        Path("grid.yaml").write_text(suite)
        Path("night.yaml").write_text(CONFIG.format(base=self.server.base_url, more=more))

    def run(self, day: str, **options: Any) -> NightVerdict:
        """Run a night, and return its verdict."""
        tonight = date.fromisoformat(day)
        asked = {"config": "night.yaml", "out": self.path(day), "progress": False}
        _, verdict = run_night(resolve(request_of(asked, {}), tonight), tonight, self.said.append, **options)
        assert verdict
        return verdict

    def record(self) -> NightRecord:
        """Which nights are accepted."""
        return read_night_record(Path("runs"), "night")

    def path(self, name: str) -> Path:
        """runs/night-NAME.sqlite"""
        return Path(f"runs/night-{name}.sqlite")

    @contextmanager
    def handicapped(self) -> Iterator[None]:
        """As if the reader saw but the first third of a long context."""
        whole = self.server.answer
        with self.answering(lambda prompt: whole(prompt[: len(prompt) // 3] + "Question:")):
            yield

    @contextmanager
    def answering(self, answer: Any) -> Iterator[None]:
        """The server answers otherwise."""
        self.server.answer = answer  # type: ignore[method-assign]
        try:
            yield
        finally:
            del self.server.answer
