"""Reading boards whose art was never seen: by shape, colour, clusters and the logic of the game."""
