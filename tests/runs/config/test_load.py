"""Run configs from YAML: prices of one's own, and the configs that ship."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from niah.runs.config import Instead, RunConfig
from niah.runs.cost.prices import Rates, prices_of
from niah.runs.load_config import config_folders, load_config

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: [0, 100]
seeds: [5, 6]
"""
GATEWAY = "{model: qwen, api_base: 'https://gateway.example/v1'}"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    Path("suite.yaml").write_text(SUITE)


def loaded(*lines: str, instead: Instead | None = None, readers: str = "[smollm2]") -> RunConfig:
    text = "\n".join(["suite: suite.yaml", "strategies: [lc]", f"readers: {readers}", *lines])
    Path("mine.yaml").write_text(text)
    return load_config("mine.yaml", instead)


def seeds(config: RunConfig) -> list[int]:
    return list(dict.fromkeys(case.seed for case in config.cases))


def test_own_prices_come_first() -> None:
    config = loaded(
        "prices: {qwen: {input: 0.15, output: 2, cached_input: 0.05}, smollm2: {input: 1, output: 2}}",
        readers=f"[smollm2, {GATEWAY}]",
    )
    prices = prices_of(config.readers, config.prices)
    # 0.15 USD for a million tokens.
    assert prices["qwen"] is not None
    assert prices["qwen"].rates == (Rates(0, Decimal("1.5e-7"), Decimal("5e-8"), Decimal("2e-6")),)
    # Without a price of its own, cached input costs what other input does.
    assert prices["smollm2"] is not None
    assert prices["smollm2"].rates[0].cached_input == Decimal("1e-6")
    assert not prices["smollm2"].free
    assert prices_of(config.readers)["qwen"] is None


def test_every_shipped_config_loads_without_a_key() -> None:
    shipped = config_folders()[-1]
    names = {path.stem for path in shipped.glob("*.yaml")}
    assert {"quick", "tonight"} <= names
    own_copies = {"dos-rag-quality", "dos-rag-infinitebench", "lc-vs-rag"}  # see test_published_runs.py
    for name in names - own_copies:
        config = load_config(str(shipped / f"{name}.yaml"))
        assert config.cases or config.question_sets.paths
