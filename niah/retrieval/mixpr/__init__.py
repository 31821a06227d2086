"""Mixture of PageRanks, from text to ranking, with its kernels."""

from niah.retrieval.mixpr.mixpr import MixPR as MixPR
