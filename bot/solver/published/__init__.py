"""Solvers from the literature, one module each. Each plays as it was published."""
