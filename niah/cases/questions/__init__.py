"""Question sets in the forms that others keep them in."""
