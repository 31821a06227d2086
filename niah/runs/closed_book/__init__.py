"""The filter ``closed-book``: readers are asked without context first, and what they know is left out."""
