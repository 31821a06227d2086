"""The price table that comes with litellm.

It is a file inside the installed package, or came with the vocabularies of tokens, and is as old as
that: litellm is not imported, no network is asked. A price that is not known is None, never 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from niah.runs.cost.prices.price import Price, Rates
from niah.weights import fetched_weights

_TABLE = "model_prices_and_context_window_backup.json"
_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")
_MODES = frozenset({"chat", "completion", "responses"})
EMBEDDING_MODE = frozenset({"embedding"})


@lru_cache(maxsize=256)
def listed_price(name: str, modes: frozenset[str] = _MODES) -> Price | None:
    """The price under ``provider/model``, or under ``model`` where that is the same provider's."""
    entry = table_entry(name)
    # Embeddings have no output, and some entries no price for it.
    return _price({**entry, "output_cost_per_token": 0} if modes == EMBEDDING_MODE else entry, modes)


def table_entry(name: str) -> Mapping[str, Any]:
    """The table's, under ``provider/model`` or under ``model`` of the same provider; empty where none is."""
    entry = _table().get(name)
    if entry is None:
        provider, _, model = name.partition("/")
        entry = _table().get(model, {})
        if not str(entry.get("litellm_provider", "")).startswith(provider):
            return {}
    return entry


def _price(entry: Mapping[str, Any], modes: Collection[str]) -> Price | None:
    """An entry of the table as a price; None where tokens alone do not say what a call costs."""
    base = table_rates(entry, 0, "")
    if (
        base is None
        or entry.get("mode") not in modes
        or entry.get("input_cost_per_request")
        or entry.get("input_cost_per_query")
        # In the table, 0 for a hosted model stands for a price that nobody has entered.
        or not (base.input or base.output)
    ):
        return None
    above = sorted(int(match[1]) for key in entry if (match := _TIER.fullmatch(key)))
    tiers = [table_rates(entry, size * 1000, f"_above_{size}k_tokens", base) for size in above]
    return Price((base, *filter(None, tiers)))


def table_rates(entry: Mapping[str, Any], above: int, suffix: str, base: Rates | None = None) -> Rates | None:
    """Of prompts above ``above`` tokens, by the keys that end in ``suffix``; None where there are none."""
    paid = entry.get(f"input_cost_per_token{suffix}")
    output = entry.get(f"output_cost_per_token{suffix}", base.output if base else None)
    if paid is None or output is None:
        return None
    # Without a price of its own, a cached token costs what any other does.
    cached = entry.get(f"cache_read_input_token_cost{suffix}", paid)
    thinking = entry.get(f"output_cost_per_reasoning_token{suffix}", base.thinking if base else None)
    own = None if thinking is None or Decimal(thinking) == Decimal(output) else Decimal(thinking)
    return Rates(above, Decimal(paid), Decimal(paid if cached is None else cached), Decimal(output), own)


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, Any]]:
    """The table as it ships; numbers are read as decimals, digit for digit. Empty where none is here."""
    folder = _table_folder()
    if folder is None or not (folder / _TABLE).is_file():
        return {}
    table: dict[str, dict[str, Any]] = json.loads((folder / _TABLE).read_bytes(), parse_float=Decimal)
    return table


def _table_folder() -> Path | None:
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return fetched_weights("vocabularies")
    return Path(spec.origin).parent
