"""Seeded games by the thousand: how often strategies win, and how long they think."""
