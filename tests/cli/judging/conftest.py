from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.judging.endpoint import Endpoint, answering


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.chdir(tmp_path)
    made = Endpoint()
    with answering(made):
        yield made
