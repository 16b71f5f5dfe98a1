"""Learning how the cells of a game look that no skin describes."""
