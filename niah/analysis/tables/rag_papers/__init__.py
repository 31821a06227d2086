"""The tables of long-context-vs-rag and stronger-baselines-dos-rag, for questions over given documents."""
