"""Strategies for which a model is asked before the reader is: summaries, gists, choices."""
