"""Solvers from the literature, one module or package each. Each plays as it was published."""
