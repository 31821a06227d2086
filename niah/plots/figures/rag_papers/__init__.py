"""Figures of long-context-vs-rag and stronger-baselines-dos-rag."""
