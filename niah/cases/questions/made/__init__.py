"""Question sets that are made by rule, with documents of any size."""
