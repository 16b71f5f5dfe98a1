"""The game of Minesweeper itself: simulated in memory, and played by people."""
