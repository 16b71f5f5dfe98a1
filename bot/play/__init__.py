"""The loop that plays a game on the screen: look, read, decide, click, check."""
