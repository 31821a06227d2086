"""Cases: exact placement and assembly of contexts, and the suites they come from.

Called, as ``niah.cases("quick")``, it gives a suite's cases, built one after another.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Cases(ModuleType):
    def __call__(self, *args: Any, **named: Any) -> Any:
        from niah.cases.suite import open_cases

        return open_cases(*args, **named)


sys.modules[__name__].__class__ = _Cases
