"""What others add to niah: registries of things by name, which installed packages extend by entry points.

The types that a package's judges, readers, strategies and the rest take or give are all here:

    from niah.plugins import Answer, RuleJudge, Verdict

Each is imported from where it lives when it is first asked for; its type is in ``__init__.pyi``.
"""

from __future__ import annotations

from importlib import import_module

_HOMES = {
    name: home
    for home, names in {
        "niah.cases.questions.question_set": "QuestionSetFormat",
        "niah.cases.sample": "AnswerKey",
        "niah.judges.metrics": "Metric",
        "niah.judges.verdict": "RuleJudge Verdict",
        "niah.readers.reader": "Answer Failure Request Usage",
        "niah.readers.resolve": "ReaderSpec",
        "niah.strategies.chunkers": "ChunkerKind",
        "niah.strategies.parts": "ChunkOrder",
        "niah.strategies.presets": "Preset",
    }.items()
    for name in names.split()
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import what is asked for the first time."""
    if name not in _HOMES:
        raise AttributeError(f"module 'niah.plugins' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value
