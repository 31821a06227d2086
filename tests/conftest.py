"""What every test may use: a loopback server that answers like an OpenAI-compatible one."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from niah.files import cache_folder
from niah.plots import report
from tests.examples import of_all
from tests.loopback import Post, Reply, completion, replying

# Tests run on every core at once, where threads that spin while they wait take the others' time.
# Read when OpenMP loads; it changes no result.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# Read when NumPy loads: a second thread of BLAS costs twice the CPU time for matrices as small as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Shared machines stall now and then; a slow example is no failed one.
settings.register_profile("niah", deadline=None, max_examples=of_all(100))
settings.load_profile("niah")

_OWN_CACHE = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """All tests of one start share a cache that earlier starts left nothing in."""
    if hasattr(config, "workerinput"):
        return  # a worker has the variable from the process that started it
    config.stash[_OWN_CACHE] = folder = Path(tempfile.mkdtemp(prefix="niah-tests-"))
    (fetched := cache_folder() / "weights").mkdir(exist_ok=True)  # the user's own, which takes a minute
    (folder / "weights").symlink_to(fetched.resolve(), target_is_directory=True)
    os.environ["NIAH_CACHE"] = str(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(_OWN_CACHE, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


_TELLING = re.compile(r"[^.?!]*(?:access code|lanterns)[^.?!]*\.")


@dataclass
class SimulatedServer:
    """A real HTTP server whose simulated model quotes the telling sentences of its prompt.

    ``delay_s``, ``held_from`` and ``broken`` may be changed while it runs, for what waits for an answer too;
    ``prompts`` lists what it was asked, in order; those from number ``held_from`` on get no answer yet.
    """

    base_url: str = ""
    delay_s: float = 0.0
    broken: bool = False
    held_from: int | None = None
    prompts: list[str] = field(default_factory=list)

    def answer(self, prompt: str) -> str:
        text, _, _ = prompt.rpartition("Question:")
        return " ".join(match[0].strip() for match in _TELLING.finditer(text)) or "The text does not say."


@pytest.fixture
def simulated_server() -> Iterator[SimulatedServer]:
    with simulating() as simulated:
        yield simulated


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's own folder, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def own_cache(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In the test's own folder a cache without answers."""
    (cache := in_folder / "cache").mkdir()
    for each in cache_folder().iterdir():
        if ".sqlite" not in each.name:
            (cache / each.name).symlink_to(each)
    monkeypatch.setenv("NIAH_CACHE", str(cache))
    return cache


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """``niah run`` draws no heatmaps: for tests of what it asks, keeps and says."""
    none, real = SimpleNamespace(page=Path("index.html")), report.write_report

    def made(*of: Any, **more: Any) -> Any:
        return none if more.get("brief") else real(*of, **more)

    monkeypatch.setattr(report, "write_report", made)


@pytest.fixture
def without_pages(without_figures: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does ``niah nightly`` write a page, which takes seconds; its verdicts it does."""
    none = SimpleNamespace(page=Path("index.html"), problems=())
    monkeypatch.setattr(report, "write_report", lambda *of, **more: none)


@pytest.fixture
def bounded() -> Iterator[None]:
    """For inputs that take next to no time where work is bounded, and minutes to years where it is not."""
    begun = time.thread_time()  # of this thread: a model of another test may still compute
    yield
    assert time.thread_time() - begun < 30


@contextmanager
def simulating() -> Iterator[SimulatedServer]:
    """For fixtures of a wider scope."""
    simulated = SimulatedServer()

    def reply(post: Post) -> Reply:
        prompt = post.body["messages"][0]["content"]
        simulated.prompts.append(prompt)
        number = len(simulated.prompts)
        begun = time.monotonic()
        while (rest := begun + simulated.delay_s - time.monotonic()) > 0:
            time.sleep(min(rest, 0.01))
        while simulated.held_from is not None and number >= simulated.held_from:
            time.sleep(0.01)
        return Reply(completion(simulated.answer(prompt)), 422 if simulated.broken else 200)

    with replying(reply) as address:
        simulated.base_url = f"{address}/v1"
        yield simulated
