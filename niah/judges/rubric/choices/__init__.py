"""Answers to a question that says what to choose from: a yes or no, the letter of an option."""
