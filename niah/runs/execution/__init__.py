"""Trials prepared, asked, judged and committed."""
