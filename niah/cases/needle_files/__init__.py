"""Needles of other projects as needle sets."""
