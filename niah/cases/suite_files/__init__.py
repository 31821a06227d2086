"""What a suite's file says: its keys, what may be wrong with them, the cases of its grid."""
