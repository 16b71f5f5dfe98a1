"""Patterns: small fields whose numbers settle some of their cells (Novitsky 2021).

`pattern` defines patterns and proves them, `synthesis` finds all of them from nothing, `library` matches them
on a board, learns more, and knows what players call them.
"""
