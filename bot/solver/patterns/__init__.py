"""Schemes: small fields whose numbers settle some of their cells (Novitsky 2021).

`scheme` says what one is, `rules` proves one order by order, `fields`, `search` and `synthesis` find all of
them from nothing, `library` keeps them and finds them on a board, `learning` adds what a position teaches,
`naming` knows what players call them.
"""
