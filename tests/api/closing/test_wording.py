"""What a remedy names is what whoever reads it can write."""

from __future__ import annotations

from niah.api.closing.wording import CommandWording


def test_a_night_is_named_the_command_that_takes_the_option() -> None:
    run, night = CommandWording(), CommandWording("niah run nightly --out f.sqlite", "niah nightly nightly")
    assert run.retry("truncated") == "--retry truncated"
    assert night.retry("truncated") == "niah run nightly --out f.sqlite --retry truncated"


def test_a_night_goes_into_a_file_of_its_own_by_its_date() -> None:
    assert CommandWording().elsewhere == "another --out"
    assert CommandWording("niah run nightly --out f.sqlite").elsewhere == "another --date"
