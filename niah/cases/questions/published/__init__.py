"""Published datasets as question sets: ``niah questions import`` (docs/questions.md)."""
