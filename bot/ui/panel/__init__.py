"""A small window from which ``minebot play`` is started and led."""
