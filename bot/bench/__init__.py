"""Thousands of seeded games: how often strategies win, and how long they think."""
