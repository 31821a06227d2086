from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.judging.endpoint import Endpoint, answering


@pytest.fixture
def endpoint(in_folder: Path) -> Iterator[Endpoint]:
    made = Endpoint()
    with answering(made):
        yield made
