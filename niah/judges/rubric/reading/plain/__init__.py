"""Answers that are plain lists, and need not be read any further."""
