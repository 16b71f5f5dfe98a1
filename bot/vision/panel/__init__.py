"""Read the panel beside a board: mine counter, other numbers, face, buttons, and changes at a game's end."""
