"""How sure it is that rows got worse: what is tested together, the tests, what they could have seen."""
