"""How many examples a property is tried on: all under ``make test-all``, a fifth under ``make test``."""

from __future__ import annotations

import os


def of_all(examples: int) -> int:
    """Use as ``@settings(max_examples=of_all(300))``; a property without settings has ``of_all(100)``."""
    return examples if os.environ.get("NIAH_ALL_EXAMPLES") else max(examples // 5, 20)
