"""What every figure is made with: layout, theme, labels, files."""
