"""Retrieval by embeddings."""
