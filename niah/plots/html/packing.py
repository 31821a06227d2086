"""Numbers and texts as they lie in the page: compressed, in base64, so that nothing in them is markup."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson

# What JavaScript calls them.
_TYPES = {"u1": "Uint8Array", "u2": "Uint16Array", "u4": "Uint32Array", "f8": "Float64Array"}
_LEVEL = 4
"""In two fifths of the time of the usual 6, seven in a hundred larger."""


def packed(value: Any) -> str:
    """JSON, deflated without headers (``deflate-raw`` to browsers), in base64."""
    return packed_bytes(orjson.dumps(value))


def packed_bytes(data: bytes) -> str:
    """Bytes, deflated without headers, in base64."""
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(data) + deflate.flush()).decode()


def column(numbers: Sequence[float]) -> dict[str, str]:
    """Numbers as a little-endian typed array, as narrow as they allow; whole ones are exact up to 2^53."""
    values = np.asarray(numbers, dtype=np.float64)
    whole = bool((values >= 0).all() and (values == np.floor(values)).all())
    highest = values.max(initial=0)
    fitting = (f"u{size}" for size in (1, 2, 4) if whole and highest < 2 ** (8 * size))
    kind = next(fitting, "f8")
    data = values.astype(f"<{kind}").tobytes()
    return {"type": _TYPES[kind], "data": base64.b64encode(data).decode()}
