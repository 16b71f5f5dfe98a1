"""Learn the appearance of the cells of games that no skin describes."""
