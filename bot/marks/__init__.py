"""Marks on a board: which cells are marked, and how a mark looks, on a picture and on the screen."""
