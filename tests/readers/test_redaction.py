"""Secrets stay out."""

from __future__ import annotations

from niah.readers.redaction import redact, secrets_in


def test_every_occurrence_goes() -> None:
    assert redact("key=abcdefgh and abcdefgh", ["abcdefgh"]) == "key=*** and ***"


def test_words_too_short_to_be_secrets_stay() -> None:
    assert redact("none of these", ["none", ""]) == "none of these"


def test_secrets_are_known_by_the_name_of_their_variable() -> None:
    environment = {"A_API_KEY": "k1", "HF_TOKEN": "k2", "AWS_SECRET": "k3", "HOME": "/root", "KEYBOARD": "us"}
    assert secrets_in(environment) == {"k1", "k2", "k3"}
