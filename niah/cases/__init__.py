"""Cases: exact placement and assembly of contexts, and the suites they come from.

Called, as ``niah.cases("quick")``, it gives a suite's cases, built one after another (``niah.api.cases``).
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Cases(ModuleType):
    def __call__(self, *args: Any, **named: Any) -> Any:
        from importlib import import_module  # what is right of here is not imported by name

        return import_module("niah.api.cases").open_cases(*args, **named)


sys.modules[__name__].__class__ = _Cases
