"""Answers that mend what they have said: a part withdrawn, one value put in the place of another."""
