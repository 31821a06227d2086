"""Cases in the forms of other projects."""
