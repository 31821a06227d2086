"""One published format a module: rows as the dataset's authors publish them, made questions."""
