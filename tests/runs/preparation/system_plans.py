"""What ``niah plan`` says that systems take, beside what a scripted model then counts."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from niah.cli.main import main
from niah.runs.file.read_model import RunContents, read_run
from tests.caches import fresh_cache
from tests.runs.preparation.scripted_model import ScriptedModel

TWELVE_CASES = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [4000]
depths: [10, 90]
seeds: [1, 2, 3]
"""


@dataclass(frozen=True)
class CallsAndTokens:
    """Of preparing, or of reading; tokens are those of prompts and replies."""

    calls: int
    tokens: int

    def __str__(self) -> str:
        return f"{self.calls:4} calls {self.tokens:9,} tokens"


@dataclass(frozen=True)
class SystemPlan:
    """One system over one suite.

    Attributes:
        strategy: its name.
        preparing, reading: as planned.
        at_most: the most that reading may take.
        prepared, read: as the model counted.
    """

    strategy: str
    preparing: CallsAndTokens
    reading: CallsAndTokens
    at_most: int
    prepared: CallsAndTokens
    read: CallsAndTokens

    @property
    def ratios(self) -> dict[str, float]:
        """Planned / counted, of everything that was counted."""
        pairs = {
            "calls of preparing": (self.preparing.calls, self.prepared.calls),
            "tokens of preparing": (self.preparing.tokens, self.prepared.tokens),
            "tokens of reading": (self.reading.tokens, self.read.tokens),
        }
        return {what: planned / counted for what, (planned, counted) in pairs.items() if counted}


def plans_beside_counts(
    folder: Path, model: ScriptedModel, strategies: Iterable[str], suite: str = TWELVE_CASES
) -> Iterator[SystemPlan]:
    """Plan and run the suite under each strategy, one after the other. No reply is kept between them."""
    (folder / "grid.yaml").write_text(suite)
    for number, strategy in enumerate(strategies):
        config = folder / f"{number}.yaml"
        reader = f"{{model: scripted, api_base: {model.base_url}, concurrency: 4}}"
        config.write_text(f'suite: {folder}/grid.yaml\nreaders: [{reader}]\nstrategies: ["{strategy}"]\n')
        model.asked.clear()
        with _cache_without_replies(folder / f"cache-{number}", folder / "vectors.sqlite"):
            out = str(folder / f"{number}.sqlite")
            planned: dict[str, Any] = json.loads(_niah("plan", str(config), "--json", "--out", out))
            _niah("run", str(config), "--out", out)
        yield _beside(strategy, planned, model, read_run(Path(out)))


def _beside(strategy: str, planned: dict[str, Any], model: ScriptedModel, run: RunContents) -> SystemPlan:
    (reader,) = planned["readers"]
    prepared = [call.usage for call in run.preparations if not call.from_cache]
    read = [record for record in run.records if record.prompt_tokens]
    assert len(prepared) + len(read) == len(model.asked)
    return SystemPlan(
        strategy,
        _summed((part["calls"], _tokens(part)) for part in planned["preparation"]),
        CallsAndTokens(reader["calls"], _tokens(reader)),
        reader["prompt_tokens_at_most"] + reader["answer_tokens_at_most"],
        *(
            _summed((1, (each.prompt_tokens or 0) + (each.completion_tokens or 0)) for each in calls)
            for calls in (prepared, read)
        ),
    )


def _tokens(part: dict[str, Any]) -> int:
    return int(part["prompt_tokens"] + part["answer_tokens"])


def _summed(each: Iterable[tuple[int, int]]) -> CallsAndTokens:
    calls, tokens = (sum(column) for column in zip(*each, strict=True)) if (each := list(each)) else (0, 0)
    return CallsAndTokens(calls, tokens)


@contextmanager
def _cache_without_replies(folder: Path, vectors: Path) -> Iterator[None]:
    """A cache with the weights of the user's, and embeddings that one system leaves to the next."""
    before = os.environ.get("NIAH_CACHE")
    fresh_cache(folder)
    (folder / vectors.name).symlink_to(vectors)
    os.environ["NIAH_CACHE"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["NIAH_CACHE"]
        else:
            os.environ["NIAH_CACHE"] = before


def _niah(*arguments: str) -> str:
    """What a command prints. Raises RuntimeError with what it says of an error."""
    printed, says = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(says):
        code = main(list(arguments))
    if code:
        raise RuntimeError(says.getvalue())
    return printed.getvalue()
