"""Where a text names elements, and which of them stand out of their order."""
