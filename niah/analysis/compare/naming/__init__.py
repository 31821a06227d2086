"""Where in what got worse the drop sits: which rows and which needle sets are named."""
