"""The only door to LLMs."""
