"""The two ends that touch the world: looking at the screen, and moving the mouse."""
