"""A gate for pytest: a test fails where a run falls below a threshold, or behind an accepted run.

pytest imports this wherever niah is installed: what is heavy is imported when a test uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import niah

if TYPE_CHECKING:
    from niah.api.result import Run


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--niah`` and ``--niah-accepted``."""
    group = parser.getgroup("niah", "stress tests of language models on long contexts")
    group.addoption("--niah", action="store_true", help="Run tests that ask models: those with niah_gate.")
    group.addoption("--niah-accepted", metavar="RUN", help="What no_worse_than() compares with.")


@pytest.fixture
def niah_gate(request: pytest.FixtureRequest) -> Gate:
    """Runs and run files that a test holds against thresholds and an accepted run."""
    if not request.config.getoption("--niah"):
        pytest.skip("asks models: pytest --niah runs it")
    return Gate(request.config.getoption("--niah-accepted"))


@contextmanager
def _mistakes_fail() -> Iterator[None]:
    """A user's mistake fails the test with its one line."""
    try:
        yield
    except niah.UserError as error:
        raise pytest.fail.Exception(f"niah: {error}", pytrace=False) from None


@dataclass(frozen=True)
class Gate:
    """What a test gets by the name ``niah_gate``."""

    accepted: str | None  # what runs are compared with

    @_mistakes_fail()
    def run(self, config: str | Path | None = None, **arguments: Any) -> GatedRun:
        """Ask what is left of a run: the arguments are those of ``niah.run``."""
        return GatedRun(niah.run(config, **arguments), self.accepted)

    @_mistakes_fail()
    def load(self, run: str | Path) -> GatedRun:
        """A finished run: a run file, or its name in ``runs/``."""
        return GatedRun(niah.load_run(run), self.accepted)


@dataclass(frozen=True)
class GatedRun:
    """A run held against thresholds; a failure names each part with its numbers."""

    run: Run
    accepted: str | None

    @_mistakes_fail()
    def at_least(
        self, mean: float, *, lower: float | None = None, missing: float = 0.1, **facets: Any
    ) -> None:
        """Fail unless each model and strategy has this mean score, 1 to 10, in the part that is named.
        ``lower`` is of the 95 % interval's lower end, ``missing`` the greatest share of trials not scored."""
        from niah.errors import counted
        from niah.judges.verdict import HIGHEST, LOWEST
        from niah.plots.words import interval_words

        for name, value in {"mean": mean, "lower": lower}.items():
            if value is not None and not LOWEST <= value <= HIGHEST:
                remedy = f"Scores go from {LOWEST} to {HIGHEST}."
                raise niah.UserError(f"at_least: {name}={value} is no mean score.", remedy)
        if not 0 <= missing <= 1:
            raise niah.UserError(f"at_least: missing={missing} is no share.", "Shares go from 0 to 1.")
        named, problems = ("length", "depth", "needle_set"), list[str]()
        more = [facets[name] for name in named if name in facets]
        parts = self.run.trials(**facets).groupby(["reader", "strategy"], observed=True)
        for (reader, strategy), own in parts:
            name, scored = " · ".join(map(str, (reader, strategy, *more))), own[own["scored"]]
            if scored.empty or len(own) - len(scored) > missing * len(own):
                others = ", ".join(sorted({*own["outcome"]} - {"scored"}))
                problems.append(f"{name}: {len(own) - len(scored)} of {len(own)} have no score ({others})")
                continue
            found = self.run.mean(**facets | {"reader": reader, "strategy": strategy})
            said = f"{name}: mean {interval_words(found, '{:.2f}'.format)} of {counted(found.n, 'trial')}"
            if found.estimate < mean:
                problems.append(f"{said}: below {mean:g}")
            elif lower is not None and (found.low is None or found.low < lower):
                problems.append(f"{said}: no interval whose lower end is at least {lower:g}")
        if problems:
            pytest.fail("\n".join(problems), pytrace=False)

    @_mistakes_fail()
    def no_worse_than(
        self, accepted: str | Path | None = None, *, allow_incomplete: bool = False, **arguments: Any
    ) -> None:
        """Fail where the run got significantly worse than the accepted one, by ``niah.compare``."""
        if (other := accepted or self.accepted) is None:
            pytest.fail("no accepted run: name one, or give --niah-accepted RUN", pytrace=False)
        found = niah.compare(other, self.run, **arguments)
        kind = found.verdict.kind
        if kind == "regression" or (kind == "incomplete" and not allow_incomplete):
            pytest.fail(repr(found), pytrace=False)
