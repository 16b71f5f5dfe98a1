"""The game itself, for simulation and for people."""
