"""Encoders of texts, and the vectors they leave."""
