"""Patterns: small fields whose numbers settle some of their cells (Novitsky 2021).

`pattern` defines patterns and proves them. `synthesis` generates all of them without examples. `library`
matches them on a board, learns new ones, and has the names that players use.
"""
