"""Cases: exact placement and assembly of contexts, and the suites they come from.

Called, as ``niah.cases("quick")``, it gives a suite's cases, built one after another (``niah.api.cases``).
"""

from __future__ import annotations

from niah.registry import make_callable

make_callable(__name__, "niah.api.cases:open_cases")
