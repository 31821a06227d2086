"""Run configs: their files, what is read from them, and what is wrong in them."""
