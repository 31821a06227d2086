"""Arguments of ``niah.run`` that are no lists, and stand for some."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import niah
from niah.errors import UnknownName


def test_lists_may_be_what_python_has_for_them() -> None:
    reader = {"model": "x", "api_base": "http://127.0.0.1:1/v1"}
    asked = partial(niah.plan, "single", readers=(reader,), depths=range(0, 101, 50))
    plain = asked(strategies=["lc"], lengths=[1024, 2048], seeds=[1, 2])
    listed: dict[str, Any] = {
        "strategies": iter(["lc"]),
        "lengths": np.array([1024, 2048]),
        "seeds": range(1, 3),
    }
    written = asked(**listed)
    assert repr(written) == repr(plain)
    with pytest.raises(UnknownName, match=r"no run config or suite called 'singel'\. Did you mean 'single'"):
        niah.run("singel", readers=reader, strategies="lc")


def test_a_length_may_be_written_as_on_the_command_line() -> None:
    asked = partial(niah.plan, "single", readers="smollm2", strategies="lc")
    assert repr(asked(lengths=["1k", 2048])) == repr(asked(lengths=[1024, 2048])) != repr(asked(lengths="1k"))
    with pytest.raises(
        niah.UserError, match=r"the argument lengths is \[1024, '4x'\]\. Write whole numbers of"
    ):
        asked(lengths=["1k", "4x"])
