"""What a comparison comes to, in words: of nights, of runs, of two models."""
