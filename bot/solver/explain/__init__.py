"""Why a cell is safe or a mine, in words, by as few numbers as possible."""
