"""The systems of the literature: each plays here as it was published, in a module or package of its own."""
