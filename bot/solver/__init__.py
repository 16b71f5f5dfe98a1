"""What to do next on a position: proofs first, then exact chances, then the best guess."""
