"""What the structure of an answer says of the names in it."""
