"""The compiled core of the solver: exact risks, guesses and whole games, computed on flat arrays.

The first import compiles it, which takes up to half a minute. The result is stored on disk, see `build`.
"""
