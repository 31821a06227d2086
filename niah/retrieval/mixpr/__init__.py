"""Mixture of PageRanks, from text to ranking, with its kernels."""
