"""Minesweeper in words: what is typed goes in, and lines of text come out."""
