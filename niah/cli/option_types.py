"""What options take: counts, seeds, shares between two limits, paths, and texts that say something."""

from __future__ import annotations

import os
from math import isnan
from typing import Any

import click

_LARGEST = 2**63 - 1
"""What a run file can hold; YAML files may say nothing larger either."""


class _Whole(click.IntRange):
    """A whole number from a least one on."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises BadParameter."""
        try:
            int(value)
        except ValueError:
            self.fail(f"{value!r} is no whole number.", param, ctx)
        number = super().convert(value, param, ctx)
        if number > _LARGEST:
            self.fail(f"{value} is too large.", param, ctx)
        return number


COUNT = _Whole(min=1)
SEED = _Whole(min=0)
PORT = _Whole(min=0, max=65535)


class Between(click.FloatRange):
    """A number in a range; "nan" is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises BadParameter."""
        try:
            is_number = not isnan(float(value))
        except ValueError:
            is_number = False
        if not is_number:
            self.fail(f"{value!r} is no number.", param, ctx)
        return super().convert(value, param, ctx)


class FilePath(click.Path):
    """The path of a file or folder. An empty one, as of a shell's variable that is not set, is none."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Raises BadParameter."""
        if value == "":
            self.fail("an empty path names nothing. Name one, or leave it out.", param, ctx)
        return super().convert(value, param, ctx)


class _Filled(click.types.StringParamType):
    """A text that is not empty."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises BadParameter."""
        if value == "":
            self.fail("is empty. Give one, or leave it out.", param, ctx)
        return super().convert(value, param, ctx)


FILLED = _Filled()
