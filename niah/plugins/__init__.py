"""What others add to niah: registries of things by name, which installed packages extend by entry points."""
