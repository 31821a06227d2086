"""Secrets stay out."""

from __future__ import annotations

import logging

import pytest

from niah.readers.redaction import logs_redacted, redact, secrets_in, secrets_of

# Its characters change in JSON, in an address and in base64.
SECRET = 'k"e/y+12345='


def test_secrets_are_known_by_the_name_of_their_variable() -> None:
    environment = {"A_API_KEY": "k1", "HF_TOKEN": "k2", "AWS_SECRET": "k3", "HOME": "/root", "KEYBOARD": "us"}
    assert secrets_in(environment) == {"k1", "k2", "k3"}


@pytest.mark.parametrize(
    "form", [SECRET, 'k\\"e/y+12345=', "k%22e/y%2B12345%3D", "k%22e%2Fy%2B12345%3D", "ayJlL3krMTIzNDU9"]
)
def test_encoded_secrets_go_too(form: str) -> None:
    assert redact(f"a {form} b", [SECRET]) == "a *** b"


def test_an_address_holds_a_password_and_keys() -> None:
    # The user alone is no secret; together with the password it is what a header carries in base64.
    assert secrets_of("https://me:p%2Fw@host/v1?key=a%2Bb&x=c") == {"p/w", "me:p/w", "a+b", "c"}
    assert "token" in secrets_of("https://token@host/v1")
    assert not {text for text in secrets_of("http://host:8000/v1") if text}


def test_logs_are_redacted_while_asked_to(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("httpx")
    with caplog.at_level(logging.INFO, "httpx"):
        with logs_redacted(["key-of-mine"]):
            logger.info("sent %s", "<key-of-mine>")
            try:
                raise ValueError("bad key-of-mine")
            except ValueError:
                logger.exception("failed")
        logger.info("GET %s", "key-of-mine")
    text = caplog.text
    assert "sent <***>" in text
    assert "ValueError: bad ***" in text
    assert text.count("key-of-mine") == 1
