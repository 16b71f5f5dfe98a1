"""The compiled core of the solver: exact chances, guesses and whole games on flat arrays.

The first import compiles it, which takes up to half a minute; the result is stored on disk (see `compiled`).
"""
