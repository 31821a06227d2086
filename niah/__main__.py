"""``python -m niah``."""

from niah.cli.main import entry

entry()
