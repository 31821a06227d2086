"""Faults of public bug reports, tried from outside: the fixtures are those of the contract tests."""

from tests.contract.conftest import chrome, endpoint, folder, lamp, niah

__all__ = ["chrome", "endpoint", "folder", "lamp", "niah"]
