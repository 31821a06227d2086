"""Cases: exact placement and assembly of contexts, and the suites they come from.

Called, it gives a suite's cases, built one after another (``niah.api.cases``):

    import niah
    for case in niah.cases("quick"):
        assert case.answer and case.question in case.prompt
"""

from __future__ import annotations

from niah.plugins.registry import make_callable

make_callable(__name__, "niah.api.cases:open_cases")
