"""Where tokenizers come from: one module for each kind of vocabulary, one for the names users write."""
