"""No secret enters what a run file holds of how it was made."""

from __future__ import annotations

import pytest

from niah.runs.provenance import Setting, as_stored


def test_no_secret_enters_however_deep_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_GATEWAY_TOKEN", "planted-0123456789")
    value = {"a": ["http://h/planted-0123456789/v1"], "planted-0123456789": 1}
    stored = as_stored({"api_base": Setting(value, "file")})
    assert stored["api_base"]["value"] == {"a": ["http://h/***/v1"], "***": 1}
