"""Prices, against the table that the installed litellm really ships."""

from __future__ import annotations

import json
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from niah.readers.reader import Usage
from niah.runs.cost.prices import FREE, NO_PRICE_SET, Price, Rates, cost, price_of

EMBEDDER = "openai/text-embedding-3-small"


def shipped(name: str) -> dict[str, Any]:
    spec = find_spec("litellm")
    assert spec
    assert spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0]) / "model_prices_and_context_window_backup.json"
    entry: dict[str, Any] = json.loads(file.read_text(), parse_float=Decimal)[name]
    return entry


def at(address: str) -> dict[str, str | int]:
    return {"provider": "openai-compatible", "api_base": address}


OPENAI = at("https://api.openai.com/v1")


@pytest.mark.parametrize(
    ("name", "settings", "entry"),
    [
        ("openai/gpt-4o-mini", OPENAI, "gpt-4o-mini"),
        ("gpt-4o-mini", OPENAI, "gpt-4o-mini"),
        ("anthropic/claude-sonnet-4-5", {"provider": "anthropic"}, "claude-sonnet-4-5"),
        ("mistral/mistral-large-latest", {"provider": "mistral"}, "mistral/mistral-large-latest"),
    ],
)
def test_a_listed_price(name: str, settings: dict[str, str | int], entry: str) -> None:
    price, row = price_of(name, settings), shipped(entry)
    assert price
    assert not price.free
    rates = price.rates[0]
    assert (rates.input, rates.output) == (row["input_cost_per_token"], row["output_cost_per_token"])
    assert rates.cached_input == row.get("cache_read_input_token_cost", rates.input)


@pytest.mark.parametrize(
    ("name", "settings", "price"),
    [
        # Unknown is None and never 0.
        ("groq/gpt-4o-mini", {"provider": "groq"}, None),  # in the table as OpenAI's
        ("openai/gpt-99-none", OPENAI, None),
        ("gpt-4o-mini", at("https://gateway.example/v1"), None),
        ("volcengine/deepseek-v3-2-251201", {"provider": "volcengine"}, None),  # in the table with 0
        ("perplexity/pplx-7b-online", {"provider": "perplexity"}, None),  # a fee per request comes on top
        (EMBEDDER, OPENAI, None),
        ("ollama/gpt-oss:20b-cloud", {"provider": "ollama"}, None),
        ("m", at("http://127.0.0.1:8000/v1"), NO_PRICE_SET),
        ("m", at("http://[::1]:8000/v1"), NO_PRICE_SET),
        ("m", at("http://10.1.2.3:8000/v1"), NO_PRICE_SET),
        ("m", at("http://localhost:8000/v1"), NO_PRICE_SET),
        ("ollama/anything", {"provider": "ollama"}, NO_PRICE_SET),
        ("smollm2", {"provider": "embedded"}, FREE),
    ],
)
def test_what_is_unknown_or_free(name: str, settings: dict[str, str | int], price: Price | None) -> None:
    assert price_of(name, settings) == price
    assert cost(price, Usage(1000, 10)) == (0 if price else None)


def test_cost_by_hand() -> None:
    cheap = Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01"))
    dear = Rates(2000, Decimal("0.002"), Decimal("0.0002"), Decimal("0.02"))
    price = Price((cheap, dear))
    # 700 fresh x 0.001 + 300 cached x 0.0001 + 10 x 0.01 = 0.7 + 0.03 + 0.1
    assert cost(price, Usage(1000, 10, 300)) == Decimal("0.83")
    # The border itself is still cheap: 2000 x 0.001. One more, and every token is dear: 2001 x 0.002.
    assert cost(price, Usage(2000, 0)) == Decimal("2")
    assert cost(price, Usage(2001, 0)) == Decimal("4.002")
    assert (cost(price, Usage(1000, None)), cost(price, Usage(None, 10))) == (None, None)


def test_long_prompts_of_a_real_model_cost_more_per_token() -> None:
    price, entry = price_of("gemini/gemini-2.5-pro", {"provider": "gemini"}), shipped("gemini/gemini-2.5-pro")
    assert price
    assert price.of(200_001, 0) == 200_001 * entry["input_cost_per_token_above_200k_tokens"]
    assert price.of(200_000, 0) == 200_000 * entry["input_cost_per_token"]
