"""Tokenizers, sentence splitting and chunking."""
