"""Patterns: small fields whose numbers settle some of their cells (Novitsky 2021).

`pattern` defines patterns and proves them. `library` matches them on a board, learns new ones, and reads and
writes their files. `synthesis` generates all of them without examples.
"""
