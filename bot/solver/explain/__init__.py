"""Explanations in words of why a cell is safe or a mine, with as few numbers as possible."""
