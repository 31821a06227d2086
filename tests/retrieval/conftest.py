"""A tiny model with random weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tiny_model import save_tiny_model


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny-model")
