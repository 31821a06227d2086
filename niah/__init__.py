"""Stress tests for language models on long contexts, and for retrieval against reading everything.

    import niah
    run = niah.run("quick")             # asks what is not asked yet, as the command does
    run.frame()                         # pandas: a row a trial
    run.heatmap("lc")                   # a matplotlib Figure
    niah.compare("last-night", run)     # one verdict

Everything here is imported when it is first used; types are in ``__init__.pyi``.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_HOMES = {
    **dict.fromkeys(("NiahError", "UserError"), "niah.errors"),
    **dict.fromkeys(("Run", "load_run", "report"), "niah.api.result"),
    **dict.fromkeys(("plan", "run"), "niah.api.run"),
    **{name: f"niah.api.{name}" for name in ("compare", "judge")},
}
__all__ = sorted([*_HOMES, "__version__", "cases"])


def __getattr__(name: str) -> object:
    if name == "cases":  # a package that can be called
        return import_module("niah.cases")
    if name not in _HOMES:
        raise AttributeError(f"module 'niah' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
