"""Cases: exact placement and assembly of contexts, and the suites they come from."""
