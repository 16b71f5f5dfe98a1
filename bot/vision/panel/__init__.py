"""What stands beside a board: the mine counter, other numbers, a face, buttons; and how far the game is."""
