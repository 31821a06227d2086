"""Names of common things and of places, told in another language than the needle set's."""
