"""Rerankers: a second, better look at the best chunks of a retriever."""
