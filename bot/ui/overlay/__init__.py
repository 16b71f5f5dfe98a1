"""The overlay: marks over the running game, click-through, drawn by a process of its own."""
