"""Patterns: small fields whose numbers settle some of their cells (Novitsky 2021).

`pattern` says what one is and how it is proven, `synthesis` finds all of them from nothing, `library` keeps
them, finds them on a board and learns more, `names` knows what players call them.
"""
