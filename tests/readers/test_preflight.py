"""What is asked of an endpoint before any work."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler

import pytest

from niah.errors import ReaderConfigError
from niah.readers.openai_compatible import OpenAICompatibleReader
from tests.loopback import serving


class Empty(BaseHTTPRequestHandler):
    """Has nothing at any path."""

    def do_GET(self) -> None:
        self.send_error(404)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None: ...


def test_an_address_with_nothing_at_it_is_a_mistake() -> None:
    with serving(Empty) as address, pytest.raises(ReaderConfigError, match=r"HTTP 404: .*/v1"):
        OpenAICompatibleReader("m", address, "sk-planted-0123456789").check_model()
