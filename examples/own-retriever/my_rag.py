"""Scores chunks by the rare words that they share with the question."""

from collections import Counter


def retrieve(question, chunks):
    """One number a chunk, the higher the better."""
    words = [set(chunk.lower().split()) for chunk in chunks]
    chunks_with = Counter(word for each in words for word in each)
    asked = set(question.lower().rstrip("?").split())
    return [sum(1 / chunks_with[word] for word in asked & each) for each in words]
