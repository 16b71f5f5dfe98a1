"""From pixels to a position: find the grid, tell the cells' states apart, read the panel."""
