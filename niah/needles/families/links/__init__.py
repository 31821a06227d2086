"""Statements that link one name to the next: chains, and graphs."""
