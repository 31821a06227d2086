"""Packages that can be called: ``niah.cases`` is one, and ``niah.cases("u-niah")`` a suite's cases."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from niah.plugins.registry import load_reference


class CallablePackage(ModuleType):
    """A package whose call is that of the function that ``__call_target__`` names, as entry points do."""

    __call_target__: str

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Import the function, and call it."""
        return load_reference(self.__call_target__)(*args, **named)


def make_callable(package: str, target: str) -> None:
    """Let the imported ``package`` be called: ``target`` is MODULE:FUNCTION, imported at the first call."""
    module = sys.modules[package]
    module.__class__ = CallablePackage
    vars(module)["__call_target__"] = target
