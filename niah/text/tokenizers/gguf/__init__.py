"""The vocabulary of a model that is one GGUF file."""
