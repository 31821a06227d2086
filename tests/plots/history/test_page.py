"""The page as a file: whole in itself, and nothing in it is taken for markup."""

from __future__ import annotations

import base64
import csv
import io
import re
from pathlib import Path

from niah.analysis.nights.trend_tables import night_table
from niah.analysis.nights.trends import Trend
from niah.plots.history.page import write_history_page
from tests.plots.html.hostile import HOSTILE_NAME


def test_it_asks_for_nothing_else(eventful: list[Trend], tmp_path: Path) -> None:
    html = write_history_page(tmp_path, "nightly", eventful, []).read_text()
    addresses = re.findall(r'(?:href|src|action)="([^"]*)"', html)
    assert all(address.startswith(("#", "data:text/csv")) for address in addresses)
    assert "default-src &#39;none&#39;" in html
    assert not re.search(r"\s(?:style|on\w+)=", html)


def test_names_are_text(hostile: Path) -> None:
    html = hostile.read_text()
    assert HOSTILE_NAME not in html
    assert html.count("&lt;img src=x") > 20


def test_the_file_of_all_nights_is_in_the_page(eventful: list[Trend], tmp_path: Path) -> None:
    html = write_history_page(tmp_path, "nightly", eventful, []).read_text()
    (data,) = re.findall(
        r'download="nights\.csv"[^>]*href="data:text/csv;charset=utf-8;base64,([^"]+)"', html
    )
    rows = list(csv.reader(io.StringIO(base64.b64decode(data).decode())))
    table = night_table(eventful)
    assert rows[0] == list(table.columns)
    assert len(rows) - 1 == len(table.rows) == 40
    assert [float(row[5]) for row in rows[1:3]] == [7.8, 7.2]


def test_what_was_left_out_stands_on_top(hostile: Path, eventful: list[Trend], tmp_path: Path) -> None:
    assert "x-2026-11-30.sqlite" in hostile.read_text()
    assert "Left out" not in write_history_page(tmp_path, "nightly", eventful, []).read_text()
