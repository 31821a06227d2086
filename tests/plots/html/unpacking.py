"""Reads a report as a browser does."""

from __future__ import annotations

import base64
import re
import zlib
from pathlib import Path
from typing import Any

import orjson

_DATA = re.compile(r'<script type="application/octet-stream"([^>]*)>([^<]*)</script>')


def inflated(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text), -zlib.MAX_WBITS)


def unpacked(text: str) -> Any:
    return orjson.loads(inflated(text))


def index_of(path: Path) -> Any:
    return next(unpacked(text) for marks, text in _DATA.findall(path.read_text()) if "index" in marks)


def blocks_of(path: Path) -> list[Any]:
    return [unpacked(text) for marks, text in _DATA.findall(path.read_text()) if "block" in marks]
