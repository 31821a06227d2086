"""Names in another case, by the surname alone, with other accents, in one word or two, with a number."""
