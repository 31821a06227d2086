"""Prices, against the table that the installed litellm really ships."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from niah.readers.reader import Usage
from niah.runs.cost.prices.model_prices import price_of
from niah.runs.cost.prices.own_prices import own_price, prices_to_store, stored_prices
from niah.runs.cost.prices.price import FREE, NO_PRICE_SET, Price, Rates
from niah.runs.cost.prices.retrieval_prices import embedder_price, embedder_prices
from niah.runs.cost.prices.spending import cost
from niah.runs.provenance import Invocation

OPENAI = {"provider": "openai-compatible", "api_base": "https://api.openai.com/v1"}


def shipped(name: str) -> dict[str, Any]:
    spec = find_spec("litellm")
    assert spec
    assert spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0]) / "model_prices_and_context_window_backup.json"
    entry: dict[str, Any] = json.loads(file.read_text(), parse_float=Decimal)[name]
    return entry


def test_openais_own_models_are_listed_without_their_provider() -> None:
    price = price_of("openai/gpt-4o-mini", OPENAI)
    entry = shipped("gpt-4o-mini")
    assert price
    assert not price.free
    assert price.rates[0] == Rates(
        0,
        entry["input_cost_per_token"],
        entry["cache_read_input_token_cost"],
        entry["output_cost_per_token"],
    )
    assert price_of("gpt-4o-mini", OPENAI) == price


def test_a_providers_model_is_found_with_and_without_the_provider() -> None:
    stripped = price_of("anthropic/claude-sonnet-4-5", {"provider": "anthropic"})
    listed = price_of("mistral/mistral-large-latest", {"provider": "mistral"})
    assert stripped
    assert listed
    assert stripped.rates[0].input == shipped("claude-sonnet-4-5")["input_cost_per_token"]
    assert listed.rates[0].output == shipped("mistral/mistral-large-latest")["output_cost_per_token"]


def test_anothers_price_is_nobodys() -> None:
    # gpt-4o-mini is in the table, as OpenAI's: what groq would take for it is not known.
    assert price_of("groq/gpt-4o-mini", {"provider": "groq"}) is None


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("openai/gpt-99-none", OPENAI),
        ("mistral/none-such", {"provider": "mistral"}),
        ("gpt-4o-mini", {"provider": "openai-compatible", "api_base": "https://gateway.example/v1"}),
        # In the table with 0: nobody has entered its price.
        ("volcengine/deepseek-v3-2-251201", {"provider": "volcengine"}),
        # A fee per request comes on top.
        ("perplexity/pplx-7b-online", {"provider": "perplexity"}),
        ("openai/text-embedding-3-small", OPENAI),
        ("ollama/gpt-oss:20b-cloud", {"provider": "ollama"}),
    ],
)
def test_unknown_is_none_and_never_0(name: str, settings: dict[str, str | int]) -> None:
    price = price_of(name, settings)
    assert price is None
    assert cost(price, Usage(1000, 10)) is None


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("m", {"provider": "openai-compatible", "api_base": "http://127.0.0.1:8000/v1"}),
        ("m", {"provider": "openai-compatible", "api_base": "http://[::1]:8000/v1"}),
        ("m", {"provider": "openai-compatible", "api_base": "http://10.1.2.3:8000/v1"}),
        ("m", {"provider": "openai-compatible", "api_base": "http://localhost:8000/v1"}),
        ("ollama/anything", {"provider": "ollama"}),
    ],
)
def test_ones_own_machine_counts_as_0_though_nobody_says_so(
    name: str, settings: dict[str, str | int]
) -> None:
    assert price_of(name, settings) == NO_PRICE_SET
    # Reported usage or not.
    assert cost(NO_PRICE_SET, Usage()) == 0


def test_the_model_in_the_package_is_free() -> None:
    assert price_of("smollm2", {"provider": "embedded"}) == FREE != NO_PRICE_SET
    assert cost(FREE, Usage()) == 0


def test_cost_by_hand() -> None:
    cheap = Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01"))
    dear = Rates(2000, Decimal("0.002"), Decimal("0.0002"), Decimal("0.02"))
    price = Price((cheap, dear))
    # 700 fresh x 0.001 + 300 cached x 0.0001 + 10 x 0.01 = 0.7 + 0.03 + 0.1
    assert cost(price, Usage(1000, 10, 300)) == Decimal("0.83")
    # The border itself is still cheap: 2000 x 0.001. One more, and every token is dear: 2001 x 0.002.
    assert cost(price, Usage(2000, 0)) == Decimal("2")
    assert cost(price, Usage(2001, 0)) == Decimal("4.002")
    # What the provider did not say is not known.
    assert cost(price, Usage(1000, None)) is None
    assert cost(price, Usage(None, 10)) is None


def test_long_prompts_of_a_real_model_cost_more_per_token() -> None:
    price = price_of("gemini/gemini-2.5-pro", {"provider": "gemini"})
    entry = shipped("gemini/gemini-2.5-pro")
    assert price
    assert [rates.above for rates in price.rates] == [0, 200_000]
    assert price.of(200_001, 0) == 200_001 * entry["input_cost_per_token_above_200k_tokens"]
    assert price.of(200_000, 0) == 200_000 * entry["input_cost_per_token"]


EMBEDDER = "openai/text-embedding-3-small"


def test_an_embedder_costs_what_it_reads() -> None:
    price = embedder_price(EMBEDDER, {})
    assert price
    # 0.02 USD for a million tokens, and nothing for vectors.
    assert shipped("text-embedding-3-small")["input_cost_per_token"] == Decimal("2e-8")
    assert price.of(1_000_000, 10) == Decimal("0.02")
    # An entry without a price of output.
    assert "output_cost_per_token" not in shipped("mistral/mistral-embed")
    assert embedder_price("mistral/mistral-embed", {}) == own_price(
        Decimal("0.1"), Decimal("0.1"), Decimal(0)
    )


@pytest.mark.parametrize(
    ("model", "environment"),
    [
        ("openai/text-embedding-99", {}),
        ("openai/gpt-4o-mini", {}),  # reads and writes, and does not embed
        ("volcengine/doubao-embedding", {}),  # in the table with 0
        ("hosted_vllm/bge", {}),
        (EMBEDDER, {"OPENAI_API_BASE": "https://gateway.example/v1"}),
        (EMBEDDER, {"OPENAI_BASE_URL": "https://gateway.example/v1"}),
    ],
)
def test_an_embedder_of_unknown_price(model: str, environment: dict[str, str]) -> None:
    assert embedder_price(model, environment) is None


@pytest.mark.parametrize(
    ("model", "environment"),
    [
        ("ollama/nomic-embed-text", {}),
        (EMBEDDER, {"OPENAI_API_BASE": "http://127.0.0.1:8000/v1"}),
        ("hosted_vllm/bge", {"HOSTED_VLLM_API_BASE": "http://10.0.0.7/v1"}),
    ],
)
def test_embedders_of_ones_own_have_no_price(model: str, environment: dict[str, str]) -> None:
    assert embedder_price(model, environment) == NO_PRICE_SET


def test_embedders_by_the_names_of_retrievers(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    own = own_price(Decimal(1), Decimal(1), Decimal(0))
    prices = embedder_prices(["litellm:text-embedding-3-small", EMBEDDER], {EMBEDDER: own})
    assert prices == {"litellm:text-embedding-3-small": embedder_price(EMBEDDER, {}), EMBEDDER: own}


def test_litellm_is_not_imported() -> None:
    script = (
        "import sys; from niah.runs.cost.prices.model_prices import price_of;"
        "assert price_of('mistral/mistral-large-latest', {'provider': 'mistral'});"
        "assert 'litellm' not in sys.modules and 'openai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


OWN = {"m": own_price(Decimal("0.15"), Decimal("0.05"), Decimal("2")), "e": own_price(*[Decimal(0)] * 3)}


def invocation(settings: dict[str, dict[str, object]]) -> Invocation:
    return Invocation("2026-11-22T04:00:00.000Z", settings, {})


def test_own_prices_are_stored_digit_for_digit() -> None:
    assert prices_to_store(OWN) == {
        "m": {"input": "0.15", "cached_input": "0.05", "output": "2"},
        "e": {"input": "0", "cached_input": "0", "output": "0"},
    }
    assert stored_prices([invocation({"prices": {"value": prices_to_store(OWN), "source": "file"}})]) == OWN


def test_the_latest_own_prices_count() -> None:
    earlier = invocation({"prices": {"value": prices_to_store(OWN), "source": "file"}})
    assert stored_prices([earlier, invocation({"prices": {"value": None, "source": "default"}})]) == {}


def test_runs_without_own_prices() -> None:
    assert stored_prices([]) == {}
    assert stored_prices([invocation({})]) == {}
